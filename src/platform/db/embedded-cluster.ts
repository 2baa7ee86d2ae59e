import { randomBytes } from 'node:crypto'
import { chown, mkdir, open, readFile, readdir, rename, rm, rmdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { PostgresBinaries } from './embedded-binaries.js'
import { giveTo, pathSeenBy, type RunAs, runTool } from './embedded-run-as.js'

/** A complete cluster on disk. */
export interface Cluster {
  dir: string
  /** Password of the role `switchboard`, which owns the database `switchboard`. */
  password: string
}

/** Major version of the installed package; it cannot open a cluster of another version. */
const MAJOR_VERSION = '18'
const PASSWORD_FILE = 'switchboard.password'
const HALF_MADE_PREFIX = 'postgres.new-'

/**
 * No superuser can log in; the application's role is an ordinary one. (For a repair as superuser, stop the server and
 * use `postgres --single`.)
 */
const ACCESS_RULES = `# TYPE  DATABASE     USER         ADDRESS        METHOD
local   all          switchboard                 scram-sha-256
host    all          switchboard  127.0.0.1/32   scram-sha-256
`

/** Returns the cluster's folder in a DATA_DIR. */
export function clusterDirOf(dataDir: string): string {
  return join(dataDir, 'postgres')
}

/**
 * Opens the cluster of `dataDir`; creates it at the first start. It is created under another name and renamed when
 * complete, so that a killed first start leaves nothing that looks like a cluster; the next start removes the remains.
 * Needs the lock of `dataDir`.
 * @throws Error when something else is in its place, or a cluster of another major version
 */
export async function openCluster(dataDir: string, binaries: PostgresBinaries, runAs: RunAs): Promise<Cluster> {
  const dir = clusterDirOf(dataDir)
  for (const name of await readdir(dataDir)) {
    // An initdb that outlived its killed parent may still be writing there, hence the retries.
    const options = { recursive: true, force: true, maxRetries: 10, retryDelay: 100 }
    if (name.startsWith(HALF_MADE_PREFIX)) await rm(join(dataDir, name), options)
  }
  if (!(await isCluster(dir))) await makeCluster(dataDir, binaries, runAs)
  // Running as root: the cluster may have been copied or restored from a backup by root.
  if (runAs.uid !== undefined && (await stat(dir)).uid !== runAs.uid) await giveTo(runAs, dir)
  return { dir, password: await readPassword(dir) }
}

/** Reads the password of the role `switchboard` from the cluster's folder. */
export async function readPassword(dir: string): Promise<string> {
  return (await readFile(join(dir, PASSWORD_FILE), 'utf8')).trim()
}

async function isCluster(dir: string): Promise<boolean> {
  const version = await readFile(join(dir, 'PG_VERSION'), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  if (version === undefined) {
    await rmdir(dir).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return
      throw new Error(`${dir} is not a PostgreSQL cluster: move it away, or choose another DATA_DIR`, { cause: error })
    })
    return false
  }
  if (version.trim() === MAJOR_VERSION) return true
  throw new Error(
    `${dir} was made by PostgreSQL ${version.trim()}, but this release needs ${MAJOR_VERSION}: dump it (pg_dump) while ` +
      'the release that made it runs, and load it into a new DATA_DIR',
  )
}

async function makeCluster(dataDir: string, binaries: PostgresBinaries, runAs: RunAs): Promise<void> {
  const making = join(dataDir, HALF_MADE_PREFIX + randomBytes(4).toString('hex'))
  const password = randomBytes(24).toString('base64url')
  try {
    await mkdir(making, { mode: 0o700 })
    await giveTo(runAs, making)
    const path = await pathSeenBy(runAs, making)
    const tool = { runAs, cwd: making }
    await runTool(binaries.initdb, initdbArguments(path), tool)
    await runTool(binaries.postgres, ['--single', '-D', path, '-c', 'exit_on_error=on', 'postgres'], {
      ...tool,
      // In this mode each line is a statement.
      input:
        `CREATE ROLE switchboard LOGIN CREATEDB PASSWORD '${password}'\n` +
        'CREATE DATABASE switchboard OWNER switchboard\n',
    })
    await writeFile(join(making, 'pg_hba.conf'), ACCESS_RULES, { flush: true })
    await writeFile(join(making, PASSWORD_FILE), `${password}\n`, { mode: 0o600, flush: true })
    if (runAs.uid !== undefined && runAs.gid !== undefined) {
      await chown(join(making, PASSWORD_FILE), runAs.uid, runAs.gid)
    }
    await rename(making, clusterDirOf(dataDir))
    await flushDirectory(dataDir)
  } catch (error) {
    await rm(making, { recursive: true, force: true })
    throw error
  }
}

function initdbArguments(path: string): string[] {
  return [
    ...['-D', path, '--username=postgres', '--encoding=UTF8', '--locale=C'],
    // The same sort order and case rules on every machine, whatever its C library.
    ...['--locale-provider=builtin', '--builtin-locale=C.UTF-8'],
    ...['--auth-local=reject', '--auth-host=reject', '--no-instructions'],
  ]
}

/** Flushes a directory, so that a rename in it survives a power failure. */
async function flushDirectory(dir: string): Promise<void> {
  if (process.platform === 'win32') return
  const handle = await open(dir, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
