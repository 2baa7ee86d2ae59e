import type { Sql } from '../../platform/db/database.js'
import {
  CLASS_OF_PACKED,
  CLASS_SQL,
  COUNT_OF_PACKED,
  CUBES,
  hasClasses,
  MEASURES_OF_SQL,
  packSql,
  type Cube,
} from './measures.js'

/** Number of milestones that one transaction counts, or those of one transaction that wrote more. */
const CHUNK = 50_000
/** So that a full chunk is sorted and grouped in memory. */
const WORK_MEM = '64MB'
/** Classes of durations that a slot stores before those that are stored several times are added up. */
const PACKED_MAX = 256

export interface FoldProgress {
  rows: number
  /** True if there are more milestones to count now. */
  isUnfinished: boolean
}

/**
 * Adds the next milestones of a contact center to the numbers that reports read. It takes those of transactions
 * below the oldest one that still runs: all of them have ended, so no row can be added behind it, however late a
 * transaction commits. Counted once, since the numbers and `report_fold` change in one transaction.
 */
export async function foldChunk(sql: Sql, organization: string, chunk = CHUNK): Promise<FoldProgress> {
  await sql.query('insert into report_fold (org1) values ($1) on conflict do nothing', [organization])
  const [fold] = await sql.query<{ xid: string }>('select xid::text from report_fold where org1 = $1 for update', [
    organization,
  ])
  // In a statement of its own: the next one sees everything that had ended by now.
  const [end] = await sql.query<{ xid: string; isLast: boolean }>(END, [organization, fold!.xid, chunk])
  const range = [organization, fold!.xid, end!.xid]
  await sql.query(`set local work_mem = '${WORK_MEM}'`)
  const [folded] = await sql.query<{ rows: number }>(FOLD, range)
  await sql.query('update report_fold set xid = $2::text::xid8 where org1 = $1', [organization, end!.xid])
  return { rows: folded!.rows, isUnfinished: !end!.isLast }
}

/** The transaction before which to stop: the oldest running one, or the one at the end of the chunk. */
const END = `
with oldest as (select pg_snapshot_xmin(pg_current_snapshot()) as xid),
  first as (
    select m.xid from milestone m, oldest where m.org1 = $1 and m.xid >= $2::text::xid8 and m.xid < oldest.xid
    order by m.xid limit 1),
  full_chunk as (
    select m.xid from milestone m, oldest where m.org1 = $1 and m.xid >= $2::text::xid8 and m.xid < oldest.xid
    order by m.xid offset $3 limit 1),
  chunk_end as (
    -- A transaction is never divided: one that fills the chunk is taken whole.
    select case when c.xid > f.xid then c.xid else (
      select m.xid from milestone m where m.org1 = $1 and m.xid > c.xid order by m.xid limit 1) end as xid
    from full_chunk c, first f)
select least(coalesce((select xid from chunk_end), oldest.xid), oldest.xid)::text as xid,
  coalesce((select xid from chunk_end), oldest.xid) >= oldest.xid as "isLast"
from oldest`

const NAMES = Object.keys(CUBES) as Cube[]
const COLUMNS = [
  ...(['org2', 'org3', 'user_id', 'reason_id', 'bot_id', 'proposal_kind'] as const),
  ...(['touchpoint', 'category', 'channels'] as const),
]

/** Columns that a cube does not tell apart are null in its groups. */
const columnsOf = (cube: Cube): string[] =>
  COLUMNS.map((column) => {
    const own: readonly string[] = ['org2', 'org3', ...CUBES[cube].columns]
    return own.includes(column) ? `d.${column}` : `null::${column.endsWith('_id') ? 'uuid' : 'text'}`
  })
const keyOf = (cube: Cube): string => `md5(row(${columnsOf(cube).join(', ')})::text)::uuid`

/** Two hashes of a row's details, which together do not collide. */
const detailSql = (alias: string, seed: number): string =>
  `hash_record_extended(row(${COLUMNS.map((column) => `${alias}.${column}`).join(', ')}), ${seed})`

const SLOTS = NAMES.flatMap((cube) => CUBES[cube].spans.map((span) => ({ cube, span })).toReversed())
const quarterSql = (span: number): string => `hour * 4 / ${span} * ${span} as quarter`

/** Slots by class of duration: the shorter from what was measured, the longer from these. */
const CLASSED = SLOTS.filter(({ cube, span }) => hasClasses(cube, span))
  .map((slot, index, all) => {
    const shorter = all[index - 1]
    const isFirst = shorter?.cube !== slot.cube
    const group = isFirst ? `${slot.cube} as group_id` : 'group_id'
    const quarter = isFirst ? quarterSql(slot.span) : `quarter / ${slot.span} * ${slot.span} as quarter`
    const sql = `select measure, ${quarter}, ${group}, class, sum(count)::int8 as count, sum(ms)::int8 as ms
    from ${isFirst ? 'measured' : nameOf(shorter)} group by 1, 2, 3, 4`
    return `${nameOf(slot)} as materialized (
    ${sql}),`
  })
  .join('\n  ')

function nameOf({ cube, span }: { cube: Cube; span: number }): string {
  return `${cube}_${span}`
}

const slotsSql = SLOTS.map(({ cube, span }) => {
  const [from, quarter, group, classes] = hasClasses(cube, span)
    ? [
        nameOf({ cube, span }),
        'quarter',
        'group_id',
        `coalesce(array_agg(${packSql('class', 'count')}) filter (where class > 0), '{}')`,
      ]
    : ['measured', quarterSql(span), `${cube} as group_id`, `'{}'::int8[]`]
  return `select measure, ${CUBES[cube].code} as cube, ${span} as span, ${quarter}, ${group}, sum(count)::int8 as count,
      coalesce(sum(count) filter (where class > 0), 0)::int8 as timed, sum(ms)::int8 as ms, ${classes} as classes
    from ${from} group by 1, 4, 5`
}).join(' union all ')

/** Milestones are first counted by hour, then by the groups of each cube, which are fewer, and these by longer slots. */
const FOLD = `
with taken as materialized (
    select ${MEASURES_OF_SQL} as measures, floor(date_part('epoch', m.at) / 3600)::int as hour, ${CLASS_SQL} as class,
      ${COLUMNS.map((column) => `m.${column}`).join(', ')}, count(*)::int as count, coalesce(sum(m.ms), 0)::int8 as ms
    from milestone m where m.org1 = $1 and m.xid >= $2::text::xid8 and m.xid < $3::text::xid8
    group by ${[1, 2, 3, ...COLUMNS.map((_, index) => index + 4)].join(', ')}),
  details as materialized (
    select ${COLUMNS.map((column) => `d.${column}`).join(', ')},
      ${NAMES.map((cube) => `${keyOf(cube)} as ${cube}`).join(', ')}
    from (select distinct ${COLUMNS.join(', ')} from taken) d),
  named as materialized (
    select distinct on (cube, key) * from (
      ${NAMES.map((cube) => `select ${CUBES[cube].code}::smallint as cube, d.${cube} as key, ${columnsOf(cube).join(', ')} from details d`).join(' union all ')}
    ) as n (cube, key, ${COLUMNS.join(', ')})),
  added as (
    insert into report_group (org1, cube, key, ${COLUMNS.join(', ')})
    select $1, n.* from named n
    where not exists (select from report_group g where g.org1 = $1 and g.cube = n.cube and g.key = n.key)
    returning id, cube, key),
  grouped as materialized (
    select id, cube, key from added
    union all select g.id, g.cube, g.key from named n
      join report_group g on g.org1 = $1 and g.cube = n.cube and g.key = n.key),
  placed as materialized (
    select ${detailSql('d', 0)} as detail, ${detailSql('d', 1)} as detail2, ${NAMES.map((cube) => `${cube}_g.id as ${cube}`).join(', ')}
    from details d ${NAMES.map((cube) => `join grouped ${cube}_g on ${cube}_g.cube = ${CUBES[cube].code} and ${cube}_g.key = d.${cube}`).join(' ')}),
  measured as materialized (
    select x.measure, t.hour, t.class, ${NAMES.map((cube) => `p.${cube}`).join(', ')}, t.count, t.ms
    from taken t join placed p on p.detail = ${detailSql('t', 0)} and p.detail2 = ${detailSql('t', 1)}
      cross join lateral unnest(t.measures) as x(measure)),
  ${CLASSED}
  counted as (
    insert into report_slot as s (org1, measure, cube, span, quarter, group_id, count, timed, ms, classes)
    select $1, x.* from (${slotsSql}) as x order by measure, cube, span, quarter, group_id
    on conflict (org1, measure, cube, span, quarter, group_id)
      do update set count = s.count + excluded.count, timed = s.timed + excluded.timed, ms = s.ms + excluded.ms,
        classes = case when cardinality(s.classes) + cardinality(excluded.classes) <= ${PACKED_MAX}
          then s.classes || excluded.classes
          else array(select ${packSql(CLASS_OF_PACKED, `sum(${COUNT_OF_PACKED})::int8`)}
            from unnest(s.classes || excluded.classes) as packed group by ${CLASS_OF_PACKED}) end)
select coalesce(sum(count), 0)::int as rows from taken`
