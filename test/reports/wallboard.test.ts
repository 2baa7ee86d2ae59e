import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import type { Client } from 'graphql-ws'
import { startConversationFixture, type ConversationFixture } from '../conversations/conversation-fixture.js'
import type { MadeUser } from '../support/factories.js'
import { liveClient, subscribe, type LiveSubscription } from '../support/live-client.js'

interface Frame {
  waiting: number
  waitingSince: string | null
  active: number
  atRisk: number
  breached: number
  overdueSince: string | null
  channels: {
    name: string
    isOnline: boolean
    online: number
    offers: number
    waiting: number
    waitingSince: string | null
    active: number
    atRisk: number
    breached: number
  }[]
  offers: number
  online: number
  agents: { name: string; isOnline: boolean; availability: string; offers: number; active: number }[]
}

const WALLBOARD = `subscription ($channels: [ID!]) { wallboard(channels: $channels) { waiting waitingSince active
  offers online atRisk breached overdueSince channels { name isOnline online offers waiting waitingSince active atRisk breached }
  agents { name isOnline availability offers active } cursor at } }`

describe('the wallboard', () => {
  let fixture: ConversationFixture
  const clients: Client[] = []
  beforeAll(async () => {
    fixture = await startConversationFixture({}, { pace: 10 })
  })
  afterAll(async () => {
    for (const client of clients) await client.dispose()
    await fixture.close()
  })

  async function watch(as: MadeUser, channels?: string[]): Promise<LiveSubscription<Frame>> {
    const client = liveClient(fixture.url, await fixture.tokenFor(as))
    clients.push(client)
    return subscribe<Frame>(client, 'wallboard', WALLBOARD, { channels })
  }
  const supervise = (channel: string, user: MadeUser, supervisor: boolean) =>
    fixture.run(
      fixture.admin,
      `mutation ($channel: ID!, $user: ID!, $supervisor: Boolean) {
        addChannelMember(channel: $channel, user: $user, supervisor: $supervisor) { id } }`,
      { channel, user: user.id, supervisor },
    )

  it('shows what waits and who is there, at once and every second', async () => {
    const board = await watch(fixture.admin)
    const empty = await board.next()
    expect(empty).toMatchObject({ waiting: 0, waitingSince: null, active: 0 })
    expect(empty.agents.map(({ name, isOnline, active }) => [name, isOnline, active])).toEqual([
      ['Ann', false, 0],
      ['Ben', false, 0],
    ])
    const since = fixture.clock.now().getTime()
    const { id } = await fixture.create({ messages: [{ role: 'CONTACT', text: 'hello' }] })
    const one = await board.next(({ waiting }) => waiting === 1)
    expect(Date.parse(one.waitingSince!)).toBeGreaterThanOrEqual(since)
    expect(Date.parse(one.waitingSince!)).toBeLessThanOrEqual(fixture.clock.now().getTime())
    expect(one.channels).toEqual([
      {
        name: 'Sales',
        ...{ isOnline: false, online: 0, offers: 0, active: 0, atRisk: 0, breached: 0 },
        ...{ waiting: 1, waitingSince: one.waitingSince },
      },
    ])
    await fixture.command(fixture.ann, id, '/accept')
    // The team is read with every fifth tick, what waits with each.
    const taken = await board.next(
      ({ waiting, active, agents }) => waiting === 0 && active === 1 && agents.some((each) => each.active === 1),
    )
    expect(taken.channels[0]).toMatchObject({ waiting: 0, waitingSince: null, active: 1 })
    expect(taken.agents[0]).toMatchObject({ name: 'Ann', active: 1 })
    board.stop()
  })

  it('counts a conversation once that waits in several channels', async () => {
    const other = await fixture.makeChannel('Other', [fixture.ben])
    const { id } = await fixture.create({ messages: [{ role: 'CONTACT', text: 'hello' }] })
    const board = await watch(fixture.admin, [other, fixture.channel])
    const frame = await board.next(({ waiting }) => waiting === 1)
    expect(frame.channels.map(({ name, waiting }) => [name, waiting])).toEqual([
      ['Other', 1],
      ['Sales', 1],
    ])
    board.stop()
    await fixture.command(fixture.ann, id, '/accept')
  })

  it('shows whose clocks are at risk and overdue, while they wait and while somebody has them', async () => {
    const create = 'mutation ($input: CreateSlaPolicyInput!) { createSlaPolicy(input: $input) { id } }'
    const targets = [
      { clock: 'QUEUE', minutes: 10, warnMinutes: 4 },
      { clock: 'RESOLUTION', minutes: 60, warnMinutes: null },
    ]
    const { value } = await fixture.run<{ id: string }>(fixture.admin, create, { input: { name: 'All', targets } })
    const other = await fixture.makeChannel('Idle', [fixture.ben])
    const board = await watch(fixture.admin)
    const idle = await watch(fixture.admin, [other])
    await fixture.makeWorkflow([
      { conditions: { all: [] }, event: { type: 'notify', params: { channels: [fixture.channel] } } },
    ])
    const before = fixture.clock.now().getTime()
    const { id } = await fixture.create({ messages: [{ role: 'CONTACT', text: 'hello' }] })
    const after = fixture.clock.now().getTime()
    await board.next(({ waiting }) => waiting === 1)
    fixture.clock.advance(7 * 60_000)
    const warned = await board.next(({ atRisk }) => atRisk > 0)
    expect(warned).toMatchObject({ atRisk: 1, breached: 0, overdueSince: null })
    fixture.clock.advance(4 * 60_000)
    const late = await board.next(({ breached }) => breached > 0)
    expect(late).toMatchObject({ atRisk: 0, breached: 1 })
    const begun = Date.parse(late.overdueSince!) - 10 * 60_000
    expect([begun >= before, begun <= after]).toEqual([true, true])
    expect(late.channels.map(({ name, atRisk, breached }) => [name, atRisk, breached])).toContainEqual(['Sales', 0, 1])
    await fixture.command(fixture.ann, id, '/accept')
    await board.next(({ breached }) => breached === 0)
    fixture.clock.advance(60 * 60_000)
    // Nobody waits any more, but the case is not resolved.
    expect(await board.next(({ breached }) => breached === 1)).toMatchObject({ waiting: 0 })
    expect(await idle.next()).toMatchObject({ waiting: 0, atRisk: 0, breached: 0 })
    await fixture.send(fixture.ann, id, { role: 'AGENT', text: 'done' })
    await fixture.command(fixture.ann, id, '/leave')
    await board.next(({ breached }) => breached === 0)
    board.stop()
    idle.stop()
    await fixture.run(fixture.admin, 'mutation ($id: ID!) { deleteSlaPolicy(id: $id) }', { id: value.id })
  })

  it('shows pending offers, of whom they are, and as online what its rows say', async () => {
    const [agent, colleague] = [
      await fixture.makeAgent({ displayName: 'Cat' }),
      await fixture.makeAgent({ displayName: 'Dan' }),
    ]
    const channel = await fixture.makeChannel('Offering', [agent])
    const other = await fixture.makeChannel('Elsewhere', [agent, colleague])
    await fixture.run(
      fixture.admin,
      'mutation ($id: ID!) { updateChannel(id: $id, patch: { assignment: { mode: OFFER, offerSeconds: 300 } }) { id } }',
      { id: channel },
    )
    const connect = async (user: MadeUser, channels: string[]): Promise<Client> => {
      const client = liveClient(fixture.url, await fixture.tokenFor(user))
      clients.push(client)
      const query = 'subscription ($channels: [ID!]) { queue(channels: $channels) { __typename } }'
      await subscribe(client, 'queue', query, { channels }).next()
      return client
    }
    const board = await watch(fixture.admin, [channel])
    // An administrator who looks at the queue is none of its agents.
    await connect(fixture.admin, [channel])
    await connect(agent, [other])
    const both = await watch(fixture.admin, [channel, other])
    const elsewhere = await both.next(({ online }) => online === 1)
    expect(elsewhere.channels.map(({ name, isOnline, online }) => [name, isOnline, online])).toEqual([
      ['Elsewhere', true, 1],
      ['Offering', false, 0],
    ])
    expect(elsewhere.agents.map(({ name, isOnline }) => [name, isOnline])).toEqual([
      ['Cat', true],
      ['Dan', false],
    ])
    both.stop()
    expect(await board.next()).toMatchObject({ online: 0, offers: 0, agents: [{ isOnline: false }] })
    await connect(agent, [channel])
    await fixture.run(agent, 'mutation { setAvailability(availability: AVAILABLE) { load } }')
    const { id } = await fixture.create()
    await fixture.command(fixture.admin, id, '/notify', { meta: { channels: [channel] } })
    const ringing = await board.next(({ offers, online }) => offers === 1 && online === 1)
    expect(ringing.channels).toMatchObject([{ name: 'Offering', isOnline: true, online: 1, offers: 1, waiting: 1 }])
    expect(ringing.agents).toMatchObject([{ name: 'Cat', isOnline: true, offers: 1, active: 0 }])
    await fixture.command(agent, id, '/accept')
    const taken = await board.next(
      ({ offers, active, agents }) => offers === 0 && active === 1 && agents[0]!.active === 1,
    )
    expect(taken.agents).toMatchObject([{ name: 'Cat', availability: 'AVAILABLE', offers: 0 }])
    board.stop()
  })

  it('is for supervisors of the channels and administrators, and ends with the supervision', async () => {
    const agent = await fixture.makeAgent({ displayName: 'Sue' })
    await expect((await watch(agent)).next()).rejects.toThrow('FORBIDDEN')
    const own = await fixture.makeChannel('Own', [agent])
    await supervise(own, agent, true)
    await expect((await watch(agent, [fixture.channel])).next()).rejects.toThrow('FORBIDDEN')
    const board = await watch(agent)
    // Boards of one organization share the team, which may have been read before.
    const frame = await board.next(({ channels, agents }) => channels.length > 0 && agents.length > 0)
    expect(frame.channels.map(({ name }) => name)).toEqual(['Own'])
    expect(frame.agents.map(({ name }) => name)).toEqual(['Sue'])
    await supervise(own, agent, false)
    await expect(board.next(() => false)).rejects.toThrow('FORBIDDEN')
  })

  it('of another tenant, or of channels that do not exist, is not found', async () => {
    const outsider = await fixture.makeUser({ organization: await fixture.makeOrganization(), role: 'admin' })
    await expect((await watch(outsider, [fixture.channel])).next()).rejects.toThrow('NOT_FOUND')
    await expect((await watch(fixture.admin, ['x'])).next()).rejects.toThrow('NOT_FOUND')
    await expect((await watch(fixture.admin, [])).next()).rejects.toThrow('BAD_USER_INPUT')
    const board = await watch(outsider)
    expect(await board.next()).toMatchObject({ waiting: 0, channels: [], agents: [] })
    board.stop()
  })
})
