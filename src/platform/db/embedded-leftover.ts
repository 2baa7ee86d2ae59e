import { readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { type PostmasterOptions, SOCKET_NUMBER } from './embedded-postmaster.js'
import { pathSeenBy, runTool } from './embedded-run-as.js'

/**
 * Stops the server that a killed process left running on the cluster. Needs the lock of DATA_DIR, which proves that no
 * living process owns that server.
 * @throws Error when it does not stop
 */
export async function stopLeftover(options: PostmasterOptions): Promise<void> {
  const pidFile = join(options.clusterDir, 'postmaster.pid')
  for (const mode of ['fast', 'fast', 'immediate']) {
    const pid = Number.parseInt(await readFile(pidFile, 'utf8').catch(() => ''), 10)
    // The process is dead; the file is left for PostgreSQL, which uses it to look for surviving child processes.
    if (!(pid > 0) || !isAlive(pid)) return
    if (!(await isServerOf(pid, options.clusterDir))) {
      // The process id now belongs to another program. PostgreSQL would not start, and pg_ctl would stop that program.
      await rm(pidFile, { force: true })
      await rm(join(options.clusterDir, `.s.PGSQL.${SOCKET_NUMBER}.lock`), { force: true })
      return
    }
    options.log.warn({ pid, mode }, 'stopping a PostgreSQL that a killed process left behind')
    await pgCtlStop(options, mode).catch(() => undefined)
  }
  throw new Error(`a PostgreSQL is running on ${options.clusterDir} and does not stop: see ${pidFile}`)
}

/** Waits at most 10 s for the server to stop. @throws Error when it keeps running, or there is none. */
async function pgCtlStop(options: PostmasterOptions, mode: string): Promise<void> {
  const { binaries, clusterDir, runAs } = options
  const path = await pathSeenBy(runAs, clusterDir)
  await runTool(binaries.pgCtl, ['stop', '-D', path, '-m', mode, '-w', '-t', '10', '-s'], { runAs, cwd: clusterDir })
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return typeof error === 'object' && error !== null && 'code' in error && error.code === 'EPERM'
  }
}

async function isServerOf(pid: number, clusterDir: string): Promise<boolean> {
  if (process.platform === 'win32') return true
  if (process.platform !== 'linux') {
    const ps = runTool('/bin/ps', ['-o', 'comm=', '-p', String(pid)], { runAs: {}, cwd: '/' })
    const command = await ps.catch(() => '')
    return command.includes('postgres')
  }
  // The working directory of a PostgreSQL server is its data directory.
  const [theirs, ours] = await Promise.all([
    stat(`/proc/${pid}/cwd`, { bigint: true }).catch(() => undefined),
    stat(clusterDir, { bigint: true }),
  ])
  return theirs?.ino === ours.ino && theirs.dev === ours.dev
}
