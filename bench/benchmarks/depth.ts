import type { Bench } from '../harness/bench.js'
import { blocksOf } from '../harness/blocks.js'
import { isQuick, median, quantile, short, type Figure } from '../harness/figures.js'
import { rawRequest, RawConnection } from '../harness/http-client.js'
import { seedLargeTenant } from '../harness/large-tenant.js'

const TENANT = { conversations: 100_000, messages: 1_000_000, longConversation: 60_000 }
const QUICK_TENANT = { conversations: 1_000, messages: 4_000, longConversation: 1_000 }
const PAGE = 50
const DEEP_PAGE = 1_000
const ROUNDS = 25

/** A list as both interfaces ask for it. */
interface List {
  name: string
  field: 'conversations' | 'messages' | 'contacts'
  /** Query of `/v2`, without the page. */
  query: string
  filter?: string
  orderBy?: string
  /** The deepest page, where there are fewer than {@link DEEP_PAGE}. */
  deepest?: number
}

const lists = (long: string): List[] => [
  { name: 'conversations, newest first', field: 'conversations', query: '' },
  { name: 'conversations by -createdAt', field: 'conversations', query: 'sort=-createdAt', orderBy: 'createdAt' },
  {
    name: 'conversations by -lastMessageAt',
    field: 'conversations',
    query: 'sort=-lastMessageAt',
    orderBy: 'lastMessageAt',
  },
  {
    name: 'closed conversations by -createdAt',
    field: 'conversations',
    query: 'status=closed&sort=-createdAt',
    filter: 'status: { eq: "closed" }',
    orderBy: 'createdAt',
  },
  {
    name: 'open conversations by -lastMessageAt',
    field: 'conversations',
    deepest: 90,
    query: 'status=%5Bactive,queued%5D&sort=-lastMessageAt',
    filter: 'status: { in: ["active", "queued"] }',
    orderBy: 'lastMessageAt',
  },
  {
    name: "conversations of an agent's inbox",
    field: 'conversations',
    query: 'participants.inbox=true',
    deepest: 15,
    filter: 'participants: { inbox: { eq: true } }',
  },
  { name: 'contacts by -createdAt', field: 'contacts', query: 'sort=-createdAt', orderBy: 'createdAt' },
  { name: 'contacts by -name', field: 'contacts', query: 'sort=-name', orderBy: 'name' },
  { name: 'messages by -createdAt', field: 'messages', query: 'sort=-createdAt', orderBy: 'createdAt' },
  {
    name: 'messages of a conversation, last first',
    field: 'messages',
    query: `conversation=${long}&sort=-position`,
    filter: `conversation: { eq: "${long}" }`,
    orderBy: 'position',
  },
]

/** The first page of long lists and the 1,000th: by cursor and by `Link` both should cost the same. */
export async function benchDepth(bench: Bench): Promise<Figure[]> {
  const { seeder, url } = bench
  const seed = await seeder.organization(20)
  const startedAt = performance.now()
  const tenant = isQuick() ? QUICK_TENANT : TENANT
  const long = await seedLargeTenant(seeder, seed, tenant)
  const seconds = short((performance.now() - startedAt) / 1_000)
  const { conversations, messages } = tenant
  process.stdout.write(`seeded ${conversations} conversations and ${messages} messages in ${seconds} s\n\n`)
  const [reader] = seed.agents
  // Lists of messages are for bots and administrators (section 5).
  await seeder.query(`update app_user set role = 'admin' where id = $1`, [reader!.id])
  const tokens = await bench.tokens([{ ...reader!, role: 'admin' }])
  const connection = await RawConnection.open(url)
  const asker = new Asker(connection, tokens[0]!)
  try {
    const figures: Figure[] = []
    for (const list of lists(long).slice(0, isQuick() ? 1 : undefined))
      figures.push(...(await depthOf(bench, asker, list)))
    return [...figures, await countOf(asker)]
  } finally {
    connection.close()
  }
}

class Asker {
  constructor(
    private readonly connection: RawConnection,
    private readonly token: string,
  ) {}

  async graphql<Data>(query: string, variables: object): Promise<{ data: Data; ms: number }> {
    const request = rawRequest('POST', '/graphql', this.token, { query, variables })
    const startedAt = performance.now()
    const { body } = await this.connection.send(request)
    const ms = performance.now() - startedAt
    const { data, errors } = JSON.parse(String(body)) as { data: Data; errors?: unknown }
    if (errors) throw new Error(String(body).slice(0, 500))
    return { data, ms }
  }

  async rest(path: string): Promise<number> {
    const startedAt = performance.now()
    const { status, body } = await this.connection.send(rawRequest('GET', path, this.token))
    const ms = performance.now() - startedAt
    const length = status === 200 ? (JSON.parse(String(body)) as unknown[]).length : 0
    if (length !== PAGE) throw new Error(`${path}: ${status}, ${length} records, ${String(body).slice(0, 300)}`)
    return ms
  }
}

type Connection = Record<string, { edges: unknown[]; pageInfo: { endCursor: string }; totalCount: number }>

async function depthOf(bench: Bench, asker: Asker, list: List): Promise<Figure[]> {
  const { name, field, query, filter, orderBy, deepest: deepestPage = DEEP_PAGE } = list
  const deepest = isQuick() ? 2 : deepestPage
  const more = [filter && `filter: { ${filter} }`, orderBy && `orderBy: [{ field: ${orderBy}, direction: DESC }]`]
  const args = more
    .filter(Boolean)
    .map((each) => `, ${each}`)
    .join('')
  const page = `query ($after: String) { ${field}(first: ${PAGE}, after: $after${args}) { edges { node { id } } } }`
  const place = `query ($offset: Int) { ${field}(first: 1, offset: $offset${args}) { pageInfo { endCursor } } }`
  const offset = PAGE * (deepest - 1)
  const { data } = await asker.graphql<Connection>(place, { offset: offset - 1 })
  const after = data[field]!.pageInfo.endCursor
  const rest = `/v2/${field}?${query}${query && '&'}select=createdAt&limit=${PAGE}`
  const ask: Record<string, () => Promise<number>> = {
    first: async () => pageTime(asker, page, field, null),
    deep: async () => pageTime(asker, page, field, after),
    restFirst: () => asker.rest(rest),
    restDeep: () => asker.rest(`${rest}&offset=${offset}&after=${offset}.${after}`),
    restOffset: () => asker.rest(`${rest}&offset=${offset}`),
  }
  const times = Object.fromEntries(Object.keys(ask).map((key) => [key, [] as number[]]))
  for (let round = -4; round < ROUNDS; round++) {
    for (const key of Object.keys(ask)) {
      const ms = await ask[key]!()
      if (round >= 0) times[key]!.push(ms)
    }
  }
  const blocks: Record<string, number> = {}
  for (const key of Object.keys(ask)) blocks[key] = await blocksOf(bench.seeder, { rounds: BLOCK_ROUNDS }, ask[key]!)
  const shown = (key: string): string =>
    `p50 ${short(median(times[key]!))} ms, p99 ${short(quantile(times[key]!, 0.99))} ms, ` +
    `${Math.round(blocks[key]!).toLocaleString('en-US')} blocks read`
  const ratio = (deep: string, first: string): number => median(times[deep]!) / median(times[first]!)
  const how =
    `${PAGE} records a page, ${ROUNDS} times in turn; page ${deepest.toLocaleString('en-US')} and the first. ` +
    'Blocks of 8 KiB do not depend on what else the machine does.'
  return [
    {
      name: `${name}: GraphQL by cursor`,
      ratio: ratio('deep', 'first'),
      aim: 1.25,
      isTime: true,
      product: shown('deep'),
      floor: shown('first'),
      how,
    },
    {
      name: `${name}: /v2 by Link`,
      ratio: ratio('restDeep', 'restFirst'),
      aim: 1.25,
      isTime: true,
      product: `${shown('restDeep')}; by offset alone ${shown('restOffset')}`,
      floor: shown('restFirst'),
      how,
    },
  ]
}

const BLOCK_ROUNDS = 10

async function pageTime(asker: Asker, page: string, field: string, after: string | null): Promise<number> {
  const { data, ms } = await asker.graphql<Connection>(page, { after })
  if (data[field]!.edges.length !== PAGE) throw new Error(`${page} gave ${data[field]!.edges.length} records`)
  return ms
}

/** `totalCount` and `X-Total-Count` of a million rows, which each page of `/v2` returns. */
async function countOf(asker: Asker): Promise<Figure> {
  const query = '{ messages(first: 1) { totalCount edges { node { id } } } }'
  const first = await asker.graphql<Connection>(query, {})
  const times: number[] = []
  const without: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    times.push((await asker.graphql<Connection>(query, {})).ms)
    without.push((await asker.graphql<Connection>('{ messages(first: 1) { edges { node { id } } } }', {})).ms)
  }
  return {
    name: `totalCount of ${first.data.messages!.totalCount.toLocaleString('en-US')} messages`,
    ratio: median(times) / median(without),
    aim: 1.25,
    isTime: true,
    product: `p50 ${short(median(times))} ms; the one in a minute that counts ${short(first.ms)} ms`,
    floor: `the page without it: p50 ${short(median(without))} ms`,
    how: `A count past 10,000 is remembered for a minute; ${ROUNDS} times in turn.`,
  }
}
