import { inTurns, medianOf, short, type Figure } from '../harness/figures.js'
import type { FloorLoad, HttpLoad } from '../harness/load-process.js'
import type { LoadResult } from '../harness/load.js'
import { openPooler } from '../harness/pooler.js'
import { cpuOf, Worker } from '../harness/processes.js'
import type { Bench } from '../harness/bench.js'
import { openSeeded, sendBodies, TEXT } from './agent-sends.js'
import type { SendFloorOptions } from './send-floor.js'

const CONVERSATIONS = 1_000
const ROUNDS = { rounds: 12, warmUpMs: 3_000, roundMs: 1_000 }
/** A quarter of the connections of a node, as many nodes would share them. */
const SESSIONS = 8
/** In session mode each connection has its own. */
const SESSIONS_OF_A_NODE = 24
/** Connections of bare `pg`: as many as a node has. */
const BARE_CONNECTIONS = 16

/** Cost of one send to each of those that take part, in microseconds of CPU. */
interface Round extends LoadResult {
  serverMicros: number
  postgresMicros: number
  poolerMicros: number
}

type Sevenfold<Value> = [Value, Value, Value, Value, Value, Value, Value]
type Measure = (ms: number) => Promise<Round>

/**
 * Sends of a node that goes through PgBouncer in transaction mode, against one on the same database without it. What of the
 * difference is the product's is told by bare `pg` on both ways, and what prepared statements are worth, by both without.
 */
export async function benchPooler(bench: Bench): Promise<Figure[]> {
  const { load, seeder, databaseUrl } = bench
  const pooler = await openPooler(databaseUrl, SESSIONS)
  const sessionPooler = await openPooler(databaseUrl, SESSIONS_OF_A_NODE, 'session')
  const nodes: Worker[] = []
  const startNode = async (url: string, isShared = true): Promise<{ url: string; cpu: () => Promise<number> }> => {
    const node = new Worker('bench/harness/server-process.js')
    nodes.push(node)
    const settings = isShared ? { DATABASE_POOLER: 'transaction', DATABASE_DIRECT_URL: databaseUrl } : {}
    const started = await node.ask<{ url: string }>('start', { databaseUrl: url, settings })
    return { url: started.url, cpu: () => node.ask<number>('cpu') }
  }
  /** With what it costs whom: nothing else is running. */
  const counted = async (run: () => Promise<LoadResult>, cpu = async (): Promise<number> => 0): Promise<Round> => {
    const pids = await seeder.query<{ pid: number }>('select pid from pg_stat_activity where pid <> pg_backend_pid()')
    const read = async () => [await cpu(), pooler.cpu() + sessionPooler.cpu(), ...pids.map(({ pid }) => cpuOf(pid))]
    const before = await read()
    const result = await run()
    const after = await read()
    // A session that has ended tells nothing.
    const used = after.map((micros, at) => Math.max(0, micros - before[at]!) / result.done)
    const [serverMicros, poolerMicros, ...postgres] = used as [number, number, ...number[]]
    return { ...result, serverMicros, poolerMicros, postgresMicros: postgres.reduce((sum, each) => sum + each, 0) }
  }
  try {
    const { seed, ids, tokens } = await openSeeded(bench, CONVERSATIONS)
    const request = { method: 'POST', path: '/graphql', tokens, bodies: sendBodies(ids) } as const
    const options: SendFloorOptions = {
      conversations: await seeder.conversations(seed, CONVERSATIONS),
      organization: seed.organization,
      agents: seed.agents.map(({ id }) => id),
      text: TEXT,
    }
    const toNode = (url: string, cpu: () => Promise<number>, concurrency: number): Measure => {
      return (ms) =>
        counted(() => load.ask<LoadResult>('http', { url, ...request, concurrency, ms } satisfies HttpLoad), cpu)
    }
    const bare = (url: string, isUnnamed: boolean): Measure => {
      const of = { module: 'bench/benchmarks/send-floor.js', options, concurrency: BARE_CONNECTIONS, isUnnamed }
      return (ms) =>
        counted(() =>
          load.ask<LoadResult>('floor', { databaseUrl: url, ...of, ms } satisfies FloorLoad<SendFloorOptions>),
        )
    }
    const unnamed = await startNode(databaseUrl)
    const pooled = await startNode(pooler.url)
    const session = await startNode(sessionPooler.url, false)
    const figures: Figure[] = []
    for (const concurrency of [16, 64]) {
      const rounds = await inTurns(ROUNDS, [
        toNode(bench.url, () => bench.server.ask<number>('cpu'), concurrency),
        toNode(unnamed.url, unnamed.cpu, concurrency),
        toNode(pooled.url, pooled.cpu, concurrency),
        toNode(session.url, session.cpu, concurrency),
        bare(databaseUrl, false),
        bare(databaseUrl, true),
        bare(pooler.url, true),
      ])
      figures.push(figureOf(concurrency, rounds))
    }
    return figures
  } finally {
    for (const node of nodes) {
      await node.ask('close').catch(() => undefined)
      await node.stop()
    }
    await pooler.close()
    await sessionPooler.close()
  }
}

function figureOf(concurrency: number, rounds: readonly Round[][]): Figure {
  const [direct, unnamed, pooled, session, bareDirect, bareUnnamed, barePooled] = rounds as Sevenfold<Round[]>
  const rate = (of: readonly Round[]): number => medianOf(of, 'perSecond')
  const ratio = rate(pooled) / rate(direct)
  const bareRatio = rate(barePooled) / rate(bareDirect)
  return {
    name: `send through PgBouncer in transaction mode, concurrency ${concurrency}`,
    ratio,
    aim: 0.9,
    product: told(pooled),
    floor: told(direct),
    how:
      `An agent's message over HTTP GraphQL, to a node whose pools of 16 connections share ${SESSIONS} sessions of ` +
      `PgBouncer, and to one that is connected to the same PostgreSQL; both by socket files. CPU of the server, ` +
      `PostgreSQL's sessions and PgBouncer for a send. Medians of ${ROUNDS.rounds} rounds of ${ROUNDS.roundMs / 1_000} s, in turns.`,
    note:
      `The node connected directly, with statements as a pooler needs them (no names, limits by transaction): ` +
      `${(rate(unnamed) / rate(direct)).toFixed(2)}, ${told(unnamed)}. Through PgBouncer in session mode, with names: ` +
      `${(rate(session) / rate(direct)).toFixed(2)}, ${told(session)}. Bare pg writing the same rows by ${BARE_CONNECTIONS} connections: ` +
      `through PgBouncer ${bareRatio.toFixed(2)} of direct, direct without names ${(rate(bareUnnamed) / rate(bareDirect)).toFixed(2)} ` +
      `(direct ${told(bareDirect)}; without names ${told(bareUnnamed)}; pooled ${told(barePooled)}). ` +
      `The product's ratio is ${(ratio / bareRatio).toFixed(2)} of bare pg's.`,
  }
}

function told(rounds: readonly Round[]): string {
  const micros = (key: 'serverMicros' | 'postgresMicros' | 'poolerMicros') => short(medianOf(rounds, key))
  const server = medianOf(rounds, 'serverMicros') > 0 ? `server ${micros('serverMicros')}, ` : ''
  return (
    `${short(medianOf(rounds, 'perSecond'))} a second, p50 ${short(medianOf(rounds, 'p50Ms'))} ms; us of CPU: ${server}` +
    `PostgreSQL ${micros('postgresMicros')}, PgBouncer ${micros('poolerMicros')}`
  )
}
