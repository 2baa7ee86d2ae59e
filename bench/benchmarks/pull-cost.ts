import type { Bench, HttpResult } from '../harness/bench.js'
import { median, short, type Figure } from '../harness/figures.js'
import type { HttpLoad } from '../harness/load-process.js'
import { ratioOf, ROUND_MS, runInPairs, type Pair } from '../harness/pairs.js'
import type { Seed, Seeder } from '../harness/seed.js'
import { openSeeded, sendBodies } from './agent-sends.js'

const CONVERSATIONS = 2_000
const CONCURRENCY = 16
const AIM = 1.02

const ACCEPT =
  'mutation ($conversation: ID!) { acceptConversation(conversation: $conversation, ifQueued: true) { id } }'

type Load = Omit<HttpLoad, 'url' | 'ms'>

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
  const load = { method: 'POST', path: '/graphql', tokens, concurrency: CONCURRENCY }
  const sends = await compare(bench, { ...load, bodies: sendBodies(ids) })
  const acceptances = ids.map((conversation) => ({ query: ACCEPT, variables: { conversation } }))
  const accepts = await compare(bench, { ...load, bodies: acceptances }, () => requeue(seeder, seed, ids))
  return [figureOf('sends', sends), figureOf('accepts', accepts)]
}

/** @param prepare before each round */
function compare(bench: Bench, load: Load, prepare?: () => Promise<void>): Promise<Pair<Round>[]> {
  return runInPairs(async (isBypassed, ms) => {
    await prepare?.()
    await bench.server.ask('bypassOffers', isBypassed)
    const before = await bench.server.ask<number>('statements')
    const result = await bench.http({ ...load, ms })
    if (prepare && ms === ROUND_MS && result.done > CONVERSATIONS) throw new Error('no conversations are left')
    return { ...result, statementsEach: ((await bench.server.ask<number>('statements')) - before) / result.done }
  })
}

function figureOf(name: string, pairs: readonly Pair<Round>[]): Figure {
  const of = (key: 'serverMicrosEach' | 'statementsEach', arm: 'with' | 'without'): string =>
    short(median(pairs.map((pair) => pair[arm][key])))
  const { ratio, how } = ratioOf(pairs, ({ serverMicrosEach }) => serverMicrosEach)
  return {
    name: `${name} where all channels are PULL`,
    ratio,
    aim: AIM,
    isTime: true,
    product: `${of('serverMicrosEach', 'with')} us of the server's CPU each, ${of('statementsEach', 'with')} statements`,
    floor: `${of('serverMicrosEach', 'without')} us each, ${of('statementsEach', 'without')} statements`,
    how:
      `The same process, in one round of each pair without what notices offers, wakes the matcher and asks whether a channel ` +
      `offers. Concurrency ${CONCURRENCY}. ${how}`,
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
