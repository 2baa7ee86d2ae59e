import { spawnSync } from 'node:child_process'
import { appendFileSync, chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { signalAll, withDescendants } from '../../bench/chaos/cluster/processes.js'
import { freePort } from '../../bench/chaos/free-port.js'

const NOBODY = 65_534
const USER = 'switchboard'

/**
 * A PostgreSQL of the machine's own programs, that a test can stop, restart, copy and promote. The embedded one lacks
 * `pg_basebackup`.
 */
export class PostgresServer {
  private constructor(
    private readonly root: string,
    private readonly folder: string,
    readonly port: number,
  ) {}

  static async create(): Promise<PostgresServer> {
    const root = makeFolder()
    const folder = join(root, 'data')
    run('initdb', ['-D', folder, '-U', USER, '--auth=trust', '-E', 'UTF8', '--locale=C'])
    const settings = [
      `listen_addresses = '127.0.0.1'`,
      `unix_socket_directories = '${root}'`,
      'max_connections = 60',
      'fsync = off',
      'wal_level = replica',
      'hot_standby = on',
      'wal_retrieve_retry_interval = 200ms',
    ]
    appendFileSync(join(folder, 'postgresql.conf'), settings.join('\n'))
    const server = new PostgresServer(root, folder, await freePort())
    server.start()
    run('createdb', ['-h', '127.0.0.1', '-p', String(server.port), '-U', USER, USER])
    return server
  }

  /** Starts a standby that streams from it. */
  async standby(): Promise<PostgresServer> {
    const root = makeFolder()
    const folder = join(root, 'data')
    const from = `host=127.0.0.1 port=${this.port} user=${USER} application_name=standby`
    run('pg_basebackup', ['-D', folder, '-d', from, '-R', '-X', 'stream', '--checkpoint=fast'])
    const standby = new PostgresServer(root, folder, await freePort())
    standby.start()
    return standby
  }

  /** Its own address, whatever it is. */
  get url(): string {
    return `postgresql://${USER}@${this.host}/${USER}`
  }

  get host(): string {
    return `127.0.0.1:${this.port}`
  }

  start(): void {
    const options = `-p ${this.port} -k ${this.root}`
    run('pg_ctl', ['-D', this.folder, '-w', '-t', '120', '-l', join(this.root, 'log'), '-o', options, 'start'])
  }

  stop(mode: 'fast' | 'immediate' = 'fast'): void {
    run('pg_ctl', ['-D', this.folder, '-w', '-m', mode, 'stop'])
  }

  /** As a machine that hangs: its connections stay open, and nothing is answered until `resume`. */
  freeze(): void {
    this.#signal('SIGSTOP')
  }

  resume(): void {
    this.#signal('SIGCONT')
  }

  #signal(name: NodeJS.Signals): void {
    const postmaster = Number(readFileSync(join(this.folder, 'postmaster.pid'), 'utf8').split('\n', 1)[0])
    signalAll(withDescendants([postmaster]), name)
  }

  promote(): void {
    run('pg_ctl', ['-D', this.folder, '-w', '-t', '60', 'promote'])
  }

  remove(): void {
    spawnSync('pg_ctl', ['-D', this.folder, '-m', 'immediate', 'stop'], asNobody())
    rmSync(this.root, { recursive: true, force: true })
  }
}

/** The address of the primary among servers, as libpq writes it. */
export function addressOf(...servers: readonly Pick<PostgresServer, 'host'>[]): string {
  const hosts = servers.map(({ host }) => host).join(',')
  return `postgresql://${USER}@${hosts}/${USER}?target_session_attrs=read-write`
}

function makeFolder(): string {
  const root = mkdtempSync(join(tmpdir(), 'switchboard-postgres-'))
  chmodSync(root, 0o777)
  return root
}

/** PostgreSQL refuses to run as root. */
function asNobody(): { uid?: number; gid?: number } {
  return userInfo().uid === 0 ? { uid: NOBODY, gid: NOBODY } : {}
}

function run(program: string, args: string[]): void {
  // Its own output is not waited for: the server inherits it.
  const { status, error, stderr } = spawnSync(program, args, {
    ...asNobody(),
    stdio: program === 'pg_ctl' ? 'ignore' : 'pipe',
    encoding: 'utf8',
    cwd: tmpdir(),
  })
  if (status === 0) return
  const log = args[1] ? tryRead(join(args[1], '..', 'log')) : ''
  throw new Error(`${program} ended with ${status}: ${error?.message ?? stderr ?? ''} ${log.slice(-2_000)}`)
}

function tryRead(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
