import type { Sql } from '../../platform/db/database.js'

/** A transaction that chose a version before it was replaced has long ended by then. */
const UNUSED_FOR = `interval '1 hour'`
/** Versions looked at per run, of either table: those first that no run has looked at for longest. */
const LOOKED_AT_MAX = 5_000

/** The versions by which an open case counts. */
interface OpenCase {
  policy: string
  version: number
  schedule: string | null
  scheduleVersion: number | null
}

/**
 * Deletes replaced versions of SLA policies and schedules by which no clock counts, once they have been unused for an
 * hour. The times are the database's, so that nodes with different clocks agree.
 */
export async function pruneVersions(sql: Sql): Promise<void> {
  const open = JSON.stringify(await sql.query<OpenCase>(OPEN_CASES))
  for (const versions of [POLICIES, SCHEDULES]) await sql.query(pruneSql(versions), [open])
}

/** The versions by which cases count that are not closed: they may have no clock yet. Few, of however many cases. */
const OPEN_CASES = `
select distinct c.sla -> 'choice' ->> 'policy' as policy, (c.sla -> 'choice' ->> 'version')::int as version,
  c.sla -> 'choice' ->> 'schedule' as schedule, (c.sla -> 'choice' ->> 'scheduleVersion')::int as "scheduleVersion"
from conversation c where c.status in ('queued', 'active') and c.sla is not null`

interface Versions {
  table: string
  /** Those that were replaced. */
  replaced: string
  uses: string
}

const pruneSql = ({ table, replaced, uses }: Versions): string => `
with candidate as materialized (
  ${replaced} order by v.looked_at nulls first, v.created_at limit ${LOOKED_AT_MAX}
), open as materialized (
  select * from jsonb_to_recordset($1::jsonb) as x(policy uuid, version int, schedule uuid, "scheduleVersion" int)
), judged as materialized (
  select k.key, ${uses} as is_used from candidate k
), unused as materialized (
  select v.ctid as key from ${table} v join judged j on j.key = v.ctid
  where not j.is_used and v.unused_since < now() - ${UNUSED_FOR}
), pruned as (
  delete from ${table} v using unused u where v.ctid = u.key
)
update ${table} v
set looked_at = now(), unused_since = case when j.is_used then null else coalesce(v.unused_since, now()) end
from judged j where v.ctid = j.key and not exists (select from unused u where u.key = j.key)`

const POLICIES: Versions = {
  table: 'sla_policy_version',
  replaced: `select v.ctid as key, v.policy_id as id, v.version from sla_policy_version v
    where not exists (select from sla_policy p where p.id = v.policy_id and p.version = v.version)`,
  uses: `(exists (select from clock c where c.policy_id = k.id and c.policy_version = k.version)
    or exists (select from open o where o.policy = k.id and o.version = k.version))`,
}

/** Clocks name the version of the schedule; which schedule it is, the version of their policy says. */
const SCHEDULES: Versions = {
  table: 'schedule_version',
  replaced: `select v.ctid as key, v.schedule_id as id, v.version from schedule_version v
    where not exists (select from schedule s where s.id = v.schedule_id and s.version = v.version)`,
  uses: `(exists (select from sla_policy_version p join clock c on c.policy_id = p.policy_id and c.policy_version = p.version
      where p.terms ->> 'scheduleId' = k.id::text and c.schedule_version = k.version)
    or exists (select from open o where o.schedule = k.id and o."scheduleVersion" = k.version))`,
}
