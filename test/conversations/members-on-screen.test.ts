import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals'
import type { Client } from 'graphql-ws'
import { MEMBERSHIPS_CHANGED } from '../../src/modules/users/user-jobs.js'
import { addJobs } from '../../src/platform/jobs/job.js'
import type { MadeUser } from '../support/factories.js'
import { liveClient, subscribe, type LiveSubscription } from '../support/live-client.js'
import { startTestServer, type TestServer } from '../support/test-server.js'
import { until } from '../support/until.js'
import { startOffice, type Office } from './office-fixture.js'

interface Agent {
  userId: string
  availability: string
  capacity: number
}
interface AgentsEvent {
  __typename: string
  agents?: Agent[]
  agent?: Agent
  userId?: string
}

const ADD = `mutation ($channel: ID!, $user: ID!) { addChannelMember(channel: $channel, user: $user) { id } }`
const REMOVE = `mutation ($channel: ID!, $user: ID!) { removeChannelMember(channel: $channel, user: $user) { id } }`
const STATES = `query ($channels: [ID!]) { agentStates(channels: $channels) { userId availability capacity } }`
const WATCH = `subscription ($channels: [ID!]) { agentStates(channels: $channels) { __typename
  ... on AgentStatesSnapshot { agents { userId availability capacity } }
  ... on AgentStateChanged { agent { userId availability capacity } } ... on AgentStateRemoved { userId } } }`

let office: Office
let other: TestServer
const clients: Client[] = []
beforeAll(async () => {
  office = await startOffice({}, { pace: 10 })
  other = await startTestServer({}, { beside: office })
})
afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.dispose()))
  await office.disconnect()
})
afterAll(async () => {
  await other.close()
  await office.close()
})

const must = async (query: string, variables: Record<string, unknown>): Promise<void> =>
  expect(await office.run(office.admin, query, variables)).not.toHaveProperty('code')

async function open<Event>(node: TestServer, as: MadeUser, field: string, query: string, variables = {}) {
  const client = liveClient(node.url, await node.tokenFor(as))
  clients.push(client)
  const live = subscribe<Event>(client, field, query, variables)
  await live.next()
  return live
}

describe('a member who is added to a queue that is on screen', () => {
  const QUEUE = 'subscription ($channels: [ID!]) { queue(channels: $channels) { __typename } }'
  const offering = { mode: 'OFFER', offerSeconds: 300 }

  it.each(['this', 'another'])('is online there and is offered what waits, on %s node', async (which) => {
    const node = which === 'this' ? office : other
    const agent = await office.makeAgent()
    const channel = await office.channelWith(offering, [])
    await open(node, agent, 'queue', QUEUE)
    await office.setAvailability(agent, 'AVAILABLE')
    const id = await office.wait(channel)
    await must(ADD, { channel, user: agent.id })
    await office.offered(id, agent)
    // A round brings the channel online, besides.
    expect(await until(async () => (await office.show(id)).channels.includes(channel))).toBe(true)
  })

  it.each(['this', 'another'])(
    'is so though an administrator watched it before by its name, on %s node',
    async (which) => {
      const node = which === 'this' ? office : other
      const boss = await office.makeUser({ organization: office.organization, role: 'admin' })
      const channel = await office.channelWith(offering, [])
      // A second screen of the same administrator, which is told the same.
      for (let screen = 0; screen < 2; screen++) await open(node, boss, 'queue', QUEUE, { channels: [channel] })
      await office.setAvailability(boss, 'AVAILABLE')
      const id = await office.wait(channel)
      expect((await office.show(id)).channelsOffline).toEqual([channel])
      await must(ADD, { channel, user: boss.id })
      await office.offered(id, boss)
    },
  )
})

describe('a channel that is deleted while it is on screen', () => {
  const QUEUE = `subscription ($channels: [ID!]) { queue(channels: $channels) { __typename
    ... on QueueSnapshot { resync entries { channel } } ... on QueueEntryAdded { entry { channel } } } }`
  interface QueueEvent {
    __typename: string
    resync?: boolean
    entries?: { channel: string }[]
    entry?: { channel: string }
  }
  const DELETE = 'mutation ($id: ID!) { deleteChannel(id: $id) }'
  const isSnapshot = ({ __typename }: { __typename: string }): boolean => __typename.endsWith('Snapshot')

  it('leaves the others there, for members and administrators, on two nodes', async () => {
    const [ann, ben] = [await office.makeAgent(), await office.makeAgent()]
    const kept = await office.channelWith({ mode: 'OFFER', offerSeconds: 300 }, [ann])
    const gone = await office.channelWith(null, [ann, ben])
    const channels = [gone, kept]
    const screens = [
      await open<AgentsEvent>(office, ann, 'agentStates', WATCH, { channels }),
      await open<AgentsEvent>(other, office.admin, 'agentStates', WATCH, { channels }),
    ]
    const queues = [
      await open<QueueEvent>(other, ann, 'queue', QUEUE, { channels }),
      await open<QueueEvent>(office, office.admin, 'queue', QUEUE, { channels }),
    ]
    await must(DELETE, { id: gone })
    for (const screen of screens) {
      const { agents } = await screen.next(isSnapshot)
      expect(agents?.map(({ userId }) => userId)).toEqual([ann.id])
    }
    for (const queue of queues) expect((await queue.next(isSnapshot)).resync).toBe(true)
    await office.setAvailability(ann, 'AVAILABLE')
    for (const screen of screens) await screen.next(({ agent }) => agent?.availability === 'AVAILABLE')
    const id = await office.wait(kept)
    for (const queue of queues) await queue.next(({ entry }) => entry?.channel === kept)
    // Its member is still online there.
    await office.offered(id, ann)
  })

  it('ends what showed no other one with NOT_FOUND, and who lost another one with FORBIDDEN', async () => {
    const ann = await office.makeAgent()
    const [kept, gone] = [await office.channelWith(null, [ann]), await office.channelWith(null, [ann])]
    const ofGone = [
      await open<AgentsEvent>(office, ann, 'agentStates', WATCH, { channels: [gone] }),
      await open<QueueEvent>(other, office.admin, 'queue', QUEUE, { channels: [gone] }),
    ]
    const both = await open<QueueEvent>(office, ann, 'queue', QUEUE, { channels: [gone, kept] })
    await must(DELETE, { id: gone })
    for (const screen of ofGone) {
      await until(() => screen.errors.length > 0)
      expect(screen.errors.flat()).toMatchObject([
        { message: expect.stringContaining(gone), extensions: { code: 'NOT_FOUND' } },
      ])
    }
    await both.next(isSnapshot)
    await must(REMOVE, { channel: kept, user: ann.id })
    await until(() => both.errors.length > 0)
    expect(both.errors.flat()).toMatchObject([{ extensions: { code: 'FORBIDDEN' } }])
  })
})

describe('agentStates', () => {
  const fold = ({ events }: LiveSubscription<AgentsEvent>, first: readonly Agent[]): Agent[] => {
    const agents = new Map(first.map((agent) => [agent.userId, agent]))
    for (const { agent, agents: all, userId } of events) {
      if (all) agents.clear()
      for (const each of all ?? []) agents.set(each.userId, each)
      if (agent) agents.set(agent.userId, agent)
      if (userId) agents.delete(userId)
    }
    return [...agents.values()].toSorted((one, two) => (one.userId < two.userId ? -1 : 1))
  }
  const fetched = async (channels: string[]): Promise<Agent[]> =>
    (await office.run<Agent[]>(office.admin, STATES, { channels })).value
  /** Waits until what each screen made of its events is what is fetched. */
  const agree = (screens: readonly LiveSubscription<AgentsEvent>[], channels: string[]): Promise<unknown> =>
    until(async () => {
      const now = JSON.stringify(await fetched(channels))
      return screens.every((screen) => JSON.stringify(fold(screen, [])) === now)
    })

  it('follow the members that come and go, on two nodes, whatever else changes at once', async () => {
    const [ann, ben, cat] = [await office.makeAgent(), await office.makeAgent(), await office.makeAgent()]
    const channels = [await office.channelWith(null, [ann]), await office.channelWith(null, [ann, ben])]
    const screens: LiveSubscription<AgentsEvent>[] = []
    for (const node of [office, other])
      screens.push(await open<AgentsEvent>(node, office.admin, 'agentStates', WATCH, { channels }))
    const ids = async (): Promise<string[]> => (await fetched(channels)).map(({ userId }) => userId)
    await must(ADD, { channel: channels[0], user: cat.id })
    await agree(screens, channels)
    // Still a member of the other one.
    await must(REMOVE, { channel: channels[0], user: ann.id })
    await must('mutation ($u: ID!) { updateStaff(user: $u, patch: { capacity: 7 }) { capacity } }', { u: ann.id })
    await agree(screens, channels)
    expect((await ids()).toSorted()).toEqual([ann.id, ben.id, cat.id].toSorted())
    await Promise.all([
      must(REMOVE, { channel: channels[1], user: ann.id }),
      office.setAvailability(ann, 'AVAILABLE'),
      must(ADD, { channel: channels[1], user: cat.id }),
      office.setAvailability(cat, 'BUSY'),
      must(REMOVE, { channel: channels[0], user: cat.id }),
      office.setAvailability(ben, 'AWAY'),
    ])
    await agree(screens, channels)
    expect((await ids()).toSorted()).toEqual([ben.id, cat.id].toSorted())
    // Both memberships of one agent end at once: neither end sees the other's.
    await must(ADD, { channel: channels[0], user: cat.id })
    await Promise.all(channels.map((channel) => must(REMOVE, { channel, user: cat.id })))
    await must('mutation ($id: ID!) { updateUser(id: $id, patch: { status: ARCHIVED }) { id } }', { id: ben.id })
    await agree(screens, channels)
    expect(await ids()).toEqual([])
  })

  it('end in the state that was set last, also of a member who had none and is shown at the same moment', async () => {
    const [ann, cat] = [await office.makeAgent(), await office.makeAgent()]
    const [early, late] = [await office.channelWith(null, [ann]), await office.channelWith(null, [ann])].toSorted()
    await must(ADD, { channel: late, user: cat.id })
    const channels = [early!, late!]
    const screen = await open<AgentsEvent>(office, office.admin, 'agentStates', WATCH, { channels })
    await office.setAvailability(ann, 'AVAILABLE')
    await agree([screen], channels)
    const { database } = office.server
    const waiting = async (): Promise<number> => {
      const rows = await database.query(
        "select 1 from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()",
      )
      return rows.length
    }
    let set: Promise<unknown> = Promise.resolve()
    let isSet = false
    // The membership's job has read the state, and waits for the first of its two streams.
    await database.sqlTransaction(async (tx) => {
      const held = await tx.query('select 1 from stream where name = $1 for update', [`channel:${early}`])
      expect(held).toHaveLength(1)
      const job = MEMBERSHIPS_CHANGED.create({ user: cat.id, channels }, { key: `memberships:${cat.id}` })
      await addJobs(database, [job], office.clock)
      await until(async () => (await waiting()) === 1)
      set = office.setAvailability(cat, 'BUSY').then(() => (isSet = true))
      await until(async () => isSet || (await waiting()) === 2)
    })
    await set
    await until(async () => (await database.query("select 1 from job where kind = 'user.memberships'")).length === 0)
    await agree([screen], channels)
    // One that comes after: what was to be shown before it has been.
    await office.setAvailability(ann, 'BUSY')
    await screen.next(({ agent }) => agent?.userId === ann.id && agent.availability === 'BUSY')
    expect(fold(screen, []).find(({ userId }) => userId === cat.id)).toMatchObject({ availability: 'BUSY' })
    expect((await fetched(channels)).find(({ userId }) => userId === cat.id)).toMatchObject({ availability: 'BUSY' })
  })

  it('tell of each change once, however many of the channels on screen the agent is in', async () => {
    const [ann, ben] = [await office.makeAgent(), await office.makeAgent()]
    const channels: string[] = []
    for (let index = 0; index < 5; index += 1) channels.push(await office.channelWith(null, [ann, ben]))
    const screens = [
      await open<AgentsEvent>(office, office.admin, 'agentStates', WATCH, { channels }),
      await open<AgentsEvent>(other, office.admin, 'agentStates', WATCH, { channels: channels.slice(2) }),
      await open<AgentsEvent>(other, ann, 'agentStates', WATCH),
    ]
    await agree(screens, channels)
    // Their memberships were told of by jobs, which may end only now: what comes after that makes it old.
    const { database } = office.server
    await until(async () => (await database.query("select 1 from job where kind = 'user.memberships'")).length === 0)
    for (const agent of [ann, ben]) {
      await office.setAvailability(agent, 'AVAILABLE')
      for (const screen of screens)
        await screen.next(({ agent: told }) => told?.userId === agent.id && told.availability === 'AVAILABLE')
    }
    const before = screens.map(({ events }) => events.length)
    await office.setAvailability(ann, 'BUSY')
    await must('mutation ($id: ID!) { deleteUser(id: $id) }', { id: ben.id })
    await agree(screens, channels)
    // One that comes after: what was to be shown before it has been.
    await office.setAvailability(ann, 'AWAY')
    await agree(screens, channels)
    const told = screens.map(({ events }, index) =>
      events.slice(before[index]).map(({ __typename, agent }) => agent?.availability ?? __typename),
    )
    for (const each of told) expect(each.toSorted()).toEqual(['AWAY', 'AgentStateRemoved', 'BUSY'])
  })

  it('tell of an agent who becomes a bot, and of one who is deleted', async () => {
    const [ann, ben] = [await office.makeAgent(), await office.makeAgent()]
    const channels = [await office.channelWith(null, [ann, ben])]
    const screen = await open<AgentsEvent>(office, office.admin, 'agentStates', WATCH, { channels })
    await must('mutation ($id: ID!) { updateUser(id: $id, patch: { role: BOT }) { id } }', { id: ann.id })
    await agree([screen], channels)
    await must('mutation ($id: ID!) { updateUser(id: $id, patch: { role: AGENT }) { id } }', { id: ann.id })
    await must('mutation ($id: ID!) { deleteUser(id: $id) }', { id: ben.id })
    await agree([screen], channels)
    expect((await fetched(channels)).map(({ userId }) => userId)).toEqual([ann.id])
  })

  it('of an agent of more than 200 channels reach each of them, stored once', async () => {
    const agent = await office.makeAgent()
    const channels = await Promise.all(Array.from({ length: 205 }, () => office.channelWith(null, [agent])))
    const last = channels.toSorted().at(-1)!
    const screen = await open<AgentsEvent>(office, office.admin, 'agentStates', WATCH, { channels: [last] })
    const jobs = () => office.server.database.query(`select 1 from job where kind = 'user.memberships'`)
    await until(async () => (await jobs()).length === 0)
    await office.setAvailability(agent, 'AVAILABLE')
    await screen.next(({ agent: shown }) => shown?.userId === agent.id && shown.availability === 'AVAILABLE')
    const [rows] = await office.server.database.query<{ told: number; copies: number }>(
      `with own as (select stream, number from event where type = 'agent.changed'
         and data #>> '{agent,userId}' = $1 and data #>> '{agent,availability}' = 'available')
       select (select count(*)::int from own) as copies,
         (select count(*)::int from event e where (e.stream, e.number) in (select * from own)
           or (e.of_stream, e.of_number) in (select * from own)) as told`,
      [agent.id],
    )
    // The agent's own screens are told, too.
    expect(rows).toEqual({ told: 206, copies: 1 })
  })
})
