import WebSocket from 'ws'
import { createClient } from 'graphql-ws'
import type { Bench } from '../harness/bench.js'
import { blocksOf } from '../harness/blocks.js'
import { isQuick, short, type Figure } from '../harness/figures.js'
import { growTenant, type GrownTenant, type TenantSize } from '../harness/growing-tenant.js'
import { rawRequest, RawConnection } from '../harness/http-client.js'

const SMALL: TenantSize = { queued: 100, channels: 10, users: 20, longConversation: 60, inbox: 60 }
const LARGE: TenantSize = { queued: 100_000, channels: 2_000, users: 20_000, longConversation: 50_000, inbox: 5_000 }
const ROUNDS = 10
const TIMES = 3
const WARM_UP = 16

interface Caller {
  tenant: GrownTenant
  agent: (query: string, variables: object) => Promise<unknown>
  bot: (query: string, variables: object) => Promise<unknown>
  /** The first event of a subscription. */
  first: (query: string) => Promise<unknown>
}

const SEND =
  'mutation ($id: ID!, $message: MessageInput!) { sendMessage(conversation: $id, message: $message) { id position } }'
const VIEW = `query ($id: ID!) { conversation(id: $id) { name participants { name } contact { profile { name } }
  messages(last: 50) { edges { node { id text } } } } }`
const IMPORT = 'mutation ($id: ID!, $origin: ID!) { importConversation(conversation: $id, origin: $origin) { id } }'
const ENTRY = 'conversation name contactName preview'

/** An agent's work of a day; each call has another number, so that what it uses up is there. */
const OPERATIONS: Readonly<Record<string, (caller: Caller, nth: number) => Promise<unknown>>> = {
  'agent answers in a long conversation': ({ tenant, agent }, nth) =>
    agent(SEND, { id: tenant.long, message: { role: 'AGENT', text: `An answer ${nth}` } }),
  'consumer writes in a long conversation': ({ tenant, bot }, nth) =>
    bot(SEND, { id: tenant.long, message: { role: 'CONTACT', text: `A question ${nth}` } }),
  'a long conversation is opened, its last 50 messages': ({ tenant, agent }) => agent(VIEW, { id: tenant.long }),
  'consumer writes in a queued conversation': ({ tenant, bot }, nth) =>
    bot(SEND, { id: tenant.waiting.at(-1 - nth), message: { role: 'CONTACT', text: `Still here ${nth}` } }),
  'consumer writes in a closed conversation, routed': ({ tenant, bot }, nth) =>
    bot(SEND, { id: tenant.closed[nth], message: { role: 'CONTACT', text: `Again ${nth}` } }),
  'agent accepts': ({ tenant, agent }, nth) =>
    agent('mutation ($id: ID!) { acceptConversation(conversation: $id) { id } }', { id: tenant.waiting[nth] }),
  'agent leaves': ({ tenant, agent }, nth) =>
    agent('mutation ($id: ID!) { leaveConversation(conversation: $id) { id } }', { id: tenant.waiting[nth] }),
  'agent assigns a colleague': ({ tenant, agent }, nth) =>
    agent('mutation ($id: ID!, $users: [ID!]!) { assignConversation(conversation: $id, users: $users) { id } }', {
      id: tenant.closed[60 + nth],
      users: [tenant.colleague],
    }),
  'agent notifies a channel': ({ tenant, agent }, nth) =>
    agent(
      'mutation ($id: ID!, $channels: [ID!]) { notifyConversation(conversation: $id, channels: $channels) { id } }',
      {
        id: tenant.closed[60 + nth],
        channels: [tenant.channel],
      },
    ),
  'agent merges 10 messages into a long conversation, said before what was said there last': ({ tenant, agent }, nth) =>
    agent(IMPORT, { id: tenant.long, origin: tenant.closed[120 + nth] }),
  'agent merges 10 messages into a long conversation, said after all others': ({ tenant, agent }, nth) =>
    agent(IMPORT, { id: tenant.long, origin: tenant.closed[180 + nth] }),
  'first page of the list of an inbox': ({ agent }) =>
    agent(`query { inbox(first: 50) { edges { node { ${ENTRY} } } } }`, {}),
  'first page of a queue': ({ first }) =>
    first(`subscription { queue(pageSize: 50) { ... on QueueSnapshot { entries { ${ENTRY} } } } }`),
}

/**
 * Each operation in a small tenant and in a large one beside it in the same database: it should cost the same. What
 * sessions read once (their catalogue, their first plans) is read before.
 */
export async function benchGrowth(bench: Bench): Promise<Figure[]> {
  const sizes = [SMALL, isQuick() ? SMALL : LARGE]
  const tenants: GrownTenant[] = []
  for (const size of sizes) tenants.push(await seed(bench, size))
  for (const table of WRITTEN) await bench.seeder.query(`alter table ${table} set (autovacuum_enabled = false)`)
  const [small, large] = [await costsIn(bench, tenants[0]!), await costsIn(bench, tenants[1]!)]
  return Object.keys(OPERATIONS).map((name) => ({
    name: `growth: ${name}`,
    ratio: large[name]! / small[name]!,
    aim: 1.5,
    isTime: true,
    product: `${short(large[name]!)} blocks in the large tenant`,
    floor: `${short(small[name]!)} blocks in the small one`,
    how: `Blocks of 8 KiB read for one, of ${ROUNDS}, the median of ${TIMES} times; ${describe(LARGE)}, and ${describe(SMALL)}.`,
  }))
}

/** Its reading would count as the operation's. */
const WRITTEN = ['conversation', 'contact', 'participant', 'message', 'stream', 'event_default', 'job', 'delivery']

async function seed({ seeder }: Bench, size: TenantSize): Promise<GrownTenant> {
  const startedAt = performance.now()
  const tenant = await growTenant(seeder, size)
  await seeder.settle()
  process.stdout.write(`seeded ${describe(size)} in ${short((performance.now() - startedAt) / 1_000)} s\n\n`)
  return tenant
}

async function costsIn(bench: Bench, tenant: GrownTenant): Promise<Record<string, number>> {
  const { seeder } = bench
  const caller = await callerOf(bench, tenant)
  const costs: Record<string, number> = {}
  for (const [name, run] of Object.entries(OPERATIONS)) {
    for (let nth = 0; nth < WARM_UP; nth++) await run(caller, nth)
    const measured = isQuick() ? { rounds: 2 } : { rounds: ROUNDS, times: TIMES }
    costs[name] = await blocksOf(seeder, measured, (nth) => run(caller, WARM_UP + nth))
  }
  caller.close()
  return costs
}

const describe = ({ queued, channels, users, longConversation, inbox }: TenantSize): string =>
  [
    `${queued} queued`,
    `${channels} channels`,
    `${users} users`,
    `a conversation of ${longConversation} messages`,
    `an inbox of ${inbox}`,
  ].join(', ')

async function callerOf(bench: Bench, tenant: GrownTenant): Promise<Caller & { close(): void }> {
  const [agentToken, botToken] = await bench.tokens([tenant.agent, tenant.bot])
  const connection = await RawConnection.open(bench.url)
  const asker =
    (token: string) =>
    async (query: string, variables: object): Promise<unknown> => {
      const { body } = await connection.send(rawRequest('POST', '/graphql', token, { query, variables }))
      const { data, errors } = JSON.parse(String(body)) as { data: unknown; errors?: unknown }
      if (errors) throw new Error(`${query}: ${String(body).slice(0, 500)}`)
      return data
    }
  const client = createClient({
    url: `${bench.url.replace('http', 'ws')}/graphql`,
    webSocketImpl: WebSocket,
    connectionParams: { authorization: `Bearer ${agentToken}` },
  })
  return {
    tenant,
    agent: asker(agentToken!),
    bot: asker(botToken!),
    async first(query) {
      for await (const { data, errors } of client.iterate({ query })) {
        if (errors) throw new Error(JSON.stringify(errors))
        return data
      }
    },
    close() {
      connection.close()
      void client.dispose()
    },
  }
}
