import type { RuleDefinition } from '../../src/modules/workflows/rule-definition.js'
import type { Bench, HttpResult } from '../harness/bench.js'
import { alternate, failuresOf, medianOf, short, type Check, type Figure } from '../harness/figures.js'
import { makeExpressionRules, makeRules, seedWorkflows } from '../harness/workflows.js'
import { SEND } from './send.js'

const CONVERSATIONS = 4_000
const CONCURRENCY = 8
const ROUNDS = { rounds: 4, warmUpMs: 1_500, roundMs: 1_000 }
/** The most that a workflow may have. */
const RULES_EACH = 200
const ADDED_MS_MAX = 4
const BLOCK_MS_MAX = 5
const TEXT =
  'Hello, I would like to know where my order 7781 is. I bought two chairs and a lamp last Monday, and the parcel ' +
  'service says that it was delivered to a neighbour, which it was not. Could you please have a look?'

/** Sends consumers' messages to closed conversations, each of which is queued by that: rules run for every one. */
type Send = (ms: number) => Promise<HttpResult>

/**
 * Measures what rules add to a consumer's message that queues a conversation, and how long they keep the process from
 * all else.
 */
export async function benchRoutedMessages(bench: Bench): Promise<(Figure | Check)[]> {
  const few = await sender(bench, [makeRules(1)])
  const usual = await sender(bench, workflows(5, makeRules))
  const expressions = await sender(bench, workflows(5, makeExpressionRules))
  const many = await sender(bench, [...workflows(13, makeRules), ...workflows(12, makeExpressionRules)])
  return [
    await addedBy('1,000 rules of three conditions', few, usual),
    await addedBy('1,000 rules of two expressions each that nothing spares', few, expressions),
    await longestBlock(bench, few, many),
  ]
}

function workflows(count: number, make: (count: number) => RuleDefinition[]): RuleDefinition[][] {
  return Array.from({ length: count }, () => make(RULES_EACH))
}

async function sender(bench: Bench, rules: readonly RuleDefinition[][]): Promise<Send> {
  const { seeder } = bench
  const seed = await seeder.organization(2)
  const conversations = await seeder.conversations(seed, CONVERSATIONS)
  await seedWorkflows(seeder, seed.organization, rules)
  await seeder.query(`update app_user set role = 'admin' where organization_id = $1`, [seed.organization])
  await seeder.query(`update organization set tags = '{vip}' where id = $1`, [seed.organization])
  const tokens = await bench.tokens(seed.agents.map((agent) => ({ ...agent, role: 'admin' })))
  const message = { type: 'CHAT', role: 'CONTACT', text: TEXT, meta: { url: 'https://shop.example/orders/7781' } }
  const bodies = conversations.map((conversation) => ({ query: SEND, variables: { conversation, message } }))
  await seeder.settle()
  return async (ms) => {
    await seeder.query(
      `update conversation set status = 'closed', category = 'sales', channels = '{}', channels_offline = '{}'
       where organization_id = $1`,
      [seed.organization],
    )
    const result = await bench.http({ method: 'POST', path: '/graphql', tokens, bodies, concurrency: CONCURRENCY, ms })
    if (result.done > CONVERSATIONS) throw new Error('there are too few conversations: not every message was routed')
    return result
  }
}

async function addedBy(what: string, few: Send, many: Send): Promise<Figure> {
  const { floor, product } = await alternate(ROUNDS, few, many)
  const [fewMicros, manyMicros] = [medianOf(floor, 'serverMicrosEach'), medianOf(product, 'serverMicrosEach')]
  const added = (manyMicros - fewMicros) / 1_000
  return {
    name: `CPU added to a consumer's message by ${what}`,
    ratio: added / ADDED_MS_MAX,
    aim: 1,
    isTime: true,
    product:
      `${short(added)} ms added; ${short(manyMicros)} us of server CPU a message, ${short(medianOf(product, 'perSecond'))} ` +
      `a second, p50 ${short(medianOf(product, 'p50Ms'))} ms`,
    floor:
      `the aim itself, ${ADDED_MS_MAX} ms; with one rule ${short(fewMicros)} us a message, ` +
      `${short(medianOf(floor, 'perSecond'))} a second, p50 ${short(medianOf(floor, 'p50Ms'))} ms`,
    how:
      `A message of ${TEXT.length} characters to a closed conversation over HTTP GraphQL, which queues it; server CPU a ` +
      `message, the decision stored with what explains it. Two organizations of one server; concurrency ${CONCURRENCY}; medians ` +
      `of ${ROUNDS.rounds} alternating rounds of ${ROUNDS.roundMs / 1_000} s.`,
  }
}

interface Block {
  longestMs: number
  done: number
}

/** With one rule as well: what a batch of messages takes by itself. */
async function longestBlock({ server }: Bench, few: Send, many: Send): Promise<Check> {
  const blockOf =
    (send: Send) =>
    async (ms: number): Promise<Block> => {
      await server.ask<number>('longestBlock')
      const { done } = await send(ms)
      return { longestMs: await server.ask<number>('longestBlock'), done }
    }
  const compiling = await blockOf(many)(ROUNDS.warmUpMs)
  const { floor, product } = await alternate(ROUNDS, blockOf(few), blockOf(many))
  const longest = medianOf(product, 'longestMs')
  const each = (blocks: readonly Block[]): string => blocks.map(({ longestMs }) => short(longestMs)).join(', ')
  return {
    name: "5,000 rules of 25 workflows, consumers' messages",
    aim: `the event loop is blocked for at most ${BLOCK_MS_MAX} ms`,
    failures: failuresOf({ [`${short(longest)} ms`]: longest <= BLOCK_MS_MAX }),
    found: [
      `longest block of a round: median ${short(longest)} ms (${each(product)}), ${short(medianOf(product, 'done'))} messages a round`,
      `with one rule: median ${short(medianOf(floor, 'longestMs'))} ms (${each(floor)})`,
      `while they were compiled: ${short(compiling.longestMs)} ms`,
    ],
    how:
      `As above; the most CPU that the server's thread used between two looks of its event loop, a millisecond apart, in each of ` +
      `${ROUNDS.rounds} rounds of ${ROUNDS.roundMs / 1_000} s: what else the machine does is not counted.`,
  }
}
