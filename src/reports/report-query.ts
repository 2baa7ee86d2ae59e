import { tenantSql, type TenantScope } from '../db/tenancy.js'
import { BUCKET_SQL, BY_CLASS, MEASURES_OF_SQL, QUARTER_MS, QUARTER_SQL } from './measures.js'
import type { ReportFilter, ReportRequest } from './report-input.js'
import { slotRanges } from './time-buckets.js'

type Dimension = ReportRequest['by'][number]

/** What is counted in one line for one measure; with durations by class, those too: class 0 is the sum of all. */
export interface ReportCell {
  bucket: number
  measure: number
  class?: number
  count: number
  /** How many of them have a duration. */
  timed: number
  ms: number
  channel?: string | null
  user?: string | null
  touchpoint?: string | null
  category?: string | null
  organization?: string | null
}

export interface ReportScope {
  tenant: TenantScope
  /** Level-1 organization. */
  org1: string
  /** Limits a supervisor to these channels. */
  channels: readonly string[] | null
}

export interface CellsQuery {
  beginnings: readonly number[]
  to: number
  measures: readonly number[]
  by: readonly Dimension[]
  filter: ReportFilter
  /** Whether durations are needed by class, for percentiles. */
  byClass: boolean
  rowsMax: number
}

/** Columns of `report_group` and `milestone` alike, at an alias. */
const DIMENSIONS: Readonly<Record<Dimension, (alias: string) => string>> = {
  channel: () => 'ch.channel',
  user: (alias) => `${alias}.user_id`,
  touchpoint: (alias) => `${alias}.touchpoint`,
  category: (alias) => `${alias}.category`,
  organization: (alias) => `coalesce(${alias}.org3, ${alias}.org2, ${alias}.org1)`,
}

/**
 * The numbers of a report: what is folded, and the milestones that are not. One statement sees both as of one moment, so
 * each milestone counts once.
 */
export function cellsStatement(scope: ReportScope, query: CellsQuery): { text: string; values: unknown[] } {
  const { beginnings, to, measures, by, byClass, rowsMax } = query
  const ranges = slotRanges(beginnings, to)
  const values: unknown[] = [
    scope.org1,
    ranges.map(({ bucket }) => bucket),
    ranges.map(({ span }) => span),
    ranges.map(({ from }) => from),
    ranges.map(({ to: end }) => end),
    byClass ? measures.flatMap((code) => [code, code + BY_CLASS]) : measures,
    beginnings,
    new Date(beginnings[0]! * QUARTER_MS),
    new Date(to * QUARTER_MS),
  ]
  const isVisible = (alias: string): string => visibleSql(scope, query.filter, alias, values)
  const names = by.map((dimension) => `"${dimension}"`)
  const dimensions = (alias: string): string[] =>
    by.map((dimension) => `${DIMENSIONS[dimension](alias)} as "${dimension}"`)
  const perChannel = by.includes('channel') ? channelsSql(scope, query.filter, values) : () => ''
  const keys = ['bucket', 'measure', ...(byClass ? ['class'] : []), ...names]
  const keyClass = (column: string): string[] => (byClass ? [`${column} as class`] : [])
  const text = `
with ranges as (select * from unnest($2::int[], $3::smallint[], $4::int[], $5::int[]) as r(bucket, span, "from", "to")),
  groups as materialized (
    select ${['g.id', ...dimensions('g')].join(', ')} from report_group g ${perChannel('g')}
    where g.org1 = $1 and ${isVisible('g')}),
  folded as (
    select ${['r.bucket', `s.measure % ${BY_CLASS} as measure`, ...keyClass('s.bucket'), ...names].join(', ')},
      s.count, s.ms, s.timed
    -- A scan of the key for each range: joined as a whole, every slot would be compared with every range.
    from ranges r cross join lateral (
      select * from report_slot s where s.org1 = $1 and s.measure = any($6::smallint[]) and s.span = r.span
        and s.quarter >= r."from" and s.quarter < r."to" offset 0) s
    join groups g on g.id = s.group_id),
  recent as (
    select ${[`width_bucket(${QUARTER_SQL}, $7::int[]) - 1 as bucket`, 'x.measure', ...keyClass('k.class'), ...dimensions('m')].join(', ')},
      1 as count, coalesce(m.ms, 0) as ms, case when m.ms is null then 0 else 1 end as timed
    from milestone m cross join lateral unnest(${MEASURES_OF_SQL}) as x(measure) ${byClass ? CLASSES : ''} ${perChannel('m')}
    where m.org1 = $1 and m.xid >= coalesce((select f.xid from report_fold f where f.org1 = $1), '0'::xid8)
      and m.at >= $8 and m.at < $9 and x.measure = any($6::smallint[]) and ${isVisible('m')})
select ${keys.join(', ')}, sum(count)::int8 as count, sum(timed)::int8 as timed, sum(ms)::int8 as ms
from (select * from folded union all select * from recent) as counted
group by ${keys.join(', ')} limit ${rowsMax}`
  return { text, values }
}

/** Class 0 is the sum of all; a duration counts in its own class as well. */
const CLASSES = `cross join lateral (
      select 0::smallint as class union all select ${BUCKET_SQL} where m.ms is not null) k`

/** One row for each channel of a group or milestone that is asked for and visible; one without a channel if it has none. */
function channelsSql(scope: ReportScope, filter: ReportFilter, values: unknown[]): (alias: string) => string {
  const limits = [filter.channels, scope.channels].filter((limit) => limit !== undefined && limit !== null)
  const conditions = limits.map((limit) => `channel = any($${values.push(limit)}::uuid[])`)
  const where = conditions.length > 0 ? ` where ${conditions.join(' and ')}` : ''
  return (alias) => `left join lateral (select channel from unnest(${alias}.channels) as channel${where}) ch on true`
}

/** The condition for a group or milestone that the caller may see and the filter lets through. */
export function visibleSql(
  { tenant, channels: supervised }: ReportScope,
  { channels, users, touchpoints, categories, organizations }: ReportFilter,
  alias: string,
  values: unknown[],
): string {
  const given = (value: unknown): string => `$${values.push(value)}`
  return [
    tenantSql(tenant, alias, values),
    ...(supervised ? [`${alias}.channels && ${given(supervised)}::uuid[]`] : []),
    ...(channels ? [`${alias}.channels && ${given(channels)}::uuid[]`] : []),
    ...(users ? [`${alias}.user_id = any(${given(users)}::uuid[])`] : []),
    ...(touchpoints ? [`${alias}.touchpoint = any(${given(touchpoints)}::text[])`] : []),
    ...(categories ? [`${alias}.category = any(${given(categories)}::text[])`] : []),
    ...(organizations ? [`${DIMENSIONS.organization(alias)} = any(${given(organizations)}::uuid[])`] : []),
  ].join(' and ')
}
