import type { Sql } from '../db/database.js'
import { BUCKET_SQL, BY_CLASS, MEASURES_OF_SQL, QUARTER_SQL, SPANS } from './measures.js'

/** Number of milestones that one transaction counts, or those of one transaction that wrote more. */
const CHUNK = 20_000

export interface FoldProgress {
  rows: number
  /** Whether there are more milestones to count now. */
  isUnfinished: boolean
}

/**
 * Adds the next milestones of a level-1 organization to the numbers that reports read. It takes those of transactions
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
  const [folded] = await sql.query<{ rows: number }>(FOLD, range)
  await sql.query('update report_fold set xid = $2::text::xid8 where org1 = $1', [organization, end!.xid])
  return { rows: folded!.rows, isUnfinished: !end!.isLast }
}

/** The transaction before which to stop: the oldest running one, or the one at the end of the chunk. */
const END = `
with oldest as (select pg_snapshot_xmin(pg_current_snapshot()) as xid),
  full_chunk as (
    select m.xid from milestone m, oldest where m.org1 = $1 and m.xid >= $2::text::xid8 and m.xid < oldest.xid
    order by m.xid offset $3 limit 1),
  chunk_end as (
    -- A transaction is never divided: one that fills the chunk is taken whole.
    select case when f.xid > $2::text::xid8 then f.xid else (
      select m.xid from milestone m where m.org1 = $1 and m.xid > f.xid order by m.xid limit 1) end as xid
    from full_chunk f)
select least(coalesce((select xid from chunk_end), oldest.xid), oldest.xid)::text as xid,
  coalesce((select xid from chunk_end), oldest.xid) >= oldest.xid as "isLast"
from oldest`

const FOLD = `
with taken as materialized (
    select m.*, md5(row(m.org2, m.org3, m.user_id, m.touchpoint, m.category, m.channels)::text)::uuid as key
    from milestone m where m.org1 = $1 and m.xid >= $2::text::xid8 and m.xid < $3::text::xid8),
  named as materialized (
    select distinct on (key) key, org2, org3, user_id, touchpoint, category, channels from taken),
  added as (
    insert into report_group (org1, org2, org3, user_id, touchpoint, category, channels, key)
    select $1, org2, org3, user_id, touchpoint, category, channels, key from named n
    where not exists (select from report_group g where g.org1 = $1 and g.key = n.key) returning id, key),
  grouped as materialized (
    select id, key from added
    union all select g.id, g.key from named n join report_group g on g.org1 = $1 and g.key = n.key),
  measured as materialized (
    select g.id, x.measure, ${QUARTER_SQL} as quarter, ${BUCKET_SQL} as bucket, count(*) as count, sum(m.ms) as ms
    from taken m join grouped g using (key) cross join lateral unnest(${MEASURES_OF_SQL}) as x(measure)
    group by 1, 2, 3, 4),
  spans as (select unnest('{${SPANS.join(',')}}'::smallint[]) as span),
  counted as (
    insert into report_slot as s (org1, measure, span, quarter, group_id, bucket, count, timed, ms)
    select $1, m.measure, p.span, m.quarter / p.span * p.span, m.id, 0, sum(m.count),
      coalesce(sum(m.count) filter (where m.bucket > 0), 0), coalesce(sum(m.ms), 0)
    from measured m cross join spans p group by 2, 3, 4, 5
    union all
    select $1, m.measure + ${BY_CLASS}, p.span, m.quarter / p.span * p.span, m.id, m.bucket, sum(m.count), 0, 0
    from measured m cross join spans p where m.bucket > 0 group by 2, 3, 4, 5, 6
    order by 2, 3, 4, 5, 6
    on conflict (org1, measure, span, quarter, group_id, bucket)
      do update set count = s.count + excluded.count, timed = s.timed + excluded.timed, ms = s.ms + excluded.ms)
select count(*)::int as rows from taken`
