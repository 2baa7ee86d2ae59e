import { spawn, type ChildProcess } from 'node:child_process'
import { closeSync, openSync, readdirSync, readFileSync } from 'node:fs'
import { sleep } from '../victim.js'

const NOBODY = 65_534
/** PostgreSQL and PgBouncer refuse to run as root. */
const AS = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {}

/** Starts a program that ends with us, however we end; its output goes to a file. */
export function startProgram(program: string, args: readonly string[], folder: string, log: string): ChildProcess {
  const output = openSync(log, 'a')
  try {
    const env = { PATH: process.env.PATH, HOME: folder, LANG: 'C.UTF-8' }
    const command = ['setpriv', '--pdeathsig', 'KILL', program, ...args]
    return spawn(command[0]!, command.slice(1), { ...AS, env, cwd: folder, stdio: ['ignore', output, output] })
  } finally {
    closeSync(output)
  }
}

/** Returns the processes and all that descend from them. */
export function withDescendants(roots: readonly number[]): number[] {
  const parents = new Map<number, number>()
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue
    // The name, in brackets, can contain anything.
    const [, parent] = /\) \S (\d+) /.exec(tryRead(`/proc/${name}/stat`)) ?? []
    if (parent) parents.set(Number(name), Number(parent))
  }
  const found = new Set(roots.filter((pid) => parents.has(pid)))
  for (let size = -1; size !== found.size;) {
    size = found.size
    for (const [pid, parent] of parents) if (found.has(parent)) found.add(pid)
  }
  return [...found]
}

export function signalAll(pids: readonly number[], signal: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, signal)
    } catch {
      // It has ended.
    }
  }
}

/** Kills processes as a power failure does: none of them learns that the others are gone. */
export async function killAtOnce(roots: readonly number[]): Promise<void> {
  const all = withDescendants(roots)
  signalAll(all, 'SIGSTOP')
  signalAll([...new Set([...all, ...withDescendants(roots)])], 'SIGKILL')
  await until(() => withDescendants(all).every((pid) => isDead(pid)), 10_000, 'killed processes have not ended')
}

/** A killed process stays listed until its parent asks for it. */
function isDead(pid: number): boolean {
  const stat = tryRead(`/proc/${pid}/stat`)
  return stat === '' || /\) [ZX] /.test(stat)
}

/** @throws Error with `failure` when the condition does not hold in time */
export async function until(
  holds: () => boolean | Promise<boolean>,
  msMax: number,
  failure: string,
  everyMs = 50,
): Promise<void> {
  for (const end = performance.now() + msMax; !(await holds()); await sleep(everyMs)) {
    if (performance.now() > end) throw new Error(`${failure} within ${msMax / 1_000} s`)
  }
}

export function tryRead(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
