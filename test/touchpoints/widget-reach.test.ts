import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import type { Client } from 'graphql-ws'
import { startConversationFixture, until, type ConversationFixture } from '../conversations/conversation-fixture.js'
import { liveClient, subscribe } from '../support/live-client.js'

interface Reach {
  reach: string
  opensAt: string | null
  waitSeconds: number | null
  online: boolean
}

describe("the reach of a service's agents", () => {
  let fixture: ConversationFixture
  let service: string
  const clients: Client[] = []
  beforeAll(async () => {
    fixture = await startConversationFixture({}, { pace: 10 })
    const { value } = await fixture.run<{ id: string }>(
      fixture.admin,
      'mutation ($input: CreateServiceInput!) { createService(input: $input) { id } }',
      { input: { type: 'web', params: {} } },
    )
    service = value.id
  })
  afterAll(async () => {
    await Promise.all(clients.map((client) => client.dispose()))
    await fixture.close()
  })

  const read = async (): Promise<Reach> =>
    (await fetch(`${fixture.url}/widget/${service}.json`)).json() as Promise<Reach>
  const comesTo = (word: string): Promise<Reach> => until(read, ({ reach }) => reach === word)
  const set = (availability: string) =>
    fixture.run(fixture.ann, `mutation { setAvailability(availability: ${availability}) { standing } }`)
  const admin = (text: string, input: object) => fixture.run<{ id: string }>(fixture.admin, text, { input })

  const dayIn = (days: number): string =>
    new Intl.DateTimeFormat('en', { weekday: 'short', timeZone: 'UTC' })
      .format(fixture.clock.now().getTime() + days * 86_400_000)
      .toUpperCase()

  /** The word of the rail, of a colleague's hand-over and of the wallboard. */
  async function words(): Promise<string[]> {
    const own = await fixture.run<{ standing: string }>(fixture.ann, '{ agentState { standing } }')
    const handOver = await fixture.run<{ userId: string; standing: string }[]>(
      fixture.ben,
      '{ agentStates { userId standing } }',
    )
    const client = liveClient(fixture.url, await fixture.tokenFor(fixture.admin))
    const board = subscribe<{ agents: { id: string; standing: string }[] }>(
      client,
      'wallboard',
      'subscription ($channels: [ID!]) { wallboard(channels: $channels) { agents { id standing } } }',
      { channels: [fixture.channel] },
    )
    const { agents } = await board.next()
    await client.dispose()
    return [
      own.value.standing,
      handOver.value.find(({ userId }) => userId === fixture.ann.id)!.standing,
      agents.find(({ id }) => id === fixture.ann.id)!.standing,
    ]
  }

  it('follows the standing of its agents, in the word that all screens have', async () => {
    expect(await read()).toMatchObject({ reach: 'NOBODY', online: false, opensAt: null, waitSeconds: null })
    const client = liveClient(fixture.url, await fixture.tokenFor(fixture.ann))
    clients.push(client)
    await subscribe(client, 'queue', 'subscription { queue { __typename } }').next()
    await until(words, (all) => all.every((word) => word === 'NOT_WORKING'))
    expect((await read()).reach).toBe('NOBODY')
    await set('AVAILABLE')
    // A wallboard is told what its node has read within the last second.
    await until(words, (all) => all.every((word) => word === 'AVAILABLE'))
    expect(await comesTo('OPEN')).toMatchObject({ online: true })
    await set('AWAY')
    await until(words, (all) => all.every((word) => word === 'PAUSED'))
    expect(await comesTo('BUSY')).toMatchObject({ online: true })
    await set('AVAILABLE')
    await comesTo('OPEN')
    // Full: the load reaches the capacity.
    await fixture.run(
      fixture.admin,
      'mutation ($user: ID!) { updateStaff(user: $user, patch: { capacity: 4 }) { capacity } }',
      { user: fixture.ann.id },
    )
    const { id } = await fixture.create({ messages: [{ role: 'CONTACT', text: 'hello' }] })
    await fixture.command(fixture.ann, id, '/accept')
    await comesTo('BUSY')
    expect((await words())[0]).toBe('FULL')
  })

  it('is closed outside the hours of its policies, and says when it opens', async () => {
    const schedule = await admin('mutation ($input: CreateScheduleInput!) { createSchedule(input: $input) { id } }', {
      name: 'Not today',
      timezone: 'UTC',
      spans: [{ days: [dayIn(3)], opens: '09:00', closes: '17:00' }],
    })
    expect(schedule.code).toBeUndefined()
    const policy = await admin('mutation ($input: CreateSlaPolicyInput!) { createSlaPolicy(input: $input) { id } }', {
      name: 'All',
      conditions: { all: [] },
      schedule: schedule.value.id,
      targets: [{ clock: 'QUEUE', minutes: 5 }],
    })
    expect(policy.code).toBeUndefined()
    const { opensAt, online } = await comesTo('CLOSED')
    expect(online).toBe(false)
    expect(Date.parse(opensAt!)).toBeGreaterThan(fixture.clock.now().getTime())
  })
})
