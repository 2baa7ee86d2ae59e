import type { Client } from 'pg'
import {
  CompiledSchedule,
  dateOf,
  type ScheduleException,
  type ScheduleHours,
} from '../../src/modules/schedules/compiled-schedule.js'
import { DAYS, timeOf, type DayTimes, type OpeningHours } from '../../src/modules/schedules/opening-hours.js'
import { parseExceptions, parseSpans } from '../../src/modules/schedules/schedule-input.js'
import { offsetAt, offsetsIn } from '../../src/modules/schedules/zone-offsets.js'
import { Random } from '../chaos/random.js'

interface Case {
  hours: ScheduleHours
  from: number
  to: number
  /** After how many open minutes it is due. */
  n: number
  /** By the compiled schedule. */
  open: number
  due: number | null
}

interface Counted {
  open: number
  nth: Date | null
  /** True if both know the same changes of the clock. */
  isSame: boolean
}

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000
const BATCH = 500

/**
 * Compares random schedules with minutes counted in SQL: how many minutes between two instants are open, and when a
 * number of them has passed. Half of the spans of time are around changes of the clock.
 * @returns the differences, how many zones occurred, and how many cases were skipped because this runtime and the
 *   database know different changes of the clock
 */
export async function compareWithSql(
  client: Client,
  { cases, seed }: { cases: number; seed: number },
): Promise<{ differences: string[]; skipped: number; zones: number; minutes: number }> {
  const random = new Random(seed)
  const zones = shuffled(await knownZones(client), random)
  const differences: string[] = []
  let [minutes, skipped] = [0, 0]
  for (let done = 0; done < cases; done += BATCH) {
    const batch = Array.from({ length: Math.min(BATCH, cases - done) }, (_, index) =>
      randomCase(random, zones[(done + index) % zones.length]!),
    )
    const { rows } = await client.query<Counted>(COUNT, [JSON.stringify(batch.map(asGiven))])
    for (const [index, { hours, from, to, n, open, due }] of batch.entries()) {
      const { open: counted, nth, isSame } = rows[index]!
      if (!isSame) {
        skipped++
        continue
      }
      minutes += counted
      const found = nth === null ? null : nth.getTime() + MINUTE_MS
      const isDueLater = found === null && (due === null || due > to)
      if (open === counted && (found === due || isDueLater)) continue
      const shown = { ...hours, from: new Date(from), to: new Date(to), n, open, counted, due, found }
      differences.push(JSON.stringify(shown))
    }
  }
  return { differences, skipped, zones: Math.min(zones.length, cases), minutes }
}

/** Zones that both this runtime and the database know. */
async function knownZones(client: Client): Promise<string[]> {
  const known = new Set(Intl.supportedValuesOf('timeZone'))
  const { rows: names } = await client.query<{ name: string }>('select name from pg_timezone_names order by name')
  return names.map(({ name }) => name).filter((name) => known.has(name))
}

const shuffled = <Item>(items: readonly Item[], random: Random): Item[] =>
  items
    .map((item) => ({ item, at: random.next() }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ item }) => item)

function randomCase(random: Random, timezone: string): Case {
  const below = (max: number): number => Math.floor(random.next() * max)
  const hours = randomHours(below, timezone)
  const year = 2024 + below(5)
  const changes = offsetsIn(timezone, year).slice(1)
  const around =
    changes.length > 0 && below(2) === 0
      ? changes[below(changes.length)]!.from - below(8 * 60) * MINUTE_MS
      : Date.UTC(year, 0) + below(365 * 1_440) * MINUTE_MS
  const from = Math.floor(around / MINUTE_MS) * MINUTE_MS
  const to = from + (1 + below(below(50) === 0 ? 20_000 : 900)) * MINUTE_MS
  const compiled = new CompiledSchedule(hours)
  const open = compiled.openMs(from, to) / MINUTE_MS
  const n = 1 + below(open + 2)
  return { hours, from, to, n, open, due: compiled.dueAfter(from, n * MINUTE_MS) }
}

type Below = (max: number) => number

/** Draws until the input is one that the server takes. */
function randomHours(below: Below, timezone: string): ScheduleHours {
  for (;;) {
    try {
      const spans = parseSpans(
        Array.from({ length: below(5) }, () => randomSpan(below)),
        'spans',
      )
      const exceptions = Array.from({ length: below(4) }, () => randomException(below))
      return { timezone, spans, exceptions: parseExceptions(exceptions, 'exceptions') }
    } catch {
      // They overlap.
    }
  }
}

function randomSpan(below: Below): OpeningHours {
  const days = DAYS.filter(() => below(3) > 0)
  return { days: days.length > 0 ? days : ['Sun'], ...randomTimes(below) }
}

function randomTimes(below: Below): DayTimes {
  // Many around the hours at which clocks change, and at midnight.
  const minute = (): number => (below(2) === 0 ? below(5 * 60) : below(1_440))
  const closes = below(10) === 0 ? '24:00' : timeOf(minute())
  return { opens: timeOf(minute()), closes }
}

function randomException(below: Below): ScheduleException {
  const day = 19_600 + below(6 * 365)
  const lastDay = dateOf(day + below(below(2) === 0 ? 2 : 200))
  return {
    firstDay: dateOf(day),
    lastDay,
    name: null,
    spans: Array.from({ length: below(3) }, () => randomTimes(below)),
  }
}

function asGiven({ hours, from, to, n }: Case): object {
  const year = new Date(from).getUTCFullYear()
  const changes = [...offsetsIn(hours.timezone, year), ...offsetsIn(hours.timezone, year + 1)]
  const points = [from, to, ...changes.flatMap((change) => [change.from - MINUTE_MS, change.from])]
  return {
    ...hours,
    from: new Date(from),
    to: new Date(to),
    n,
    days: Math.ceil((to - from) / DAY_MS) + 2,
    points: points.map((at) => ({ at: new Date(at), offset: offsetAt(hours.timezone, at) })),
  }
}

/** Counts minute by minute, whether its local time is in a period that began on its date or the day before. */
const COUNT = `
with given as materialized (
  select x.*, i from jsonb_array_elements($1::jsonb) with ordinality as e(one, i)
    cross join lateral jsonb_to_record(one) as x(timezone text, spans jsonb, exceptions jsonb, "from" timestamptz,
      "to" timestamptz, n int, days int, points jsonb)
), day as (
  select g.i, d::date as day, (select x.spans from jsonb_to_recordset(g.exceptions) as x("firstDay" date, "lastDay" date,
    spans jsonb) where d between x."firstDay" and x."lastDay") as other, g.spans
  from given g cross join lateral generate_series((g."from" at time zone g.timezone)::date - 1,
    (g."from" at time zone g.timezone)::date + g.days, '1 day') as d
), period as materialized (
  select i, day + s.opens as opens, day + s.closes + case when s.closes <= s.opens then interval '1 day' else '0' end as closes
  from day cross join lateral (
    select x.opens::interval as opens, x.closes::interval as closes
    from jsonb_to_recordset(other) as x(opens text, closes text) where other is not null
    union all
    select x.opens::interval, x.closes::interval
    from jsonb_to_recordset(spans) as x(opens text, closes text, days jsonb)
    where other is null and x.days ? to_char(day, 'Dy')
  ) s
), periods as materialized (
  select i, array_agg(opens) as opens, array_agg(closes) as closes from period group by i
)
select count(at)::int as open, (array_agg(at order by at))[max(g.n)] as nth,
  (select bool_and(extract(epoch from (x.at at time zone g.timezone) - (x.at at time zone 'UTC')) * 1000 = x."offset")
   from jsonb_to_recordset(g.points) as x(at timestamptz, "offset" float8)) as "isSame"
from given g left join periods p on p.i = g.i left join lateral (
  select at from generate_series(g."from", g."to" - interval '1 minute', '1 minute') as at,
    lateral (select at at time zone g.timezone as local) l
  where exists (select from unnest(p.opens, p.closes) as s(opens, closes) where l.local >= s.opens and l.local < s.closes)
) m on true
group by g.i, g.timezone, g.points order by g.i`
