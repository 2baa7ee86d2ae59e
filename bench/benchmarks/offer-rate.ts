import { setTimeout as sleep } from 'node:timers/promises'
import { createClient } from 'graphql-ws'
import WebSocket from 'ws'
import { systemClock } from '../../src/platform/db/clock.js'
import type { Bench } from '../harness/bench.js'
import { isQuick, median, quantile, short, type Figure } from '../harness/figures.js'
import type { Seed, Seeder } from '../harness/seed.js'
import type { OfferFloorOptions } from './offer-floor.js'

const AGENTS = 24
const WAITING = 2_000
const ROUNDS = 5
const FREED = 60
const SECONDS_MAX = 60

/** Making offers against the same rows by bare `pg`, and the time from a freed place until the next offer is on a screen. */
export async function benchOfferRate(bench: Bench): Promise<Figure[]> {
  const { seeder } = bench
  const count = isQuick() ? 100 : WAITING
  const seed = await office(seeder, AGENTS, 1_000)
  const beginOffers = await offersBy(bench, seed)
  const product: number[] = []
  const floor: number[] = []
  let rows = ''
  for (let round = 0; round < (isQuick() ? 1 : ROUNDS + 1); round++) {
    await queue(seeder, seed, count)
    const before = await countRows(seeder)
    const startedAt = performance.now()
    await beginOffers()
    await offered(seeder, count)
    const perSecond = (count / (performance.now() - startedAt)) * 1_000
    // What is pending is deleted below: withdrawing it would be work of its own.
    await seeder.query('update channel set assignment = null where id = $1', [seed.channel])
    const made = difference(before, await countRows(seeder), count)
    const ids = await queue(seeder, seed, count)
    const options: OfferFloorOptions = { ids, seed }
    const beforeFloor = await countRows(seeder)
    const { done, perSecond: bare } = await bench.floor<OfferFloorOptions>({
      module: 'bench/benchmarks/offer-floor.js',
      options,
      concurrency: 16,
      ms: isQuick() ? 200 : 1_500,
    })
    rows = made
    const written = difference(beforeFloor, await countRows(seeder), done)
    if (written !== made) throw new Error(`an offer inserts ${made}, the floor ${written}`)
    // The first round warms both up.
    if (round > 0 || isQuick()) {
      product.push(perSecond)
      floor.push(bare)
    }
  }
  return [
    {
      name: 'offers',
      ratio: median(product) / median(floor),
      aim: 0.7,
      product: `${short(median(product))} offers/s, from the request that changes the channel to the last of ${count} pending offers`,
      floor: `${short(median(floor))} transactions/s of the same rows (${rows}), concurrency 16`,
      how: `${AGENTS} agents, each explained in every offer; medians of ${ROUNDS} rounds.`,
    },
    await freedPlace(bench),
  ]
}

async function freedPlace(bench: Bench): Promise<Figure> {
  const { seeder, url } = bench
  const seed = await office(seeder, 2, 4)
  // The other one, whom the seeded conversations need, is not here.
  await seeder.query('delete from staff where user_id = $1', [seed.agents[1]!.id])
  const [token] = await bench.tokens(seed.agents.slice(0, 1))
  const client = createClient({
    url: `${url.replace('http', 'ws')}/graphql`,
    webSocketImpl: WebSocket,
    connectionParams: { token, authorization: `Bearer ${token}` },
  })
  const waiting: ((offer: Offered) => void)[] = []
  const arrived: Offered[] = []
  client.subscribe<{ inbox: { __typename: string; offer?: { conversationId: string } } }>(
    { query: 'subscription { inbox { __typename ... on OfferMade { offer { conversationId } } } }' },
    {
      next: ({ data }) => {
        if (data?.inbox.__typename !== 'OfferMade') return
        const offer = { conversation: data.inbox.offer!.conversationId, at: performance.now() }
        const next = waiting.shift()
        if (next) next(offer)
        else arrived.push(offer)
      },
      error: (error) => console.error(error),
      complete: () => undefined,
    },
  )
  const next = (): Promise<Offered> => {
    const offer = arrived.shift()
    return offer ? Promise.resolve(offer) : new Promise((resolve) => waiting.push(resolve))
  }
  const ask = async (query: string, variables: object): Promise<void> => {
    const response = await fetch(`${url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: JSON.stringify({ query, variables }),
    })
    const { errors } = (await response.json()) as { errors?: unknown }
    if (errors) throw new Error(JSON.stringify(errors))
  }
  await sleep(500)
  await queue(seeder, seed, isQuick() ? 5 : FREED + 5)
  const beginOffers = await offersBy(bench, seed)
  await beginOffers()
  const times: number[] = []
  let offer = await next()
  for (let turn = 0; turn < (isQuick() ? 3 : FREED); turn++) {
    const id = offer.conversation
    await ask('mutation ($id: ID!) { acceptConversation(conversation: $id) { id } }', { id })
    await ask(
      'mutation ($id: ID!) { sendMessage(conversation: $id, message: { role: AGENT, text: "Done." }) { id } }',
      { id },
    )
    const startedAt = performance.now()
    const leaving = ask('mutation ($id: ID!) { leaveConversation(conversation: $id) { id } }', { id })
    offer = await next()
    times.push(offer.at - startedAt)
    await leaving
  }
  await client.dispose()
  const p95 = quantile(times, 0.95)
  return {
    name: 'freed place to screen',
    ratio: 50 / p95,
    aim: 1,
    product: `p50 ${short(median(times))} ms, p95 ${short(p95)} ms from the request that leaves until the next offer is received`,
    floor: '50 ms',
    how: `One agent with room for one conversation, ${FREED} in a row; subscribed over a socket.`,
  }
}

interface Offered {
  conversation: string
  at: number
}

async function office(seeder: Seeder, agents: number, capacity: number): Promise<Seed> {
  const seed = await seeder.organization(agents)
  const ids = seed.agents.map(({ id }) => id)
  await seeder.query(
    `insert into staff (user_id, availability, since, capacity) select unnest($1::uuid[]), 'available', now(), $2`,
    [ids, capacity],
  )
  await seeder.query(
    `insert into queue_subscriber (node_id, subscription_id, channel_id, user_id)
     select (select id from node order by started_at limit 1), gen_random_uuid(), $2, unnest($1::uuid[])`,
    [ids, seed.channel],
  )
  return seed
}

/** Conversations that wait, and nothing else in the organization. */
async function queue(seeder: Seeder, seed: Seed, count: number): Promise<string[]> {
  await seeder.query('delete from conversation where org1 = $1', [seed.organization])
  const ids = await seeder.conversations(seed, count)
  await seeder.query('delete from participant where conversation_id = any($1::uuid[])', [ids])
  await seeder.query(
    `update conversation set status = 'queued', queueing = 1, queued_at = created_at, channels = array[$2::uuid],
       awaiting_reply = true where id = any($1::uuid[])`,
    [ids, seed.channel],
  )
  return ids
}

/** @returns what makes the channel offer, as an administrator does */
async function offersBy({ seeder, url, tokens }: Bench, { organization, channel }: Seed): Promise<() => Promise<void>> {
  const admin = { id: systemClock.newId(), organization, role: 'admin' }
  await seeder.query(
    `insert into app_user (id, organization_id, org1, created_at, updated_at, email, role, status, display_name, provider)
     values ($1, $2, $2, now(), now(), $3, 'admin', 'active', 'Admin', 'local')`,
    [admin.id, organization, `admin-${admin.id}@example.com`],
  )
  const [token] = await tokens([admin])
  return async () => {
    const query = 'mutation ($id: ID!, $patch: UpdateChannelInput!) { updateChannel(id: $id, patch: $patch) { id } }'
    const patch = { assignment: { mode: 'OFFER', offerSeconds: 300 } }
    const response = await fetch(`${url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: JSON.stringify({ query, variables: { id: channel, patch } }),
    })
    const { errors } = (await response.json()) as { errors?: unknown }
    if (errors) throw new Error(JSON.stringify(errors))
  }
}

async function offered(seeder: Seeder, count: number): Promise<void> {
  for (const startedAt = performance.now(); performance.now() - startedAt < SECONDS_MAX * 1_000; await sleep(10)) {
    const [row] = await seeder.query<{ pending: number }>(
      'select count(*)::int as pending from conversation where offer_id is not null',
    )
    if (row!.pending >= count) return
  }
  throw new Error(`${count} offers were not made within ${SECONDS_MAX} s`)
}

const TABLES = ['offer', 'milestone', 'event', 'job'] as const

async function countRows(seeder: Seeder): Promise<Record<string, number>> {
  const counts = TABLES.map((table) => `(select count(*)::int from ${table}) as ${table}`)
  // Jobs that are not of offers come and go by themselves.
  const [row] = await seeder.query<Record<string, number>>(
    `select ${counts.join(', ').replace('from job', "from job where kind = 'offer.expire'")}`,
  )
  return row!
}

function difference(before: Record<string, number>, after: Record<string, number>, turns: number): string {
  return TABLES.map((table) => `${table} ${Math.round((after[table]! - before[table]!) / turns)}`).join(', ')
}
