import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { Random } from '../../bench/chaos/random.js'
import { foldChunk } from '../../src/modules/reports/fold.js'
import { startConversationFixture, until, type ConversationFixture } from '../conversations/conversation-fixture.js'
import { untilPasses } from '../support/until.js'

const MINUTE = 60_000
const QUARTER_MS = 900_000
const ZONE = 'Europe/Amsterdam'
const CLOCKS = ['QUEUE', 'FIRST_RESPONSE', 'NEXT_RESPONSE', 'RESOLUTION'] as const
const METRICS = CLOCKS.flatMap((clock) => ['MET', 'BREACHED', 'OVERRUN'].map((what) => `${clock}_SLA_${what}`))
const DAYS = ['MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT']

interface Value {
  metric: string
  count: number
  totalMs: number | null
  share: number | null
}
interface Line {
  start: string | null
  user: { name: string } | null
  values: Value[]
}

const REPORT = `query ($metrics: [ReportMetric!]!, $by: [ReportDimension!], $from: DateTime!, $to: DateTime!, $timezone: String,
  $filter: ReportFilter) {
  report(metrics: $metrics, by: $by, from: $from, to: $to, timezone: $timezone, filter: $filter) {
    lines { start user { name } values { metric count totalMs share } } totals { metric count totalMs share } csv } }`

let fixture: ConversationFixture
let from: string
/** Tokens, of which new ones are needed as time goes by. */
let admin: string
let bot: string
let ann: string
let ben: string
beforeAll(async () => {
  fixture = await startConversationFixture()
})
beforeEach(async () => {
  const { database } = fixture.server
  // A round of the test before may be counting.
  await untilPasses(async () => {
    await database.query('truncate milestone, report_slot, report_group, report_fold')
    await database.query('delete from conversation')
    await database.query('delete from sla_policy')
  })
  await signIn()
  from = quarter(fixture.clock.now().getTime() - QUARTER_MS)
})
afterAll(() => fixture.close())

async function signIn(): Promise<void> {
  const users = [fixture.admin, fixture.bot, fixture.ann, fixture.ben] as const
  ;[admin, bot, ann, ben] = (await Promise.all(users.map((user) => fixture.tokenFor(user)))) as [
    string,
    string,
    string,
    string,
  ]
}

const quarter = (ms: number): string => new Date(Math.floor(ms / QUARTER_MS) * QUARTER_MS).toISOString()
const pass = (minutes: number): void => fixture.clock.advance(minutes * MINUTE)
const span = (): { from: string; to: string } => ({ from, to: quarter(fixture.clock.now().getTime() + QUARTER_MS) })

async function report(by: string[], more: object = {}): Promise<{ lines: Line[]; totals: Value[]; csv: string }> {
  const { value, message } = await fixture.run<{ lines: Line[]; totals: Value[]; csv: string }>(admin, REPORT, {
    ...{ metrics: METRICS, by, ...span(), timezone: ZONE },
    ...more,
  })
  expect(message).toBeUndefined()
  return value
}

/** Lists what is not 0: `QUEUE_SLA_MET 2`. */
const told = (values: readonly Value[]): string[] =>
  values.filter(({ count }) => count > 0).map(({ metric, count }) => `${metric} ${count}`)

async function policy(input: object): Promise<void> {
  const create = 'mutation ($input: CreateSlaPolicyInput!) { createSlaPolicy(input: $input) { id } }'
  const { message } = await fixture.run(admin, create, { input: { name: 'Standard', ...input } })
  expect(message).toBeUndefined()
}

const targets = (minutes: Partial<Record<string, number>>): object[] =>
  Object.entries(minutes).map(([clock, each]) => ({ clock, minutes: each, warnMinutes: null }))
const wait = async (): Promise<string> =>
  (await fixture.create({ messages: [{ role: 'CONTACT', text: 'hello' }] }, bot)).id

/** Waits until the missed targets are told. */
const tellDue = (): Promise<unknown> =>
  until(
    () =>
      fixture.server.database.query(`select 1 from job where kind = 'clock.due' and run_at <= $1`, [
        fixture.clock.now(),
      ]),
    ({ length }) => length === 0,
  )

it('tell targets that were met and missed, by whom, what part that is, and by how much', async () => {
  await policy({ targets: targets({ QUEUE: 10, FIRST_RESPONSE: 30, RESOLUTION: 60 }) })
  const [prompt, late, never] = [await wait(), await wait(), await wait()]
  await fixture.command(ann, prompt, '/accept')
  await fixture.send(ann, prompt, { role: 'AGENT', text: 'Hi' })
  await fixture.command(ann, prompt, '/leave')
  pass(20)
  await fixture.command(ben, late, '/accept')
  pass(25)
  await fixture.send(ben, late, { role: 'AGENT', text: 'Sorry' })
  await tellDue()
  const byUser = async (): Promise<Record<string, string[]>> =>
    Object.fromEntries((await report(['USER'])).lines.map(({ user, values }) => [user?.name ?? 'none', told(values)]))
  const expected = {
    Ann: ['QUEUE_SLA_MET 1', 'FIRST_RESPONSE_SLA_MET 1', 'RESOLUTION_SLA_MET 1'],
    // The conversation was his when the answer was due; before he accepted it, it was nobody's.
    Ben: ['QUEUE_SLA_OVERRUN 1', 'FIRST_RESPONSE_SLA_BREACHED 1', 'FIRST_RESPONSE_SLA_OVERRUN 1'],
    none: ['QUEUE_SLA_BREACHED 2', 'FIRST_RESPONSE_SLA_BREACHED 1'],
  }
  expect(await byUser()).toEqual(expected)
  await fold()
  expect(await byUser()).toEqual(expected)
  const { totals, csv } = await report([], { metrics: ['QUEUE_SLA_MET', 'QUEUE_SLA_BREACHED', 'QUEUE_SLA_OVERRUN'] })
  expect(totals.map(({ count, share }) => [count, share])).toEqual([
    [1, 1 / 3],
    [2, 2 / 3],
    [1, null],
  ])
  expect(totals[2]!.totalMs! / MINUTE).toBeCloseTo(10, 0)
  expect(csv.split('\r\n')[0]).toMatch(
    /^queueSlaMet,queueSlaMet share,queueSlaBreached,queueSlaBreached share,queueSlaO/,
  )
  const rows = await fixture.run<{ edges: { node: { conversationId: string; userId: string | null } }[] }>(
    admin,
    `query ($from: DateTime!, $to: DateTime!) { reportRows(metric: QUEUE_SLA_BREACHED, from: $from, to: $to) {
      edges { node { conversationId userId } } } }`,
    span(),
  )
  expect(rows.value.edges.map(({ node }) => node.conversationId).toSorted()).toEqual([late, never].toSorted())
  const query = new URLSearchParams({ ...span(), by: 'user' })
  const { status, body } = await fixture.rest(admin, 'GET', `/v2/reports/firstResponseSlaMet?${query}`)
  expect([status, (body as string).split('\r\n')[0]]).toEqual([
    200,
    'user,userId,firstResponseSlaMet,firstResponseSlaMet share',
  ])
})

async function fold(chunk = 1_000): Promise<void> {
  const { database } = fixture.server
  const next = () => database.sqlTransaction((sql) => foldChunk(sql, fixture.organization.id, chunk))
  while ((await next()).isUnfinished);
}

/** As by kill -9, when all is counted and nothing committed. */
async function cutFold(): Promise<void> {
  const cut = fixture.server.database.sqlTransaction(async (sql) => {
    await foldChunk(sql, fixture.organization.id, 20)
    await sql.query('select pg_terminate_backend(pg_backend_pid())')
  })
  await expect(cut).rejects.toThrow(/terminat|clos/i)
}

/**
 * The same numbers from the clocks as they are stored, by local date; open time is counted in SQL from the hours of each
 * local day. Nothing of the milestones or of the compiled schedule is used.
 */
const RECOUNT = `
with told as (
  select kind, 'MET' as what, ended_at as at, null::timestamptz as late_from from clock where state = 'met'
  union all select kind, 'BREACHED', breached_at, null from clock where breached_at is not null
  union all select kind, 'OVERRUN', ended_at, breached_at from clock where breached_at is not null and ended_at is not null)
select upper(regexp_replace(kind, '([A-Z])', '_\\1')) || '_SLA_' || what as metric, (at at time zone '${ZONE}')::date::text as day,
  count(*)::int as count,
  round(sum(case when what = 'OVERRUN' then (
    select coalesce(sum(extract(epoch from upper(open) - lower(open))), 0) * 1000
    from generate_series(date_trunc('day', late_from at time zone '${ZONE}'), at at time zone '${ZONE}', '1 day') as day
      cross join lateral (select tstzrange((day + time '08:30') at time zone '${ZONE}', (day + time '21:15') at time zone '${ZONE}')
        * tstzrange(late_from, at) as open) hours
    where extract(isodow from day) < 7 and not isempty(open)) end))::float8 as ms
from told group by 1, 2 order by 2, 1`

describe('numbers of targets equal the recount of the clocks', () => {
  it.each([1, 2])('over random histories, hours of a zone and folds that are cut off (seed %i)', async (seed) => {
    const random = new Random(seed)
    const { database } = fixture.server
    const { value: schedule } = await fixture.run<{ id: string }>(
      admin,
      'mutation ($input: CreateScheduleInput!) { createSchedule(input: $input) { id } }',
      { input: { name: `Hours ${seed}`, timezone: ZONE, spans: [{ days: DAYS, opens: '08:30', closes: '21:15' }] } },
    )
    await policy({
      schedule: schedule.id,
      targets: targets({ QUEUE: 20, FIRST_RESPONSE: 45, NEXT_RESPONSE: 30, RESOLUTION: 180 }),
    })
    const ids = await Promise.all(Array.from({ length: 6 }, wait))
    const steps: ((id: string) => Promise<unknown>)[] = [
      (id) => fixture.send(bot, id, { role: 'CONTACT', text: 'a question' }),
      (id) => fixture.send(random.pick([ann, ben]), id, { role: 'AGENT', text: 'an answer' }),
      (id) => fixture.command(random.pick([ann, ben]), id, '/accept'),
      (id) => fixture.command(ann, id, '/leave'),
      (id) => fixture.command(ben, id, '/leave'),
      (id) => fixture.command(bot, id, '/enqueue'),
      (id) => (random.chance(0.1) ? fixture.command(ann, id, '/block') : Promise.resolve()),
    ]
    for (let step = 0; step < 50; step++) {
      await signIn()
      await Promise.all(ids.map((id) => random.pick(steps)(id)))
      pass(Math.floor(random.chance(0.2) ? random.between(100, 700) : random.between(0, 40)))
      if (random.chance(0.2)) await cutFold()
      if (random.chance(0.3)) await fold(1 + Math.floor(random.between(0, 30)))
    }
    await signIn()
    await tellDue()
    const recount = await database.query<{ metric: string; day: string; count: number; ms: number | null }>(RECOUNT)
    const expected = recount.map(({ metric, day, count, ms }) => `${day} ${metric} ${count} ${ms ?? ''}`)
    expect(expected.length).toBeGreaterThan(10)
    const format = new Intl.DateTimeFormat('sv-SE', { timeZone: ZONE, dateStyle: 'short' })
    for (const isFolded of [false, true]) {
      if (isFolded) await fold()
      const { lines } = await report(['DAY'])
      const reported = lines.flatMap(({ start, values }) =>
        values
          .filter(({ count }) => count > 0)
          .map(({ metric, count, totalMs }) => {
            const ms = metric.endsWith('OVERRUN') ? totalMs : ''
            return `${format.format(Date.parse(start!))} ${metric} ${count} ${ms}`
          }),
      )
      expect(reported.toSorted()).toEqual(expected.toSorted())
    }
  })

  it('and go on counting a missed target when another policy is applied later', async () => {
    await policy({ targets: targets({ QUEUE: 10 }) })
    const id = await wait()
    pass(15)
    await tellDue()
    await fixture.server.database.query('delete from sla_policy')
    await policy({ targets: targets({ QUEUE: 60 }) })
    const reapply = 'mutation ($id: ID!) { reapplySla(conversation: $id) { id } }'
    await fixture.run(admin, reapply, { id })
    await fixture.command(ann, id, '/accept')
    // The first promise was broken and told; the second one was kept.
    expect(told((await report([])).totals)).toEqual(['QUEUE_SLA_MET 1', 'QUEUE_SLA_BREACHED 1'])
  })

  it('and credit what another policy counts later to those who did it', async () => {
    await policy({ targets: targets({ RESOLUTION: 600 }) })
    const id = await wait()
    await fixture.command(ann, id, '/accept')
    pass(15)
    await fixture.send(ann, id, { role: 'AGENT', text: 'Hi' })
    await fixture.command(ben, id, '/accept')
    await fixture.command(ann, id, '/leave')
    await fixture.server.database.query('delete from sla_policy')
    await policy({ targets: targets({ QUEUE: 60, FIRST_RESPONSE: 10 }) })
    await fixture.run(admin, 'mutation ($id: ID!) { reapplySla(conversation: $id) { id } }', { id })
    const { lines } = await report(['USER'])
    const by = Object.fromEntries(lines.map(({ user, values }) => [user?.name, told(values)]))
    // Ben has it now; Ann had it when the answer was due, and answered.
    expect(by).toMatchObject({
      Ann: ['QUEUE_SLA_MET 1', 'FIRST_RESPONSE_SLA_BREACHED 1', 'FIRST_RESPONSE_SLA_OVERRUN 1'],
    })
    expect(by.Ben ?? []).toEqual([])
  })
})
