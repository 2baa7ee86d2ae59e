import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import type { Client } from 'graphql-ws'
import { startConversationFixture, until, type ConversationFixture } from '../conversations/conversation-fixture.js'
import type { MadeUser } from '../support/factories.js'
import { liveClient, subscribe } from '../support/live-client.js'
import { startTestServer, type TestServer } from '../support/test-server.js'

interface State {
  availability: string
  standing: string
  since: string
  wrapUpUntil: string | null
  wrapUpConversationId: string | null
}

interface Shown {
  agent?: { standing: string; wrapUpConversationId: string | null }
}

const STATE = '{ agentState { availability standing since wrapUpUntil wrapUpConversationId } }'
const ASSIGN = `mutation ($id: ID!, $assignment: ChannelAssignmentInput) {
  updateChannel(id: $id, patch: { assignment: $assignment }) { assignment { wrapUpSeconds } } }`
const CLOSE = 'mutation ($id: ID!) { closeConversation(conversation: $id) { undoUntil } }'
const REPORT = `query ($metrics: [ReportMetric!]!, $from: DateTime!, $to: DateTime!, $filter: ReportFilter) {
  report(metrics: $metrics, from: $from, to: $to, filter: $filter) { totals { count totalMs } } }`
const MAKE = 'mutation ($input: CreateChannelInput!) { createChannel(input: $input) { id } }'
const STATES = `query ($channels: [ID!]) { agentStates(channels: $channels) { userId standing wrapUpConversationId } }`
const WATCH = `subscription ($channels: [ID!]) { agentStates(channels: $channels) { __typename
  ... on AgentStateChanged { agent { standing wrapUpConversationId } } } }`
const HOUR_MS = 3_600_000

describe('wrap-up', () => {
  let fixture: ConversationFixture
  let ann: MadeUser
  let channel: string
  let successor: TestServer | null
  const clients: Client[] = []
  beforeAll(async () => {
    fixture = await startConversationFixture({}, { pace: 10 })
  })
  beforeEach(async () => {
    successor = null
    ann = await fixture.makeAgent()
    channel = await fixture.makeChannel(`Chats ${ann.id}`, [ann])
    await assign(channel, { mode: 'OFFER', offerSeconds: 300, wrapUpSeconds: 60 })
  })
  afterEach(async () => {
    await Promise.all(clients.splice(0).map((client) => client.dispose()))
    await successor?.server.close()
  })
  afterAll(() => fixture.close())

  const assign = (id: string, assignment: object) => fixture.run(fixture.admin, ASSIGN, { id, assignment })
  const state = async (node: TestServer = fixture, as: MadeUser = ann): Promise<State> => {
    const { data } = await node.gql<{ agentState: State }>(as, STATE)
    return data!.agentState
  }
  const jobsOf = (kind: string): Promise<unknown[]> =>
    fixture.server.database.query(`select 1 from job where kind = $1 and payload ->> 'user' = $2`, [kind, ann.id])
  const becomes = (availability: string, node: TestServer = fixture): Promise<State> =>
    until(
      () => state(node),
      (shown) => shown.availability === availability,
    )
  const set = (availability: string) =>
    fixture.run(ann, `mutation { setAvailability(availability: ${availability}) { availability } }`)
  /** Subscribes Ann to her queues on this node, and makes her available. */
  async function ready(node: TestServer = fixture): Promise<void> {
    const client = liveClient(node.url, await node.tokenFor(ann))
    clients.push(client)
    await subscribe(client, 'queue', 'subscription { queue { __typename } }').next()
    await node.gql(ann, 'mutation { setAvailability(availability: AVAILABLE) { load } }')
  }
  async function waiting(in_ = channel): Promise<string> {
    const { id } = await fixture.create()
    await fixture.command(fixture.admin, id, '/notify', { meta: { channels: [in_] } })
    return id
  }
  const offersTo = async (id: string, node: TestServer = fixture): Promise<string[]> =>
    (
      await node.server.database.query<{ outcome: string | null }>(
        'select outcome from offer where conversation_id = $1 order by made_at',
        [id],
      )
    ).map(({ outcome }) => outcome ?? 'pending')
  async function taken(): Promise<string> {
    const id = await waiting()
    await until(
      () => offersTo(id),
      (offers) => offers.includes('pending'),
    )
    await fixture.command(ann, id, '/accept')
    return id
  }
  const close = (id: string) => fixture.run<{ undoUntil: string }>(ann, CLOSE, { id })
  const times = async (node: TestServer = fixture): Promise<(number | null)[]> => {
    const from = Math.floor(fixture.clock.now().getTime() / HOUR_MS) * HOUR_MS - 3 * HOUR_MS
    const span = { from: new Date(from).toISOString(), to: new Date(from + 5 * HOUR_MS).toISOString() }
    const { data } = await node.gql<{ report: { totals: { count: number; totalMs: number | null }[] } }>(
      fixture.admin,
      REPORT,
      { metrics: ['WRAP_UP_TIME'], ...span, filter: { users: [ann.id] } },
    )
    return data!.report.totals.flatMap(({ count, totalMs }) => [count, totalMs])
  }

  it('follows a closing, keeps offers away, and ends by itself when its seconds are over', async () => {
    await ready()
    const id = await taken()
    const next = await waiting()
    await until(
      () => offersTo(next),
      (offers) => offers.includes('pending'),
    )
    await close(id)
    const shown = await becomes('WRAP_UP')
    expect(shown).toMatchObject({ standing: 'WRAPPING_UP', wrapUpConversationId: id })
    expect(Date.parse(shown.wrapUpUntil!) - Date.parse(shown.since)).toBeLessThanOrEqual(60_000)
    // The offer that rang goes back: the agent takes none now.
    await until(
      () => offersTo(next),
      (offers) => offers.at(-1) === 'withdrawn',
    )
    fixture.clock.advance(61_000)
    expect(await becomes('AVAILABLE')).toMatchObject({ wrapUpUntil: null, wrapUpConversationId: null })
    await until(
      () => offersTo(next),
      (offers) => offers.at(-1) === 'pending',
    )
    const [count, ms] = await times()
    expect(count).toBe(1)
    expect(ms).toBeGreaterThan(50_000)
    expect(ms).toBeLessThanOrEqual(60_000)
  })

  it('gives the place that a closing frees to nobody in between', async () => {
    await ready()
    const held = [await taken(), await taken(), await taken()]
    // Twelve units are in use: this one waits for a place.
    const next = await waiting()
    await close(held[0]!)
    await becomes('WRAP_UP')
    expect(await offersTo(next)).toEqual([])
    await set('AVAILABLE')
    expect((await state()).availability).toBe('AVAILABLE')
    await until(
      () => offersTo(next),
      (offers) => offers.includes('pending'),
    )
    // The end that was planned changes nothing any more.
    fixture.clock.advance(61_000)
    await set('AWAY')
    expect((await state()).availability).toBe('AWAY')
  })

  it('lasts until the later end of two closings, and the longest of several channels', async () => {
    await ready()
    const [one, other] = [await taken(), await taken()]
    await close(one)
    const first = await becomes('WRAP_UP')
    fixture.clock.advance(30_000)
    await close(other)
    const second = await until(
      () => state(),
      ({ wrapUpConversationId }) => wrapUpConversationId === other,
    )
    expect(Date.parse(second.wrapUpUntil!) - Date.parse(first.wrapUpUntil!)).toBeGreaterThanOrEqual(30_000)
    expect(second.since).toBe(first.since)
    fixture.clock.advance(35_000)
    // The first end has passed; a job that is due earlier runs earlier.
    await until(
      () => jobsOf('staffing.wrapUpEnd'),
      (rows) => rows.length === 1,
    )
    expect((await state()).availability).toBe('WRAP_UP')
    fixture.clock.advance(30_000)
    await becomes('AVAILABLE')
  })

  it('is not begun by a closing before the status that the agent sets, and begins by the next', async () => {
    await ready()
    for (let round = 0; round < 5; round += 1) {
      const id = await taken()
      await close(id)
      await set('AVAILABLE')
      expect((await state()).availability).toBe('AVAILABLE')
      const next = await waiting()
      await until(
        () => offersTo(next),
        (offers) => offers.includes('pending'),
      )
      expect((await state()).availability).toBe('AVAILABLE')
      await fixture.command(ann, next, '/accept')
      await close(next)
      await becomes('WRAP_UP')
      await set('AVAILABLE')
    }
  })

  it('does not make an agent who is gone stay any longer', async () => {
    await assign(channel, { mode: 'OFFER', offerSeconds: 300, wrapUpSeconds: 40 })
    await ready()
    const goneAt = async (): Promise<Date | null> => {
      const [row] = await fixture.server.database.query<{ at: Date | null }>(
        'select gone_at as at from staff where user_id = $1',
        [ann.id],
      )
      return row!.at
    }
    await close(await taken())
    await becomes('WRAP_UP')
    await Promise.all(clients.splice(0).map((client) => client.dispose()))
    const gone = await until(goneAt, (at) => at !== null)
    fixture.clock.advance(41_000)
    await becomes('AVAILABLE')
    expect(await goneAt()).toEqual(gone)
    fixture.clock.advance(20_000)
    await becomes('OFFLINE')
  })

  it('is taken back with the closing, and what was offered in its place goes back', async () => {
    await assign(channel, { mode: 'OFFER', offerSeconds: 300 })
    await ready()
    await fixture.run(fixture.admin, 'mutation ($u: ID!) { updateStaff(user: $u, patch: { capacity: 4 }) { load } }', {
      u: ann.id,
    })
    const id = await taken()
    const next = await waiting()
    await close(id)
    await until(
      () => offersTo(next),
      (offers) => offers.includes('pending'),
    )
    const undo = 'mutation ($id: ID!) { undoClose(conversation: $id) { id } }'
    expect(await fixture.run(ann, undo, { id })).not.toHaveProperty('code')
    await until(
      () => offersTo(next),
      (offers) => offers.at(-1) === 'withdrawn',
    )
  })

  it('is taken back with the closing', async () => {
    await ready()
    const id = await taken()
    await close(id)
    await becomes('WRAP_UP')
    const undone = await fixture.run(ann, 'mutation ($id: ID!) { undoClose(conversation: $id) { status } }', {
      id,
    })
    expect(undone.code).toBeUndefined()
    await becomes('AVAILABLE')
  })

  const undo = async (id: string): Promise<void> =>
    expect(
      await fixture.run(ann, 'mutation ($id: ID!) { undoClose(conversation: $id) { status } }', { id }),
    ).not.toHaveProperty('code')
  const isFor = (id: string): Promise<State> =>
    until(
      () => state(),
      ({ wrapUpConversationId }) => wrapUpConversationId === id,
    )

  it('goes on for the first closing when the second is undone, and ends when both are', async () => {
    await ready()
    const [one, other] = [await taken(), await taken()]
    await close(one)
    const first = await isFor(one)
    fixture.clock.advance(2_000)
    await close(other)
    await isFor(other)
    await undo(other)
    expect(await isFor(one)).toEqual(first)
    await undo(one)
    await becomes('AVAILABLE')
  })

  it('goes on for the later and shorter closing when the first is undone, until its end', async () => {
    await ready()
    const short = await fixture.makeChannel('Short', [ann])
    await assign(short, { mode: 'OFFER', offerSeconds: 300, wrapUpSeconds: 20 })
    const [long, brief] = [await taken(), await waiting(short)]
    await until(
      () => offersTo(brief),
      (offers) => offers.includes('pending'),
    )
    await fixture.command(ann, brief, '/accept')
    await close(long)
    const first = await isFor(long)
    await close(brief)
    await until(
      () => jobsOf('staffing.wrapUp'),
      (rows) => rows.length === 0,
    )
    expect(await state()).toEqual(first)
    await undo(long)
    const shown = await isFor(brief)
    expect(shown.since).toBe(first.since)
    expect(Date.parse(shown.wrapUpUntil!)).toBeLessThan(Date.parse(first.wrapUpUntil!) - 30_000)
    fixture.clock.advance(21_000)
    await becomes('AVAILABLE')
  })

  it('does not go on for a closing before a status that the agent set', async () => {
    await ready()
    const [one, other] = [await taken(), await taken()]
    await close(one)
    await isFor(one)
    await set('AVAILABLE')
    await close(other)
    await isFor(other)
    await undo(other)
    expect(await becomes('AVAILABLE')).toMatchObject({ wrapUpUntil: null, wrapUpConversationId: null })
  })

  it('does not replace a pause, and ends with one', async () => {
    await ready()
    const [one, other, third] = [await taken(), await taken(), await taken()]
    await set('AWAY')
    await close(one)
    await until(
      () => jobsOf('staffing.wrapUp'),
      (rows) => rows.length === 0,
    )
    expect(await state()).toMatchObject({ availability: 'AWAY', wrapUpUntil: null })
    await set('AVAILABLE')
    await close(other)
    await becomes('WRAP_UP')
    await set('OFFLINE')
    fixture.clock.advance(120_000)
    await until(
      () => jobsOf('staffing.wrapUpEnd'),
      (rows) => rows.length === 0,
    )
    expect((await state()).availability).toBe('OFFLINE')
    await set('AVAILABLE')
    // Nothing is closed by handing over.
    await fixture.run(
      ann,
      'mutation ($id: ID!, $to: ID!) { handOverConversation(conversation: $id, user: $to, evenIfAway: true) { id } }',
      { id: third, to: fixture.ben.id },
    )
    expect((await state()).availability).toBe('AVAILABLE')
  })

  it('names the conversation to those alone who may see it, also on their screens', async () => {
    const customer = await fixture.makeOrganization({ parent: fixture.organization })
    const theirs = await fixture.makeUser({ organization: customer })
    const members = [{ user: ann.id }, { user: theirs.id }]
    const { value } = await fixture.run<{ id: string }>(fixture.admin, MAKE, {
      input: { name: `Shared ${ann.id}`, organization: customer.id, members },
    })
    const shared = value.id
    const screens = await Promise.all(
      [theirs, fixture.admin].map(async (as) => {
        const client = liveClient(fixture.url, await fixture.tokenFor(as))
        clients.push(client)
        const screen = subscribe<Shown>(client, 'agentStates', WATCH, { channels: [shared] })
        await screen.next()
        return screen
      }),
    )
    await ready()
    const id = await taken()
    await close(id)
    const seen: (string | null)[] = []
    for (const screen of screens) {
      let { agent } = await screen.next()
      while (agent!.standing !== 'WRAPPING_UP') agent = (await screen.next()).agent
      seen.push(agent!.wrapUpConversationId)
    }
    expect(seen).toEqual([null, id])
    for (const [as, shown] of [
      [theirs, null],
      [fixture.admin, id],
    ] as const) {
      const { data } = await fixture.gql(as, STATES, { channels: [shared] })
      expect(data.agentStates.find(({ userId }: { userId: string }) => userId === ann.id)).toMatchObject({
        standing: 'WRAPPING_UP',
        wrapUpConversationId: shown,
      })
    }
    expect((await state()).wrapUpConversationId).toBe(id)
  })

  it('lets the agent be handed a conversation, and accept one', async () => {
    await ready()
    await close(await taken())
    await becomes('WRAP_UP')
    const { id } = await fixture.inStatus('QUEUED')
    expect((await fixture.command(ann, id, '/accept')).code).toBeUndefined()
    expect((await state()).availability).toBe('WRAP_UP')
  })

  it('ends on a second node while the first one runs', async () => {
    successor = await startTestServer({}, { beside: fixture })
    await ready(successor)
    await close(await taken())
    expect((await becomes('WRAP_UP', successor)).standing).toBe('WRAPPING_UP')
    fixture.clock.advance(61_000)
    await becomes('AVAILABLE', successor)
    expect((await state()).availability).toBe('AVAILABLE')
  })

  it.each([4, 3_601])('refuses %d seconds, and is not set by anybody', async (wrapUpSeconds) => {
    const { code, details } = await assign(channel, { wrapUpSeconds })
    expect([code, details.field]).toEqual(['BAD_USER_INPUT', 'assignment.wrapUpSeconds'])
    expect((await set('WRAP_UP')).code).toBe('BAD_USER_INPUT')
  })

  // The last one: the server of the others is gone.
  it('ends through a restart, on another node, and counts no longer than it was meant', async () => {
    await ready()
    await close(await taken())
    await becomes('WRAP_UP')
    await Promise.all(clients.splice(0).map((client) => client.dispose()))
    await fixture.server.close()
    fixture.clock.advance(30 * 60_000)
    successor = await startTestServer({}, { beside: fixture })
    // Nobody was there meanwhile: the state that follows may be that of somebody who is gone.
    await until(
      () => state(successor!),
      ({ availability }) => availability !== 'WRAP_UP',
    )
    const [count, ms] = await times(successor)
    expect(count).toBe(1)
    expect(ms).toBeGreaterThan(50_000)
    expect(ms).toBeLessThanOrEqual(60_000)
  })
})
