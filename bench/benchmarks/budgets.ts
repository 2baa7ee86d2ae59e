import type { Bench, HttpResult } from '../harness/bench.js'
import { alternate, medianOf, short, type Figure } from '../harness/figures.js'
import { TEXT } from './agent-sends.js'
import { SEND } from './send.js'

const CONVERSATIONS = 1_000
const ROUNDS = { rounds: 12, warmUpMs: 5_000, roundMs: 1_000 }
const CONCURRENCY = 64
const AIM = 0.98

/** Sends of a bot with a budget of messages in a conversation and in a day, against those of one without. */
export async function benchBudgets(bench: Bench): Promise<Figure[]> {
  const { seeder } = bench
  const seed = await seeder.organization(20)
  const ids = await seeder.conversations(seed, CONVERSATIONS)
  const [limited, free, agent] = seed.agents
  const bots = [limited!, free!].map((bot) => ({ ...bot, role: 'bot' }))
  await seeder.query(`update app_user set role = 'bot' where id = any($1::uuid[])`, [bots.map(({ id }) => id)])
  await seeder.query(
    `insert into bot_budget (bot_id, version, per_conversation, per_day, updated_at, updated_by_id)
     values ($1, 1, 1000000, 1000000000, now(), $2)`,
    [limited!.id, agent!.id],
  )
  await seeder.settle()
  const [limitedToken, freeToken] = await bench.tokens(bots)
  // In a colleague's name: section 8 limits what a bot says in its own within an hour, and its budget counts both.
  const message = { type: 'CHAT', role: 'AGENT', text: TEXT, user: agent!.id }
  const bodies = ids.map((conversation) => ({ query: SEND, variables: { conversation, message } }))
  const send =
    (token: string) =>
    (ms: number): Promise<HttpResult> =>
      bench.http({ method: 'POST', path: '/graphql', tokens: [token], bodies, concurrency: CONCURRENCY, ms })
  const { floor, product } = await alternate(ROUNDS, send(freeToken!), send(limitedToken!))
  const line = (of: readonly HttpResult[]): string =>
    `${short(medianOf(of, 'perSecond'))} sends/s, p50 ${short(medianOf(of, 'p50Ms'))} ms, p99 ${short(medianOf(of, 'p99Ms'))} ms; ` +
    `${short(medianOf(of, 'serverMicrosEach'))} us of server CPU`
  return [
    {
      name: 'sends of a bot with a budget',
      ratio: medianOf(product, 'perSecond') / medianOf(floor, 'perSecond'),
      aim: AIM,
      product: line(product),
      floor: line(floor),
      how:
        `A bot's messages in ${CONVERSATIONS} conversations, with a budget in each and of a day, drawn by 50; against the same of a bot without. ` +
        `Concurrency ${CONCURRENCY}, load from another process; medians of ${ROUNDS.rounds} alternating rounds of ${ROUNDS.roundMs / 1_000} s.`,
    },
  ]
}
