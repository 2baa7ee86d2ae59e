import { spawn } from 'node:child_process'
import { chmod, mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { cpuOf } from './processes.js'

const START_MS_MAX = 10_000
/** Number in the name of its socket's file. */
const NUMBER = 6_432
const NOBODY = 65_534

export interface Pooler {
  url: string
  /** Microseconds of CPU that it has used. */
  cpu(): number
  close(): Promise<void>
}

/** Starts PgBouncer of the path in front of a database, over socket files if that has one. */
export async function openPooler(
  databaseUrl: string,
  poolSize: number,
  mode: 'session' | 'transaction' = 'transaction',
): Promise<Pooler> {
  const { hostname, port, username, password, pathname } = new URL(databaseUrl)
  const name = pathname.slice(1)
  const host = decodeURIComponent(hostname)
  // It refuses to run as root, and only the owner may use a server's socket file.
  const owner = host.startsWith('/') ? (await stat(host)).uid : NOBODY
  const as = process.getuid?.() === 0 ? { uid: owner || NOBODY, gid: owner || NOBODY } : {}
  const folder = await mkdtemp(join(tmpdir(), 'switchboard-pooler-'))
  await chmod(folder, 0o777)
  const users = join(folder, 'users.txt')
  const file = join(folder, 'pgbouncer.ini')
  await writeFile(users, `"${username}" "${decodeURIComponent(password)}"\n`)
  await writeFile(
    file,
    [
      '[databases]',
      `${name} = host=${host} port=${port} dbname=${name}`,
      '[pgbouncer]',
      'listen_addr =',
      `listen_port = ${NUMBER}`,
      `unix_socket_dir = ${folder}`,
      'unix_socket_mode = 0777',
      'auth_type = plain',
      `auth_file = ${users}`,
      `pool_mode = ${mode}`,
      `default_pool_size = ${poolSize}`,
    ].join('\n'),
  )
  const child = spawn('pgbouncer', ['-q', file], { ...as, stdio: 'ignore' })
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const close = async (): Promise<void> => {
    child.kill('SIGKILL')
    await ended
    await rm(folder, { recursive: true, force: true })
  }
  const url = `postgresql://${username}:${password}@${encodeURIComponent(folder)}:${NUMBER}/${name}`
  try {
    await untilAnswered(url)
  } catch (error) {
    await close()
    throw error
  }
  return { url, cpu: () => cpuOf(child.pid!), close }
}

async function untilAnswered(url: string): Promise<void> {
  for (const until = Date.now() + START_MS_MAX; ;) {
    const client = new pg.Client({ connectionString: url })
    client.on('error', () => undefined)
    try {
      await client.connect()
      await client.query('select 1')
      return
    } catch (error) {
      if (Date.now() > until) throw error
      await new Promise((resolve) => setTimeout(resolve, 50))
    } finally {
      await client.end().catch(() => undefined)
    }
  }
}
