import { alternate, median, short, type Figure } from './figures.js'
import type { LoadResult } from './load.js'
import type { Bench } from './bench.js'
import type { FloorSendLoad, HttpLoad } from './load-process.js'

const CONVERSATIONS = 1_000
const TEXT = 'Your order left our warehouse this morning, and you should have it tomorrow before noon.'
const ROUNDS = { rounds: 6, warmUpMs: 10_000, roundMs: 1_000 }

export const SEND = `mutation Send($conversation: ID!, $message: MessageInput!) {
  sendMessage(conversation: $conversation, message: $message) { id position createdAt }
}`

/** A send by HTTP GraphQL: validated, authorised, committed, published; against the same statements by bare `pg`. */
export async function benchSend(bench: Bench): Promise<Figure[]> {
  const { seeder, load, server, url, databaseUrl } = bench
  const seed = await seeder.organization(20)
  const conversations = await seeder.conversations(seed, CONVERSATIONS)
  const floorConversations = await seeder.conversations(seed, CONVERSATIONS)
  await seeder.settle()
  const tokens = await bench.tokens(seed.agents)
  const message = { type: 'CHAT', role: 'AGENT', text: TEXT }
  const variables = conversations.map((conversation) => ({ conversation, message }))
  const bodies = variables.map((each) => ({ query: SEND, variables: each }))
  const figures: Figure[] = []
  for (const concurrency of [16, 64]) {
    const floor = (ms: number) =>
      load.ask<LoadResult>('floorSend', {
        databaseUrl, conversations: floorConversations, organization: seed.organization, user: seed.agents[0]!.id,
        text: TEXT, concurrency, ms,
      } satisfies FloorSendLoad)
    const product = async (ms: number) => {
      const cpuBefore = await server.ask<number>('cpu')
      const result = await load.ask<LoadResult>('http', {
        url, method: 'POST', path: '/graphql', tokens, bodies, concurrency, ms,
      } satisfies HttpLoad)
      return { ...result, serverMicrosEach: ((await server.ask<number>('cpu')) - cpuBefore) / result.done }
    }
    const inProcess = (ms: number) =>
      server.ask<LoadResult>('runInProcess', { query: SEND, variables, tokens, concurrency, ms })
    const overHttp = await alternate(ROUNDS, floor, product)
    await inProcess(ROUNDS.roundMs)
    const within = await inProcess(ROUNDS.roundMs)
    const rate = (results: readonly LoadResult[]) => median(results.map(({ perSecond }) => perSecond))
    const middle = (results: readonly LoadResult[], key: keyof LoadResult) => median(results.map((each) => each[key]))
    const cpu = median(overHttp.product.map(({ serverMicrosEach }) => serverMicrosEach))
    figures.push({
      name: `send, concurrency ${concurrency}`,
      ratio: rate(overHttp.product) / rate(overHttp.floor),
      aim: 1,
      product: `${short(rate(overHttp.product))} sends/s, p50 ${short(middle(overHttp.product, 'p50Ms'))} ms, ` +
        `p99 ${short(middle(overHttp.product, 'p99Ms'))} ms; server CPU ${short(cpu)} us a send, ` +
        `client ${short(middle(overHttp.product, 'cpuMicrosEach'))} us; in process, without HTTP: ` +
        `${short(within.perSecond)} sends/s`,
      floor: `${short(rate(overHttp.floor))} transactions/s, p50 ${short(middle(overHttp.floor, 'p50Ms'))} ms, ` +
        `p99 ${short(middle(overHttp.floor, 'p99Ms'))} ms; client CPU ${short(middle(overHttp.floor, 'cpuMicrosEach'))} us`,
      how: `An agent's message over HTTP GraphQL, checked against schema, permission and the state of the conversation, ` +
        `committed, published; against bare pg with ${concurrency} connections writing the same rows (conversation, message, ` +
        `delivery, unread count, two events with their stream's counter) by three prepared statements in one ` +
        `transaction, nothing else. Same database, ` +
        `${CONVERSATIONS} conversations each, load from another process; medians of ${ROUNDS.rounds} alternating rounds ` +
        `of ${ROUNDS.roundMs / 1_000} s.`,
    })
  }
  return figures
}
