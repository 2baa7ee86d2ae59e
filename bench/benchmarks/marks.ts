import { createRequest } from '@switchboard/client'
import type { Bench, HttpResult } from '../harness/bench.js'
import { alternate, medianOf, short, type Figure } from '../harness/figures.js'
import { TEXT } from './agent-sends.js'
import { SEND } from './send.js'

const ROUNDS = { rounds: 12, warmUpMs: 5_000, roundMs: 1_000 }
/** Conversations of a round: each is answered once or twice. */
const OF_A_ROUND = 800
const CONCURRENCY = 16
const AIM = 1.03
const READ =
  'query ($after: String) { conversations(first: 100, after: $after) { nodes { id mark } pageInfo { endCursor } } }'

interface Read {
  conversations: { nodes: { id: string; mark: string }[]; pageInfo: { endCursor: string } }
}

/** Answers that name the mark of what their author has seen, against answers that name none. */
export async function benchMarks(bench: Bench): Promise<Figure[]> {
  const { seeder, url } = bench
  const seed = await seeder.organization(20)
  const count = 2 * OF_A_ROUND * (ROUNDS.rounds + 1)
  await seeder.conversations(seed, count)
  await seeder.settle()
  const tokens = await bench.tokens(seed.agents)
  const request = createRequest({ serverUrl: url, token: tokens[0]! })
  const message = { type: 'CHAT', role: 'AGENT', text: TEXT }
  const [plain, marked]: [object[], object[]] = [[], []]
  for (let after: string | null = null; plain.length + marked.length < count;) {
    const { conversations }: Read = await request<Read, { after: string | null }>(READ, { after })
    // Page by page: neighbours differ in their status and agent.
    const isPlain = plain.length <= marked.length
    for (const { id: conversation, mark } of conversations.nodes)
      if (isPlain) plain.push({ query: SEND, variables: { conversation, message } })
      else marked.push({ query: SEND, variables: { conversation, message: { ...message, mark } } })
    after = conversations.pageInfo.endCursor
  }
  const sender = (all: readonly object[]) => {
    let from = 0
    return (ms: number): Promise<HttpResult> => {
      const bodies = all.slice(from, from + OF_A_ROUND)
      from = (from + OF_A_ROUND) % all.length
      return bench.http({ method: 'POST', path: '/graphql', tokens, bodies, concurrency: CONCURRENCY, ms })
    }
  }
  const { floor, product } = await alternate(ROUNDS, sender(plain), sender(marked))
  const line = (of: readonly HttpResult[]): string =>
    `p50 ${short(medianOf(of, 'p50Ms'))}, p95 ${short(medianOf(of, 'p95Ms'))} ms, ${short(medianOf(of, 'perSecond'))} sends/s; ` +
    `${short(medianOf(of, 'serverMicrosEach'))} us of server CPU`
  return [
    {
      name: 'p95 of sends with a mark',
      ratio: medianOf(product, 'p95Ms') / medianOf(floor, 'p95Ms'),
      aim: AIM,
      isTime: true,
      product: line(product),
      floor: line(floor),
      how:
        `First answers of agents to ${OF_A_ROUND} conversations in a round, each with the mark that was read; against answers to others without. ` +
        `Concurrency ${CONCURRENCY}, load from another process; medians of ${ROUNDS.rounds} alternating rounds of ${ROUNDS.roundMs / 1_000} s.`,
    },
  ]
}
