import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { foldChunk } from '../../src/modules/reports/fold.js'
import {
  startConversationFixture,
  type ConversationFixture,
  type Outcome,
} from '../conversations/conversation-fixture.js'
import type { MadeUser } from '../support/factories.js'

interface Value {
  metric: string
  count: number
  averageMs: number | null
  p50Ms: number | null
}
interface Line {
  start: string | null
  channel: { id: string; name: string | null } | null
  user: { id: string; name: string | null } | null
  touchpoint: string | null
  category: string | null
  values: Value[]
}
interface Report {
  lines: Line[]
  totals: Value[]
  csv: string
}

interface Rows {
  totalCount: number
  pageInfo: { hasNextPage: boolean; endCursor: string }
  edges: { node: { conversationId: string; conversation: { id: string } | null } }[]
}

const REPORT = `query ($metrics: [ReportMetric!]!, $by: [ReportDimension!], $from: DateTime!, $to: DateTime!,
  $timezone: String, $filter: ReportFilter) {
  report(metrics: $metrics, by: $by, from: $from, to: $to, timezone: $timezone, filter: $filter) {
    lines { start channel { id name } user { id name } touchpoint category values { metric count averageMs p50Ms } }
    totals { metric count averageMs p50Ms } csv } }`
const ROWS = `query ($metric: ReportMetric!, $from: DateTime!, $to: DateTime!, $filter: ReportFilter, $first: Int, $after: String) {
  reportRows(metric: $metric, from: $from, to: $to, filter: $filter, first: $first, after: $after) {
    totalCount pageInfo { hasNextPage endCursor } edges { node { conversationId conversation { id } user { id } at ms } } } }`

const QUARTER_MS = 900_000

describe('reports', () => {
  let fixture: ConversationFixture
  let span: { from: string; to: string }
  beforeAll(async () => {
    fixture = await startConversationFixture()
  })
  afterAll(() => fixture.close())

  const quarter = (ms: number): string => new Date(Math.floor(ms / QUARTER_MS) * QUARTER_MS).toISOString()
  const report = (variables: object, as: MadeUser = fixture.admin): Promise<Outcome<Report>> =>
    fixture.run<Report>(as, REPORT, { ...span, ...variables })
  const counts = async (variables: { metrics: string[]; [key: string]: unknown }, as?: MadeUser): Promise<number[]> => {
    const { value, message } = await report(variables, as)
    if (message) throw new Error(message)
    return value.totals.map(({ count }) => count)
  }
  const fold = async (): Promise<void> => {
    const { database } = fixture.server
    for (let isUnfinished = true; isUnfinished;)
      isUnfinished = (await database.sqlTransaction((sql) => foldChunk(sql, fixture.organization.id, 3))).isUnfinished
  }

  it('count and measure what happened, before and after it is folded', async () => {
    const before = fixture.clock.now().getTime()
    span = { from: quarter(before), to: quarter(before + 5 * 3_600_000) }
    const { ann, ben } = fixture
    const first = await fixture.create({ messages: [{ role: 'CONTACT', text: 'hello' }] })
    const second = await fixture.create({ messages: [{ role: 'CONTACT', text: 'hello' }] })
    fixture.clock.advance(20 * 60_000)
    await fixture.send(ann, first.id, { role: 'AGENT', text: 'hi' })
    fixture.clock.advance(20 * 60_000)
    await fixture.send(ben, second.id, { role: 'AGENT', text: 'hi' })
    fixture.clock.advance(60 * 60_000)
    await fixture.command(ann, first.id, '/leave')
    const metrics = ['CREATED', 'QUEUED', 'ACCEPTED', 'WAIT_TIME', 'FIRST_RESPONSE_TIME', 'HANDLE_TIME', 'CLOSED']
    const expected = [2, 2, 2, 2, 2, 1, 1]
    expect(await counts({ metrics })).toEqual(expected)
    await fold()
    expect(await counts({ metrics })).toEqual(expected)
    const { value } = await report({ metrics: ['WAIT_TIME'], by: ['USER'] })
    expect(value.lines.map(({ user }) => user!.name)).toEqual(['Ann', 'Ben'])
    const [short, long] = value.lines.map(({ values }) => values[0]!)
    expect(short!.averageMs! / 60_000).toBeCloseTo(20, 0)
    expect(long!.averageMs! / 60_000).toBeCloseTo(40, 0)
    expect(Math.abs(long!.p50Ms! / 40 / 60_000 - 1)).toBeLessThan(0.06)
    expect(await counts({ metrics: ['ACCEPTED'], filter: { users: [ann.id] } })).toEqual([1])
    expect(await counts({ metrics: ['ACCEPTED'], filter: { touchpoints: ['EMAIL'] } })).toEqual([0])
  })

  it('have the same totals whether they are added from the lines or read', async () => {
    const metrics = ['ACCEPTED', 'WAIT_TIME', 'HANDLE_TIME', 'MERGED']
    const plain = REPORT.replaceAll(' p50Ms', '').replace(' csv', '')
    const asked = { ...span, metrics, by: ['HOUR', 'USER'] }
    const { value } = await fixture.run<Report>(fixture.admin, plain, asked)
    const { totals } = (await report(asked)).value
    expect(value.totals).toEqual(totals.map(({ metric, count, averageMs }) => ({ metric, count, averageMs })))
    expect(totals.map(({ count }) => count)).toEqual([2, 2, 1, 0])
  })

  it('count once in a total what counts for several channels', async () => {
    const other = await fixture.makeChannel('Other', [fixture.ben])
    const before = (await counts({ metrics: ['QUEUED'] }))[0]!
    const { id } = await fixture.create({ messages: [{ role: 'CONTACT', text: 'hello' }] })
    await fold()
    const { value } = await report({ metrics: ['QUEUED'], by: ['CHANNEL'] })
    expect(value.lines.map(({ channel, values }) => [channel!.name, values[0]!.count])).toEqual([
      ['Other', 1],
      ['Sales', before + 1],
    ])
    expect(value.totals[0]!.count).toBe(before + 1)
    expect(await counts({ metrics: ['QUEUED'], filter: { channels: [other, fixture.channel] } })).toEqual([before + 1])
    const only = await report({ metrics: ['QUEUED'], by: ['CHANNEL'], filter: { channels: [other] } })
    expect(only.value.lines.map(({ channel }) => channel!.name)).toEqual(['Other'])
    await fixture.command(fixture.ann, id, '/accept')
  })

  it('give the rows behind a number, page by page', async () => {
    const total = (await counts({ metrics: ['CREATED'] }))[0]!
    const seen: string[] = []
    for (let after: string | null = null, hasMore = true; hasMore;) {
      const { value, message }: Outcome<Rows> = await fixture.run<Rows>(fixture.admin, ROWS, {
        metric: 'CREATED',
        ...span,
        first: 2,
        after,
      })
      expect(message).toBeUndefined()
      expect(value.totalCount).toBe(total)
      for (const { node } of value.edges) {
        expect(node.conversation?.id).toBe(node.conversationId)
        seen.push(node.conversationId)
      }
      after = value.pageInfo.endCursor
      hasMore = value.pageInfo.hasNextPage
    }
    expect(new Set(seen).size).toBe(total)
  })

  it('have a line for every day, also without anything', async () => {
    const from = '2026-03-20T23:00:00Z'
    const { value, message } = await report({
      ...{ metrics: ['CREATED'], by: ['DAY'], timezone: 'Europe/Amsterdam' },
      ...{ from, to: '2026-04-01T22:00:00Z' },
    })
    expect(message).toBeUndefined()
    expect(value.lines).toHaveLength(12)
    expect(value.lines.slice(7, 10).map(({ start }) => start)).toEqual([
      ...['2026-03-27T23:00:00.000Z', '2026-03-28T23:00:00.000Z', '2026-03-29T22:00:00.000Z'],
    ])
    expect(value.csv.split('\r\n').slice(0, 2)).toEqual(['day,created', '2026-03-21,0'])
  })

  it('have the date of the day in which they begin, also late in it', async () => {
    const { value } = await report({
      ...{ metrics: ['CREATED'], by: ['DAY'], timezone: 'Asia/Kolkata' },
      // 22:45 there.
      ...{ from: '2026-03-21T17:15:00Z', to: '2026-03-22T20:00:00Z' },
    })
    const dates = value.csv.split('\r\n').map((line) => line.split(',')[0])
    expect(dates).toEqual(['day', '2026-03-21', '2026-03-22', '2026-03-23', ''])
  })

  it.each([
    ['from', { from: '2026-02-01T00:00:00Z', to: '2026-02-01T00:00:00Z' }],
    ['from', { from: '2026-02-02T00:00:00Z', to: '2026-02-01T00:00:00Z' }],
    ['to', { from: '2025-01-01T00:00:00Z', to: '2026-02-10T00:00:00Z' }],
    ['to', { from: '2026-02-01T00:00:00Z', to: '9999-12-31T23:45:00Z' }],
    ['from', { from: '1969-12-31T00:00:00Z', to: '1970-01-10T00:00:00Z' }],
    ['from', { from: '2026-02-01T00:01:00Z', to: '2026-02-10T00:00:00Z' }],
    ['timezone', { timezone: 'Europe/Atlantis' }],
    ['timezone', { timezone: '+01:00' }],
    ['by', { by: ['DAY', 'WEEK'] }],
    ['by', { by: ['CHANNEL', 'USER', 'TOUCHPOINT', 'CATEGORY'] }],
    ['to', { by: ['HOUR'], from: '2026-02-01T00:00:00Z', to: '2026-03-10T00:00:00Z' }],
    ['metrics', { metrics: [] }],
    ['filter.channels[0]', { filter: { channels: ['x'] } }],
    ['filter.users', { filter: { users: [] } }],
  ])('are refused for a bad %s: %j', async (field, variables) => {
    const { code, details } = await report({ metrics: ['CREATED'], ...variables })
    expect([code, details.field]).toEqual(['BAD_USER_INPUT', field])
  })

  it.each([
    ['from', { from: '2026-02-02T00:00:00Z', to: '2026-02-01T00:00:00Z' }],
    ['to', { from: '2026-02-01T00:00:00Z', to: '9999-12-31T23:45:00Z' }],
    ['first', { first: 0 }],
    ['first', { first: 101 }],
    ['after', { after: 'yesterday' }],
    ['filter.users[0]', { filter: { users: ['Ann'] } }],
  ])('have no rows for a bad %s: %j', async (field, variables) => {
    const { code, details } = await fixture.run(fixture.admin, ROWS, { metric: 'CREATED', ...span, ...variables })
    expect([code, details.field]).toEqual(['BAD_USER_INPUT', field])
  })

  it('are refused for an unknown metric, naming it', async () => {
    const { code, message } = await report({ metrics: ['SMILES'] })
    expect(code).toBe('BAD_USER_INPUT')
    expect(message).toContain('SMILES')
  })

  it.each([
    ['metric', 'smiles', {}, /^metric must be one of created, .+, not "smiles"$/],
    ['by', 'created', { by: 'user,moon' }, /^by must be one of hour, .+, not "moon"$/],
    ['from', 'created', { from: 'yesterday' }, /^from: "yesterday" is not an ISO 8601 datetime$/],
    ['to', 'created', { to: undefined }, /^the query parameter to is required$/],
    ['timezone', 'created', { timezone: 'Europe/Atlantis' }, /"Europe\/Atlantis"/],
    ['channels', 'created', { channels: 'x' }, /^channels must be an id, not "x"$/],
    ['touchpoints', 'created', { touchpoints: 'web,fax' }, /^touchpoints must be one of web, .+, not "fax"$/],
    ['colour', 'created', { colour: 'red' }, /^colour is not a query parameter/],
  ])('as CSV are refused for a bad %s', async (field, metric, more, message) => {
    const query = Object.entries({ ...span, ...more }).filter(([, value]) => value !== undefined)
    const path = `/v2/reports/${metric}?${new URLSearchParams(query as [string, string][])}`
    const { status, body } = await fixture.rest(fixture.admin, 'GET', path)
    expect([status, body.field, body.message]).toEqual([400, field, expect.stringMatching(message)])
  })

  it('are available as CSV by REST', async () => {
    const query = new URLSearchParams({ ...span, by: 'user', timezone: 'Europe/Amsterdam' })
    const { status, headers, body } = await fixture.rest(fixture.admin, 'GET', `/v2/reports/waitTime?${query}`)
    expect([status, headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8'])
    const [header, ann] = (body as string).split('\r\n')
    expect(header).toBe(
      'user,userId,waitTime,waitTime average seconds,waitTime p50 seconds,waitTime p90 seconds,waitTime p95 seconds',
    )
    expect(ann!.startsWith(`Ann,${fixture.ann.id},2,`)).toBe(true)
  })

  describe('for a supervisor', () => {
    const supervise = (channel: string, user: MadeUser, supervisor: boolean) =>
      fixture.run(
        fixture.admin,
        `mutation ($channel: ID!, $user: ID!, $supervisor: Boolean) {
          addChannelMember(channel: $channel, user: $user, supervisor: $supervisor) { members { userId supervisor } } }`,
        { channel, user: user.id, supervisor },
      )

    it('are those of the supervised channels alone', async () => {
      const agent = await fixture.makeAgent()
      expect((await report({ metrics: ['CREATED'] }, agent)).code).toBe('FORBIDDEN')
      const own = await fixture.makeChannel('Own', [agent])
      expect((await report({ metrics: ['CREATED'] }, agent)).code).toBe('FORBIDDEN')
      await supervise(own, agent, true)
      expect(await counts({ metrics: ['QUEUED'] }, agent)).toEqual([0])
      const { id } = await fixture.create({ messages: [{ role: 'CONTACT', text: 'hello' }] })
      expect(await counts({ metrics: ['QUEUED'] }, agent)).toEqual([1])
      const { value } = await report({ metrics: ['QUEUED'], by: ['CHANNEL'] }, agent)
      expect(value.lines.map(({ channel }) => channel!.name)).toEqual(['Own'])
      const asked = { metrics: ['QUEUED'], filter: { channels: [fixture.channel] } }
      expect(await counts(asked, agent)).toEqual([1])
      const { value: rows } = await fixture.run<Rows>(agent, ROWS, { metric: 'QUEUED', ...span })
      expect([rows.totalCount, rows.edges[0]!.node.conversationId]).toEqual([1, id])
      const csv = await fixture.rest(
        agent,
        'GET',
        `/v2/reports/queued?${new URLSearchParams({ ...span, by: 'channel' })}`,
      )
      expect((csv.body as string).split('\r\n').slice(1)).toEqual([`Own,${own},1`, ''])
      await supervise(own, agent, false)
      expect((await report({ metrics: ['CREATED'] }, agent)).code).toBe('FORBIDDEN')
      expect((await fixture.run(agent, ROWS, { metric: 'QUEUED', ...span })).code).toBe('FORBIDDEN')
      await fixture.command(fixture.ann, id, '/accept')
    })
  })

  it('of another tenant see nothing of it', async () => {
    const outsider = await fixture.makeUser({ organization: await fixture.makeOrganization(), role: 'admin' })
    expect(await counts({ metrics: ['CREATED', 'QUEUED'] }, outsider)).toEqual([0, 0])
    expect(await counts({ metrics: ['CREATED'], filter: { channels: [fixture.channel] } }, outsider)).toEqual([0])
    // Ids of another tenant match nothing, whichever filter names them.
    for (const filter of [{ users: [fixture.ann.id] }, { organizations: [fixture.organization.id] }]) {
      expect(await counts({ metrics: ['ACCEPTED'], filter }, outsider)).toEqual([0])
      const { value } = await fixture.run<Rows>(outsider, ROWS, { metric: 'ACCEPTED', ...span, filter })
      expect(value.totalCount).toBe(0)
    }
    const below = await fixture.makeOrganization({ parent: fixture.organization })
    const customer = await fixture.makeUser({ organization: below, role: 'admin' })
    expect(await counts({ metrics: ['CREATED'] }, customer)).toEqual([0])
  })

  it('count the time of states in the quarters in which it passed, that of the running ones up to now', async () => {
    const { admin, clock } = fixture
    const agent = await fixture.makeAgent({ displayName: 'Cat' })
    const channel = await fixture.makeChannel('Shift', [agent])
    clock.advance(QUARTER_MS - (clock.now().getTime() % QUARTER_MS) + 60_000)
    clock.standAt()
    const begun = clock.now().getTime()
    const set = 'mutation ($is: Availability!) { setAvailability(availability: $is) { since } }'
    await fixture.run(agent, set, { is: 'AVAILABLE' })
    clock.advance(3 * 3_600_000)
    const asked = {
      metrics: ['AVAILABLE_TIME'],
      filter: { channels: [channel] },
      from: quarter(begun),
      to: quarter(begun + 12 * 3_600_000),
    }
    const shift = async (by: string[]) => {
      const query = `query ($metrics: [ReportMetric!]!, $by: [ReportDimension!], $from: DateTime!, $to: DateTime!, $filter: ReportFilter) {
        report(metrics: $metrics, by: $by, from: $from, to: $to, filter: $filter) {
          lines { start user { id } values { count totalMs averageMs } } } }`
      const answer = await fixture.run<{
        lines: {
          start: string
          user: { id: string } | null
          values: { count: number; totalMs: number | null; averageMs: number | null }[]
        }[]
      }>(admin, query, { ...asked, by })
      if (answer.code) throw new Error(answer.message)
      return answer.value.lines
    }
    const hoursOf = async (): Promise<number[]> =>
      (await shift(['HOUR'])).map(({ values }) => Math.round((values[0]!.totalMs ?? 0) / 60_000))
    const [running] = await shift(['USER'])
    expect(running!.user!.id).toBe(agent.id)
    expect(running!.values[0]).toMatchObject({ count: 0, averageMs: null })
    expect(running!.values[0]!.totalMs).toBe(3 * 3_600_000)
    const before = await hoursOf()
    expect(before.reduce((sum, minutes) => sum + minutes, 0)).toBe(180)
    expect(Math.max(...before)).toBe(60)
    clock.advance(6 * 3_600_000)
    await fixture.run(agent, set, { is: 'OFFLINE' })
    const ended = await hoursOf()
    await fold()
    expect(await hoursOf()).toEqual(ended)
    expect(ended.reduce((sum, minutes) => sum + minutes, 0)).toBe(540)
    expect(Math.max(...ended)).toBe(60)
    expect(ended.filter((minutes) => minutes === 60)).toHaveLength(8)
    const [whole] = await shift(['USER'])
    expect(whole!.values[0]).toMatchObject({ count: 1, averageMs: whole!.values[0]!.totalMs })
    expect(await counts({ ...asked })).toEqual([1])
    clock.goOn()
  })

  it('tell the two hours apart that a day of 25 hours has of the same name', async () => {
    const asked = {
      metrics: ['CREATED'],
      by: ['HOUR'],
      from: '2026-10-24T22:00:00.000Z',
      to: '2026-10-25T23:00:00.000Z',
      timezone: 'Europe/Amsterdam',
    }
    const { value } = await report(asked)
    expect(value.lines).toHaveLength(25)
    expect(value.lines.slice(2, 4).map(({ start }) => start)).toEqual([
      '2026-10-25T00:00:00.000Z',
      '2026-10-25T01:00:00.000Z',
    ])
    const hours = value.csv.split('\r\n').map((line) => line.split(',')[0])
    expect(hours.slice(2, 6)).toEqual([
      '2026-10-25 01:00',
      '2026-10-25 02:00 UTC+02:00',
      '2026-10-25 02:00 UTC+01:00',
      '2026-10-25 03:00',
    ])
  })
})
