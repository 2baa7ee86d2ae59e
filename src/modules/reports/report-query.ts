import { tenantSql, type TenantScope } from '../../platform/db/tenancy.js'
import { isAtWorkSql, occupancySql } from '../staffing/occupancy.js'
import { piecesSql } from '../staffing/pieces.js'
import { GOES_ON } from '../staffing/state-milestone.js'
import {
  CLASS_OF_PACKED,
  CLASS_SQL,
  COUNT_OF_PACKED,
  CUBES,
  hasClasses,
  kindsOf,
  MEASURES_OF_SQL,
  QUARTER_MS,
  QUARTER_SECONDS,
  QUARTER_SQL,
  type Cube,
} from './measures.js'
import type { ReportFilter, ReportRequest } from './report-input.js'
import { slotRanges } from './time-buckets.js'

/** `channels` is the set of channels for which something counts once. */
type Dimension = ReportRequest['by'][number] | 'channels'

/** Counts of one measure in one line. */
export interface ReportCell {
  bucket: number
  measure: number
  count: number
  /** Number of them that have a duration. */
  timed: number
  ms: number
  /** Classes of durations within which these percents are, if there are any and they were asked for. */
  p50?: number | null
  p90?: number | null
  p95?: number | null
  channel?: string | null
  channels?: readonly string[]
  user?: string | null
  reason?: string | null
  bot?: string | null
  proposalKind?: string | null
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
  /** True if durations are needed by class, for percentiles. */
  byClass: boolean
  rowsMax: number
  /** Up to when states that agents are in count. */
  now: Date
}

/** Columns of `report_group` and `milestone` alike, at an alias. */
const DIMENSIONS: Readonly<Record<Dimension, (alias: string) => string>> = {
  channel: () => 'ch.channel',
  channels: (alias) => `${alias}.channels`,
  user: (alias) => `${alias}.user_id`,
  reason: (alias) => `${alias}.reason_id`,
  bot: (alias) => `${alias}.bot_id`,
  proposalKind: (alias) => `${alias}.proposal_kind`,
  touchpoint: (alias) => `${alias}.touchpoint`,
  category: (alias) => `${alias}.category`,
  organization: (alias) => `coalesce(${alias}.org3, ${alias}.org2, ${alias}.org1)`,
}

/** Dimensions that only the cubes of agents tell apart. */
const OF_AGENTS: readonly Dimension[] = ['user', 'reason', 'bot', 'proposalKind']

/** The cube that tells apart all that is asked for, with the fewest rows. */
function cubeOf(by: readonly Dimension[], filter: ReportFilter): Cube {
  const { users, reasons, bots, proposalKinds, touchpoints, categories } = filter
  const isByAgent = OF_AGENTS.some((dimension) => by.includes(dimension))
  if (!isByAgent && !users && !reasons && !bots && !proposalKinds) return 'topics'
  const isByTopic = by.includes('touchpoint') || by.includes('category') || touchpoints || categories
  return isByTopic ? 'whole' : 'agents'
}

/**
 * The numbers of a report: what is folded into slots, and the milestones that are not, or that are within the shortest
 * slot at an end. One statement sees all as of one moment, so each milestone counts once.
 */
export function cellsStatement(scope: ReportScope, query: CellsQuery): { text: string; values: unknown[] } {
  const { beginnings, to, measures, by, byClass, rowsMax, now } = query
  const cube = cubeOf(by, query.filter)
  const spans = CUBES[cube].spans.filter((span) => !byClass || hasClasses(cube, span))
  const ranges = slotRanges(beginnings, to, spans)
  const values: unknown[] = [
    scope.org1,
    ranges.map(({ bucket }) => bucket),
    ranges.map(({ span }) => span),
    ranges.map(({ from }) => from),
    ranges.map(({ to: end }) => end),
    measures,
    beginnings,
    new Date(beginnings[0]! * QUARTER_MS),
    new Date(to * QUARTER_MS),
    kindsOf(measures),
    CUBES[cube].code,
  ]
  const kinds = kindsOf(measures)
  const goingOn = [
    ...(kinds.includes('agentState') ? [runningSql] : []),
    ...(kinds.includes('occupied') || kinds.includes('held') ? [runningOccupancySql] : []),
  ]
  const nowSql = goingOn.length > 0 ? `$${values.push(now)}::timestamptz` : ''
  const running = goingOn.map((sql) => sql(nowSql)).join('')
  const isVisible = (alias: string): string => visibleSql(scope, query.filter, alias, values)
  const names = by.map((dimension) => `"${dimension}"`)
  const dimensions = (alias: string): string[] =>
    by.map((dimension) => `${DIMENSIONS[dimension](alias)} as "${dimension}"`)
  const perChannel = by.includes('channel') ? channelsSql(scope, query.filter, values) : () => ''
  const keys = ['bucket', 'measure', ...names].join(', ')
  const classOf = (column: string): string[] => (byClass ? [`${column} as class`] : [])
  const milestones = (bucket: string): string => `
    select ${[`${bucket} as bucket`, 'x.measure', ...dimensions('m'), ...classOf('k.class')].join(', ')},
      1 as count, k.timed, k.ms
    from m cross join lateral unnest(${MEASURES_OF_SQL}) as x(measure)
      cross join lateral (${byClass ? BY_CLASS : SUM}) as k ${perChannel('m')}
    where x.measure = any($6::smallint[]) and ${isVisible('m')}`
  const counted = `
with ranges as (select * from unnest($2::int[], $3::smallint[], $4::int[], $5::int[]) as r(bucket, span, "from", "to")),
  fold as (select coalesce((select f.xid from report_fold f where f.org1 = $1), '0'::xid8) as xid),
  groups as materialized (
    select ${['g.id', ...dimensions('g')].join(', ')} from report_group g ${perChannel('g')}
    where g.org1 = $1 and g.cube = $11 and ${isVisible('g')}),
  folded as (
    select ${['r.bucket', 's.measure', ...names, ...classOf('k.class')].join(', ')}, k.count, k.timed, k.ms
    -- A scan of the key for each range: joined as a whole, every slot would be compared with every range.
    from ranges r cross join lateral (
      select * from report_slot s where s.org1 = $1 and s.measure = any($6::smallint[]) and s.cube = $11
        and s.span = r.span and s.quarter >= r."from" and s.quarter < r."to" offset 0) s
    join groups g on g.id = s.group_id cross join lateral (${byClass ? UNPACKED : STORED}) as k
    where r.span > 0),
  edges as (
    with m as (
      select r.bucket, m.* from ranges r cross join lateral (
        select * from milestone m where m.org1 = $1 and m.kind = any($10::text[]) and m.xid < (select xid from fold)
          and m.at >= to_timestamp(r."from" * ${QUARTER_SECONDS}.0) and m.at < to_timestamp(r."to" * ${QUARTER_SECONDS}.0)
        offset 0) m
      where r.span = 0)
    ${milestones('m.bucket')}),
  recent as (
    with m as (
      select ${COUNTED} from milestone m
      where m.org1 = $1 and m.xid >= (select xid from fold) and m.at >= $8 and m.at < $9${running})
    ${milestones(`width_bucket(${QUARTER_SQL}, $7::int[]) - 1`)}),
  counted as (select * from folded union all select * from edges union all select * from recent)`
  const sums = (of: string): string =>
    ['count', 'timed', 'ms'].map((each) => `sum(${each})${of}::int8 as ${each}`).join(', ')
  const text = byClass
    ? `${counted},
  merged as (select ${keys}, class, ${sums('')} from counted group by ${keys}, class),
  ranked as (
    select *, sum(count) filter (where class > 0) over (partition by ${keys} order by class) as up_to,
      sum(count) filter (where class > 0) over (partition by ${keys}) as measured
    from merged)
select ${keys}, ${sums(' filter (where class = 0)')}, ${PERCENTILES} from ranked group by ${keys} limit ${rowsMax}`
    : `${counted}
select ${keys}, ${sums('')} from counted group by ${keys} limit ${rowsMax}`
  return { text, values }
}

/** Columns of a milestone that are counted. */
const COUNTED = `m.kind, m.at, m.org1, m.org2, m.org3, m.user_id, m.reason_id, m.bot_id, m.proposal_kind, m.channels, m.touchpoint, m.category, m.ms, m.turn, m.detail`

/** The states that agents are in, in pieces as they will be recorded, for the channels of which they are members now. */
const runningSql = (now: string): string => `
      union all
      select 'agentState', p.at, u.org1, u.org2, u.org3, u.id, s.reason_code_id, null::uuid, null,
        array(select channel_id from channel_member where user_id = u.id order by channel_id), null, null, p.ms, null,
        s.availability || '${GOES_ON}'
      from staff s join app_user u on u.id = s.user_id
        cross join lateral (${piecesSql('greatest(s.since, $8)', `least(${now}, $9)`)}) as p
      where u.org1 = $1 and s.availability <> 'offline' and s.since < least(${now}, $9) and p.at < $9`

/** Occupancy of those who are at work, likewise. */
const runningOccupancySql = (now: string): string => `
      union all
      select o.kind, o.at, u.org1, u.org2, u.org3, u.id, s.reason_code_id, null::uuid, null,
        array(select channel_id from channel_member where user_id = u.id order by channel_id), null, null, o.ms, null, o.detail
      from staff s join app_user u on u.id = s.user_id cross join lateral (${occupancySql({
        user: 'u.id',
        state: 's.availability',
        from: 'greatest(s.since, $8)',
        to: `least(${now}, $9)`,
      })}) as o
      where u.org1 = $1 and ${isAtWorkSql('s.availability')} and s.since < least(${now}, $9) and o.at < $9`

const STORED = 'select s.count, s.timed, s.ms'
/** Class 0 is the sum of all; durations count in their own class as well. */
const UNPACKED = `select 0 as class, s.count::int8, s.timed, s.ms union all
      select ${CLASS_OF_PACKED}, ${COUNT_OF_PACKED}, 0, 0 from unnest(s.classes) as packed`
const SUM = 'select case when m.ms is null then 0 else 1 end as timed, coalesce(m.ms, 0) as ms'
const BY_CLASS = `select 0 as class, case when m.ms is null then 0 else 1 end as timed, coalesce(m.ms, 0) as ms
      union all select ${CLASS_SQL}, 0, 0 where m.ms is not null`
const PERCENTILES = [50, 90, 95]
  .map((part) => `min(class) filter (where class > 0 and up_to >= ceil(measured * ${part / 100})) as p${part}`)
  .join(', ')

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
  { channels, users, reasons, bots, proposalKinds, touchpoints, categories, organizations }: ReportFilter,
  alias: string,
  values: unknown[],
): string {
  const given = (value: unknown): string => `$${values.push(value)}`
  return [
    tenantSql(tenant, alias, values),
    ...(supervised ? [`${alias}.channels && ${given(supervised)}::uuid[]`] : []),
    ...(channels ? [`${alias}.channels && ${given(channels)}::uuid[]`] : []),
    ...(users ? [`${alias}.user_id = any(${given(users)}::uuid[])`] : []),
    ...(reasons ? [`${alias}.reason_id = any(${given(reasons)}::uuid[])`] : []),
    ...(bots ? [`${alias}.bot_id = any(${given(bots)}::uuid[])`] : []),
    ...(proposalKinds ? [`${alias}.proposal_kind = any(${given(proposalKinds)}::text[])`] : []),
    ...(touchpoints ? [`${alias}.touchpoint = any(${given(touchpoints)}::text[])`] : []),
    ...(categories ? [`${alias}.category = any(${given(categories)}::text[])`] : []),
    ...(organizations ? [`${DIMENSIONS.organization(alias)} = any(${given(organizations)}::uuid[])`] : []),
  ].join(' and ')
}
