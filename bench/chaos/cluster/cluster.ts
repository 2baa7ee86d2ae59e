import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { RedisProcess } from '../redis-process.js'
import { TcpProxy } from '../tcp-proxy.js'
import { freePort } from '../free-port.js'
import { sleep, Victim } from '../victim.js'
import { OWNER } from '../world.js'
import { Balancer, Pooler } from './engines.js'
import { Machine, USER } from './machine.js'
import { until } from './processes.js'

const MACHINES = 3
const HEALTHY_MS_MAX = 90_000

interface Member {
  name: string
  role: string
  state: string
  lag?: number | 'unknown'
}

/**
 * Three machines with etcd, Patroni and PostgreSQL, haproxy, PgBouncer, Redis and two nodes: the first finds the primary
 * among the hosts in its address, the second goes through PgBouncer in transaction mode to haproxy.
 */
export class Cluster {
  readonly machines: Machine[] = []
  readonly nodes: Victim[] = []
  /** Times at which nodes ended in order, by `performance.now()`. */
  readonly drains: { from: number; to: number }[] = []
  readonly nodePorts: number[] = []
  /** Between nodes, databases and Redis. */
  readonly links: TcpProxy[] = []
  /** Settings of each node. */
  readonly #settings: Record<string, string>[] = []
  balancer!: Balancer
  pooler!: Pooler
  redis!: RedisProcess
  readonly folder = mkdtempSync(join(tmpdir(), 'switchboard-cluster-'))

  static async open(print: (line: string) => void): Promise<Cluster> {
    const cluster = new Cluster()
    try {
      await cluster.#open(print)
      return cluster
    } catch (error) {
      await cluster.close()
      throw error
    }
  }

  async #open(print: (line: string) => void): Promise<void> {
    chmodSync(this.folder, 0o777)
    for (let at = 1; at <= MACHINES; at++) {
      const name = `m${at}`
      this.machines.push(await Machine.create(name, join(this.folder, name)))
    }
    for (const machine of this.machines) machine.start(this.machines)
    await this.untilHealthy()
    print('three PostgreSQL under Patroni')
    const admin = new pg.Client({ connectionString: await this.primaryUrl('postgres') })
    await admin.connect()
    await admin.query(`create database ${USER}`)
    await admin.end()
    this.redis = await RedisProcess.start()
    const links = async (port: number): Promise<string> => {
      const proxy = await TcpProxy.open([port])
      this.links.push(proxy)
      return new URL(proxy.url).host
    }
    this.nodePorts.push(await freePort(), await freePort())
    this.balancer = await Balancer.open(this.folder, this.machines, this.nodePorts)
    this.pooler = await Pooler.open(this.folder, this.balancer.databasePort)
    const hosts = await Promise.all(this.machines.map(({ at }) => links(at.postgres)))
    const replicas = this.machines.map(({ at }) => `127.0.0.1:${at.postgres}`).join(',')
    const redis = `redis://${await links(Number(new URL(this.redis.url).port))}`
    const direct = `postgresql://${USER}@127.0.0.1:${this.balancer.databasePort}/${USER}`
    const ways: Record<string, string>[] = [
      { DATABASE_URL: `postgresql://${USER}@${hosts.join(',')}/${USER}?target_session_attrs=read-write` },
      {
        DATABASE_URL: `postgresql://${USER}@${await links(this.pooler.port)}/${USER}`,
        DATABASE_POOLER: 'transaction',
        DATABASE_DIRECT_URL: direct,
      },
    ]
    for (const [index, way] of ways.entries()) {
      const others = { REDIS_URL: redis, DATABASE_REPLICA_URL: `postgresql://${USER}@${replicas}/${USER}` }
      this.#settings.push({ ...way, ...others })
      this.nodes.push(this.#node(index))
      await this.nodes[index]!.start()
    }
    await until(() => isOk(`${this.url}/readyz`), 10_000, 'haproxy leads to no node')
    print('two nodes behind haproxy')
  }

  #node(index: number, more: Record<string, string> = {}): Victim {
    return nodeOn(this.nodePorts[index]!, this.folder, { ...this.#settings[index], ...more })
  }

  /** Ends a node in order and starts it. @param more settings of its new run */
  async restart(index: number, more: Record<string, string> = {}): Promise<void> {
    const drain = { from: performance.now(), to: Infinity }
    this.drains.push(drain)
    await this.nodes[index]!.stop()
    drain.to = performance.now()
    this.nodes[index] = this.#node(index, more)
    await this.nodes[index].start()
    // haproxy has to find it before another one stops.
    await sleep(1_500)
  }

  get nodeUrls(): string[] {
    return this.nodePorts.map((port) => `http://127.0.0.1:${port}`)
  }

  /** Past proxies. */
  get databaseUrls(): string[] {
    return this.machines.map(({ at }) => `postgresql://${USER}@127.0.0.1:${at.postgres}/${USER}`)
  }

  /** Reads that replicas have served each node since it was started. */
  replicaReads(): Promise<number[]> {
    return Promise.all(
      this.nodeUrls.map(async (url) => {
        const metrics = await fetch(`${url}/metrics`).then((response) => response.text())
        return Number(/^switchboard_replica_reads\{by="replica"\} (\d+)/m.exec(metrics)?.[1] ?? 0)
      }),
    )
  }

  /** Returns the address that clients use. */
  get url(): string {
    return `http://127.0.0.1:${this.balancer.clientPort}`
  }

  async members(): Promise<Member[]> {
    for (const { at } of this.machines) {
      try {
        const signal = AbortSignal.timeout(1_000)
        const response = await fetch(`http://127.0.0.1:${at.patroni}/cluster`, { signal })
        return ((await response.json()) as { members: Member[] }).members
      } catch {
        // That machine is away.
      }
    }
    return []
  }

  async leader(): Promise<Machine> {
    const members = await this.members()
    const name = members.find(({ role }) => role === 'leader')?.name
    const found = this.machines.find((machine) => machine.name === name)
    if (!found) throw new Error(`no leader among ${JSON.stringify(members)}`)
    return found
  }

  async synchronous(): Promise<Machine> {
    const members = await this.members()
    const name = members.find(({ role }) => role === 'sync_standby')?.name
    const found = this.machines.find((machine) => machine.name === name)
    if (!found) throw new Error(`no synchronous standby among ${JSON.stringify(members)}`)
    return found
  }

  /** The primary by Patroni's word, at its own address. */
  async primaryUrl(database = USER): Promise<string> {
    return `postgresql://${USER}@127.0.0.1:${(await this.leader()).at.postgres}/${database}`
  }

  /** All machines are there again, one of them a leader, one (unless told otherwise) synchronous. */
  async untilHealthy(isSynchronous = true): Promise<void> {
    const isHealthy = async (): Promise<boolean> => {
      const members = await this.members()
      const running = members.filter(
        ({ state, lag }) => (state === 'running' || state === 'streaming') && (lag ?? 0) === 0,
      )
      const roles = running.map(({ role }) => role)
      return (
        running.length === MACHINES &&
        roles.includes('leader') &&
        (!isSynchronous || roles.includes('sync_standby')) &&
        (await this.#takesWrites())
      )
    }
    await until(isHealthy, HEALTHY_MS_MAX, 'the cluster is not healthy', 200).catch(async (error: Error) => {
      throw new Error(`${error.message}: ${JSON.stringify(await this.members())}; see ${this.folder}`)
    })
  }

  async #takesWrites(): Promise<boolean> {
    const client = new pg.Client({ connectionString: await this.primaryUrl('postgres').catch(() => '') })
    client.on('error', () => undefined)
    try {
      await client.connect()
      const { rows } = await client.query<{ isStandby: boolean }>('select pg_is_in_recovery() as "isStandby"')
      return !rows[0]!.isStandby
    } catch {
      return false
    } finally {
      client.end().catch(() => undefined)
    }
  }

  /** Changes the settings of the cluster, as `patronictl edit-config` does. */
  async configure(settings: object): Promise<void> {
    const { at } = await this.leader()
    const response = await fetch(`http://127.0.0.1:${at.patroni}/config`, {
      method: 'PATCH',
      body: JSON.stringify(settings),
    })
    if (!response.ok) throw new Error(`Patroni refuses the settings: ${await response.text()}`)
  }

  async switchover(): Promise<void> {
    const leader = await this.leader()
    const candidate = await this.synchronous()
    const response = await fetch(`http://127.0.0.1:${leader.at.patroni}/switchover`, {
      method: 'POST',
      body: JSON.stringify({ leader: leader.name, candidate: candidate.name }),
    })
    if (!response.ok) throw new Error(`Patroni refuses the switchover: ${await response.text()}`)
  }

  async checkpoint(): Promise<void> {
    const client = new pg.Client({ connectionString: await this.primaryUrl('postgres') })
    await client.connect()
    await client.query('checkpoint')
    await client.end()
  }

  /** Forgets the cluster in etcd, as `patronictl remove` does: the first machine with data begins it anew. */
  async forget(): Promise<void> {
    const { at } = this.machines[0]!
    const response = await fetch(`http://127.0.0.1:${at.etcd}/v2/keys/service?recursive=true`, { method: 'DELETE' })
    if (!response.ok) throw new Error(`etcd refuses: ${await response.text()}`)
  }

  async close(): Promise<void> {
    await Promise.all(this.nodes.map((node) => node.kill()))
    await Promise.all(this.links.map((link) => link.close()))
    await this.redis?.stop()
    await this.pooler?.kill()
    await this.balancer?.close()
    await Promise.all(this.machines.map((machine) => machine.kill()))
    await Promise.all(this.machines.map(({ replication }) => replication.close()))
    if (!process.env.CHAOS_KEEP) rmSync(this.folder, { recursive: true, force: true })
    await sleep(0)
  }
}

const isOk = (url: string): Promise<boolean> =>
  fetch(url, { signal: AbortSignal.timeout(1_000) }).then(
    ({ ok }) => ok,
    () => false,
  )

function nodeOn(port: number, folder: string, env: Record<string, string>): Victim {
  return new Victim(
    'src/main.js',
    {
      PORT: String(port),
      HOST: '127.0.0.1',
      LOG_LEVEL: process.env.CHAOS_LOG_LEVEL ?? 'error',
      PUBLIC_URL: 'https://chat.example',
      ADMIN_EMAIL: OWNER.email,
      ADMIN_PASSWORD: OWNER.password,
      RATE_LIMIT_PER_SECOND: '1000000',
      GRAPHQL_COST_PER_MINUTE: '1000000000',
      TRUST_PROXY: 'true',
      WEBHOOK_ALLOW_PRIVATE: 'true',
      DRAIN_NOTICE_MS: '2000',
      DATA_DIR: folder,
      ...env,
    },
    `http://127.0.0.1:${port}/readyz`,
    join(folder, `node-${port}.log`),
  )
}
