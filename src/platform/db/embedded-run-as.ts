import { execFile } from 'node:child_process'
import { lchown, readFile, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { programEnvironment } from '../config.js'

/** Account of the PostgreSQL processes; without ids, the account of this process. */
export interface RunAs {
  uid?: number
  gid?: number
}

/**
 * Nothing of this process's environment: it contains secrets, and PG* or LC_* variables would change PostgreSQL's
 * behaviour.
 */
export const TOOL_ENV: NodeJS.ProcessEnv = {
  ...programEnvironment(),
  LC_ALL: 'C',
  TZ: 'UTC',
}

const execFileAsync = promisify(execFile)

/**
 * Chooses the account, since PostgreSQL refuses to run as root: for root, the owner of an existing cluster, and for a
 * new one `postgres`, else `nobody`. Any other user runs it under their own account.
 * @throws Error when the account must not or cannot be used
 */
export async function chooseRunAs(clusterDir: string): Promise<RunAs> {
  const euid = process.geteuid?.()
  if (euid === undefined) return {}
  const owner = await stat(clusterDir).catch(() => undefined)
  if (euid !== 0) {
    if (!owner || owner.uid === euid) return {}
    throw new Error(
      `${clusterDir} belongs to the user id ${owner.uid}, not to ${euid}: run as that user or as root, or choose ` +
        'another DATA_DIR',
    )
  }
  if (owner && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid }
  const accounts = (await readFile('/etc/passwd', 'utf8').catch(() => '')).split('\n').map((line) => line.split(':'))
  for (const name of ['postgres', 'nobody']) {
    const account = accounts.find((fields) => fields[0] === name)
    if (account) return { uid: Number(account[2]), gid: Number(account[3]) }
  }
  throw new Error(
    'PostgreSQL does not run as root, and /etc/passwd names neither postgres nor nobody: run as another user, or set ' +
      'DATABASE_URL',
  )
}

/** Runs a program to its end and returns its standard output. @throws Error with its standard error. */
export async function runTool(
  file: string,
  args: readonly string[],
  options: { runAs: RunAs; cwd: string; input?: string },
): Promise<string> {
  const running = execFileAsync(file, args, { cwd: options.cwd, env: TOOL_ENV, ...options.runAs })
  // A program that exits early closes its input; its exit status is the reason.
  running.child.stdin?.on('error', () => undefined).end(options.input)
  return (await running).stdout
}

/** Tells whether the account may enter the directory. Found by trying: mode bits do not show ACLs. */
export async function canEnter(dir: string, runAs: RunAs, cwd = '/'): Promise<boolean> {
  if (runAs.uid === undefined) return true
  return runTool('/bin/sh', ['-c', 'cd -- "$1"', 'sh', dir], { runAs, cwd }).then(
    () => true,
    () => false,
  )
}

/**
 * Returns a path of `dir` that the account can follow, for a process started inside `dir`. Below a closed folder, such
 * as /root, that is Linux's link to a process's own working directory, which bypasses the parents.
 */
export async function pathSeenBy(runAs: RunAs, dir: string): Promise<string> {
  for (const path of [dir, '/proc/self/cwd']) if (await canEnter(path, runAs, dir)) return path
  throw new Error(
    `the user id ${runAs.uid}, which runs PostgreSQL because root cannot, cannot pass the folders above ${dir}: ` +
      'open them with chmod o+x, choose another DATA_DIR, or set DATABASE_URL',
  )
}

/** Changes the owner of `dir` and everything in it to the account. */
export async function giveTo(runAs: RunAs, dir: string): Promise<void> {
  const { uid, gid } = runAs
  if (uid === undefined || gid === undefined) return
  await lchown(dir, uid, gid)
  const entries = await readdir(dir, { recursive: true })
  for (const entry of entries) await lchown(join(dir, entry), uid, gid)
}
