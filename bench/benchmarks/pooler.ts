import { alternate, medianOf, short, type Figure } from '../harness/figures.js'
import type { HttpLoad } from '../harness/load-process.js'
import type { LoadResult } from '../harness/load.js'
import { openPooler } from '../harness/pooler.js'
import { Worker } from '../harness/processes.js'
import type { Bench, HttpResult } from '../harness/bench.js'
import { openSeeded, sendBodies } from './agent-sends.js'

const CONVERSATIONS = 1_000
const ROUNDS = { rounds: 12, warmUpMs: 6_000, roundMs: 1_500 }
/** A quarter of the connections of a node, as many nodes would share them. */
const SESSIONS = 8

/** Sends of a node that goes through PgBouncer in transaction mode, against one on the same database without it. */
export async function benchPooler(bench: Bench): Promise<Figure[]> {
  const { load, databaseUrl } = bench
  const pooler = await openPooler(databaseUrl, SESSIONS)
  const node = new Worker('bench/harness/server-process.js')
  try {
    const settings = { DATABASE_POOLER: 'transaction', DATABASE_DIRECT_URL: databaseUrl }
    const { url } = await node.ask<{ url: string }>('start', { databaseUrl: pooler.url, settings })
    const { ids, tokens } = await openSeeded(bench, CONVERSATIONS)
    const request = { method: 'POST', path: '/graphql', tokens, bodies: sendBodies(ids) } as const
    const pooled = async (concurrency: number, ms: number): Promise<HttpResult> => {
      const before = await node.ask<number>('cpu')
      const result = await load.ask<LoadResult>('http', { url, ...request, concurrency, ms } satisfies HttpLoad)
      return { ...result, serverMicrosEach: ((await node.ask<number>('cpu')) - before) / result.done }
    }
    await bench.http({ ...request, concurrency: 64, ms: ROUNDS.warmUpMs / 2 })
    const figures: Figure[] = []
    for (const concurrency of [16, 64]) {
      const { floor, product } = await alternate(
        ROUNDS,
        (ms) => bench.http({ ...request, concurrency, ms }),
        (ms) => pooled(concurrency, ms),
      )
      const told = (rounds: HttpResult[]): string =>
        `${short(medianOf(rounds, 'perSecond'))} sends/s, p50 ${short(medianOf(rounds, 'p50Ms'))} ms, ` +
        `p99 ${short(medianOf(rounds, 'p99Ms'))} ms; server CPU ${short(medianOf(rounds, 'serverMicrosEach'))} us a send`
      figures.push({
        name: `send through PgBouncer in transaction mode, concurrency ${concurrency}`,
        ratio: medianOf(product, 'perSecond') / medianOf(floor, 'perSecond'),
        aim: 0.9,
        product: told(product),
        floor: told(floor),
        how:
          `An agent's message over HTTP GraphQL, to a node whose pools of 16 connections share ${SESSIONS} sessions of ` +
          `PgBouncer, and to one that is connected to the same PostgreSQL; both by socket files. Medians of ` +
          `${ROUNDS.rounds} alternating rounds of ${ROUNDS.roundMs / 1_000} s.`,
      })
    }
    return figures
  } finally {
    await node.ask('close').catch(() => undefined)
    await node.stop()
    await pooler.close()
  }
}
