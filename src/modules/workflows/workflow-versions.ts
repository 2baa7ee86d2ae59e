import type { Sql } from '../../platform/db/database.js'
import type { ApplicableWorkflow, WorkflowVersion } from './applicable-workflow.js'
import { pruneChanges } from './history/record-change.js'
import { hashOfRule } from './rule-hash.js'

/**
 * Stores versions of workflows, so that their decisions can be explained after they were changed or deleted, until
 * {@link pruneVersions} removes them. Called with the first decision of a version on a day, in its transaction: versions
 * without decisions are not stored. A rule that is the same in several versions is stored once.
 */
export async function recordVersions(sql: Sql, unrecorded: readonly ApplicableWorkflow[], now: Date): Promise<void> {
  // Always in the same order, so that transactions that record the same versions cannot deadlock.
  const inOrder = unrecorded.toSorted((one, other) => (one.workflow.id < other.workflow.id ? -1 : 1))
  for (const { workflow, organizationId } of inOrder) {
    const { id, version, name } = workflow
    const rules = workflow.rules.map((rule) => ({ hash: hashOfRule(rule), rule }))
    // One by one, so that others run in between.
    await sql.query(RECORD, [id, version, organizationId, name, JSON.stringify(rules), now], 'record-workflow-version')
  }
}

/** The use of a version is noted once a day: it may have decided for a day after that. @param now an SQL expression */
export const usedSinceSql = (now: string): string => `${now}::timestamptz - interval '1 day'`

/**
 * Removes the versions that explain nothing any more, and their rules. Waits for nobody who records one for long: call
 * with a `lock_timeout`, after the decisions have been pruned.
 * @param before decisions made earlier are gone, but for those in `kept`
 * @param kept versions that are to be kept though they have not decided since
 */
export async function pruneVersions(
  sql: Sql,
  before: Date,
  kept: readonly { id: string; version: string }[],
): Promise<void> {
  // Whoever records a version or a change counts on the rules that are there.
  await sql.query('lock table workflow_version, workflow_change in share row exclusive mode')
  const gone = await sql.query<{ workflow_id: string }>(PRUNE, [
    before,
    kept.map(({ id }) => id),
    kept.map(({ version }) => version),
    PRUNED_MAX,
  ])
  const changed = await pruneChanges(sql)
  const deleted = await sql.query<{ workflow_id: string }>(DELETED, [PRUNED_MAX])
  const workflows = [...new Set([...gone, ...deleted].map((row) => row.workflow_id)).union(new Set(changed))]
  if (workflows.length > 0) await sql.query(PRUNE_RULES, [workflows])
}

/** A round; what is left is pruned in the next one. */
const PRUNED_MAX = 5_000

const PRUNE = `
delete from workflow_version v using (
  select o.workflow_id, o.version from workflow_version o
  where o.used_at < ${usedSinceSql('$1')} and not exists (
    select from unnest($2::uuid[], $3::text[]) as k(id, version) where k.id = o.workflow_id and k.version = o.version)
  order by o.used_at limit $4
) as old
where v.workflow_id = old.workflow_id and v.version = old.version returning v.workflow_id`

/** Deleted workflows that never decided: their history went with them, and left its rules. */
const DELETED = `
select distinct r.workflow_id from workflow_version_rule r
where not exists (select from workflow w where w.id = r.workflow_id)
  and not exists (select from workflow_version v where v.workflow_id = r.workflow_id) limit $1`

const PRUNE_RULES = `
delete from workflow_version_rule r where r.workflow_id = any($1::uuid[])
  and not exists (select from workflow_version v where v.workflow_id = r.workflow_id and r.hash = any(v.rules))
  and not exists (select from workflow_change c where c.workflow_id = r.workflow_id and r.hash = any(c.rules))`

/** Reads the rules of stored versions. @param sql reads on behalf of the caller that requests a trace */
export async function readVersions(
  sql: Pick<Sql, 'query'>,
  wanted: readonly { id: string; version: string }[],
): Promise<WorkflowVersion[]> {
  if (wanted.length === 0) return []
  return sql.query<WorkflowVersion>(READ, [wanted.map(({ id }) => id), wanted.map(({ version }) => version)])
}

const RECORD = `
with given as (
  select x.hash, x.rule, x.place from rows from (
    jsonb_to_recordset($5::jsonb) as (hash text, rule jsonb)
  ) with ordinality as x(hash, rule, place)
), recorded as (
  insert into workflow_version_rule (workflow_id, hash, organization_id, rule)
  select distinct on (hash) $1::uuid, hash, $3::uuid, rule from given order by hash
  on conflict do nothing
)
insert into workflow_version as v (workflow_id, version, organization_id, name, rules, created_at, used_at)
select $1::uuid, $2, $3::uuid, $4, array(select hash from given order by place), $6::timestamptz, $6::timestamptz
on conflict (workflow_id, version) do update set used_at = excluded.used_at where v.used_at < excluded.used_at`

const READ = `
select v.workflow_id as id, v.version, v.name, coalesce((
  select jsonb_agg(r.rule order by kept.place) from unnest(v.rules) with ordinality as kept (hash, place)
  join workflow_version_rule r on r.workflow_id = v.workflow_id and r.hash = kept.hash
), '[]') as rules
from workflow_version v
join unnest($1::uuid[], $2::text[]) as wanted (id, version) on wanted.id = v.workflow_id and wanted.version = v.version`
