import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals'
import type { Client } from 'graphql-ws'
import pg from 'pg'
import type { MadeUser } from '../support/factories.js'
import { liveClient, subscribe } from '../support/live-client.js'
import { recordStatements } from '../support/record-statements.js'
import { startTestServer, type TestServer } from '../support/test-server.js'
import { startConversationFixture, until, type ConversationFixture } from './conversation-fixture.js'

let fixture: ConversationFixture
let second: TestServer
let outside: pg.Client
const clients: Client[] = []
beforeAll(async () => {
  fixture = await startConversationFixture()
  second = await startTestServer({}, { beside: fixture })
  outside = new pg.Client({ connectionString: fixture.databaseUrl })
  await outside.connect()
})
afterEach(async () => {
  fixture.clock.goOn()
  await outside.query('rollback')
  await Promise.all(clients.splice(0).map((client) => client.dispose()))
  await fixture.server.database.query('delete from conversation')
})
afterAll(async () => {
  await outside?.end()
  await second?.server.close()
  await fixture?.close()
})

const SET = 'mutation ($is: Availability!) { setAvailability(availability: $is) { availability } }'
const DECLINE = 'mutation ($offer: ID!) { declineOffer(offer: $offer) { id } }'

async function channelFor(members: MadeUser[], assignment: object = {}): Promise<string> {
  const channel = await fixture.makeChannel(`Offers ${crypto.randomUUID()}`, members)
  const query = 'mutation ($id: ID!, $patch: UpdateChannelInput!) { updateChannel(id: $id, patch: $patch) { id } }'
  const patch = { assignment: { mode: 'OFFER', offerSeconds: 300, ...assignment } }
  await fixture.run(fixture.admin, query, { id: channel, patch })
  return channel
}

async function connect(agent: MadeUser): Promise<void> {
  const client = liveClient(fixture.url, await fixture.tokenFor(agent))
  clients.push(client)
  await subscribe(client, 'queue', 'subscription { queue { __typename } }').next()
}

async function ready(agent: MadeUser): Promise<void> {
  await connect(agent)
  await fixture.run(agent, SET, { is: 'AVAILABLE' })
}

async function wait(channel: string): Promise<string> {
  const { id } = await fixture.create()
  await fixture.command(fixture.admin, id, '/notify', { meta: { channels: [channel] } })
  return id
}

interface Offered {
  id: string
  userId: string
  until: string
}

async function offerOf(id: string): Promise<Offered | null> {
  const query = 'query ($id: ID!) { conversation(id: $id) { offer { id userId until } } }'
  return (await fixture.run<{ offer: Offered | null }>(fixture.admin, query, { id })).value.offer
}

const offered = (id: string): Promise<Offered | null> =>
  until(
    () => offerOf(id),
    (offer) => offer !== null,
  )

/** Makes as many conversations like this one, which have waited for an hour. */
async function copyWaiting(id: string, count: number, needs: object): Promise<void> {
  const { database } = fixture.server
  const columns = await database.query<{ name: string }>(
    `select column_name as name from information_schema.columns
     where table_name = 'conversation' and is_generated = 'NEVER' and is_identity = 'NO'`,
  )
  const own: Record<string, string> = {
    id: 'gen_random_uuid()',
    slug: "'copy-' || n",
    url: "'copy-' || n",
    needs: '$2::jsonb',
    queued_at: "queued_at - interval '1 hour'",
  }
  const values = columns.map(({ name }) => own[name] ?? `"${name}"`)
  await database.query(
    `insert into conversation (${columns.map(({ name }) => `"${name}"`).join()})
     select ${values.join()} from conversation, generate_series(1, $3::int) n where id = $1`,
    [id, JSON.stringify(needs), count],
  )
}

describe('offers, while others hold rows,', () => {
  it('go on with the next conversation, and come back to the locked one', async () => {
    const { ann, makeAgent } = fixture
    const cat = await makeAgent({ displayName: 'Cat' })
    const channel = await channelFor([ann, cat])
    const [oldest, next] = [await wait(channel), await wait(channel)]
    await outside.query('begin')
    await outside.query('select from conversation where id = $1 for update', [oldest])
    await ready(cat)
    await offered(next)
    // What decided on both still waits for the locked one.
    await offered(await wait(channel))
    expect(await offerOf(oldest)).toBeNull()
    await outside.query('rollback')
    await offered(oldest)
  })

  it('go to the other agents, and to the locked one afterwards', async () => {
    const { makeAgent } = fixture
    const [cat, dan] = [await makeAgent({ displayName: 'Cat' }), await makeAgent({ displayName: 'Dan' })]
    const channel = await channelFor([cat, dan])
    await ready(cat)
    await ready(dan)
    await outside.query('begin')
    await outside.query('select from staff where user_id = $1 for update', [cat.id])
    const ids: string[] = []
    for (let n = 0; n < 3; n++) ids.push(await wait(channel))
    for (const id of ids) expect(await offered(id)).toMatchObject({ userId: dan.id })
    const fourth = await wait(channel)
    await outside.query('rollback')
    expect(await offered(fourth)).toMatchObject({ userId: cat.id })
  })
})

it('what nobody can take keeps nothing from the agents, however much of it waits before', async () => {
  const cat = await fixture.makeAgent({ displayName: 'Cat' })
  const channel = await channelFor([cat])
  // Before: to list them all takes longer than a read may, on a slow machine.
  await connect(cat)
  await copyWaiting(await wait(channel), 10_500, { skills: [crypto.randomUUID()] })
  await fixture.run(cat, SET, { is: 'AVAILABLE' })
  expect(await offered(await wait(channel))).toMatchObject({ userId: cat.id })
})

it('an offer has expired, though others held the conversation when that was to be written', async () => {
  const { makeAgent, clock } = fixture
  const [cat, dan] = [await makeAgent({ displayName: 'Cat' }), await makeAgent({ displayName: 'Dan' })]
  const channel = await channelFor([cat, dan], { offerSeconds: 20 })
  await ready(cat)
  await ready(dan)
  // It expires no sooner than others hold the conversation.
  clock.standAt()
  const id = await wait(channel)
  const { id: first, userId, until: end } = (await offered(id))!
  await outside.query('begin')
  await outside.query('select from conversation where id = $1 for update', [id])
  clock.standAt(new Date(end))
  const begun = "select from job where kind = 'offer.expire' and payload ->> 'offer' = $1 and leased_by is not null"
  await until(async () => (await fixture.server.database.query(begun, [first])).length === 1)
  // It has looked at the time, and finds the row locked again and again.
  const recorded = recordStatements(id)
  await until(() => recorded.statements.some((text) => text.includes('for no key update of c skip locked')))
  recorded.stop()
  clock.goOn()
  clock.advance(5_000)
  await outside.query('rollback')
  const again = await until(
    () => offerOf(id),
    (offer) => offer !== null && offer.id !== first,
  )
  expect(again!.userId).toBe(userId === cat.id ? dan.id : cat.id)
  const rows = await fixture.server.database.query('select outcome, reason from offer where id = $1', [first])
  expect(rows).toEqual([{ outcome: 'expired', reason: null }])
})

it('an offer that has expired is not declined any more, though the conversation is offered to the same agent again', async () => {
  const { makeAgent, clock } = fixture
  const cat = await makeAgent({ displayName: 'Cat' })
  const channel = await channelFor([cat], { offerSeconds: 20 })
  await ready(cat)
  const id = await wait(channel)
  const { id: first } = (await offered(id))!
  clock.advance(20_000)
  await until(
    () => offerOf(id),
    (offer) => offer !== null && offer.id !== first,
  )
  expect(await fixture.run(cat, DECLINE, { offer: first })).toMatchObject({
    code: 'UNPROCESSABLE',
    details: { reason: 'OFFER_ENDED' },
  })
  expect(await fixture.command(cat, id, '/accept')).not.toHaveProperty('code')
})

it('a status that is set in two tabs on two nodes at once ends the same on both', async () => {
  const cat = await fixture.makeAgent({ displayName: 'Cat' })
  interface Shown {
    __typename: string
    agent?: { availability: string }
  }
  const screens = await Promise.all(
    [fixture, second].map(async (node) => {
      const client = liveClient(node.url, await node.tokenFor(cat))
      clients.push(client)
      const screen = subscribe<Shown>(
        client,
        'inbox',
        'subscription { inbox { __typename ... on AgentStateChanged { agent { availability } } } }',
      )
      await screen.next()
      return screen
    }),
  )
  const set = async (node: TestServer, is: string): Promise<void> =>
    expect((await node.gql(cat, SET, { is })).errors).toBeUndefined()
  for (let round = 0; round < 5; round++) await Promise.all([set(fixture, 'AVAILABLE'), set(second, 'BUSY')])
  await set(second, 'AWAY')
  const isAway = ({ agent }: Shown): boolean => agent?.availability === 'AWAY'
  await Promise.all(screens.map((screen) => screen.next(isAway)))
  for (const node of [fixture, second])
    expect((await node.gql(cat, '{ agentState { availability } }')).data.agentState.availability).toBe('AWAY')
  // Each change was told from the state before it: none is lost between the two.
  const changes = await fixture.server.database.query<{ previous: string; now: string }>(
    `select data ->> 'previous' as previous, data ->> 'availability' as now from event
     where type = 'availability.changed' and data ->> 'id' = $1 order by number`,
    [cat.id],
  )
  expect(changes.length).toBeGreaterThan(1)
  for (const [index, { previous }] of changes.entries()) expect(previous).toBe(changes[index - 1]?.now ?? 'offline')
})
