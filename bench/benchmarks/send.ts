import { alternate, medianOf, short, type Figure } from '../harness/figures.js'
import type { LoadResult } from '../harness/load.js'
import type { Bench } from '../harness/bench.js'
import { requireSameRows } from '../harness/same-rows.js'
import type { SendFloorOptions } from './send-floor.js'

const CONVERSATIONS = 1_000
const TEXT = 'Your order left our warehouse this morning, and you should have it tomorrow before noon.'
const ROUNDS = { rounds: 6, warmUpMs: 10_000, roundMs: 1_000 }
const FIRST_MS = 3_000
const A_FEW_MS = 50

export const SEND = `mutation Send($conversation: ID!, $message: MessageInput!) {
  sendMessage(conversation: $conversation, message: $message) { id position createdAt }
}`

/** A send by HTTP GraphQL: validated, authorised, committed, published; against the same rows by bare `pg`. */
export async function benchSend(bench: Bench): Promise<Figure[]> {
  const { seeder, server } = bench
  const seed = await seeder.organization(20)
  const conversations = await seeder.conversations(seed, CONVERSATIONS)
  const floorConversations = await seeder.conversations(seed, CONVERSATIONS)
  await seeder.settle()
  const tokens = await bench.tokens(seed.agents)
  const message = { type: 'CHAT', role: 'AGENT', text: TEXT }
  const variables = conversations.map((conversation) => ({ conversation, message }))
  const bodies = variables.map((each) => ({ query: SEND, variables: each }))
  const options: SendFloorOptions = {
    conversations: floorConversations,
    organization: seed.organization,
    agents: seed.agents.map(({ id }) => id),
    text: TEXT,
  }
  const module = 'bench/benchmarks/send-floor.js'
  // Whatever an answer changes the first time: of the seeded conversations some are closed, or in an inbox.
  const load = { method: 'POST', path: '/graphql', tokens, bodies } as const
  await bench.http({ ...load, concurrency: 64, ms: FIRST_MS })
  await requireSameRows(
    seeder,
    () => bench.http({ ...load, concurrency: 1, ms: A_FEW_MS }),
    () => bench.floor<SendFloorOptions>({ module, options, concurrency: 1, ms: A_FEW_MS }),
  )
  const figures: Figure[] = []
  for (const concurrency of [16, 64]) {
    const floor = (ms: number) => bench.floor<SendFloorOptions>({ module, options, concurrency, ms })
    const product = (ms: number) => bench.http({ ...load, concurrency, ms })
    const inProcess = (ms: number) =>
      server.ask<LoadResult>('runInProcess', { query: SEND, variables, tokens, concurrency, ms })
    const overHttp = await alternate(ROUNDS, floor, product)
    await inProcess(ROUNDS.roundMs)
    const within = await inProcess(ROUNDS.roundMs)
    figures.push({
      name: `send, concurrency ${concurrency}`,
      ratio: medianOf(overHttp.product, 'perSecond') / medianOf(overHttp.floor, 'perSecond'),
      aim: 1,
      product:
        `${short(medianOf(overHttp.product, 'perSecond'))} sends/s, p50 ${short(medianOf(overHttp.product, 'p50Ms'))} ms, ` +
        `p99 ${short(medianOf(overHttp.product, 'p99Ms'))} ms; server CPU ${short(medianOf(overHttp.product, 'serverMicrosEach'))} us a send, ` +
        `client ${short(medianOf(overHttp.product, 'cpuMicrosEach'))} us; in process, without HTTP: ` +
        `${short(within.perSecond)} sends/s`,
      floor:
        `${short(medianOf(overHttp.floor, 'perSecond'))} transactions/s, p50 ${short(medianOf(overHttp.floor, 'p50Ms'))} ms, ` +
        `p99 ${short(medianOf(overHttp.floor, 'p99Ms'))} ms; client CPU ${short(medianOf(overHttp.floor, 'cpuMicrosEach'))} us`,
      how:
        `An agent's message over HTTP GraphQL, checked against schema, permission and the state of the conversation, ` +
        `committed, published; against bare pg with ${concurrency} connections writing the same rows (conversation, message, ` +
        `delivery, unread count, four events with the counters of three streams) by three prepared statements in one ` +
        `transaction, nothing else; what both leave in each table is compared first. Same database, ` +
        `${CONVERSATIONS} conversations each, load from another process; medians of ${ROUNDS.rounds} alternating rounds ` +
        `of ${ROUNDS.roundMs / 1_000} s.`,
    })
  }
  return figures
}
