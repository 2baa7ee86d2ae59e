import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, statfsSync } from 'node:fs'
import { join } from 'node:path'

const MEMORY = '/dev/shm'
const NAME = 'switchboard-tests-'
/** Twenty times what `npm test` had there at most (257 MB): memory is also for the tests themselves. */
const BYTES_MIN = 6 * 1024 ** 3
/** As /tmp: PostgreSQL runs as another user. */
const ANYBODYS = 0o1777

/**
 * Has the tests write to memory where Linux offers it with room, unless `TMPDIR` says where. Each suite makes and drops a
 * database of hundreds of files; ext4 looks for an inode that was not freed within the last seconds, and `create database` took up
 * to 1.7 s.
 * @returns removes what was written
 */
export function writeToMemory(): () => void {
  if (process.env.TMPDIR !== undefined || !hasRoom()) return () => undefined
  removeLeftovers()
  const folder = join(MEMORY, `${NAME}${process.pid}`)
  mkdirSync(folder)
  chmodSync(folder, ANYBODYS)
  process.env.TMPDIR = folder
  return () => rmSync(folder, { recursive: true, force: true })
}

function hasRoom(): boolean {
  try {
    // Programs are started from there as well.
    const mount = readFileSync('/proc/self/mounts', 'utf8').match(new RegExp(`^\\S+ ${MEMORY} tmpfs (\\S+)`, 'm'))
    if (!mount || mount[1]!.split(',').includes('noexec')) return false
    const { bavail, bsize } = statfsSync(MEMORY)
    const available = Number(/^MemAvailable:\s+(\d+) kB/m.exec(readFileSync('/proc/meminfo', 'utf8'))?.[1]) * 1024
    return bavail * bsize >= BYTES_MIN && available >= BYTES_MIN
  } catch {
    return false
  }
}

/** Removes what runs that were killed have left. */
function removeLeftovers(): void {
  for (const name of readdirSync(MEMORY)) {
    if (!name.startsWith(NAME) || isAlive(Number(name.slice(NAME.length)))) continue
    rmSync(join(MEMORY, name), { recursive: true, force: true })
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as { code?: string }).code === 'EPERM'
  }
}
