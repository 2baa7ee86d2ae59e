import type { Bench, HttpResult } from '../harness/bench.js'
import { isQuick, median, quantile, short, type Figure } from '../harness/figures.js'
import type { HttpLoad } from '../harness/load-process.js'
import type { Seed, Seeder } from '../harness/seed.js'
import { openSeeded, sendBodies } from './agent-sends.js'

const CONVERSATIONS = 2_000
const PAIRS = 40
const ROUND_MS = 400
const WARM_UP_MS = 4_000
const CONCURRENCY = 16
const AIM = 1.02

const ACCEPT =
  'mutation ($conversation: ID!) { acceptConversation(conversation: $conversation, ifQueued: true) { id } }'

type Load = Omit<HttpLoad, 'url'>

interface Round extends HttpResult {
  statementsEach: number
}

/**
 * Measures what offers cost those who do not use them: sends and accepts where all channels are PULL, against the same
 * process with what looks for offers passed over.
 */
export async function benchPullCost(bench: Bench): Promise<Figure[]> {
  const { seeder } = bench
  const { seed, ids, tokens } = await openSeeded(bench, CONVERSATIONS)
  const load = { method: 'POST', path: '/graphql', tokens, concurrency: CONCURRENCY, ms: ROUND_MS }
  const sends = await compare(bench, { ...load, bodies: sendBodies(ids) })
  const acceptances = ids.map((conversation) => ({ query: ACCEPT, variables: { conversation } }))
  const accepts = await compare(bench, { ...load, bodies: acceptances }, () => requeue(seeder, seed, ids))
  return [figureOf('sends', sends), figureOf('accepts', accepts)]
}

interface Pair {
  with: Round
  without: Round
}

/** In pairs, each in the other order, so that what else the machine does falls on both. @param prepare before each round */
async function compare(bench: Bench, load: Load, prepare?: () => Promise<void>): Promise<Pair[]> {
  const run = async (isBypassed: boolean, ms = ROUND_MS): Promise<Round> => {
    await prepare?.()
    await bench.server.ask('bypassOffers', isBypassed)
    const before = await bench.server.ask<number>('statements')
    const result = await bench.http({ ...load, ms })
    if (prepare && ms === ROUND_MS && result.done > CONVERSATIONS) throw new Error('no conversations are left')
    return { ...result, statementsEach: ((await bench.server.ask<number>('statements')) - before) / result.done }
  }
  const pairs: Pair[] = []
  await run(false, isQuick() ? ROUND_MS : WARM_UP_MS)
  await run(true, isQuick() ? ROUND_MS : WARM_UP_MS)
  for (let pair = 0; pair < (isQuick() ? 1 : PAIRS); pair++) {
    const first = await run(pair % 2 === 0)
    const second = await run(pair % 2 === 1)
    pairs.push(pair % 2 === 0 ? { with: second, without: first } : { with: first, without: second })
  }
  return pairs
}

function figureOf(name: string, pairs: readonly Pair[]): Figure {
  const of = (key: 'serverMicrosEach' | 'statementsEach', arm: 'with' | 'without'): string =>
    short(median(pairs.map((pair) => pair[arm][key])))
  const ratios = pairs.map((pair) => pair.with.serverMicrosEach / pair.without.serverMicrosEach)
  const quartiles = [0.25, 0.75].map((share) => quantile(ratios, share).toFixed(3))
  return {
    name: `${name} where all channels are PULL`,
    ratio: median(ratios),
    aim: AIM,
    isTime: true,
    product: `${of('serverMicrosEach', 'with')} us of the server's CPU each, ${of('statementsEach', 'with')} statements`,
    floor: `${of('serverMicrosEach', 'without')} us each, ${of('statementsEach', 'without')} statements`,
    how:
      `The same process, in one round of each pair without what notices offers, wakes the matcher and asks whether a channel ` +
      `offers. Medians of ${PAIRS} pairs of ${ROUND_MS} ms, concurrency ${CONCURRENCY}; quartiles of the ratio ${quartiles.join(' and ')}.`,
  }
}

/** As they were before they were accepted. */
async function requeue(seeder: Seeder, { channel }: Seed, ids: readonly string[]): Promise<void> {
  await seeder.query('delete from participant where conversation_id = any($1::uuid[])', [ids])
  await seeder.query(
    `update conversation set status = 'queued', queueing = 1, queued_at = now(), channels = array[$2::uuid],
       task_channels = '{}' where id = any($1::uuid[])`,
    [ids, channel],
  )
}
