import { spawnSync, type ChildProcess } from 'node:child_process'
import { chmodSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { TcpProxy } from '../tcp-proxy.js'
import { freePort } from '../free-port.js'
import { killAtOnce, signalAll, startProgram, tryRead, until, withDescendants } from './processes.js'

export const BIN = process.env.POSTGRES_BIN ?? '/usr/lib/postgresql/15/bin'
export const USER = 'switchboard'

export interface Addresses {
  etcd: number
  etcdPeer: number
  patroni: number
  postgres: number
  /** Port at which its standbys connect, by a proxy that can hold what they get. */
  replication: number
}

/** The settings of the cluster, in etcd: those of an operator who wants failovers to be quick and to lose nothing. */
export const CLUSTER = {
  ttl: 8,
  loop_wait: 1,
  retry_timeout: 3,
  primary_start_timeout: 0,
  maximum_lag_on_failover: 1_073_741_824,
  synchronous_mode: true,
  synchronous_mode_strict: true,
  failsafe_mode: true,
  postgresql: {
    use_pg_rewind: true,
    // Slots are made by Patroni's next loop: a standby that comes before is refused, and waits to try again.
    use_slots: false,
    remove_data_directory_on_rewind_failure: true,
    remove_data_directory_on_diverged_timelines: true,
    parameters: {
      max_connections: 120,
      wal_retrieve_retry_interval: '200ms',
      // A standby that is stopped keeps its connection: no other one is chosen before this has passed.
      wal_sender_timeout: '4s',
      wal_keep_size: '256MB',
    },
  },
}

/**
 * The processes of one machine: a member of etcd, Patroni, and the PostgreSQL that Patroni starts. Patroni before 3.0.3
 * takes the lock of a new leader away by etcd's API 3, so that the older API is used.
 */
export class Machine {
  #etcd: ChildProcess | null = null
  #patroni: ChildProcess | null = null

  private constructor(
    readonly name: string,
    readonly at: Addresses,
    private readonly folder: string,
    /** To its standbys. */
    readonly replication: TcpProxy,
  ) {
    mkdirSync(folder, { recursive: true })
    chmodSync(folder, 0o777)
  }

  static async create(name: string, folder: string): Promise<Machine> {
    const ports = { etcd: await freePort(), etcdPeer: await freePort(), patroni: await freePort() }
    const postgres = await freePort()
    const proxy = await TcpProxy.open([postgres])
    const replication = Number(new URL(proxy.url).port)
    return new Machine(name, { ...ports, postgres, replication }, folder, proxy)
  }

  get data(): string {
    return join(this.folder, 'data')
  }

  get postmaster(): number {
    return Number(tryRead(join(this.data, 'postmaster.pid')).split('\n', 1)[0]) || 0
  }

  startEtcd(all: readonly Machine[]): void {
    const client = `http://127.0.0.1:${this.at.etcd}`
    const peer = `http://127.0.0.1:${this.at.etcdPeer}`
    const args = {
      name: this.name,
      'data-dir': join(this.folder, 'etcd'),
      'listen-client-urls': client,
      'advertise-client-urls': client,
      'listen-peer-urls': peer,
      'initial-advertise-peer-urls': peer,
      'initial-cluster': all.map(({ name, at }) => `${name}=http://127.0.0.1:${at.etcdPeer}`).join(','),
      'enable-v2': 'true',
      logger: 'zap',
    }
    const list = Object.entries(args).map(([name, value]) => `--${name}=${value}`)
    this.#etcd = startProgram('etcd', list, this.folder, join(this.folder, 'etcd.log'))
  }

  startPatroni(all: readonly Machine[]): void {
    const file = join(this.folder, 'patroni.yml')
    // YAML contains JSON.
    writeFileSync(file, JSON.stringify(this.#settings(all), null, 2))
    this.#patroni = startProgram('patroni', [file], this.folder, join(this.folder, 'patroni.log'))
  }

  start(all: readonly Machine[]): void {
    this.startEtcd(all)
    this.startPatroni(all)
  }

  #settings(all: readonly Machine[]): object {
    const { patroni, postgres, replication } = this.at
    return {
      scope: 'switchboard',
      name: this.name,
      restapi: { listen: `127.0.0.1:${patroni}`, connect_address: `127.0.0.1:${patroni}` },
      etcd: { hosts: all.map(({ at }) => `127.0.0.1:${at.etcd}`).join(',') },
      bootstrap: {
        dcs: CLUSTER,
        initdb: [{ encoding: 'UTF8' }, { locale: 'C' }, 'data-checksums'],
        pg_hba: ['host all all 127.0.0.1/32 trust', 'host replication all 127.0.0.1/32 trust'],
      },
      postgresql: {
        listen: `127.0.0.1:${postgres}`,
        connect_address: `127.0.0.1:${replication}`,
        data_dir: this.data,
        bin_dir: BIN,
        pgpass: join(this.folder, 'pgpass'),
        authentication: { superuser: { username: USER }, replication: { username: USER }, rewind: { username: USER } },
        parameters: { unix_socket_directories: this.folder },
      },
      watchdog: { mode: 'off' },
    }
  }

  /** A power failure. */
  async kill(): Promise<void> {
    await killAtOnce(this.#pids())
  }

  async killPostgres(): Promise<void> {
    await killAtOnce([this.postmaster])
  }

  freeze(): void {
    signalAll(withDescendants(this.#pids()), 'SIGSTOP')
  }

  resume(): void {
    signalAll(withDescendants(this.#pids()), 'SIGCONT')
  }

  signalEtcd(signal: NodeJS.Signals): void {
    if (this.#etcd?.pid) signalAll([this.#etcd.pid], signal)
  }

  /** Ends Patroni and PostgreSQL in order; etcd stays. */
  async stopDatabase(): Promise<void> {
    this.#patroni?.kill('SIGTERM')
    const { postmaster } = this
    await until(() => withDescendants([postmaster]).length === 0, 60_000, `PostgreSQL of ${this.name} has not stopped`)
    await killAtOnce([this.#patroni?.pid ?? 0])
  }

  wipe(): void {
    rmSync(this.data, { recursive: true, force: true })
  }

  #pids(): number[] {
    return [this.#patroni?.pid ?? 0, this.#etcd?.pid ?? 0, this.postmaster].filter(Boolean)
  }
}

/** Copies a running server's files and the log that they need. @throws Error with what the program said */
export function takeBaseBackup(port: number, folder: string): void {
  const from = `host=127.0.0.1 port=${port} user=${USER}`
  const as = process.getuid?.() === 0 ? ['setpriv', '--reuid', '65534', '--regid', '65534', '--clear-groups'] : []
  const [program, ...args] = [...as, join(BIN, 'pg_basebackup'), '-D', folder, '-d', from, '-X', 'stream', '-c', 'fast']
  const { status, stderr } = spawnSync(program!, args, { encoding: 'utf8', cwd: '/' })
  if (status !== 0) throw new Error(`pg_basebackup ended with ${status}: ${stderr}`)
}
