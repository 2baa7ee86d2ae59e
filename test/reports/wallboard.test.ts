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
    waiting: number
    waitingSince: string | null
    active: number
    atRisk: number
    breached: number
  }[]
  agents: { name: string; isOnline: boolean; active: number }[]
}

const WALLBOARD = `subscription ($channels: [ID!]) { wallboard(channels: $channels) { waiting waitingSince active
  atRisk breached overdueSince channels { name isOnline waiting waitingSince active atRisk breached } agents { name isOnline active } cursor at } }`

describe('the wallboard', () => {
  let fixture: ConversationFixture
  const clients: Client[] = []
  beforeAll(async () => {
    fixture = await startConversationFixture()
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
    expect(Math.abs(Date.parse(one.waitingSince!) - since)).toBeLessThan(10_000)
    expect(one.channels).toEqual([
      { name: 'Sales', isOnline: false, waiting: 1, waitingSince: one.waitingSince, active: 0, atRisk: 0, breached: 0 },
    ])
    await fixture.command(fixture.ann, id, '/accept')
    const taken = await board.next(({ waiting, active }) => waiting === 0 && active === 1)
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
    const { id } = await fixture.create({ messages: [{ role: 'CONTACT', text: 'hello' }] })
    const begun = fixture.clock.now().getTime()
    await board.next(({ waiting }) => waiting === 1)
    fixture.clock.advance(7 * 60_000)
    const warned = await board.next(({ atRisk }) => atRisk > 0)
    expect(warned).toMatchObject({ atRisk: 1, breached: 0, overdueSince: null })
    fixture.clock.advance(4 * 60_000)
    const late = await board.next(({ breached }) => breached > 0)
    expect(late).toMatchObject({ atRisk: 0, breached: 1 })
    expect(Math.abs(Date.parse(late.overdueSince!) - begun - 10 * 60_000)).toBeLessThan(10_000)
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
  }, 60_000)

  it('is for supervisors of the channels and administrators, and ends with the supervision', async () => {
    const agent = await fixture.makeAgent({ displayName: 'Sue' })
    await expect((await watch(agent)).next()).rejects.toThrow('FORBIDDEN')
    const own = await fixture.makeChannel('Own', [agent])
    await supervise(own, agent, true)
    await expect((await watch(agent, [fixture.channel])).next()).rejects.toThrow('FORBIDDEN')
    const board = await watch(agent)
    const frame = await board.next()
    expect(frame.channels.map(({ name }) => name)).toEqual(['Own'])
    expect(frame.agents.map(({ name }) => name)).toEqual(['Sue'])
    await supervise(own, agent, false)
    await expect(board.next(() => false)).rejects.toThrow('FORBIDDEN')
  }, 30_000)

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
