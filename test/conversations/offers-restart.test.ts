import { afterEach, beforeEach, expect, it } from '@jest/globals'
import type { Client } from 'graphql-ws'
import type { MadeUser } from '../support/factories.js'
import { liveClient, subscribe } from '../support/live-client.js'
import { startTestServer, type TestServer } from '../support/test-server.js'
import { startConversationFixture, until, type ConversationFixture } from './conversation-fixture.js'

let fixture: ConversationFixture
let successor: TestServer | null
const clients: Client[] = []
beforeEach(async () => {
  fixture = await startConversationFixture()
  successor = null
})
afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.dispose()))
  await successor?.server.close()
  await fixture.close()
})

/** Subscribes the agent to its queues on this node, and makes it available. */
async function ready(node: TestServer, agent: MadeUser): Promise<void> {
  const client = liveClient(node.url, await node.tokenFor(agent))
  clients.push(client)
  await subscribe(client, 'queue', 'subscription { queue { __typename } }').next()
  await node.gql(agent, 'mutation { setAvailability(availability: AVAILABLE) { load } }')
}

/** Two conversations that are offered to Ann for 20 seconds. */
async function offerTwo(): Promise<void> {
  const { admin, ann } = fixture
  const channel = await fixture.makeChannel('Offers', [ann])
  await fixture.run(
    admin,
    'mutation ($id: ID!) { updateChannel(id: $id, patch: { assignment: { mode: OFFER, offerSeconds: 20 } }) { id } }',
    { id: channel },
  )
  await ready(fixture, ann)
  for (let n = 0; n < 2; n++) {
    const { id } = await fixture.create()
    await fixture.command(admin, id, '/notify', { meta: { channels: [channel] } })
  }
  await until(
    () => fixture.server.database.query('select 1 from offer'),
    (rows) => rows.length === 2,
  )
}

interface OfferRecord {
  outcome: string | null
  reason: string | null
}

/** Ends the node as a deployment does, and starts its successor on the same database. */
async function restart(awayMs: number): Promise<TestServer> {
  await Promise.all(clients.splice(0).map((client) => client.dispose()))
  await fixture.server.close()
  fixture.clock.advance(awayMs)
  successor = await startTestServer({}, { beside: fixture })
  return successor
}

const offersOf = (node: TestServer): Promise<OfferRecord[]> =>
  node.server.database.query<OfferRecord>('select outcome, reason from offer order by made_at, id')
const staffOf = async (node: TestServer): Promise<{ availability: string; misses: number }> =>
  (
    await node.server.database.query<{ availability: string; misses: number }>('select availability, misses from staff')
  )[0]!

it('offers whose time passes during a restart are withdrawn, and made anew to the same agent, who missed nothing', async () => {
  await offerTwo()
  const node = await restart(120_000)
  await ready(node, fixture.ann)
  const offers = await until(
    () => offersOf(node),
    (rows) => rows.length === 4,
  )
  expect(offers).toEqual([
    { outcome: 'withdrawn', reason: 'the server was away when its time ended' },
    { outcome: 'withdrawn', reason: 'the server was away when its time ended' },
    { outcome: null, reason: null },
    { outcome: null, reason: null },
  ])
  expect(await staffOf(node)).toEqual({ availability: 'available', misses: 0 })
})

it('offers that expire after a restart are no misses of an agent whom the restart cut off', async () => {
  await offerTwo()
  const node = await restart(0)
  await ready(node, fixture.ann)
  fixture.clock.advance(19_000)
  await until(
    () => offersOf(node),
    (rows) => rows.filter(({ outcome }) => outcome === 'expired').length === 2,
  )
  await until(
    () => node.server.database.query(`select 1 from job where kind = 'staffing.missed'`),
    (rows) => rows.length === 0,
  )
  // A start that takes longer than a lost agent is waited for has made new offers, which she may have missed, together.
  const isMadeAnew = (await offersOf(node)).length > 2
  const { availability, misses } = await staffOf(node)
  expect(availability).toBe('available')
  expect(misses).toBeLessThanOrEqual(isMadeAnew ? 1 : 0)
})
