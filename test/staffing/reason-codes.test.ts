import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { foldChunk } from '../../src/modules/reports/fold.js'
import { startConversationFixture, type ConversationFixture } from '../conversations/conversation-fixture.js'
import type { MadeUser } from '../support/factories.js'
import { liveClient, subscribe } from '../support/live-client.js'

interface State {
  availability: string
  reason: string | null
  since: string
  reasonCode: { name: string } | null
  reasonCodes: { name: string }[]
}
interface Line {
  user: { name: string } | null
  reason: { id: string; name: string | null } | null
  values: { count: number; totalMs: number | null }[]
}

const SET = `mutation ($availability: Availability!, $reason: String, $code: ID, $user: ID) {
  setAvailability(availability: $availability, reason: $reason, reasonCode: $code, user: $user) {
    availability reason since reasonCode { name } reasonCodes { name } } }`
const CREATE =
  'mutation ($input: CreateReasonCodeInput!) { createReasonCode(input: $input) { id name availabilities } }'
const REPORT = `query ($metrics: [ReportMetric!]!, $by: [ReportDimension!], $from: DateTime!, $to: DateTime!, $filter: ReportFilter) {
  report(metrics: $metrics, by: $by, from: $from, to: $to, filter: $filter) {
    lines { user { name } reason { id name } values { count totalMs } } totals { count totalMs } csv } }`
const HOUR_MS = 3_600_000

describe('reason codes', () => {
  let fixture: ConversationFixture
  let lunch: string
  let training: string
  beforeAll(async () => {
    fixture = await startConversationFixture()
    lunch = await make({ name: 'Lunch' })
    training = await make({ name: 'Training', availabilities: ['AWAY', 'OFFLINE'] })
  })
  afterAll(() => fixture.close())

  async function make(input: object, as: MadeUser = fixture.admin): Promise<string> {
    const { value, message } = await fixture.run<{ id: string }>(as, CREATE, { input })
    if (message) throw new Error(message)
    return value.id
  }
  const set = (as: MadeUser, availability: string, code: string | null, more: object = {}) =>
    fixture.run<State>(as, SET, { availability, code, ...more })

  it('are given with a state, which carries them to every screen', async () => {
    const client = liveClient(fixture.url, await fixture.tokenFor(fixture.ben))
    const query = `subscription ($channels: [ID!]) { agentStates(channels: $channels) { ...on AgentStateChanged {
      agent { userId availability reason reasonCode { id name } } } } }`
    const states = subscribe<{ agent?: object }>(client, 'agentStates', query, { channels: [fixture.channel] })
    await states.next()
    const { value } = await set(fixture.ann, 'AWAY', lunch, { reason: 'Back at one' })
    expect(value).toMatchObject({ availability: 'AWAY', reason: 'Back at one', reasonCode: { name: 'Lunch' } })
    expect(value.reasonCodes.map(({ name }) => name)).toEqual(['Lunch', 'Training'])
    expect((await states.next(({ agent }) => agent !== undefined)).agent).toEqual({
      ...{ userId: fixture.ann.id, availability: 'AWAY', reason: 'Back at one' },
      reasonCode: { id: lunch, name: 'Lunch' },
    })
    const { value: ready } = await set(fixture.ann, 'AVAILABLE', null)
    expect(ready).toMatchObject({ reason: null, reasonCode: null })
    await client.dispose()
  })

  it('are counted by reports, each apart, while the state goes on and after it', async () => {
    // The lunch of the test before may have been in the hour before.
    const from = Math.floor(fixture.clock.now().getTime() / HOUR_MS) * HOUR_MS - HOUR_MS
    const span = { from: new Date(from).toISOString(), to: new Date(from + 12 * HOUR_MS).toISOString() }
    await set(fixture.ann, 'AVAILABLE', null)
    const lines = async (by: string[], filter: object = {}): Promise<Line[]> => {
      const asked = { ...span, metrics: ['AWAY_TIME'], by, filter }
      const { value, message } = await fixture.run<{ lines: Line[] }>(fixture.admin, REPORT, asked)
      if (message) throw new Error(message)
      return value.lines
    }
    const minutes = (all: Line[]) =>
      all.map(({ reason, values }) => [reason?.name ?? null, Math.round(values[0]!.totalMs! / 60_000)])
    const before = minutes(await lines(['REASON']))
    expect(before).toEqual([['Lunch', 0]])
    const { value: first } = await set(fixture.ann, 'AWAY', lunch)
    fixture.clock.advance(20 * 60_000)
    // Another code is another state, the same one is not.
    const { value: second } = await set(fixture.ann, 'AWAY', training)
    expect(Date.parse(second.since) - Date.parse(first.since)).toBeGreaterThanOrEqual(20 * 60_000)
    fixture.clock.advance(10 * 60_000)
    expect((await set(fixture.ann, 'AWAY', training, { reason: 'Room 2' })).value.since).toBe(second.since)
    fixture.clock.advance(20 * 60_000)
    const expected = [
      ['Lunch', 20],
      ['Training', 30],
    ]
    expect(minutes(await lines(['REASON']))).toEqual(expected)
    await set(fixture.ann, 'AVAILABLE', null)
    expect(minutes(await lines(['REASON']))).toEqual(expected)
    await fixture.server.database.sqlTransaction((sql) => foldChunk(sql, fixture.organization.id))
    expect(minutes(await lines(['REASON']))).toEqual(expected)
    expect(minutes(await lines(['USER', 'REASON'], { reasons: [training] }))).toEqual([['Training', 30]])
    const { value: csv } = await fixture.run<{ csv: string }>(fixture.admin, REPORT, {
      ...{ ...span, metrics: ['AWAY_TIME'], by: ['REASON'] },
    })
    expect(csv.csv.split('\r\n')[0]).toMatch(/^reason,reasonId,awayTime/)
  })

  it('of being offline are counted as often as somebody was', async () => {
    const from = Math.floor(fixture.clock.now().getTime() / HOUR_MS) * HOUR_MS
    const span = { from: new Date(from).toISOString(), to: new Date(from + HOUR_MS * 2).toISOString() }
    expect((await set(fixture.ben, 'OFFLINE', training)).value.reasonCode).toEqual({ name: 'Training' })
    await set(fixture.ben, 'AVAILABLE', null)
    const { value } = await fixture.run<{ lines: Line[] }>(fixture.admin, REPORT, {
      ...{ ...span, metrics: ['OFFLINE'], by: ['REASON'], filter: { users: [fixture.ben.id] } },
    })
    expect(value.lines.map(({ reason, values }) => [reason?.name, values[0]!.count])).toEqual([['Training', 1]])
  })

  it('that are unknown, foreign, deleted or of another state are refused', async () => {
    const other = await fixture.makeUser({ organization: await fixture.makeOrganization(), role: 'admin' })
    const foreign = await make({ name: 'Lunch' }, other)
    const gone = await make({ name: 'Gone' })
    await fixture.run(fixture.admin, 'mutation ($id: ID!) { deleteReasonCode(id: $id) }', { id: gone })
    for (const code of [foreign, gone, 'x', fixture.organization.id]) {
      const { code: error, message } = await set(fixture.ann, 'AWAY', code)
      expect(error).toBe('NOT_FOUND')
      expect(message).toContain(`reasonCode: ReasonCode "${code}" not found`)
    }
    for (const [availability, code] of [
      ['AVAILABLE', lunch],
      ['OFFLINE', lunch],
      ['BUSY', training],
    ] as const) {
      const { code: error, details } = await set(fixture.ann, availability, code)
      expect([error, details.field]).toEqual(['BAD_USER_INPUT', 'reasonCode'])
    }
    expect((await fixture.run<State>(fixture.ann, '{ agentState { availability } }')).value.availability).toBe(
      'AVAILABLE',
    )
  })

  it.each([
    ['name', { name: ' ' }],
    ['availabilities', { name: 'New', availabilities: [] }],
    ['availabilities[0]', { name: 'New', availabilities: ['AVAILABLE'] }],
  ])('with a bad %s are not made', async (field, input) => {
    const { code, details } = await fixture.run(fixture.admin, CREATE, { input })
    expect([code, details.field]).toEqual(['BAD_USER_INPUT', field])
  })

  it('have names that are unique, and are the administrators’ to keep', async () => {
    const { code, details } = await fixture.run(fixture.admin, CREATE, { input: { name: 'LUNCH' } })
    expect([code, details.field]).toEqual(['UNPROCESSABLE', 'name'])
    expect((await fixture.run(fixture.ann, CREATE, { input: { name: 'Mine' } })).code).toBe('FORBIDDEN')
  })

  it('are those of the organization of the agent, not of those above or below it', async () => {
    const below = await fixture.makeOrganization({ parent: fixture.organization })
    const agent = await fixture.makeUser({ organization: below })
    const code = await make({ name: 'Below', organization: below.id })
    const { value } = await set(agent, 'BUSY', code)
    expect(value.reasonCode).toEqual({ name: 'Below' })
    expect(value.reasonCodes.map(({ name }) => name)).toEqual(['Below'])
    expect((await set(agent, 'BUSY', lunch)).code).toBe('NOT_FOUND')
    expect((await set(fixture.ann, 'BUSY', code)).code).toBe('NOT_FOUND')
    const { value: above } = await set(fixture.ann, 'BUSY', lunch)
    expect(above.reasonCodes.map(({ name }) => name)).toEqual(['Lunch', 'Training'])
  })

  it('keep their time in reports when they are deleted', async () => {
    const code = await make({ name: 'Old' })
    const from = Math.floor(fixture.clock.now().getTime() / HOUR_MS) * HOUR_MS
    await set(fixture.ben, 'AWAY', code)
    fixture.clock.advance(60_000)
    await set(fixture.ben, 'AVAILABLE', null)
    await fixture.run(fixture.admin, 'mutation ($id: ID!) { deleteReasonCode(id: $id) }', { id: code })
    const { value } = await fixture.run<{ lines: Line[] }>(fixture.admin, REPORT, {
      ...{ metrics: ['AWAY_TIME'], by: ['REASON'], filter: { reasons: [code] } },
      ...{ from: new Date(from).toISOString(), to: new Date(from + 2 * HOUR_MS).toISOString() },
    })
    expect(value.lines.map(({ reason }) => reason)).toEqual([{ id: code, name: null }])
  })
})
