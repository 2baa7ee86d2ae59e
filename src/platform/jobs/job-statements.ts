import { INBOUND, type JobScope } from './job.js'
import { isDeadSql } from './runner-session.js'

/**
 * Jobs of one key run in the order of their numbers, one at a time. A key with jobs has a row in `job_partition` with
 * the due time of its first job, so that a lookup never scans the jobs that wait behind others. A trigger on `job`
 * creates the row or increments its version; a runner that finds the key empty marks it as never due only if the
 * version is still that of its snapshot.
 *
 * A lease is proved by the job's id and the number of its attempt, which each taker increments. The runner that it names only
 * tells when others may take it: one whose connection was lost goes on under another number.
 */
const COLUMNS =
  'j.id, j.kind, j.key, j.run_at as "runAt", j.payload, j.attempts, j.failures, j.leased_by as "leasedBy", $3::timestamptz as "leasedAt", j.traceparent'

const TAKE = 'leased_by = $1, leased_until = $2, attempts = j.attempts + 1, failures = j.failures + 1'

/** $1 runner, $2 until, $3 now, $4 kinds, $5 limit, $6 ids of our own. */
export const TAKE_FREE = `
update job j set ${TAKE}
where j.id in (
  select j.id from job j
  where j.key is null and j.run_at <= $3 and (j.leased_until is null or j.leased_until < $3) and j.kind = any($4::text[])
    and not j.id = any($6::uuid[])
  order by j.run_at, j.number limit $5 for update skip locked)
returning ${COLUMNS}`

const SHARES: Readonly<Record<JobScope, string>> = {
  own: `shares as (select ''::text as share)`,
  // A loose index scan: as many steps as shares, however many keys each has.
  outbound: `shares as (
    (select p.share from job_partition p where p.share > '' order by p.share limit 1)
    union all
    select (select p.share from job_partition p where p.share > s.share order by p.share limit 1)
    from shares s where s.share is not null)`,
}

/** Selects the first job of a key that was not given up. */
const firstOf = (key: string, other = ''): string => `(
  select n.id, n.run_at, n.kind, n.leased_until from job n
  where n.key = ${key} and n.run_at < 'infinity' ${other} order by n.number limit 1)`

/** $1 runner, $2 until, $3 now, $4 kinds, $5 limit, $6 keys of our own, $7 slots of a share, $8 of one of what is told. */
export const takeOfPartitions = (scope: JobScope): string => `
with recursive ${SHARES[scope]}, rooms as (
  select s.share, case when s.share = '' then $7::int else case when starts_with(s.share, '${INBOUND}') then $8::int else $7::int end - (
    select count(*)::int from job_partition b
    where b.share = s.share and b.leased_by is not null and b.leased_until > $3) end as room
  from shares s where s.share is not null
), chosen as materialized (
  select d.key, d.version from rooms r cross join lateral (
    select l.key, l.version, row_number() over () as turn from (
      select p.key, p.version from job_partition p
      where p.share = r.share and p.due_at <= $3 and (p.leased_until is null or p.leased_until < $3)
        and not p.key = any($6::text[])
      order by p.due_at limit greatest(r.room, 0) for update skip locked) l) d
  order by d.turn limit $5
), heads as materialized (
  select c.key, c.version = seen.version as is_known, h.id, h.run_at
  from chosen c join job_partition seen on seen.key = c.key left join lateral ${firstOf('c.key')} h on true
), leasable as materialized (
  select j.id from job j join heads h on h.id = j.id
  where j.run_at <= $3 and (j.leased_until is null or j.leased_until < $3) and j.kind = any($4::text[])
  for update of j skip locked
), leased as (
  update job j set ${TAKE} from leasable l where j.id = l.id returning ${COLUMNS}
), partitions as (
  update job_partition p set
    leased_by = case when l.id is not null then $1::int end,
    leased_until = case when l.id is not null then $2::timestamptz end,
    due_at = case when l.id is not null then p.due_at
      when h.id is null and h.is_known then 'infinity'
      when h.run_at > $3 then h.run_at
      -- Something has been added just now, or its first job is another's.
      else $3::timestamptz + interval '1 second' * (h.id is not null)::int end
  from heads h left join leased l on l.id = h.id where p.key = h.key
)
select * from leased`

/**
 * $1 runner, $2 until, $3 now, $4 kinds; of each job $5 id, $6 leased by, $7 attempts, $8 key, $9 whether the next is
 * taken.
 */
export const END_JOBS = `
with x as materialized (
  select * from unnest($5::uuid[], $6::int[], $7::int[], $8::text[], $9::bool[]) as x(id, leased_by, attempts, key, goes_on)
), ended as (
  delete from job j using x where j.id = x.id and j.attempts = x.attempts
), locked as materialized (
  -- In the order in which jobs are added.
  select p.key, p.version, p.leased_by from job_partition p where p.key in (select key from x) order by p.key for update
), nexts as materialized (
  select x.key, p.version = seen.version as is_known, n.id, n.run_at, coalesce(x.goes_on and n.run_at <= $3
    and n.kind = any($4::text[]) and (n.leased_until is null or n.leased_until < $3), false) as goes
  from x join locked p on p.key = x.key and p.leased_by in (x.leased_by, $1) join job_partition seen on seen.key = x.key
  left join lateral ${firstOf('x.key', 'and n.id <> x.id')} n on true
), partitions as (
  update job_partition p set
    leased_by = case when n.goes then $1::int end,
    leased_until = case when n.goes then $2::timestamptz end,
    due_at = case when n.goes then p.due_at when n.id is not null then n.run_at
      when n.is_known then 'infinity' else $3::timestamptz end
  from nexts n where p.key = n.key
)
update job j set ${TAKE} from nexts n where n.goes and j.id = n.id returning ${COLUMNS}`

/** $1 id, $2 leased by, $3 when it runs again, $4 error, $5 attempts, $6 key, $7 now, $8 whether it failed, $9 runner. */
export const PUT_BACK = `
with job as (
  update job set leased_by = null, leased_until = null, run_at = $3, last_error = $4,
    failures = case when $8 then failures else 0 end
  where id = $1 and attempts = $5
)
update job_partition set leased_by = null, leased_until = null,
  due_at = case when $3::timestamptz = 'infinity' then $7::timestamptz else $3::timestamptz end
where key = $6 and leased_by in ($2, $9)`

/**
 * $1 runner, $2 until, $3 ids, $4 attempts, $5 keys. Includes what the runner leased under an earlier number, also if it was
 * released since then, as long as nobody else has taken it; not what it has put back.
 */
export const RENEW = `
with renewed as (
  update job j set leased_by = $1, leased_until = $2
  from unnest($3::uuid[], $4::int[]) as x(id, attempts)
  where j.id = x.id and j.attempts = x.attempts and (j.leased_by is not null or j.leased_until = '-infinity')
  returning j.key
)
update job_partition set leased_by = $1, leased_until = $2
where key in (select key from renewed) or leased_by = $1 and key = any($5::text[])`

export const RELEASE_DEAD = [
  // Not null: it was not put back.
  `update job j set leased_by = null, leased_until = '-infinity' where ${isDeadSql('j.leased_by')}`,
  `update job_partition p set leased_by = null, leased_until = null where key in (
     select p.key from job_partition p where ${isDeadSql('p.leased_by')} for update skip locked)`,
  `delete from job_partition where key in (
     select key from job_partition where due_at = 'infinity' limit 1000 for update skip locked)`,
]

/** $1 since, $2 until, $3 kinds: the first job that becomes due in between. */
export const TAKE_NEXT_DUE = `
select least(
  (select j.run_at from job j where j.key is null and j.run_at > $1 and j.run_at <= $2 and j.kind = any($3::text[])
   order by j.run_at limit 1),
  (select p.due_at from job_partition p where p.share = '' and p.due_at > $1 and p.due_at <= $2
   order by p.due_at limit 1)) as at`

interface DuePlaces {
  now: string
  until: string
  kinds: string
}

const isFree = (alias: string, now: string): string =>
  `(${alias}.leased_until is null or ${alias}.leased_until < ${now})`

/** Selects when the first job is due that {@link TAKE_FREE} or {@link takeOfPartitions} would take, up to `until`. */
export const dueOf = (scope: JobScope, { now, until, kinds }: DuePlaces): string => `
select least(
  (select j.run_at from job j where j.key is null and j.run_at <= ${until} and ${isFree('j', now)}
     and j.kind = any(${kinds}::text[]) order by j.run_at limit 1),
  (with recursive ${SHARES[scope]} select min(d.due_at) from shares s cross join lateral (
     select p.due_at from job_partition p where p.share = s.share and p.due_at <= ${until} and ${isFree('p', now)}
     order by p.due_at limit 1) d where s.share is not null))`

/** Tells whether {@link RELEASE_DEAD} has something to do. */
export const HAS_DEAD = `
exists (select from job j where ${isDeadSql('j.leased_by')})
or exists (select from job_partition p where ${isDeadSql('p.leased_by')} or p.due_at = 'infinity')`
