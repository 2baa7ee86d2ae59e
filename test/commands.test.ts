import { execFile } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type AddressInfo, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import fastify from 'fastify'
import { pino } from 'pino'
import { listen } from '../src/api/http/listen.js'
import type { Config } from '../src/platform/config.js'
import { findPostgresBinaries } from '../src/platform/db/embedded-binaries.js'
import { startEmbeddedPostgres } from '../src/platform/db/embedded-postgres.js'

/** Runs a program. @returns what it said and how it ended */
async function run(args: string[], env: NodeJS.ProcessEnv = {}): Promise<{ said: string; code: number }> {
  try {
    const { stdout, stderr } = await promisify(execFile)(process.execPath, args, { env: { ...process.env, ...env } })
    return { said: stdout + stderr, code: 0 }
  } catch (error) {
    const { stdout, stderr, code } = error as { stdout: string; stderr: string; code: number }
    return { said: stdout + stderr, code }
  }
}

/** Makes a Node say that it is of an older version. */
const AS_OLD_NODE = `--import=data:text/javascript,${encodeURIComponent(
  "Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.11.1' } })",
)}`

describe('the version of Node', () => {
  const wanted = readFileSync('.nvmrc', 'utf8').trim()
  const major = wanted.split('.')[0]!

  it('is the same everywhere', () => {
    const { engines, optionalDependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as {
      engines: { node: string }
      optionalDependencies: Record<string, string>
    }
    expect(engines.node).toBe(`>=${major}`)
    const brought = Object.entries(optionalDependencies).filter(([name]) => name.startsWith('node-'))
    expect(new Set(brought.map(([, version]) => version))).toEqual(new Set([wanted]))
    expect(readFileSync('Dockerfile', 'utf8').match(/(?<=FROM node:)\d+/g)).toEqual([major, major])
    expect(readFileSync('src/main.ts', 'utf8')).toContain(`NODE_MAJOR = ${major}\n`)
    for (const page of ['README.md', '.ci/run']) expect(readFileSync(page, 'utf8')).toContain(`Node ${major}`)
  })

  it.each(['prestart', 'start:windows', 'build', 'dev', 'seed', 'demo', 'pretest', 'pretest:quick', 'pretest:slow'])(
    'is checked first by the script %s',
    (name) => {
      const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> }
      expect(scripts[name]).toMatch(/^node require-node\.mjs && /)
    },
  )

  it('is asked for in one sentence', async () => {
    const old = await run([AS_OLD_NODE, 'require-node.mjs'])
    expect(old.code).toBe(1)
    expect(old.said).toBe(
      `Switchboard needs Node ${major}, and this is Node 20.11.1 (${process.execPath}): run npm ci, which brings it on ` +
        `Linux and on Windows with x64, or install Node ${wanted}, as by nvm install.\n`,
    )
    expect(await run(['require-node.mjs'])).toEqual({ said: '', code: 0 })
    const server = await run([AS_OLD_NODE, 'test/support/typescript-process.mjs', 'src/main.ts'])
    expect(server).toEqual({ said: `Switchboard needs Node ${major}, and this is Node 20.11.1.\n`, code: 1 })
  })
})

describe('a server that cannot start', () => {
  let taken: Server
  beforeAll(async () => {
    taken = createServer()
    await new Promise<void>((done) => taken.listen(0, '127.0.0.1', done))
  })
  afterAll(() => void taken.close())

  it('names a taken port, and what to do', async () => {
    const { port } = taken.address() as AddressInfo
    const starting = listen(fastify(), { host: '127.0.0.1', port } as Config)
    await expect(starting).rejects.toThrow(
      `cannot listen on HOST 127.0.0.1, PORT ${port}: another program listens there, perhaps another Switchboard: ` +
        'stop it, or set PORT to a free port',
    )
  })

  it('names a HOST that is not of this machine', async () => {
    const starting = listen(fastify(), { host: '192.0.2.1', port: 0 } as Config)
    await expect(starting).rejects.toThrow('HOST is no address of this machine: set it to one')
  })

  it('names a DATA_DIR in which nothing can be made', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'switchboard-commands-'))
    await writeFile(join(folder, 'file'), '')
    const dataDir = join(folder, 'file', 'data')
    await expect(startEmbeddedPostgres({ dataDir, log: pino({ level: 'silent' }) })).rejects.toThrow(
      `DATA_DIR ${dataDir} cannot be made (ENOTDIR): choose a folder that this user may write`,
    )
    await rm(folder, { recursive: true })
  })

  it('says what to do when npm has installed PostgreSQL without its initdb', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'switchboard-commands-'))
    const native = join(folder, 'native')
    await mkdir(join(native, 'bin'), { recursive: true })
    for (const name of ['postgres', 'pg_ctl'])
      await writeFile(join(native, 'bin', name), '#!/bin/sh\n', { mode: 0o755 })
    await expect(findPostgresBinaries(join(folder, 'data'), {}, async () => native)).rejects.toThrow(
      `the embedded PostgreSQL is not whole (${join(native, 'bin', 'initdb')} is missing): run npm ci again, or set ` +
        'DATABASE_URL to a PostgreSQL server, 15 or newer',
    )
    await rm(folder, { recursive: true })
  })
})

describe.each(['seed', 'demo'])('npm run %s without a server', (name) => {
  const owner = { ADMIN_EMAIL: 'owner@example.com', ADMIN_PASSWORD: 'correct horse battery' }
  const none = { SERVER_URL: '', PUBLIC_URL: '', PORT: '' }
  const example = (env: NodeJS.ProcessEnv) =>
    run(['--conditions=@switchboard/source', 'test/support/typescript-process.mjs', `examples/${name}.ts`], {
      ...none,
      ...owner,
      ...env,
    })

  it('names the address that it tried, by PORT or PUBLIC_URL, and what to do', async () => {
    const advice = 'start it by npm start, or give the PORT or the PUBLIC_URL that it was started with\n'
    const byPort = await example({ PORT: '1' })
    expect(byPort.said).toContain(`no Switchboard answers at http://localhost:1: ${advice}`)
    expect(byPort.code).toBe(1)
    const byUrl = await example({ PORT: '1', PUBLIC_URL: 'http://127.0.0.1:2/' })
    expect(byUrl.said).toContain(`no Switchboard answers at http://127.0.0.1:2: ${advice}`)
  })

  it('asks for the credentials that it needs', async () => {
    const { said, code } = await example({ ADMIN_EMAIL: '', PORT: '1' })
    expect(said).toContain('give')
    expect(said).toContain('ADMIN_EMAIL and ADMIN_PASSWORD')
    expect(code).toBe(1)
  })
})

describe('.ci/artifacts', () => {
  it("writes a release's notes, the client's package with its licence, and its components", async () => {
    const folder = await mkdtemp(join(tmpdir(), 'switchboard-release-'))
    const [, version] = /^## (\S+)/m.exec(readFileSync('CHANGELOG.md', 'utf8'))!
    await promisify(execFile)('.ci/artifacts', [version!, folder])
    expect(readFileSync(join(folder, 'notes.md'), 'utf8')).toContain('### For operators')
    const { components } = JSON.parse(readFileSync(join(folder, 'sbom.cdx.json'), 'utf8')) as { components: unknown[] }
    expect(components.length).toBeGreaterThan(50)
    const client = readdirSync(folder).find((name) => name.endsWith('.tgz'))!
    const { stdout: files } = await promisify(execFile)('tar', ['-tzf', join(folder, client)])
    expect(files.split('\n')).toEqual(
      expect.arrayContaining(['package/LICENSE', 'package/README.md', 'package/dist/index.js']),
    )
    expect(readFileSync('client/LICENSE', 'utf8')).toBe(readFileSync('LICENSE', 'utf8'))
    await expect(promisify(execFile)('.ci/artifacts', ['9.9.9', folder])).rejects.toThrow('no section of 9.9.9')
    await rm(folder, { recursive: true })
  })
})
