import { createHash } from 'node:crypto'
import type { Sql } from '../db/database.js'
import type { ApplicableWorkflow } from './applicable-workflows.js'
import type { RuleDefinition, WorkflowDefinition } from './rule.js'

/** The state of a workflow when it decided something. */
export interface WorkflowVersion extends WorkflowDefinition {
  version: string
}

/**
 * Stores versions of workflows permanently, so that their decisions can be explained after they were changed or
 * deleted. Called with the first decision of a version, in its transaction: versions without decisions are not stored.
 * A rule that is the same in several versions is stored once.
 */
export async function recordVersions(sql: Sql, unrecorded: readonly ApplicableWorkflow[], now: Date): Promise<void> {
  // Always in the same order, so that transactions that record the same versions cannot deadlock.
  const inOrder = unrecorded.toSorted((one, other) => (one.workflow.id < other.workflow.id ? -1 : 1))
  for (const { workflow, organizationId } of inOrder) {
    const { id, version, name } = workflow
    const rules = workflow.rules.map((rule) => ({ hash: hashOf(rule), rule }))
    // One by one, so that others run in between.
    await sql.query(RECORD, [id, version, organizationId, name, JSON.stringify(rules), now], 'record-workflow-version')
  }
}

/** Reads the rules of stored versions. @param sql reads on behalf of the caller that requests a trace */
export async function readVersions(
  sql: Pick<Sql, 'query'>,
  wanted: readonly { id: string; version: string }[],
): Promise<WorkflowVersion[]> {
  if (wanted.length === 0) return []
  return sql.query<WorkflowVersion>(READ, [wanted.map(({ id }) => id), wanted.map(({ version }) => version)])
}

function hashOf(rule: RuleDefinition): string {
  return createHash('sha256').update(JSON.stringify(rule)).digest('base64url')
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
insert into workflow_version (workflow_id, version, organization_id, name, rules, created_at)
select $1::uuid, $2, $3::uuid, $4, array(select hash from given order by place), $6::timestamptz
on conflict do nothing`

const READ = `
select v.workflow_id as id, v.version, v.name, coalesce((
  select jsonb_agg(r.rule order by kept.place) from unnest(v.rules) with ordinality as kept (hash, place)
  join workflow_version_rule r on r.workflow_id = v.workflow_id and r.hash = kept.hash
), '[]') as rules
from workflow_version v
join unnest($1::uuid[], $2::text[]) as wanted (id, version) on wanted.id = v.workflow_id and wanted.version = v.version`
