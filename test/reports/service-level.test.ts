import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import type { Client } from 'graphql-ws'
import { foldChunk } from '../../src/modules/reports/fold.js'
import { startConversationFixture, type ConversationFixture } from '../conversations/conversation-fixture.js'
import { liveClient, subscribe } from '../support/live-client.js'

interface Value {
  metric: string
  count: number
  share: number | null
}

interface Frame {
  todaySince: string
  handledToday: number
  abandonedToday: number
  serviceLevelToday: number | null
  channels: { name: string; handledToday: number; abandonedToday: number; serviceLevelToday: number | null }[]
}

const REPORT = `query ($metrics: [ReportMetric!]!, $by: [ReportDimension!], $from: DateTime!, $to: DateTime!, $filter: ReportFilter) {
  report(metrics: $metrics, by: $by, from: $from, to: $to, filter: $filter) {
    lines { start user { name } values { metric count share } } totals { metric count share } csv } }`
const WALLBOARD = `subscription ($channels: [ID!]) { wallboard(channels: $channels) {
  todaySince handledToday abandonedToday serviceLevelToday channels { name handledToday abandonedToday serviceLevelToday } } }`
const SET_CHANNEL = `mutation ($id: ID!, $level: ChannelServiceLevelInput) {
  updateChannel(id: $id, patch: { serviceLevel: $level }) { serviceLevel { answerSeconds shortAbandonSeconds } } }`
const METRICS = ['HANDLED', 'ABANDONED', 'SHORT_ABANDONED', 'SERVICE_LEVEL']
const HOUR_MS = 3_600_000

describe('the service level', () => {
  let fixture: ConversationFixture
  const clients: Client[] = []
  beforeAll(async () => {
    fixture = await startConversationFixture()
  })
  afterAll(async () => {
    for (const client of clients) await client.dispose()
    await fixture.close()
  })

  const hourOf = (ms: number): number => Math.floor(ms / HOUR_MS) * HOUR_MS
  const span = () => {
    const from = hourOf(fixture.clock.now().getTime())
    return { from: new Date(from).toISOString(), to: new Date(from + 24 * HOUR_MS).toISOString() }
  }
  const figures = async (variables: object): Promise<Value[]> => {
    const { value, message } = await fixture.run<{ totals: Value[] }>(fixture.admin, REPORT, {
      metrics: METRICS,
      ...variables,
    })
    if (message) throw new Error(message)
    return value.totals
  }
  const counts = async (variables: object): Promise<number[]> => (await figures(variables)).map(({ count }) => count)
  const setLevel = async (level: object | null, id = fixture.channel) =>
    fixture.run<{ serviceLevel: object | null }>(fixture.admin, SET_CHANNEL, { id, level })
  const waiting = async (seconds: number): Promise<string> => {
    const { id } = await fixture.create({ messages: [{ role: 'CONTACT', text: 'hello' }] })
    fixture.clock.advance(seconds * 1_000)
    return id
  }
  const handled = async (seconds: number): Promise<void> => {
    await fixture.command(fixture.ann, await waiting(seconds), '/accept')
  }
  const givenUp = async (seconds: number): Promise<void> => {
    const id = await waiting(seconds)
    await fixture.run(fixture.admin, 'mutation ($id: ID!) { deleteConversation(id: $id) }', { id })
  }

  it('is the share that was answered in time of all but those who gave up at once, before and after folding', async () => {
    const asked = span()
    const level = { answerSeconds: 60, shortAbandonSeconds: 10 }
    expect((await setLevel(level)).value.serviceLevel).toEqual(level)
    await handled(30)
    await handled(55)
    await handled(120)
    await givenUp(3)
    await givenUp(40)
    // A second agent who accepts, and a conversation that never waited, are no answer to somebody who waited.
    const { id } = await fixture.inStatus('ACTIVE')
    await fixture.command(fixture.ben, id, '/accept')
    for (const isFolded of [false, true]) {
      if (isFolded) await fixture.server.database.sqlTransaction((sql) => foldChunk(sql, fixture.organization.id))
      const values = await figures(asked)
      const [all, gone, short, inTime] = values.map(({ count }) => count)
      expect([gone, short]).toEqual([2, 1])
      expect(inTime).toBe(all! - 1)
      expect(values[3]!.share).toBeCloseTo(inTime! / (all! + gone! - short!), 10)
    }
    expect(await counts({ ...asked, filter: { users: [fixture.ben.id] } })).toEqual([0, 0, 0, 0])
    const { value } = await fixture.run<{ csv: string }>(fixture.admin, REPORT, {
      ...asked,
      metrics: ['SERVICE_LEVEL'],
    })
    expect(value.csv.split('\r\n')[0]).toBe('serviceLevel,serviceLevel share')
  })

  it('of the past stays as it was counted when the seconds change, and takes the smallest of several channels', async () => {
    const asked = span()
    const before = await counts(asked)
    await setLevel({ answerSeconds: 5 })
    expect(await counts(asked)).toEqual(before)
    await handled(10)
    expect(await counts(asked)).toEqual([before[0]! + 1, ...before.slice(1)])
    const other = await fixture.makeChannel('Patient', [fixture.ben])
    await setLevel({ answerSeconds: 600, shortAbandonSeconds: 0 }, other)
    // Both channels have it: the first one's five seconds count.
    await handled(10)
    expect(await counts(asked)).toEqual([before[0]! + 2, ...before.slice(1)])
    await handled(4)
    expect(await counts(asked)).toEqual([before[0]! + 3, before[1], before[2], before[3]! + 1])
    await fixture.run(fixture.admin, 'mutation ($id: ID!) { deleteChannel(id: $id) }', { id: other })
    expect((await setLevel(null)).value.serviceLevel).toBeNull()
  })

  it.each([
    ['serviceLevel.answerSeconds', { answerSeconds: 0 }],
    ['serviceLevel.answerSeconds', { answerSeconds: 86_401 }],
    ['serviceLevel.shortAbandonSeconds', { shortAbandonSeconds: -1 }],
  ])('refuses a bad %s', async (field, level) => {
    const { code, details } = await setLevel(level)
    expect([code, details.field]).toEqual(['BAD_USER_INPUT', field])
  })

  it("of today is on the wallboard, and is the report's of the same span, until midnight of the organization", async () => {
    const now = fixture.clock.now().getTime()
    // Where it is between ten and eleven in the evening.
    const offset = 22 - new Date(now).getUTCHours()
    const hours = offset > 12 ? offset - 24 : offset
    const timezone = `Etc/GMT${hours > 0 ? '-' : '+'}${Math.abs(hours)}`
    const patch =
      'mutation ($id: ID!, $zone: String) { updateOrganization(id: $id, patch: { timezone: $zone }) { timezone } }'
    const { value } = await fixture.run(fixture.admin, patch, { id: fixture.organization.id, zone: timezone })
    expect(value).toEqual({ timezone })
    const refused = await fixture.run(fixture.admin, patch, { id: fixture.organization.id, zone: 'Europe/Atlantis' })
    expect([refused.code, refused.details.field]).toEqual(['BAD_USER_INPUT', 'timezone'])
    const since = hourOf(now) - 22 * HOUR_MS
    const today = { from: new Date(since).toISOString(), to: new Date(since + 24 * HOUR_MS).toISOString() }
    const other = await fixture.makeChannel('Other', [fixture.ben])
    const client = liveClient(fixture.url, await fixture.tokenFor(fixture.admin))
    clients.push(client)
    const board = await subscribe<Frame>(client, 'wallboard', WALLBOARD, { channels: [fixture.channel, other] })
    const earlier = await board.next()
    expect(earlier.todaySince).toBe(today.from)
    await handled(2)
    await givenUp(60)
    const frame = await board.next(
      ({ handledToday, abandonedToday }) =>
        handledToday === earlier.handledToday + 1 && abandonedToday === earlier.abandonedToday + 1,
    )
    const reported = async (channels: string[]) => {
      const [all, gone, , level] = await figures({ ...today, filter: { channels } })
      return { handledToday: all!.count, abandonedToday: gone!.count, serviceLevelToday: level!.share }
    }
    const { channels, ...whole } = frame
    expect(whole).toMatchObject(await reported([fixture.channel, other]))
    // Both were in both channels; what is counted above once is in each line.
    expect(channels).toEqual([
      { name: 'Other', ...(await reported([other])) },
      { name: 'Sales', ...(await reported([fixture.channel])) },
    ])
    expect(channels[0]).toMatchObject({ handledToday: 1, abandonedToday: 1, serviceLevelToday: 0.5 })
    const byDay = await fixture.run<{ lines: { start: string }[] }>(fixture.admin, REPORT, {
      ...today,
      ...{ metrics: ['HANDLED'], by: ['DAY'] },
    })
    expect(byDay.value.lines.map(({ start }) => start)).toEqual([today.from])
    fixture.clock.advance(2 * HOUR_MS)
    const next = await board.next(({ todaySince }) => todaySince !== today.from)
    expect(next).toMatchObject({ todaySince: today.to, handledToday: 0, abandonedToday: 0, serviceLevelToday: null })
    board.stop()
  })
})
