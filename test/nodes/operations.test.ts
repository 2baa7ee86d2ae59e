import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from '@jest/globals'
import { setTimeout as sleep } from 'node:timers/promises'
import { RedisProcess } from '../../bench/chaos/redis-process.js'
import { STALE_MS } from '../../src/platform/db/fresh-value.js'
import { readEvents } from '../../src/platform/events/streams.js'
import { startOffice, type Office } from '../conversations/office-fixture.js'
import type { MadeUser } from '../support/factories.js'
import { withRedisServer } from '../support/redis-server.js'
import { startTestServer, type TestServer } from '../support/test-server.js'
import { until } from '../support/until.js'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const CLOSE = 'mutation ($id: ID!) { closeConversation(conversation: $id) { conversation { id } } }'
const POLICY = 'mutation ($input: CreateSlaPolicyInput!) { createSlaPolicy(input: $input) { id } }'
const ASSIGN = `mutation ($id: ID!, $assignment: ChannelAssignmentInput) {
  updateChannel(id: $id, patch: { assignment: $assignment }) { id } }`
const HAND_OVER = 'mutation ($id: ID!, $user: ID) { handOverConversation(conversation: $id, user: $user) { id } }'
const STATE = '{ agentState { availability load wrapUpUntil } }'
const VALUES = 'metric count totalMs share ratio'
const MINE = `query ($metrics: [ReportMetric!]!, $by: [ReportDimension!], $from: DateTime!, $to: DateTime!) {
  myReport(metrics: $metrics, by: $by, from: $from, to: $to) { lines { values { ${VALUES} } } totals { ${VALUES} } } }`
const REPORT = `query ($metrics: [ReportMetric!]!, $from: DateTime!, $to: DateTime!, $filter: ReportFilter) {
  report(metrics: $metrics, from: $from, to: $to, filter: $filter) { totals { ${VALUES} } } }`
const METRICS = ['HANDLED', 'TRANSFERRED', 'RECEIVED', 'AVAILABLE_TIME', 'BUSY_TIME', 'WRAP_UP_TIME', 'OCCUPANCY']

interface Value {
  metric: string
  count: number
  totalMs: number | null
  share: number | null
}

/** Two nodes that have a Redis, until a test takes it away; the second one is there for those that need it. */
withRedisServer('what contact centers work by, when Redis is lost and nodes are started anew', () => {
  let redis: RedisProcess
  let office: Office
  let other: TestServer
  let ann: MadeUser
  let ben: MadeUser

  beforeAll(async () => {
    redis = await RedisProcess.start()
  })
  beforeEach(async () => {
    await redis.kill()
    await redis.start()
    office = await startOffice({ REDIS_URL: redis.url })
    other = await startTestServer({ REDIS_URL: redis.url }, { beside: office })
    ann = await office.makeAgent({ displayName: 'Ann' })
    ben = await office.makeAgent({ displayName: 'Ben' })
  })
  afterEach(async () => {
    await other.close()
    await office.close()
  })
  afterAll(() => redis?.stop())

  async function ask<T>(node: TestServer, as: MadeUser, query: string, variables: object = {}): Promise<T> {
    const { data, errors } = await node.gql<Record<string, T>>(as, query, { ...variables })
    expect(errors).toBeUndefined()
    return Object.values(data)[0]!
  }
  /** A node hears of another one's channel within a second. */
  const heardOfByAll = (): Promise<void> => sleep(STALE_MS + 50)
  const stateOn = (node: TestServer, as: MadeUser) => ask<{ availability: string; load: number }>(node, as, STATE)
  const becomes = (availability: string, node: TestServer) =>
    until(
      () => stateOn(node, ann),
      (state) => state.availability === availability,
    )
  async function take(channel: string): Promise<string> {
    const id = await office.wait(channel)
    await office.offered(id, ann)
    expect(await office.command(ann, id, '/accept')).not.toHaveProperty('code')
    return id
  }
  const toldOf = async (user: MadeUser): Promise<unknown[]> =>
    (await readEvents(other.server.database, `user:${user.id}`, 0, 500)).filter(
      ({ type }) => type === 'rule.notification',
    )
  const span = (): { from: string; to: string } => {
    const from = Math.floor(office.clock.now().getTime() / HOUR_MS) * HOUR_MS - 6 * HOUR_MS
    return { from: new Date(from).toISOString(), to: new Date(from + 12 * HOUR_MS).toISOString() }
  }
  const valueOf = (values: Value[], metric: string): Value => values.find((each) => each.metric === metric)!
  /** Her own figures on a node: those of an administrator's report, and of its lines together. */
  async function figuresOn(node: TestServer, as: MadeUser): Promise<Value[]> {
    const asked = { ...span(), metrics: METRICS }
    // The time of a state that goes on is counted to the moment of the question.
    office.clock.standAt(office.clock.now())
    const mine = await ask<{ totals: Value[] }>(node, as, MINE, asked)
    const of = await ask<{ totals: Value[] }>(node, office.admin, REPORT, { ...asked, filter: { users: [as.id] } })
    const hours = await ask<{ lines: { values: Value[] }[] }>(node, as, MINE, { ...asked, by: ['HOUR'] })
    office.clock.goOn()
    expect(mine.totals).toEqual(of.totals)
    for (const metric of ['AVAILABLE_TIME', 'BUSY_TIME', 'WRAP_UP_TIME']) {
      const slots = hours.lines.map(({ values }) => valueOf(values, metric).totalMs ?? 0)
      expect(slots.reduce((sum, ms) => sum + ms, 0)).toBe(valueOf(mine.totals, metric).totalMs ?? 0)
      // No hour holds more than an hour of one agent.
      expect(Math.max(...slots)).toBeLessThanOrEqual(HOUR_MS)
    }
    return mine.totals
  }

  it('wraps up after a closing on the other node, and goes on by itself, without Redis', async () => {
    const channel = await office.channelWith({ mode: 'OFFER', offerSeconds: 300, wrapUpSeconds: 60 }, [ann])
    await heardOfByAll()
    await office.ready(ann)
    const id = await take(channel)
    await redis.kill()
    await ask(other, ann, CLOSE, { id })
    await becomes('WRAP_UP', office)
    const next = await office.wait(channel)
    office.clock.advance(61_000)
    await becomes('AVAILABLE', office)
    await becomes('AVAILABLE', other)
    await office.offered(next, ann)
    const ms = valueOf(await figuresOn(other, ann), 'WRAP_UP_TIME').totalMs!
    expect(ms).toBeGreaterThan(50_000)
    expect(ms).toBeLessThanOrEqual(60_000)
  })

  it('counts by the weight of a channel that the other node has just set, without Redis', async () => {
    const channel = await office.channelWith({ mode: 'OFFER', offerSeconds: 300 }, [ann])
    await office.ready(ann, 12)
    const held = await take(channel)
    await redis.kill()
    await ask(other, office.admin, ASSIGN, { id: channel, assignment: { mode: 'OFFER', offerSeconds: 300, weight: 7 } })
    for (const node of [office, other])
      await until(
        () => stateOn(node, ann),
        ({ load }) => load === 7,
      )
    // Of twelve units five are left.
    const second = await office.wait(channel)
    await ask(other, ann, CLOSE, { id: held })
    await office.offered(second, ann)
    expect((await stateOn(other, ann)).load).toBe(7)
    const offers = await other.server.database.query<{ load: number }>(
      'select 1 from offer where conversation_id = $1 and outcome is null',
      [second],
    )
    expect(offers).toHaveLength(1)
  })

  it('acts once at a breach that comes while no node runs, and at the next one without Redis', async () => {
    const team = await office.makeChannel('Team', [ann])
    const escalation = await office.makeChannel('Escalation', [ben])
    await ask(office, office.admin, POLICY, {
      input: {
        name: 'Standard',
        targets: [{ clock: 'QUEUE', minutes: 10, acts: [{ at: 'BREACHED', channels: [escalation], users: [ben.id] }] }],
      },
    })
    const waiting = async (): Promise<string> => {
      const { id } = await office.create({ messages: [{ role: 'CONTACT', text: 'hello' }] })
      expect(await office.command(office.admin, id, '/notify', { meta: { channels: [team] } })).not.toHaveProperty(
        'code',
      )
      return id
    }
    const reached = async (id: string): Promise<boolean> => {
      const [row] = await other.server.database.query<{ channels: string[] }>(
        'select channels || channels_offline as channels from conversation where id = $1',
        [id],
      )
      return row!.channels.includes(escalation) && row!.channels.includes(team)
    }
    const missed = await waiting()
    await other.server.close()
    await office.server.close()
    office.clock.advance(11 * MINUTE_MS)
    await redis.kill()
    other = await startTestServer({ REDIS_URL: redis.url }, { beside: office })
    const third = await startTestServer({ REDIS_URL: redis.url }, { beside: office })
    try {
      await until(() => reached(missed))
      const { data } = await third.gql(office.bot, CREATE, { input: CONVERSATION })
      const next = data.createConversation.id as string
      await ask(third, office.admin, NOTIFY, { id: next, channels: [team] })
      office.clock.advance(11 * MINUTE_MS)
      await until(() => reached(next))
      await until(async () => (await jobsLeft()) === 0)
      expect(await toldOf(ben)).toHaveLength(2)
    } finally {
      await third.close()
    }
  })

  it('has the same figures of transfers, states and work on a node that was started anew', async () => {
    const channel = await office.channelWith({ mode: 'OFFER', offerSeconds: 300, wrapUpSeconds: 60 }, [ann])
    await heardOfByAll()
    await office.ready(ann)
    await office.setAvailability(ben, 'BUSY')
    const [given, kept] = [await take(channel), await take(channel)]
    await ask(other, ann, HAND_OVER, { id: given, user: ben.id })
    // Over the end of an hour: states are split there.
    office.clock.advance(70 * MINUTE_MS)
    await redis.kill()
    await ask(other, ann, CLOSE, { id: kept })
    await becomes('WRAP_UP', other)
    const before = await figuresOn(office, ann)
    await office.disconnect()
    await other.server.close()
    await office.server.close()
    office.clock.advance(30 * MINUTE_MS)
    other = await startTestServer({ REDIS_URL: redis.url }, { beside: office })
    await until(
      () => stateOn(other, ann),
      ({ availability }) => availability !== 'WRAP_UP',
    )
    const after = await figuresOn(other, ann)
    for (const metric of ['HANDLED', 'TRANSFERRED', 'RECEIVED'])
      expect([metric, valueOf(after, metric).count]).toEqual([metric, valueOf(before, metric).count])
    expect([valueOf(after, 'HANDLED').count, valueOf(after, 'TRANSFERRED').count]).toEqual([2, 1])
    expect(valueOf(after, 'WRAP_UP_TIME').totalMs).toBeLessThanOrEqual(60_000)
    expect(valueOf(after, 'AVAILABLE_TIME').totalMs).toBeGreaterThanOrEqual(69 * MINUTE_MS)
    expect(valueOf(await figuresOn(other, ben), 'RECEIVED').count).toBe(1)
    const { share } = valueOf(after, 'OCCUPANCY')
    expect(share).toBeGreaterThan(0)
    expect(share).toBeLessThanOrEqual(1)
  })

  const jobsLeft = async (): Promise<number> =>
    (
      await other.server.database.query(`select 1 from job where kind like 'clock.%' and run_at <= $1`, [
        office.clock.now(),
      ])
    ).length
})

const CREATE = 'mutation ($input: CreateConversationInput!) { createConversation(input: $input) { id } }'
const NOTIFY = `mutation ($id: ID!, $channels: [ID!]) {
  notifyConversation(conversation: $id, channels: $channels) { id } }`
const CONVERSATION = {
  touchpoint: 'WEB',
  contact: { profile: { name: 'Dee', email: 'dee@example.com' } },
  messages: [{ role: 'CONTACT', text: 'hello' }],
}
