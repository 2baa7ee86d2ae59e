import { isDeepStrictEqual } from 'node:util'
import pg from 'pg'
import { alternate, medianOf, short, type Figure } from '../harness/figures.js'
import type { Bench } from '../harness/bench.js'
import { post } from '../harness/http-client.js'
import { floorPage } from './page-floor.js'

const CONVERSATIONS = 2_000
const CONCURRENCY = 8
const ROUNDS = { rounds: 6, warmUpMs: 2_000, roundMs: 1_000 }

/** The page that an agent's console shows first. */
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
  const { seeder } = bench
  const seed = await seeder.organization(20)
  await seeder.conversations(seed, CONVERSATIONS)
  await seeder.settle()
  const tokens = await bench.tokens(seed.agents)
  const http = { method: 'POST', path: '/graphql', tokens, bodies: [{ query: PAGE }], concurrency: CONCURRENCY }
  const floor = { module: 'bench/benchmarks/page-floor.js', options: seed.organization, concurrency: CONCURRENCY }
  const bytes = await comparePages(bench, tokens[0]!, seed.organization)
  const results = await alternate(
    ROUNDS,
    (ms) => bench.floor({ ...floor, ms }),
    (ms) => bench.http({ ...http, ms }),
  )
  return [
    {
      name: 'page of 50 conversations',
      ratio: medianOf(results.product, 'perSecond') / medianOf(results.floor, 'perSecond'),
      aim: 0.5,
      product:
        `${short(medianOf(results.product, 'perSecond'))} pages/s, p50 ${short(medianOf(results.product, 'p50Ms'))} ms, ` +
        `p99 ${short(medianOf(results.product, 'p99Ms'))} ms; server CPU ${short(medianOf(results.product, 'serverMicrosEach'))} us a page`,
      floor:
        `${short(medianOf(results.floor, 'perSecond'))} pages/s, p50 ${short(medianOf(results.floor, 'p50Ms'))} ms, ` +
        `p99 ${short(medianOf(results.floor, 'p99Ms'))} ms; client CPU ${short(medianOf(results.floor, 'cpuMicrosEach'))} us`,
      how:
        `The newest 50 of ${CONVERSATIONS.toLocaleString('en-US')} conversations with participants { user { displayName } }, ` +
        `contact { profile { name } } and lastMessage { text } over HTTP GraphQL, within the caller's tenant; against one ` +
        `prepared statement that returns the same ${short(bytes)} bytes as JSON, parsed by pg and written by ` +
        `JSON.stringify, without HTTP. Concurrency ${CONCURRENCY} on each side, load from another process; medians of ` +
        `${ROUNDS.rounds} alternating rounds of ${ROUNDS.roundMs / 1_000} s.`,
    },
  ]
}

/** @returns the bytes of the page. @throws Error when the two differ: a floor that does something else would be none */
async function comparePages({ url, databaseUrl }: Bench, token: string, organization: string): Promise<number> {
  const page = await post(`${url}/graphql`, { authorization: `Bearer ${token}` }, { query: PAGE })
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    const floor = await floorPage(client, organization)
    if (!isDeepStrictEqual(JSON.parse(page), JSON.parse(floor)))
      throw new Error('the floor and the product do not give the same page')
  } finally {
    await client.end()
  }
  return Buffer.byteLength(page)
}
