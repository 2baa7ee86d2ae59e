import { execFile } from 'node:child_process'
import {
  access,
  chmod,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import pg from 'pg'
import pino from 'pino'
import { backUp, restore } from '../../src/app/backup/commands.js'
import { readConfig } from '../../src/platform/config.js'
import { makeDatabase, makeEmptyDatabase, type TestDatabase } from '../support/database.js'

const log = pino({ level: 'silent' })
const databases: TestDatabase[] = []
const tables = async (url: string): Promise<string[]> => {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query<{ name: string }>(
    `select tablename as name from pg_tables where schemaname = 'public'`,
  )
  await client.end()
  return rows.map(({ name }) => name)
}
let folder: string
let original: TestDatabase
/** Belongs to the machine, not to the installation. */
let foreign: string

const inFolder = (...path: string[]): string => join(folder, ...path)
const configFor = ({ url }: TestDatabase, dataDir: string) =>
  readConfig({ DATABASE_URL: url, DATA_DIR: inFolder(dataDir) })

async function emptyDatabase(): Promise<TestDatabase> {
  const made = await makeEmptyDatabase()
  databases.push(made)
  return made
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hostile-'))
  foreign = inFolder('foreign')
  await writeFile(foreign, 'a secret of the machine')
  original = await makeDatabase()
  databases.push(original)
  await mkdir(inFolder('data', 'attachments', '0a'), { recursive: true })
  await writeFile(inFolder('data', 'attachments', '0a', 'file'), 'bytes')
  await backUp(configFor(original, 'data'), log, inFolder('backup'))
})
afterAll(async () => {
  for (const database of databases) await database.drop()
  await rm(folder, { recursive: true, force: true })
})

describe('a backup of somebody else', () => {
  it('with links, pipes and sockets in place of files is refused by their paths, before anything is written', async () => {
    const backup = inFolder('backup')
    const put = ['attachments/0a/link', 'attachments/0b', 'attachments/0a/pipe', 'attachments/0a/socket']
    const [link, linkedFolder, pipe, socket] = put.map((path) => join(backup, path)) as [string, string, string, string]
    const table = join(backup, 'tables', 'app_user.gz')
    await symlink(foreign, link)
    await symlink(folder, linkedFolder)
    await promisify(execFile)('mkfifo', [pipe])
    const server = createServer().unref()
    await new Promise<void>((resolve) => void server.listen(socket, resolve))
    await rename(table, inFolder('app_user.gz'))
    await symlink(inFolder('app_user.gz'), table)
    const target = await emptyDatabase()
    const refused = await restore(configFor(target, 'refused'), log, backup).then(
      () => new Error('it was restored'),
      (error: Error) => error,
    )
    for (const what of [
      `${link} is a symbolic link`,
      `${linkedFolder} is a symbolic link`,
      `${pipe} is a pipe`,
      `${socket} is a socket`,
      `${table} is a symbolic link`,
      'only folders and files are taken; nothing was changed',
    ]) {
      expect(refused.message).toContain(what)
    }
    expect(await tables(target.url)).toEqual([])
    await expect(access(inFolder('refused', 'attachments'))).rejects.toThrow(/ENOENT/)

    await new Promise((resolve) => server.close(resolve))
    for (const path of [link, linkedFolder, pipe, table]) await rm(path)
    await rename(inFolder('app_user.gz'), table)
    await restore(configFor(target, 'restored'), log, backup)
    expect(await readFile(inFolder('restored', 'attachments', '0a', 'file'), 'utf8')).toBe('bytes')
    for (const path of ['.', '0a', '0a/file']) {
      const { mode } = await stat(inFolder('restored', 'attachments', path))
      expect([path, mode & 0o077]).toEqual([path, 0])
    }
  })

  it('that names attachments and has none is not complete', async () => {
    const backup = inFolder('backup')
    await rename(join(backup, 'attachments'), inFolder('taken'))
    const target = await emptyDatabase()
    await expect(restore(configFor(target, 'incomplete'), log, backup)).rejects.toThrow(/it has no attachments/)
    expect(await tables(target.url)).toEqual([])
    await rename(inFolder('taken'), join(backup, 'attachments'))
  })
})

describe('a backup of attachments among which there is a link', () => {
  it('is refused by its path: what it leads to is neither read nor changed, and nothing is written', async () => {
    const link = inFolder('data', 'attachments', '0a', 'link')
    await chmod(foreign, 0o644)
    await symlink(foreign, link)
    await expect(backUp(configFor(original, 'data'), log, inFolder('second'))).rejects.toThrow(
      `${link} is a symbolic link: only folders and files are taken; nothing was backed up`,
    )
    expect((await stat(foreign)).mode & 0o777).toBe(0o644)
    expect((await readdir(folder)).filter((name) => name.startsWith('second'))).toEqual([])
    await rm(link)
  })
})

describe('an installation that is restored', () => {
  it('makes its own key of hints: beside the original, with one Redis, neither hears the other', async () => {
    const secret = async (url: string, change = ''): Promise<Record<string, string>> => {
      const client = new pg.Client({ connectionString: url })
      await client.connect()
      if (change) await client.query(change)
      const { rows } = await client.query<{ name: string; value: string }>('select name, value from server_secret')
      const { rows: installations } = await client.query<{ epoch: number }>('select epoch from installation')
      await client.end()
      const epoch = String(installations[0]!.epoch)
      return { epoch, ...Object.fromEntries(rows.map(({ name, value }) => [name, value])) }
    }
    const before = await secret(
      original.url,
      `insert into server_secret (name, value) values ('hints', 'of the original'), ('tokens', 'of both')`,
    )
    await backUp(configFor(original, 'data'), log, inFolder('with-hints'))
    const target = await emptyDatabase()
    await restore(configFor(target, 'beside'), log, inFolder('with-hints'))
    // The rest came along: tokens hold, and a replayed event has the id under which receivers know it.
    const { hints: _, ...others } = before
    expect(await secret(target.url)).toEqual(others)
  })
})
