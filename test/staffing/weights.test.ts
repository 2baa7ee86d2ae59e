import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import type { Client } from 'graphql-ws'
import { startConversationFixture, until, type ConversationFixture } from '../conversations/conversation-fixture.js'
import { liveClient, subscribe } from '../support/live-client.js'

const ASSIGN = `mutation ($id: ID!, $assignment: ChannelAssignmentInput) {
  updateChannel(id: $id, patch: { assignment: $assignment }) { assignment { weight } } }`

describe('the weight of a channel', () => {
  let fixture: ConversationFixture
  let heavy: string
  let light: string
  let client: Client
  beforeAll(async () => {
    fixture = await startConversationFixture()
    heavy = await fixture.makeChannel('Heavy', [fixture.ann])
    light = await fixture.makeChannel('Light', [fixture.ann])
    client = liveClient(fixture.url, await fixture.tokenFor(fixture.ann))
    await subscribe(client, 'queue', 'subscription { queue { __typename } }').next()
  })
  afterAll(async () => {
    await client.dispose()
    await fixture.close()
  })

  const assign = (id: string, assignment: object | null) => fixture.run(fixture.admin, ASSIGN, { id, assignment })
  const load = async (): Promise<number> =>
    (await fixture.run<{ load: number }>(fixture.ann, '{ agentState { load } }')).value.load
  async function waiting(...channels: string[]): Promise<string> {
    const { id } = await fixture.create()
    await fixture.command(fixture.admin, id, '/notify', { meta: { channels } })
    return id
  }
  const offers = (id: string) => fixture.server.database.query('select 1 from offer where conversation_id = $1', [id])

  it('is what its conversations take of a capacity: those that wait, those offered, and those accepted', async () => {
    await assign(heavy, { mode: 'OFFER', offerSeconds: 300, weight: 7 })
    await fixture.run(fixture.ann, 'mutation { setAvailability(availability: AVAILABLE) { load } }')
    const first = await waiting(heavy)
    await until(load, (units) => units === 7)
    await fixture.command(fixture.ann, first, '/accept')
    expect(await load()).toBe(7)
    // Of twelve units five are left: not enough for another one of these, until they weigh less.
    const second = await waiting(heavy)
    await assign(heavy, { mode: 'OFFER', offerSeconds: 300, weight: 6 })
    await until(
      () => offers(second),
      (rows) => rows.length === 1,
    )
    expect(await load()).toBe(12)
    // What agents have weighs anew at once, and an offer that no longer fits is withdrawn.
    await assign(heavy, { mode: 'OFFER', offerSeconds: 300, weight: 7 })
    await until(load, (units) => units === 7)
    for (const id of [first, second])
      await fixture.run(fixture.admin, 'mutation ($id: ID!) { deleteConversation(id: $id) }', { id })
    expect(await load()).toBe(0)
  })

  it('is the largest of several channels, and of the touchpoint where none says', async () => {
    await assign(heavy, { weight: 5 })
    await assign(light, { weight: 2 })
    const both = await waiting(heavy, light)
    await fixture.command(fixture.ann, both, '/accept')
    expect(await load()).toBe(5)
    await assign(heavy, null)
    expect(await load()).toBe(2)
    await assign(light, null)
    expect(await load()).toBe(4)
    await fixture.command(fixture.ann, both, '/leave')
  })

  it('binds hand-over and limited pulls', async () => {
    await assign(heavy, { weight: 10, limitPulls: true })
    const [one, other] = [await waiting(heavy), await waiting(heavy)]
    await fixture.command(fixture.ann, one, '/accept')
    const { code, details } = await fixture.command(fixture.ann, other, '/accept')
    expect([code, details]).toEqual([
      'UNPROCESSABLE',
      expect.objectContaining({ reason: 'AT_CAPACITY', load: 10, weight: 10 }),
    ])
    await fixture.command(fixture.ben, other, '/accept')
    const handed = await fixture.run(
      fixture.ben,
      'mutation ($id: ID!, $to: ID!) { handOverConversation(conversation: $id, user: $to) { id } }',
      { id: other, to: fixture.ann.id },
    )
    expect([handed.code, handed.details]).toEqual([
      'UNPROCESSABLE',
      expect.objectContaining({ reason: 'AT_CAPACITY', load: 10, capacity: 12, weight: 10 }),
    ])
  })

  it.each([0, 1_001, -1])('is not %d', async (weight) => {
    const { code, details } = await fixture.run(fixture.admin, ASSIGN, { id: heavy, assignment: { weight } })
    expect([code, details.field]).toEqual(['BAD_USER_INPUT', 'assignment.weight'])
  })
})
