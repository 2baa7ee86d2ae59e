import type { Bench } from '../harness/bench.js'
import { inTurns, isQuick, median, medianOf, quantile, short, type Figure } from '../harness/figures.js'
import type { HttpLoad } from '../harness/load-process.js'
import type { LoadResult } from '../harness/load.js'
import { Worker } from '../harness/processes.js'
import { openSeeded, sendBodies } from './agent-sends.js'

const CONVERSATIONS = 500
const CONCURRENCY = 16
/** Short, so that what else the machine does falls on all nodes alike. */
const ROUNDS = { rounds: 30, warmUpMs: 3_000, roundMs: 500 }
/** Part of the requests that is recorded; null: no traces, for what two equal processes differ by. */
const RATIOS = [null, '0.01', '1']

type Round = LoadResult & { serverMicrosEach: number }
type Load = (ms: number) => Promise<Round>

/**
 * Sends through nodes that send traces, against one on the same database that does not, and this against another one without:
 * processes started alike, in turns.
 */
export async function benchTraces(bench: Bench): Promise<Figure[]> {
  const { ids, tokens } = await openSeeded(bench, CONVERSATIONS)
  const bodies = sendBodies(ids)
  const load = { method: 'POST', path: '/graphql', tokens, bodies, concurrency: CONCURRENCY } as const
  const collector = new Worker('bench/harness/receiver-process.js')
  const servers: Worker[] = []
  try {
    const endpoint = await collector.ask<string>('start', {})
    const loads: Load[] = []
    for (const ratio of [null, ...RATIOS]) {
      const server = startNode(endpoint, ratio)
      servers.push(server)
      loads.push(await loadOf(bench, server, load))
    }
    const [floor, ...products] = await inTurns(ROUNDS, loads)
    if ((await collector.ask<number>('count')) === 0 && !isQuick())
      throw new Error('the collector has received nothing')
    return products.map((product, index) => figureOf(RATIOS[index]!, floor!, product))
  } finally {
    for (const server of servers) {
      await server.ask('close')
      await server.stop()
    }
    collector.kill()
  }
}

/** The embedded PostgreSQL has 100 connections, for all nodes. */
const settings = { DATABASE_POOL_SIZE: '10' }

async function loadOf(
  { databaseUrl, load: loader }: Bench,
  server: Worker,
  load: Omit<HttpLoad, 'url' | 'ms'>,
): Promise<Load> {
  const { url } = await server.ask<{ url: string }>('start', { databaseUrl, settings })
  return async (ms) => {
    const cpu = await server.ask<number>('cpu')
    const result = await loader.ask<LoadResult>('http', { url, ...load, ms } satisfies HttpLoad)
    return { ...result, serverMicrosEach: ((await server.ask<number>('cpu')) - cpu) / result.done }
  }
}

function figureOf(ratio: string | null, floor: readonly Round[], product: readonly Round[]): Figure {
  const described = (rounds: readonly Round[]): string =>
    `${short(medianOf(rounds, 'serverMicrosEach'))} us of CPU a send, ${short(medianOf(rounds, 'perSecond'))} sends/s`
  const ratios = product.map(({ serverMicrosEach }, round) => serverMicrosEach / floor[round]!.serverMicrosEach)
  const part = (share: number): string => quantile(ratios, share).toFixed(2)
  return {
    name: `sends ${ratio === null ? 'without traces' : `with traces, ${Number(ratio) * 100} % recorded`}`,
    ratio: median(ratios),
    aim: ratio === '0.01' ? 1.03 : null,
    isTime: true,
    product: `${described(product)}; half of the rounds from ${part(0.25)} to ${part(0.75)}`,
    floor: described(floor),
    how:
      `The server's CPU for an agent's message over HTTP GraphQL at concurrency ${CONCURRENCY}, by a node ` +
      (ratio === null
        ? 'without traces, as a control of the measurement'
        : `with OTEL_TRACES_SAMPLER_ARG=${ratio} and a collector that takes everything`) +
      `, and by one without traces that was started alike, on one database; the median of the ratios of ` +
      `${ROUNDS.rounds} rounds of ${ROUNDS.roundMs / 1_000} s, by turns.`,
  }
}

function startNode(endpoint: string, ratio: string | null): Worker {
  const set: Record<string, string> =
    ratio === null
      ? {}
      : {
          OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
          OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
          OTEL_TRACES_SAMPLER_ARG: ratio,
        }
  // A child process has its parent's environment.
  Object.assign(process.env, set)
  try {
    return new Worker('bench/harness/traced-server-process.js', process.env.BENCH_SERVER_FLAGS?.split(' '))
  } finally {
    for (const name of Object.keys(set)) Reflect.deleteProperty(process.env, name)
  }
}
