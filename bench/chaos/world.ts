import { cp, mkdtemp, readFile, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { startEmbeddedPostgres, type EmbeddedPostgres } from '../../src/platform/db/embedded-postgres.js'
import { addColumn } from './added-column.js'
import type { KeptDatabase } from './brought-back.js'
import { DatabaseProxy, type CommitCut } from './database-proxy.js'
import { freePort } from './free-port.js'
import { sleep, Victim } from './victim.js'
import { lockHotRows } from './locked-rows.js'
import { TcpProxy } from './tcp-proxy.js'
import type { Random } from './random.js'
import { RedisProcess } from './redis-process.js'
import { skewedClock } from './skewed-clock.js'

export const OWNER = { email: 'owner@example.com', password: 'correct horse battery' }
const NODES = 2
const LOG = { info: () => undefined, warn: () => undefined }
/** Now and then a node is away for longer than it takes to be called dead and to lose its open transaction (10 s). */
const LONG_PAUSE_CHANCE = 0.1
const PAUSED_MS = [100, 4_000] as const
const PAUSED_LONG_MS = [11_000, 13_000] as const
const CUTS_MAX = 4
const CUT_WAIT_MS_MAX = 3_000

interface Parts {
  postgres: EmbeddedPostgres
  /** Between the nodes and PostgreSQL. */
  databaseProxy: DatabaseProxy
  dataDir: string
  redis: RedisProcess
  nodes: Victim[]
}

/** Two nodes of the built server on one PostgreSQL and one Redis, behind a proxy; and what can happen to each of them. */
export class World {
  private constructor(
    readonly databaseUrl: string,
    readonly proxy: TcpProxy,
    /** Past the proxy. */
    readonly nodeUrls: readonly string[],
    private readonly parts: Parts,
  ) {}

  static async open(): Promise<World> {
    const dataDir = await mkdtemp(join(tmpdir(), 'switchboard-chaos-'))
    const postgres = await startEmbeddedPostgres({ dataDir, log: LOG })
    const databaseProxy = await DatabaseProxy.open(postgres.url)
    const redis = await RedisProcess.start()
    const ports = await Promise.all(Array.from({ length: NODES }, freePort))
    const nodes = ports.map((port) => nodeOn(port, databaseProxy.url, redis.url, dataDir))
    const proxy = await TcpProxy.open(ports)
    const urls = ports.map((port) => `http://127.0.0.1:${port}`)
    const world = new World(postgres.url, proxy, urls, { postgres, databaseProxy, dataDir, redis, nodes })
    try {
      for (const node of nodes) await node.start()
      return world
    } catch (error) {
      await world.close()
      throw error
    }
  }

  /** The faults, each by its name: resolves when what was taken is there again. `turn` chooses the node. */
  readonly injections = {
    'node killed': async (random: Random, turn: number): Promise<void> => {
      const node = this.parts.nodes[turn % NODES]!
      await node.kill()
      await sleep(random.between(0, 1_500))
      await startAgain(node)
    },
    'node paused': async (random: Random, turn: number): Promise<void> => {
      const node = this.parts.nodes[turn % NODES]!
      node.signal('SIGSTOP')
      const [least, most] = random.chance(LONG_PAUSE_CHANCE) ? PAUSED_LONG_MS : PAUSED_MS
      await sleep(random.between(least, most))
      node.signal('SIGCONT')
    },
    'commit cut off': async (random: Random): Promise<void> => {
      // Mostly the answer is lost, sometimes the COMMIT itself.
      const count = Math.ceil(random.between(0, CUTS_MAX))
      const cuts = Array.from({ length: count }, (): CommitCut => (random.chance(0.8) ? 'after' : 'before'))
      const { databaseProxy } = this.parts
      const until = Date.now() + CUT_WAIT_MS_MAX
      databaseProxy.cutNext(...cuts)
      while (databaseProxy.armed > 0 && Date.now() < until) await sleep(20)
    },
    'column added': (random: Random): Promise<void> => addColumn(this.databaseUrl, random),
    'rows locked': (random: Random): Promise<void> => lockHotRows(this.databaseUrl, random),
    'Redis killed': async (random: Random): Promise<void> => {
      await this.parts.redis.kill()
      await sleep(random.between(0, 2_000))
      await this.parts.redis.start()
    },
    'Redis paused': async (random: Random): Promise<void> => {
      this.parts.redis.pause()
      await sleep(random.between(100, 3_000))
      this.parts.redis.resume()
    },
    'PostgreSQL restarted at once': async (): Promise<void> => {
      // What `pg_ctl restart -m immediate` sends; its supervisor starts it again.
      process.kill(await this.#postmaster(), 'SIGQUIT')
      await sleep(200)
      await this.#postgresAnswers()
    },
    'clock set wrong': async (_random: Random, turn: number): Promise<void> => {
      this.parts.nodes[turn % NODES]!.signal('SIGUSR2')
    },
    'sockets cut': async (random: Random): Promise<void> => {
      const share = random.between(0.1, 1)
      this.proxy.cut(() => random.chance(share))
    },
  } as const

  /** Connections of nodes to PostgreSQL that ended at a COMMIT. */
  get commitCuts(): number {
    return this.parts.databaseProxy.cuts
  }

  /** Copies PostgreSQL's files while it is down, transaction counters and all, as a snapshot of its disk does. */
  async keepFiles(): Promise<KeptDatabase> {
    const cluster = join(this.parts.dataDir, 'postgres')
    const kept = `${cluster}-kept`
    await this.#whileStopped(() => cp(cluster, kept, { recursive: true, preserveTimestamps: true }))
    return {
      bringBack: () =>
        this.#whileStopped(async () => {
          await rm(cluster, { recursive: true })
          await rename(kept, cluster)
        }),
      drop: () => rm(kept, { recursive: true, force: true }),
    }
  }

  /** For good: what follows needs the database alone. */
  async stopNodes(): Promise<void> {
    await Promise.all(this.parts.nodes.map((node) => node.kill()))
  }

  async close(): Promise<void> {
    const { nodes, postgres, databaseProxy, redis, dataDir } = this.parts
    await Promise.all(nodes.map((node) => node.kill()))
    await this.proxy.close()
    await databaseProxy.close()
    await redis.stop()
    await postgres.stop()
    await rm(dataDir, { recursive: true, force: true })
  }

  async #whileStopped(work: () => Promise<void>): Promise<void> {
    const { url } = this.parts.postgres
    await this.parts.postgres.stop()
    await work()
    this.parts.postgres = await startEmbeddedPostgres({ dataDir: this.parts.dataDir, log: LOG })
    if (this.parts.postgres.url !== url) throw new Error('PostgreSQL came back at another address')
  }

  async #postmaster(): Promise<number> {
    const file = await readFile(join(this.parts.dataDir, 'postgres', 'postmaster.pid'), 'utf8')
    return Number(file.split('\n', 1)[0])
  }

  async #postgresAnswers(): Promise<void> {
    for (;;) {
      const client = new pg.Client({ connectionString: this.databaseUrl })
      client.on('error', () => undefined)
      try {
        await client.connect()
        await client.query('select 1')
        return
      } catch {
        await sleep(50)
      } finally {
        await client.end().catch(() => undefined)
      }
    }
  }
}

export type Injection = keyof World['injections']

function nodeOn(port: number, databaseUrl: string, redisUrl: string, dataDir: string): Victim {
  return new Victim(
    'src/main.js',
    {
      PORT: String(port),
      HOST: '127.0.0.1',
      DATABASE_URL: databaseUrl,
      REDIS_URL: redisUrl,
      DATA_DIR: dataDir,
      LOG_LEVEL: process.env.CHAOS_LOG_LEVEL ?? 'fatal',
      // The same whichever node answers: screens show links.
      PUBLIC_URL: 'https://chat.example',
      ADMIN_EMAIL: OWNER.email,
      ADMIN_PASSWORD: OWNER.password,
      RATE_LIMIT_PER_SECOND: '1000000',
      GRAPHQL_COST_PER_MINUTE: '1000000000',
      ...skewedClock(),
    },
    `http://127.0.0.1:${port}/readyz`,
  )
}

const START_TRIES = 20

/** A node that finds no PostgreSQL at its start ends; an operator's supervisor starts it again. */
async function startAgain(node: Victim): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await node.start()
    } catch (error) {
      if (tries === START_TRIES) throw error
      await node.kill()
      await sleep(200)
    }
  }
}
