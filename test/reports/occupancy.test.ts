import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { Random } from '../../bench/fuzz/random.js'
import { foldChunk } from '../../src/modules/reports/fold.js'
import { startOffice, type Office } from '../conversations/office-fixture.js'
import type { MadeUser } from '../support/factories.js'
import { startTestServer, type TestServer } from '../support/test-server.js'
import { until } from '../support/until.js'

interface Value {
  metric: string
  count: number
  totalMs: number | null
  averageMs: number | null
  p50Ms: number | null
  share: number | null
  ratio: number | null
}
interface Line {
  start: string | null
  user: { id: string } | null
  channel: { name: string } | null
  values: Value[]
}

const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000
const MINUTE_MS = 60_000
const VALUES = 'metric count totalMs averageMs p50Ms share ratio'
const REPORT = `query ($metrics: [ReportMetric!]!, $by: [ReportDimension!], $from: DateTime!, $to: DateTime!, $filter: ReportFilter) {
  report(metrics: $metrics, by: $by, from: $from, to: $to, filter: $filter) {
    lines { start user { id } channel { name } values { ${VALUES} } } totals { ${VALUES} } csv } }`
const HAND_OVER = `mutation ($id: ID!, $user: ID, $channel: ID) {
  handOverConversation(conversation: $id, user: $user, channel: $channel) { id } }`

let office: Office
let other: TestServer
beforeAll(async () => {
  office = await startOffice()
  other = await startTestServer({}, { beside: office })
})
afterEach(async () => {
  office.clock.goOn()
  await office.disconnect()
})
afterAll(async () => {
  await other.close()
  await office.close()
})

const now = (): number => office.clock.now().getTime()
const spanFrom = (begun: number): { from: string; to: string } => {
  const from = Math.floor(begun / HOUR_MS) * HOUR_MS
  return { from: new Date(from).toISOString(), to: new Date(from + 24 * HOUR_MS).toISOString() }
}
async function read(variables: object, node: TestServer = office) {
  const { data, errors } = await node.gql(office.admin, REPORT, { ...variables })
  expect(errors).toBeUndefined()
  return data.report as { lines: Line[]; totals: Value[]; csv: string }
}
const fold = (): Promise<unknown> =>
  office.server.database.sqlTransaction((sql) => foldChunk(sql, office.organization.id))
const take = async (agent: MadeUser, channel: string): Promise<string> => {
  const id = await office.wait(channel)
  expect(await office.command(agent, id, '/accept')).not.toHaveProperty('code')
  return id
}
const end = (agent: MadeUser, id: string) => office.command(agent, id, '/leave')

/** Minutes of time at work, with conversations, and of each conversation added, that a test brought about. */
class Shift {
  #at = now()
  #held = new Set<string>()
  #isAtWork = false
  atWork = 0
  occupied = 0
  held = 0
  private constructor(private readonly agent: MadeUser) {}
  static of = (agent: MadeUser): Shift => new Shift(agent)

  /** Counts the time since the last call by what was so meanwhile. */
  pass(): void {
    const ms = now() - this.#at
    this.#at += ms
    if (!this.#isAtWork) return
    this.atWork += ms
    if (this.#held.size > 0) this.occupied += ms
    this.held += ms * this.#held.size
  }

  async is(availability: string): Promise<void> {
    await office.setAvailability(this.agent, availability)
    this.pass()
    this.#isAtWork = availability === 'AVAILABLE' || availability === 'BUSY'
  }

  async take(channel: string): Promise<string> {
    const id = await take(this.agent, channel)
    this.pass()
    this.#held.add(id)
    return id
  }

  async leave(id: string): Promise<void> {
    await end(this.agent, id)
    this.pass()
    this.#held.delete(id)
  }

  get held1(): string | undefined {
    return this.#held.values().next().value
  }
}

describe('occupancy and concurrency', () => {
  beforeEach(() => office.clock.standAt())
  const METRICS = ['OCCUPANCY', 'CONCURRENCY', 'AVAILABLE_TIME']

  it('are those of the time at work, while a state goes on, after it, and folded, on every node', async () => {
    const agent = await office.makeAgent()
    const channel = await office.makeChannel(`Shift ${agent.id}`, [agent])
    const begun = now()
    const asked = { ...spanFrom(begun), metrics: METRICS, filter: { users: [agent.id] } }
    await office.ready(agent)
    const shift = Shift.of(agent)
    await shift.is('AWAY')
    // What it held before it came to work, and while it was away, does not count.
    const early = await shift.take(channel)
    office.clock.advance(20 * MINUTE_MS)
    await shift.is('AVAILABLE')
    office.clock.advance(20 * MINUTE_MS)
    await shift.leave(early)
    office.clock.advance(40 * MINUTE_MS)
    const [one, two] = [await shift.take(channel), await shift.take(channel)]
    office.clock.advance(30 * MINUTE_MS)
    await shift.leave(one)
    office.clock.advance(30 * MINUTE_MS)

    const agrees = ([occupancy, concurrency, available]: Value[]): void => {
      expect(occupancy!.totalMs).toBe(shift.occupied)
      expect(concurrency!.totalMs).toBe(shift.held)
      expect(occupancy!.share).toBeCloseTo(occupancy!.totalMs! / available!.totalMs!, 10)
      expect(concurrency!.ratio).toBeCloseTo(concurrency!.totalMs! / occupancy!.totalMs!, 10)
      expect([occupancy!.averageMs, occupancy!.p50Ms, concurrency!.averageMs, available!.ratio]).toEqual([
        null,
        null,
        null,
        null,
      ])
    }
    shift.pass()
    agrees((await read(asked)).totals)
    agrees((await read(asked, other)).totals)
    await shift.is('AWAY')
    office.clock.advance(60 * MINUTE_MS)
    await shift.leave(two)
    const ended = await read(asked)
    agrees(ended.totals)
    // 80 of 120 minutes; 20 with one, 30 with two and 30 with one.
    expect(ended.totals[0]!.share).toBeCloseTo(80 / 120, 1)
    expect(ended.totals[1]!.ratio).toBeCloseTo(110 / 80, 1)
    await fold()
    const folded = await read(asked)
    expect(folded.totals).toEqual(ended.totals)
    // A quarter of an hour holds no more than it lasts.
    const byHour = await read({ ...asked, by: ['HOUR'] })
    const sum = byHour.lines.reduce((ms, { values }) => ms + (values[0]!.totalMs ?? 0), 0)
    expect(sum).toBe(folded.totals[0]!.totalMs)
    for (const { values } of byHour.lines) expect(values[0]!.totalMs ?? 0).toBeLessThanOrEqual(HOUR_MS)
    expect(folded.csv.split('\r\n')[0]).toBe(
      'occupancy seconds,occupancy share,concurrency,availableTime,availableTime average seconds,' +
        ['p50', 'p90', 'p95'].map((part) => `availableTime ${part} seconds`).join(),
    )
  })

  it.each([1, 2])('follow a model over random shifts of two agents (seed %i)', async (seed) => {
    const random = new Random(seed)
    const agents = [await office.makeAgent(), await office.makeAgent()]
    const channel = await office.makeChannel(`Random ${agents[0]!.id}`, agents)
    const begun = now()
    // Who has no queue open is set offline after a minute.
    for (const agent of agents) await office.ready(agent)
    const shifts = agents.map((agent) => Shift.of(agent))
    for (const shift of shifts) await shift.is('AWAY')
    for (let step = 0; step < 24; step++) {
      const shift = random.pick(shifts)
      const held = shift.held1
      const what = random.next()
      if (what < 0.3) await shift.is(random.pick(['AVAILABLE', 'BUSY', 'AWAY', 'AVAILABLE']))
      else if (what < 0.7 || !held) await shift.take(channel)
      else await shift.leave(held)
      office.clock.advance(random.below(25) * MINUTE_MS)
      for (const each of shifts) each.pass()
      if (step % 8 === 7) await fold()
    }
    const asked = { ...spanFrom(begun), metrics: METRICS, by: ['USER'], filter: { channels: [channel] } }
    const { lines } = await read(asked)
    for (const [index, agent] of agents.entries()) {
      const values = lines.find(({ user }) => user?.id === agent.id)?.values
      const [occupancy, concurrency] = values ?? []
      expect(occupancy?.totalMs ?? 0).toBe(shifts[index]!.occupied)
      expect(concurrency?.totalMs ?? 0).toBe(shifts[index]!.held)
    }
  })

  it('count wrapping up as being occupied, without a conversation', async () => {
    const agent = await office.makeAgent()
    const channel = await office.channelWith({ mode: 'OFFER', offerSeconds: 300, wrapUpSeconds: 600 }, [agent])
    await office.ready(agent)
    const begun = now()
    const id = await office.wait(channel)
    await office.offered(id, agent)
    await office.command(agent, id, '/accept')
    office.clock.advance(10 * MINUTE_MS)
    await office.run(agent, 'mutation ($id: ID!) { closeConversation(conversation: $id) { undoUntil } }', { id })
    await until(async () => (await office.availabilityOf(agent)) === 'WRAP_UP')
    office.clock.advance(9 * MINUTE_MS)
    const asked = { ...spanFrom(begun), metrics: ['OCCUPANCY', 'CONCURRENCY'], filter: { users: [agent.id] } }
    const { totals } = await read(asked)
    expect(totals[0]!.totalMs).toBe(19 * MINUTE_MS)
    expect(totals[1]!.totalMs).toBe(10 * MINUTE_MS)
    expect(totals[1]!.ratio).toBeCloseTo(1, 5)
  })
})

describe('transfers', () => {
  const METRICS = ['TRANSFERRED', 'TRANSFERRED_TO_AGENT', 'TRANSFERRED_TO_QUEUE', 'RECEIVED']

  it('are counted for who gave, who got, and the channel from which the conversation came', async () => {
    const [ann, ben] = [await office.makeAgent(), await office.makeAgent()]
    const sales = await office.makeChannel(`Sales ${ann.id}`, [ann, ben])
    const service = await office.makeChannel(`Service ${ann.id}`, [ann, ben])
    const asked = { ...spanFrom(now()), metrics: METRICS, filter: { users: [ann.id, ben.id] } }
    for (const agent of [ann, ben]) await office.setAvailability(agent, 'BUSY')
    const [one, two, kept] = [await take(ann, sales), await take(ann, sales), await take(ann, sales)]
    expect(await office.run(ann, HAND_OVER, { id: one, user: ben.id })).not.toHaveProperty('code')
    expect(await office.run(ben, HAND_OVER, { id: one, user: ann.id })).not.toHaveProperty('code')
    expect(await office.run(ann, HAND_OVER, { id: two, channel: service })).not.toHaveProperty('code')
    // Neither is a transfer: leaving, and a hand-over that is refused.
    await end(ann, kept)
    expect(await office.run(ann, HAND_OVER, { id: kept, user: ben.id })).toHaveProperty('code')
    for (const isFolded of [false, true]) {
      if (isFolded) await fold()
      const counts = async (by: string[]) =>
        (await read({ ...asked, by })).lines.map(({ user, channel, values }) => [
          user?.id ?? channel?.name,
          ...values.map(({ count }) => count),
        ])
      expect((await counts(['USER'])).toSorted()).toEqual(
        [
          [ann.id, 2, 1, 1, 1],
          [ben.id, 1, 1, 0, 1],
        ].toSorted(),
      )
      expect(await counts(['CHANNEL'])).toEqual([[`Sales ${ann.id}`, 3, 2, 1, 2]])
    }
  })
})

describe('myReport', () => {
  const MINE = `query ($metrics: [ReportMetric!], $by: [ReportDimension!], $from: DateTime, $to: DateTime) {
    myReport(metrics: $metrics, by: $by, from: $from, to: $to) { lines { user { id } values { ${VALUES} } } totals { ${VALUES} } csv } }`
  const mine = async (as: MadeUser, variables: object = {}) =>
    office.run<{ totals: Value[]; lines: Line[]; csv: string }>(as, MINE, { ...variables })

  it('are the numbers of today of an agent who supervises nobody, and nobody else’s', async () => {
    // All of it is on one day.
    const midnight = Math.ceil(now() / DAY_MS) * DAY_MS
    if (midnight - now() < 10 * MINUTE_MS) office.clock.advance(midnight - now())
    const [ann, ben] = [await office.makeAgent(), await office.makeAgent()]
    const channel = await office.makeChannel(`Mine ${ann.id}`, [ann, ben])
    await office.setAvailability(ann, 'AVAILABLE')
    for (const agent of [ann, ann, ben]) await take(agent, channel)
    const { value } = await mine(ann)
    const of = (all: Value[], name: string): Value => all.find(({ metric }) => metric === name)!
    expect(of(value.totals, 'HANDLED').count).toBe(2)
    expect(of(value.totals, 'SERVICE_LEVEL').share).toBe(1)
    expect(of(value.totals, 'OCCUPANCY').share).toBeGreaterThan(0)
    // As an administrator's report of the same span that is limited to her.
    const asked = { ...spanFrom(now()), metrics: ['HANDLED', 'SERVICE_LEVEL'] }
    const limited = await read({ ...asked, filter: { users: [ann.id] } })
    expect((await mine(ann, asked)).value.totals).toEqual(limited.totals)
    const byUser = await mine(ann, { ...asked, by: ['USER'] })
    expect(byUser.value.lines.map(({ user }) => user?.id)).toEqual([ann.id])
    expect((await office.run(ann, REPORT, { ...asked })).code).toBe('FORBIDDEN')
  })

  it('counts what an agent of the contact center did for its customers', async () => {
    const ann = await office.makeAgent()
    const customer = await office.makeOrganization({ parent: office.organization })
    const { value: channel } = await office.run<{ id: string }>(
      office.admin,
      'mutation ($input: CreateChannelInput!) { createChannel(input: $input) { id } }',
      { input: { name: 'Customer', organization: customer.id, members: [{ user: ann.id }] } },
    )
    const { value: made } = await office.tryCreate(
      {
        ...{ organization: customer.id, touchpoint: 'WEB' },
        contact: { profile: { name: 'Carl', email: `carl-${ann.id}@example.com` } },
        messages: [{ role: 'CONTACT', text: 'hello' }],
      },
      office.bot,
    )
    await office.command(office.admin, made.id, '/notify', { meta: { channels: [channel.id] } })
    expect(await office.command(ann, made.id, '/accept')).not.toHaveProperty('code')
    expect((await mine(ann, { metrics: ['HANDLED'] })).value.totals[0]!.count).toBe(1)
  })

  it.each<[string, object, string]>([
    ['a metric that no agent has', { metrics: ['HANDLED', 'CREATED'] }, 'metrics[1]'],
    ['a beginning without an end', { from: '2026-03-01T00:00:00Z' }, 'to'],
    ['an end without a beginning', { to: '2026-03-01T00:00:00Z' }, 'from'],
    ['no metric', { metrics: [] }, 'metrics'],
  ])('refuses %s', async (_, variables, field) => {
    const { code, details } = await mine(office.ann, variables)
    expect([code, details.field]).toEqual(['BAD_USER_INPUT', field])
  })
})
