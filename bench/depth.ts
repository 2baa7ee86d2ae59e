import { median, quantile, short, type Figure } from './figures.js'
import { rawRequest, RawConnection } from './http-client.js'
import type { Bench } from './bench.js'

const CONVERSATIONS = 60_000
const PAGE = 50
const DEEP_PAGE = 1_000
const ROUNDS = 60

const query = (args: string): string =>
  `query Page($after: String) { conversations(first: ${PAGE}, after: $after${args}) { edges { node { id name } } } }`
const LISTS: Readonly<Record<string, string>> = {
  'newest first': '',
  'open ones, newest first': ', filter: { status: { in: ["active", "queued"] } }',
  'open ones, last message first':
    ', filter: { status: { in: ["active", "queued"] } }, orderBy: [{ field: lastMessageAt, direction: DESC }]',
  'in an inbox, newest first': ', filter: { participants: { inbox: { eq: true } } }',
  'last message first': ', orderBy: [{ field: lastMessageAt, direction: DESC }]',
}

/** The first page of a long list and the 1,000th: paging by keyset, both should cost the same. */
export async function benchDepth(bench: Bench): Promise<Figure[]> {
  const { seeder, url } = bench
  const seed = await seeder.organization(20)
  await seeder.manyConversations(seed, CONVERSATIONS)
  await seeder.settle()
  const [token] = await bench.tokens(seed.agents)
  const connection = await RawConnection.open(url)
  const ask = async (text: string, after: string | null): Promise<number> => {
    const request = rawRequest('POST', '/graphql', token!, { query: text, variables: { after } })
    const startedAt = performance.now()
    const { body } = await connection.send(request)
    const ms = performance.now() - startedAt
    const { data, errors } = JSON.parse(String(body)) as { data?: { conversations: { edges: unknown[] } }; errors?: unknown }
    if (errors || data!.conversations.edges.length !== PAGE) throw new Error(String(body).slice(0, 500))
    return ms
  }
  try {
    const cursor = await cursorAt(connection, token!, PAGE * (DEEP_PAGE - 1))
    const first: number[] = []
    const deep: number[] = []
    for (let round = -5; round < ROUNDS; round++) {
      const [one, other] = [await ask(query(''), null), await ask(query(''), cursor)]
      if (round < 0) continue
      first.push(one)
      deep.push(other)
    }
    const others: string[] = []
    for (const [name, args] of Object.entries(LISTS)) {
      const times: number[] = []
      for (let round = 0; round < 8; round++) times.push(await ask(query(args), null))
      others.push(`${name} ${short(median(times.slice(2)))} ms`)
    }
    return [{
      name: `page ${DEEP_PAGE.toLocaleString('en-US')} of a list`,
      ratio: median(deep) / median(first),
      aim: 1.25,
      isTime: true,
      product: `p50 ${short(median(deep))} ms, p99 ${short(quantile(deep, 0.99))} ms; first pages of other lists: ` +
        others.join('; '),
      floor: `the first page: p50 ${short(median(first))} ms, p99 ${short(quantile(first, 0.99))} ms`,
      how: `conversations(first: ${PAGE}, after) over HTTP GraphQL, newest first, among ` +
        `${CONVERSATIONS.toLocaleString('en-US')} conversations of one tenant, one in twenty open; ${ROUNDS} times in turn.`,
      note: 'An index for the order of last messages would be written to with every message, together with all others of ' +
        'the conversation; see bench/README.md.',
    }]
  } finally {
    connection.close()
  }
}

async function cursorAt(connection: RawConnection, token: string, row: number): Promise<string> {
  const text = `{ conversations(first: 1, offset: ${row - 1}) { pageInfo { endCursor } } }`
  const { body } = await connection.send(rawRequest('POST', '/graphql', token, { query: text }))
  return (JSON.parse(String(body)) as { data: { conversations: { pageInfo: { endCursor: string } } } }).data.conversations
    .pageInfo.endCursor
}
