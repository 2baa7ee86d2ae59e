import type { ChildProcess } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Redis } from 'ioredis'
import { freePort } from '../../bench/chaos/free-port.js'
import { spawnRedis } from '../../bench/chaos/redis-process.js'
import { until } from './until.js'

const SLOTS = 16_384
const MASTERS = 3

/** A Redis Cluster of three masters; each can be killed and started again. */
export class RedisCluster {
  readonly #children: (ChildProcess | null)[] = []

  private constructor(
    private readonly directory: string,
    private readonly ports: readonly { port: number; bus: number }[],
  ) {}

  static async start(): Promise<RedisCluster> {
    const directory = await mkdtemp(join(tmpdir(), 'switchboard-cluster-'))
    const ports = []
    for (let index = 0; index < MASTERS; index += 1) ports.push({ port: await freePort(), bus: await freePort() })
    const cluster = new RedisCluster(directory, ports)
    for (let index = 0; index < MASTERS; index += 1) await cluster.startMaster(index)
    const clients = ports.map(({ port }) => new Redis(port, '127.0.0.1'))
    try {
      await Promise.all(
        clients.map((client, index) => {
          const [first, past] = [index, index + 1].map((each) => Math.floor((SLOTS * each) / MASTERS))
          return client.call('CLUSTER', 'ADDSLOTSRANGE', first!, past! - 1)
        }),
      )
      for (const { port, bus } of ports.slice(1)) await clients[0]!.call('CLUSTER', 'MEET', '127.0.0.1', port, bus)
      for (const client of clients) await isWhole(client)
    } finally {
      for (const client of clients) client.disconnect()
    }
    return cluster
  }

  get url(): string {
    return `redis-cluster://${this.ports.map(({ port }) => `127.0.0.1:${port}`).join(',')}`
  }

  async startMaster(index: number): Promise<void> {
    const { port, bus } = this.ports[index]!
    this.#children[index] = await spawnRedis([
      '--port',
      String(port),
      '--cluster-port',
      String(bus),
      '--dir',
      this.directory,
      '--cluster-enabled',
      'yes',
      '--cluster-config-file',
      `nodes-${index}.conf`,
      '--cluster-node-timeout',
      '1000',
      '--cluster-require-full-coverage',
      'no',
    ])
  }

  async killMaster(index: number): Promise<void> {
    const child = this.#children[index]
    this.#children[index] = null
    if (!child || child.exitCode !== null) return
    const ended = new Promise((resolve) => void child.once('exit', resolve))
    child.kill('SIGKILL')
    await ended
  }

  async stop(): Promise<void> {
    await Promise.all(this.#children.keys().map((index) => this.killMaster(index)))
    await rm(this.directory, { recursive: true, force: true })
  }
}

async function isWhole(client: Redis): Promise<void> {
  await until(
    async () => String(await client.call('CLUSTER', 'INFO')),
    (info) => info.includes('cluster_state:ok') && info.includes(`cluster_known_nodes:${MASTERS}`),
  )
}
