import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { Random } from '../../bench/fuzz/random.js'
import { foldChunk } from '../../src/modules/reports/fold.js'
import { measuresOf, METRICS, REPORT_METRICS } from '../../src/modules/reports/metrics.js'
import { cellsStatement, type ReportCell } from '../../src/modules/reports/report-query.js'
import { beginningsOf } from '../../src/modules/reports/time-buckets.js'
import { startTestServer, type TestServer } from '../support/test-server.js'
import { until } from '../support/until.js'

const QUARTER_MS = 900_000
const HOUR_MS = 3_600_000
const KINDS = [
  'created',
  'queued',
  'accepted',
  'agentLeft',
  'consumerTurn',
  'agentTurn',
  'abandoned',
  'closed',
  'asked',
  'rated',
  'offered',
  'offerEnded',
  'agentState',
  'transferred',
  'received',
  'occupied',
  'held',
  'proposed',
  'proposalEnded',
  'clockMet',
  'clockBreached',
  'clockOverrun',
] as const

const CLOCKS = ['queue', 'firstResponse', 'nextResponse', 'resolution']

const DETAILS: Partial<Record<(typeof KINDS)[number], readonly string[]>> = {
  accepted: ['inTime', 'late'],
  abandoned: ['short', 'long'],
  offered: [randomUUID()],
  offerEnded: ['accepted', 'declined', 'expired', 'withdrawn'],
  ...{ clockMet: CLOCKS, clockBreached: CLOCKS, clockOverrun: CLOCKS },
  transferred: ['agent', 'queue'],
  proposalEnded: ['accepted', 'edited', 'rejected', 'ignored'],
  rated: ['1', '2', '3', '4', '5', 'up', 'down'],
  occupied: ['conversations', 'wrapUp'],
  agentState: ['available', 'busy', 'away', 'offline', 'notResponding', 'wrapUp'],
}

/** Record of what a test wrote: the model from which it expects numbers without asking the database. */
interface Written {
  kind: (typeof KINDS)[number]
  at: number
  user: string | null
  channels: string[]
  touchpoint: string | null
  category: string | null
  ms: number | null
  turn: number | null
  detail: string | null
}

describe('the numbers of reports', () => {
  let server: TestServer
  let org1: string
  const users = [randomUUID(), randomUUID(), randomUUID()]
  const channels = [randomUUID(), randomUUID(), randomUUID()].toSorted()
  beforeAll(async () => {
    server = await startTestServer()
    org1 = (await server.makeOrganization()).id
  })
  afterAll(() => server.close())

  const database = () => server.server.database
  const fold = (chunk: number) => database().sqlTransaction((sql) => foldChunk(sql, org1, chunk))
  const clear = async (): Promise<void> => {
    await database().query('truncate milestone, report_slot, report_group, report_fold')
  }

  async function write(rows: readonly Written[]): Promise<void> {
    await database().query(
      `insert into milestone (conversation_id, nth, kind, at, org1, user_id, channels, touchpoint, category, ms, turn, detail)
       select gen_random_uuid(), 1, kind, at, $2, "user", channels, touchpoint, category, ms, turn, detail
       from jsonb_to_recordset($1::jsonb) as x(kind text, at timestamptz, "user" uuid, channels uuid[], touchpoint text, category text,
         ms bigint, turn int, detail text)`,
      [JSON.stringify(rows.map((row) => ({ ...row, at: new Date(row.at) }))), org1],
    )
  }

  function randomRow(random: Random, from: number, to: number): Written {
    const kind = KINDS[random.below(KINDS.length)]!
    const isTimed = kind !== 'created' && kind !== 'queued' && kind !== 'consumerTurn'
    return {
      kind,
      at: from + random.below(to - from),
      user: kind === 'created' || kind === 'queued' ? null : users[random.below(users.length)]!,
      channels: channels.filter(() => random.below(2) === 0),
      ms: isTimed && random.below(8) > 0 ? random.below(10 ** (1 + random.below(8))) : null,
      turn: kind === 'agentTurn' ? 1 + random.below(2) : null,
      touchpoint: [null, 'web', 'email'][random.below(3)]!,
      category: [null, 'sales', 'help'][random.below(3)]!,
      detail: DETAILS[kind]?.[random.below(DETAILS[kind].length)] ?? null,
    }
  }

  interface Asked {
    from: number
    to: number
    unit: 'hour' | 'day' | 'week' | 'month' | null
    by: ('user' | 'channel' | 'touchpoint' | 'category')[]
    timezone: string
    filter?: { channels?: string[]; users?: string[]; touchpoints?: string[] }
  }

  /** Count, measured and milliseconds of each metric, by beginning, user and channel. */
  async function reported({ from, to, unit, by, timezone, filter = {} }: Asked): Promise<Map<string, number[]>> {
    const span = { from: from / QUARTER_MS, to: to / QUARTER_MS }
    const beginnings = await beginningsOf(database(), unit, span, timezone)
    const measures = measuresOf(REPORT_METRICS)
    const scope = { tenant: { path: [org1] as const }, org1, channels: null }
    const query = {
      beginnings,
      to: span.to,
      measures,
      by,
      filter,
      byClass: false,
      rowsMax: 1_000_000,
      now: new Date(0),
    }
    const { text, values } = cellsStatement(scope, query)
    const cells = await database().query<ReportCell>(text, values)
    const lines = new Map<string, number[]>()
    for (const metric of REPORT_METRICS) {
      const { measure, isTimed } = METRICS[metric]
      for (const cell of cells.filter((each) => each.measure === measure.code)) {
        if (isTimed && cell.timed === 0) continue
        const start = beginnings[cell.bucket]! * QUARTER_MS
        const key = [metric, start, ...by.map((dimension) => cell[dimension] ?? null)].join(' ')
        lines.set(key, isTimed ? [cell.timed, cell.ms] : [cell.count])
      }
    }
    return new Map([...lines].toSorted())
  }

  /** The same from the rows that the test wrote. @param startOf where the unit of an instant begins */
  function modelled(rows: readonly Written[], asked: Asked, startOf: (at: number) => number): Map<string, number[]> {
    const lines = new Map<string, number[]>()
    for (const metric of REPORT_METRICS) {
      const { measure, isTimed } = METRICS[metric]
      for (const row of rows) {
        if (row.kind !== measure.kind || row.at < asked.from || row.at >= asked.to) continue
        if (measure.details && !measure.details.includes(row.detail ?? '')) continue
        if ((measure.isFirst && row.turn !== 1) || (isTimed && row.ms === null)) continue
        const { channels: wanted, users: agents, touchpoints } = asked.filter ?? {}
        if (wanted && !row.channels.some((channel) => wanted.includes(channel))) continue
        if (agents && !agents.includes(row.user ?? '')) continue
        if (touchpoints && !touchpoints.includes(row.touchpoint ?? '')) continue
        const counted = row.channels.filter((channel) => !wanted || wanted.includes(channel))
        for (const channel of asked.by.includes('channel') && counted.length > 0 ? counted : [null]) {
          const value = { ...row, channel }
          const key = [metric, startOf(row.at), ...asked.by.map((dimension) => value[dimension] ?? null)].join(' ')
          const line = lines.get(key) ?? (isTimed ? [0, 0] : [0])
          line[0]! += 1
          if (isTimed) line[1]! += row.ms!
          lines.set(key, line)
        }
      }
    }
    return new Map([...lines].toSorted())
  }

  /** Finds where days begin, by the calendar of this runtime: the first quarter of an hour of each local date. */
  function dayStarts(timezone: string, from: number, to: number): (at: number) => number {
    const format = new Intl.DateTimeFormat('sv-SE', { timeZone: timezone, dateStyle: 'short' })
    const starts = [from]
    let local = format.format(from)
    for (let at = from; at < to; at += 12 * HOUR_MS) {
      const end = Math.min(at + 12 * HOUR_MS, to - QUARTER_MS)
      if (format.format(end) === local) continue
      let quarter = at
      while (format.format(quarter) === local) quarter += QUARTER_MS
      starts.push(quarter)
      local = format.format(quarter)
    }
    return (at) => starts.findLast((start) => start <= at)!
  }

  it.each([1, 2, 3])('equal a model over random histories, however much of them is folded (seed %i)', async (seed) => {
    await clear()
    const random = new Random(seed)
    const from = Date.UTC(2026, 2, 20)
    const to = Date.UTC(2026, 3, 10)
    const rows: Written[] = []
    for (let round = 0; round < 12; round++) {
      const added = Array.from({ length: 1 + random.below(120) }, () => randomRow(random, from, to))
      await write(added)
      rows.push(...added)
      if (random.below(3) > 0) await fold(1 + random.below(200))
      const start = from + random.below(10 * 96) * QUARTER_MS
      const span = { from: start, to: start + (1 + random.below(10 * 96)) * QUARTER_MS }
      const filter = {
        ...(random.below(3) === 0 && { channels: channels.slice(random.below(2)) }),
        ...(random.below(3) === 0 && { users: users.slice(random.below(2)) }),
        ...(random.below(4) === 0 && { touchpoints: ['web'] }),
      }
      const by = (['user', 'channel', 'touchpoint', 'category'] as const)
        .filter(() => random.below(2) === 0)
        .slice(0, 3)
      const whole: Asked = { ...span, unit: null, by, timezone: 'UTC', filter }
      expect(await reported(whole)).toEqual(modelled(rows, whole, () => span.from))
      const timezone = ['Europe/Amsterdam', 'Asia/Kathmandu', 'America/Havana', 'Pacific/Chatham'][random.below(4)]!
      const days: Asked = { ...span, unit: 'day', by, timezone, filter }
      expect(await reported(days)).toEqual(modelled(rows, days, dayStarts(timezone, span.from, span.to)))
    }
  })

  /** Zones that both this runtime and the database know. */
  async function knownZones(): Promise<string[]> {
    const known = new Set(Intl.supportedValuesOf('timeZone'))
    const names = await database().query<{ name: string }>('select name from pg_timezone_names')
    return names.map(({ name }) => name).filter((name) => known.has(name))
  }

  it('equal the recount by local date in every time zone, over the changes of a year', async () => {
    await clear()
    const random = new Random(7)
    const from = Date.UTC(2026, 0, 1)
    const to = Date.UTC(2027, 0, 30)
    const rows = Array.from({ length: 1_500 }, () => randomRow(random, from, to))
    await write(rows)
    for (let left = true; left;) left = (await fold(1_000)).isUnfinished
    await write(rows.slice(0, 300))
    // As autovacuum does within a minute: without statistics of so many new rows a report takes 50 times as long.
    await database().query('analyze')
    // Zones with the same offset at every noon and midnight of the span are the same to a report: one of each is asked.
    const zones = await database().query<{ name: string; count: number }>(
      `select min(name) as name, count(*) as count from (
         select z.name, md5(string_agg(((at at time zone z.name) - (at at time zone 'UTC'))::text, ' ' order by at)) as offsets
         from unnest($3::text[]) as z(name) cross join generate_series($1::timestamptz, $2::timestamptz, '12 hours') as at
         group by 1) zones group by offsets order by 1`,
      [new Date(from), new Date(to), await knownZones()],
    )
    expect(zones.reduce((sum, { count }) => sum + count, 0)).toBeGreaterThan(380)
    // A quarter of them in each run; all with ZONES=all, which takes minutes.
    const part = process.env.ZONES === 'all' ? 1 : 4
    for (const { name: timezone } of zones.filter((_, index) => index % part === 0)) {
      const cells = await reported({ from, to, unit: 'day', by: [], timezone })
      const [recount] = await database().query<{ days: Record<string, number> }>(
        `select jsonb_object_agg(day, count) as days from (
           select (at at time zone $1)::date as day, count(*) from milestone where kind = 'closed' and at >= $2 and at < $3
           group by 1) counted`,
        [timezone, new Date(from), new Date(to)],
      )
      const format = new Intl.DateTimeFormat('sv-SE', { timeZone: timezone, dateStyle: 'short' })
      const days = [...cells].flatMap(([key, [count]]) => {
        const [metric, start] = key.split(' ')
        // Two hours in, for zones whose changes this runtime and the database know differently.
        return metric === 'closed' ? [[format.format(Number(start) + 2 * HOUR_MS), count] as const] : []
      })
      expect([timezone, Object.fromEntries(days)]).toEqual([timezone, recount!.days])
    }
  })

  it('miss no transaction that commits late, and count none twice when a fold is cut off', async () => {
    await clear()
    const random = new Random(9)
    const from = Date.UTC(2026, 5, 1)
    const to = Date.UTC(2026, 5, 2)
    const asked: Asked = { from, to, unit: null, by: ['user'], timezone: 'UTC' }
    const rows: Written[] = []
    const add = async (): Promise<void> => {
      const row = randomRow(random, from, to)
      await write([row])
      rows.push(row)
    }
    for (let round = 0; round < 8; round++) {
      const late = randomRow(random, from, to)
      let commit!: () => void
      let written!: () => void
      const isWritten = new Promise<void>((resolve) => (written = resolve))
      const released = new Promise<void>((resolve) => (commit = resolve))
      const slow = database().sqlTransaction(async (sql) => {
        await sql.query(
          `insert into milestone (conversation_id, nth, kind, at, org1, user_id, channels, ms, turn, touchpoint, category, detail)
           values (gen_random_uuid(), 1, $1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
          [
            late.kind,
            new Date(late.at),
            org1,
            late.user,
            late.channels,
            late.ms,
            late.turn,
            late.touchpoint,
            late.category,
            late.detail,
          ],
        )
        written()
        await released
      })
      await isWritten
      await add()
      await fold(5)
      await add()
      expect(await reported(asked)).toEqual(modelled(rows, asked, () => from))
      // Cut off when all is counted but nothing committed, as by kill -9.
      const cut = database().sqlTransaction(async (sql) => {
        await foldChunk(sql, org1, 100)
        await sql.query('select pg_terminate_backend(pg_backend_pid())')
      })
      await expect(cut).rejects.toThrow(/terminat|clos/i)
      expect(await reported(asked)).toEqual(modelled(rows, asked, () => from))
      commit()
      await slow
      rows.push(late)
      expect(await reported(asked)).toEqual(modelled(rows, asked, () => from))
      await Promise.all([fold(100), fold(100), fold(100)])
      expect(await reported(asked)).toEqual(modelled(rows, asked, () => from))
    }
    // A transaction that runs in another database of the server is older than the last of them for a moment.
    await until(async () => {
      await fold(100)
      const [left] = await database().query<{ count: number }>(
        'select count(*) as count from milestone m join report_fold f on f.org1 = m.org1 where m.xid >= f.xid',
      )
      return left!.count === 0
    })
    expect(await reported(asked)).toEqual(modelled(rows, asked, () => from))
  })

  it('are counted anew in a database that was filled from another one', async () => {
    await clear()
    const from = Date.UTC(2026, 5, 1)
    const to = Date.UTC(2026, 5, 2)
    const random = new Random(11)
    const rows = Array.from({ length: 50 }, () => randomRow(random, from, to))
    await write(rows)
    await fold(20)
    // As restored: transactions of the other database, of which this one has not reached the ids yet.
    await database().query(`update milestone set xid = '9000000000'`)
    await database().query('update installation set database_id = 1')
    const { adoptMilestones } = await import('../../src/modules/reports/fold-job.js')
    await database().sqlTransaction((sql) => adoptMilestones(sql))
    const asked: Asked = { from, to, unit: null, by: ['user'], timezone: 'UTC' }
    expect(await reported(asked)).toEqual(modelled(rows, asked, () => from))
    for (let left = true; left;) left = (await fold(20)).isUnfinished
    expect(await reported(asked)).toEqual(modelled(rows, asked, () => from))
  })
})
