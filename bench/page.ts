import { alternate, median, short, type Figure } from './figures.js'
import type { Bench } from './bench.js'
import type { LoadResult } from './load.js'
import type { FloorPageLoad, HttpLoad } from './load-process.js'

const CONVERSATIONS = 2_000
const CONCURRENCY = 8
const ROUNDS = { rounds: 6, warmUpMs: 2_000, roundMs: 1_000 }

/** What an agent's console shows first. */
export const PAGE = `query Page {
  conversations(first: 50) {
    edges { node {
      id name status
      participants { user { displayName } }
      contact { profile { name } }
      lastMessage { text }
    } }
    pageInfo { hasNextPage }
  }
}`

/** A page of 50 conversations with what belongs to them, against one SQL statement and `JSON.stringify`. */
export async function benchPage(bench: Bench): Promise<Figure[]> {
  const { seeder, load, server, url, databaseUrl } = bench
  const seed = await seeder.organization(20)
  await seeder.conversations(seed, CONVERSATIONS)
  await seeder.settle()
  const tokens = await bench.tokens(seed.agents)
  const floor = { databaseUrl, organization: seed.organization, concurrency: CONCURRENCY }
  const http = { url, method: 'POST', path: '/graphql', tokens, bodies: [{ query: PAGE }], concurrency: CONCURRENCY }
  const same = await load.ask<{ isSame: boolean; bytes: number }>('comparePages', { floor, http })
  if (!same.isSame) throw new Error('the floor and the product do not give the same page')
  const results = await alternate(
    ROUNDS,
    (ms) => load.ask<LoadResult>('floorPage', { ...floor, ms } satisfies FloorPageLoad),
    async (ms) => {
      const cpuBefore = await server.ask<number>('cpu')
      const result = await load.ask<LoadResult>('http', { ...http, ms } satisfies HttpLoad)
      return { ...result, serverMicrosEach: ((await server.ask<number>('cpu')) - cpuBefore) / result.done }
    },
  )
  const rate = (of: readonly LoadResult[]) => median(of.map(({ perSecond }) => perSecond))
  const middle = (of: readonly LoadResult[], key: keyof LoadResult) => median(of.map((each) => each[key]))
  const cpu = median(results.product.map(({ serverMicrosEach }) => serverMicrosEach))
  return [{
    name: 'page of 50 conversations',
    ratio: rate(results.product) / rate(results.floor),
    aim: 0.5,
    product: `${short(rate(results.product))} pages/s, p50 ${short(middle(results.product, 'p50Ms'))} ms, ` +
      `p99 ${short(middle(results.product, 'p99Ms'))} ms; server CPU ${short(cpu)} us a page`,
    floor: `${short(rate(results.floor))} pages/s, p50 ${short(middle(results.floor, 'p50Ms'))} ms, ` +
      `p99 ${short(middle(results.floor, 'p99Ms'))} ms; client CPU ${short(middle(results.floor, 'cpuMicrosEach'))} us`,
    how: `The newest 50 of ${CONVERSATIONS.toLocaleString('en-US')} conversations with participants { user { displayName } }, ` +
      `contact { profile { name } } and lastMessage { text } over HTTP GraphQL, within the caller's tenant; against one ` +
      `prepared statement that returns the same ${short(same.bytes)} bytes as JSON, parsed by pg and written by ` +
      `JSON.stringify, without HTTP. Concurrency ${CONCURRENCY} on each side, load from another process; medians of ` +
      `${ROUNDS.rounds} alternating rounds of ${ROUNDS.roundMs / 1_000} s.`,
  }]
}
