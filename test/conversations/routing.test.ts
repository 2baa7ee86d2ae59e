import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import type { Client } from 'graphql-ws'
import type { MadeUser } from '../support/factories.js'
import { liveClient, subscribe, type LiveSubscription } from '../support/live-client.js'
import { rule, startConversationFixture, until, type ConversationFixture, type Shown } from './conversation-fixture.js'

interface QueueEvent {
  __typename: string
  entries?: { conversation: string; channel: string }[]
  entry?: { conversation: string; channel: string }
  conversation?: string
  reason?: string
}

const QUEUE = `subscription ($channels: [ID!]) { queue(channels: $channels) { __typename
  ... on QueueSnapshot { entries { conversation channel } }
  ... on QueueEntryAdded { entry { conversation channel } }
  ... on QueueEntryRemoved { conversation channel reason } } }`

const clients: Client[] = []
async function listen(
  fixture: ConversationFixture,
  agent: MadeUser,
  channels?: string[],
): Promise<LiveSubscription<QueueEvent>> {
  const client = liveClient(fixture.url, await fixture.tokenFor(agent))
  clients.push(client)
  return subscribe<QueueEvent>(client, 'queue', QUEUE, { channels })
}
async function leave(fixture: ConversationFixture): Promise<void> {
  await Promise.all(clients.splice(0).map((client) => client.dispose()))
  await until(
    () => fixture.server.database.query('select 1 from queue_subscriber'),
    (rows) => rows.length === 0,
  )
}

const writeIn = (fixture: ConversationFixture, text = 'hello', more: object = {}): Promise<Shown> =>
  fixture.create({ messages: [{ role: 'CONTACT', text, ...more }] })
const says = (value: string): object => {
  return { conditions: { all: [{ fact: 'message', path: '.text', operator: 'match', value }] } }
}
const outcomes = ({ routingTrace }: Shown): (string | undefined)[][] =>
  routingTrace[0]!.entries.map((entry) => [entry.rule?.name, entry.outcome])

// Also with json-rules-engine in place of the compiled rules: the outcome must not depend on it.
describe.each(['compiled', 'reference'])('a queueing (3.4), %s rules', (engine) => {
  let fixture: ConversationFixture
  /** Four channels; Ann subscribes to those of a test. */
  let a: string
  let b: string
  let c: string
  let d: string
  beforeAll(async () => {
    fixture = await startConversationFixture({ RULES_ENGINE: engine })
    const make = (name: string) => fixture.makeChannel(name, [fixture.ann])
    ;[a, b, c, d] = await Promise.all([make('A'), make('B'), make('C'), make('D')])
  })
  afterAll(() => fixture.close())

  const workflows: string[] = []
  async function deleteWorkflows(ids: string[]): Promise<void> {
    for (const id of ids) await fixture.run(fixture.admin, 'mutation ($id: ID!) { deleteWorkflow(id: $id) }', { id })
  }

  type Test = (live: LiveSubscription<QueueEvent>) => Promise<void>
  async function withRules(rules: object[], online: string[], test: Test): Promise<void> {
    workflows.push(await fixture.makeWorkflow(rules))
    const live = await listen(fixture, fixture.ann, online.length > 0 ? online : [fixture.channel])
    await live.next()
    // Delays end when the test says so.
    fixture.clock.standAt()
    try {
      await test(live)
    } finally {
      fixture.clock.goOn()
      await leave(fixture)
      await deleteWorkflows(workflows.splice(0))
    }
  }

  // [3.4 rule 2]
  it('notifies all channels of an organization without workflows', async () => {
    const made = await writeIn(fixture)
    expect(made.channelsOffline.toSorted()).toEqual([a, b, c, d, fixture.channel].toSorted())
    expect(outcomes(made)).toEqual([[undefined, 'FIRED']])
  })

  // [3.1 new by a first message then workflows] [3.4 rule 1, rule 3, rule 3 fires] [2.8 channels] [6 rule 1] [2.7
  // priority order, params.isLastRule default, params.channels]
  it('runs the rules of all workflows by priority, and traces the facts of each', async () => {
    workflows.push(
      await fixture.makeWorkflow([rule({ name: 'middle', channels: [b] }, { priority: 5, ...says('boat') })]),
    )
    await withRules(
      [rule({ name: 'low', channels: [c] }), rule({ name: 'high', channels: [a] }, { priority: 9 })],
      [a, b, c],
      async () => {
        const made = await writeIn(fixture, 'a boat')
        expect(made.channels).toEqual([a, b, c])
        expect(outcomes(made)).toEqual([
          ['high', 'FIRED'],
          ['middle', 'FIRED'],
          ['low', 'FIRED'],
        ])
        const other = await writeIn(fixture, 'a car')
        expect(other.channels).toEqual([a, c])
        const passed = other.routingTrace[0]!.entries.find((entry) => entry.rule!.name === 'middle')!
        expect(passed).toMatchObject({
          workflow: { name: 'Routing' },
          outcome: 'NOT_MATCHED',
          channelsNotified: [],
          users: [],
          conditions: [
            { depth: 0, kind: 'ALL' },
            {
              depth: 1,
              fact: 'message',
              path: '.text',
              operator: 'match',
              value: 'boat',
              factValue: 'a car',
              result: false,
            },
          ],
        })
      },
    )
  })

  // [3.4 rule 7, rule 7 otherwise, rule 6, rule 6 stores] [2.7 params.isLastRule] [2.8 channelsOffline]
  it('ends with a last rule that notified a channel, and continues if nobody was notified', async () => {
    const rules = [
      rule({ name: 'last', channels: [a], isLastRule: true }, { priority: 2 }),
      rule({ name: 'next', channels: [b] }),
    ]
    await withRules(rules, [a, b], async () => {
      const made = await writeIn(fixture)
      expect(made).toMatchObject({ channels: [a], channelsOffline: [] })
      expect(outcomes(made)).toEqual([
        ['last', 'FIRED'],
        ['next', 'SKIPPED'],
      ])
    })
    await withRules(rules, [b], async () => {
      const made = await writeIn(fixture)
      expect(made).toMatchObject({ channels: [b], channelsOffline: [a] })
      expect(outcomes(made)).toEqual([
        ['last', 'FIRED'],
        ['next', 'FIRED'],
      ])
    })
  })

  const delayed = (): object[] => [
    rule({ name: 'now', channels: [a] }),
    rule({ name: 'in 60 s', channels: [b], delay: 60 }, { priority: 9 }),
    rule({ name: 'in 30 s', channels: [c], delay: 30, isLastRule: true }, says('urgent')),
    rule({ name: 'in 90 s', channels: [d], delay: 90 }),
  ]
  async function pass(seconds: number): Promise<void> {
    fixture.clock.advance(seconds * 1_000)
    fixture.server.jobs.wake()
    const due = `select 1 from job where run_at <= $1`
    await until(
      () => fixture.server.database.query(due, [fixture.clock.now()]),
      (jobs) => jobs.length === 0,
    )
  }

  // [3.4 rule 4 channels, rule 5, rule 5 waits] [2.7 params.delay, params.delay default, priority delayed] [4.7 create
  // rule 6 notifies] [6 rule 2]
  it('waits for the delay of a rule once a channel was notified, in order of the delays', async () => {
    await withRules(delayed(), [a, b, d], async (live) => {
      const made = await writeIn(fixture)
      expect(made.channels).toEqual([a])
      expect(outcomes(made)).toEqual([
        ['now', 'FIRED'],
        ['in 30 s', 'NOT_MATCHED'],
        ['in 60 s', 'DEFERRED'],
        ['in 90 s', 'DEFERRED'],
      ])
      expect(made.routingTrace[0]!.entries[2]).toMatchObject({ delaySeconds: 60 })
      await pass(59)
      expect((await fixture.show(made.id)).channels).toEqual([a])
      await pass(2)
      const later = await until(
        () => fixture.show(made.id),
        ({ channels }) => channels.length === 2,
      )
      expect(later.channels).toEqual([a, b])
      expect(outcomes(later)).toEqual([
        ['now', 'FIRED'],
        ['in 30 s', 'NOT_MATCHED'],
        ['in 60 s', 'FIRED'],
        ['in 90 s', 'DEFERRED'],
      ])
      await pass(30)
      expect(
        (
          await until(
            () => fixture.show(made.id),
            ({ channels }) => channels.length === 3,
          )
        ).channels,
      ).toEqual([a, b, d])
      const seen: string[] = []
      while (seen.length < 3) seen.push((await live.next()).entry!.channel)
      expect(seen).toEqual([a, b, d])
    })
  })

  it('cancels the remaining rules when a delayed last rule notified a channel', async () => {
    await withRules(delayed(), [a, b, c, d], async () => {
      const made = await writeIn(fixture, 'urgent')
      await pass(31)
      const later = await until(
        () => fixture.show(made.id),
        ({ channels }) => channels.length === 2,
      )
      await pass(90)
      expect(await fixture.show(made.id)).toEqual(later)
      expect(outcomes(later)).toEqual([
        ['now', 'FIRED'],
        ['in 30 s', 'FIRED'],
        ['in 60 s', 'SKIPPED'],
        ['in 90 s', 'SKIPPED'],
      ])
    })
  })

  // [3.4 rule 5 bypasses]
  it('bypasses the delay when no channel has been notified yet', async () => {
    await withRules(delayed(), [b, d], async () => {
      const made = await writeIn(fixture)
      expect(made).toMatchObject({ channels: [b], channelsOffline: [a] })
      expect(outcomes(made)).toEqual([
        ['now', 'FIRED'],
        ['in 30 s', 'NOT_MATCHED'],
        ['in 60 s', 'FIRED'],
        ['in 90 s', 'DEFERRED'],
      ])
    })
  })

  // [3.4 rule 4] [3.1 accepted without channels, queued by /accept clears channels] [4.8 /accept clears channels]
  it.each([
    ['was accepted meanwhile', async (id: string) => void (await fixture.command(fixture.ben, id, '/accept'))],
    [
      'was accepted and queued again meanwhile',
      async (id: string) => {
        await fixture.command(fixture.ben, id, '/accept')
        await fixture.command(fixture.ben, id, '/leave')
      },
    ],
  ])('fires no delayed rule of a queueing that %s', async (_what, move) => {
    await withRules(delayed(), [a, b, d], async () => {
      const { id } = await writeIn(fixture)
      await pass(40)
      await move(id)
      const before = await fixture.show(id)
      await pass(30)
      expect(await fixture.show(id)).toEqual(before)
      expect(before.channels).toEqual(before.status === 'QUEUED' ? [a] : [])
    })
  })

  async function inboxOf(agent: MadeUser): Promise<LiveSubscription<{ __typename: string }>> {
    const client = liveClient(fixture.url, await fixture.tokenFor(agent))
    clients.push(client)
    const inbox = subscribe<{ __typename: string }>(
      client,
      'inbox',
      `subscription { inbox { __typename
        ... on RuleNotification { rule entry { conversation preview contactName } } } }`,
    )
    await inbox.next()
    return inbox
  }

  // [2.7 params.users] [6 rule 1 users]
  it('notifies users directly, regardless of their subscriptions', async () => {
    await withRules([rule({ name: 'boss', users: [fixture.ben.id], channels: [a] })], [a], async () => {
      const inbox = await inboxOf(fixture.ben)
      const { id, routingTrace } = await writeIn(fixture, 'help me')
      expect(await inbox.next()).toEqual({
        __typename: 'RuleNotification',
        rule: 'boss',
        entry: { conversation: id, preview: 'help me', contactName: 'Carl' },
      })
      expect(routingTrace[0]!.entries[0]).toMatchObject({ channelsNotified: [a], users: [fixture.ben.id] })
      expect((await fixture.show(id)).participants).toEqual([])
    })
  })

  // [3.4 rule 4 users]
  it('notifies the users of a delayed rule when its delay ends, and not before', async () => {
    const rules = [rule({ channels: [a] }), rule({ name: 'boss', users: [fixture.ben.id], delay: 60 })]
    await withRules(rules, [a], async () => {
      const { id } = await writeIn(fixture)
      const notified = async (): Promise<string[]> =>
        (await fixture.show(id)).routingTrace[0]!.entries.flatMap(({ users }) => users)
      const inbox = await inboxOf(fixture.ben)
      await pass(59)
      expect(await notified()).toEqual([])
      await pass(2)
      expect(await inbox.next()).toMatchObject({ rule: 'boss', entry: { conversation: id } })
      expect(await notified()).toEqual([fixture.ben.id])
    })
  })

  // [6 rule 2 dequeue] [3.1 queued by /accept dequeues, active by /leave unanswered then channels] [4.8 /accept dequeues]
  it('emits events to the queue for an accept, a close and another routing', async () => {
    await withRules([rule({ channels: [a] })], [a], async (live) => {
      const [one, two, three] = [await writeIn(fixture), await writeIn(fixture), await writeIn(fixture)]
      await fixture.command(fixture.ben, one.id, '/accept')
      await fixture.command(fixture.ben, two.id, '/block')
      await fixture.command(fixture.ben, three.id, '/notify', { meta: { channels: [b] } })
      const removed = async (): Promise<QueueEvent> => live.next(({ __typename }) => __typename === 'QueueEntryRemoved')
      expect(await removed()).toMatchObject({ conversation: one.id, reason: 'ACCEPTED' })
      expect(await removed()).toMatchObject({ conversation: two.id, reason: 'CLOSED' })
      expect(await removed()).toMatchObject({ conversation: three.id, reason: 'REROUTED' })
      await fixture.command(fixture.ben, one.id, '/leave')
      expect(await live.next()).toMatchObject({ __typename: 'QueueEntryAdded', entry: { conversation: one.id } })
    })
  })

  // [3.4 rule 1 above, rule 1 by organizations] [2.7 organizations]
  it('runs the workflows of the organizations above, except those limited to others', async () => {
    const shop = await fixture.makeOrganization({ parent: fixture.organization, name: 'Shop' })
    const kiosk = await fixture.makeOrganization({ parent: fixture.organization, name: 'Kiosk' })
    const bot = await fixture.makeUser({ organization: fixture.organization, role: 'bot' })
    const inShop = await fixture.makeChannel('Shop', [], shop)
    const ids = [
      await fixture.makeWorkflow([rule({ name: 'for all', channels: [a] })]),
      await fixture.makeWorkflow([rule({ name: 'for the shop', channels: [b] })], { organizations: [shop.id] }),
      await fixture.makeWorkflow([rule({ name: 'for the kiosk', channels: [c] })], { organizations: [kiosk.id] }),
    ]
    const at = (organization: string) =>
      fixture.create({ organization, messages: [{ role: 'CONTACT', text: 'hi' }] }, bot)
    // The shop has none of its own: all its channels, besides (3.4.2).
    const shops = await at(shop.id)
    expect(shops.channelsOffline).toEqual([inShop, a, b])
    expect((await at(kiosk.id)).channelsOffline).toEqual([a, c])
    await deleteWorkflows(ids)
  })
})

describe('channelsOffline', () => {
  let fixture: ConversationFixture
  beforeAll(async () => {
    fixture = await startConversationFixture()
  })
  afterAll(() => fixture.close())

  // [3.4 rule 6, rule 6 stores] [6 rule 2] [2.6 subscription, subscription ends] [2.8 channelsOffline later]
  it('keeps a channel without subscribers until a user subscribes, who then receives the waiting conversations', async () => {
    const made = await writeIn(fixture)
    expect(made).toMatchObject({ channels: [], channelsOffline: [fixture.channel] })
    const live = await listen(fixture, fixture.ann)
    expect((await live.next()).entries).toEqual([{ conversation: made.id, channel: fixture.channel }])
    await until(
      () => fixture.show(made.id),
      ({ channels, channelsOffline }) => channels.length === 1 && channelsOffline.length === 0,
    )
    expect((await writeIn(fixture)).channels).toEqual([fixture.channel])
    await leave(fixture)
    expect((await writeIn(fixture)).channelsOffline).toEqual([fixture.channel])
  })

  it('does not count an administrator who watches without being a member', async () => {
    const live = await listen(fixture, fixture.admin, [fixture.channel])
    await live.next()
    const { id, channelsOffline } = await writeIn(fixture)
    expect(channelsOffline).toEqual([fixture.channel])
    expect(await live.next()).toMatchObject({ __typename: 'QueueEntryAdded', entry: { conversation: id } })
    await leave(fixture)
  })

  it('is exact when rules fire while agents come and go: no subscriber misses a conversation', async () => {
    // Two channels, which batches of conversations and subscribers take in other orders.
    const second = await fixture.makeChannel('Second', [fixture.ann, fixture.ben])
    const both = [second, fixture.channel]
    await fixture.makeWorkflow([
      rule({ channels: [fixture.channel] }, { priority: 2, ...says('both|first') }),
      rule({ channels: [second] }, says('both|second')),
    ])
    for (let round = 0; round < 25; round++) {
      const names = ['first', 'second', 'both', 'second', 'first']
      const [made, ...lives] = await Promise.all([
        Promise.all(names.map((name) => writeIn(fixture, name))),
        ...[fixture.ann, fixture.ben].map(async (agent, index) => {
          await new Promise((resolve) => setTimeout(resolve, (round * 7 + index * 11) % 40))
          const live = await listen(fixture, agent, index === 0 ? both : both.toReversed())
          await live.next()
          return live
        }),
      ])
      const channelsOf: Record<string, string[]> = { both, first: [fixture.channel], second: [second] }
      const wanted = made.flatMap(({ id }, index) => channelsOf[names[index]!]!.map((channel) => `${id} ${channel}`))
      for (const live of lives) {
        const shown = () =>
          live.events
            .flatMap(({ entries, entry }) => entries ?? (entry ? [entry] : []))
            .map(({ conversation, channel }) => `${conversation} ${channel}`)
        const seen = await until(
          async () => shown(),
          (all) => wanted.every((one) => all.includes(one)),
        )
        // Each once: in the snapshot or as an event.
        expect(new Set(seen).size).toBe(seen.length)
      }
      // With both channels online, none is left offline.
      for (const { id } of made) {
        await until(
          () => fixture.show(id),
          ({ channels, channelsOffline }) => channels.length > 0 && channelsOffline.length === 0,
        )
        await fixture.command(fixture.ben, id, '/accept')
      }
      await leave(fixture)
    }
  })
})
