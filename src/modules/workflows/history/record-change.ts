import type { Sql } from '../../../platform/db/database.js'
import { pathOf, tenantSql } from '../../../platform/db/tenancy.js'
import type { RuleDefinition } from '../rule-definition.js'
import { hashOfRule } from '../rule-hash.js'
import type { Workflow } from '../workflow.js'
import type { WorkflowChangeKind, WorkflowState } from './workflow-change.js'

/** The circumstances of a change. */
export interface ChangeCause {
  kind: WorkflowChangeKind
  /** Author; null for the system. */
  user: string | null
  comment?: string | null
  restoredFrom?: number
}

/** A state with its number. */
export interface NumberedState extends WorkflowState {
  number: number
  at: Date
}

/** Copies the state of a workflow, before it is changed. */
export function stateOf({ version, updatedAt, name, organizations, organizationTags, rules }: Workflow): NumberedState {
  return { number: version, at: updatedAt, name, organizations, organizationTags, rules }
}

/**
 * Stores a change of a workflow, in its transaction and under the lock of its row. The state before it is stored too if it is
 * not, as after a change by a release that kept no history. A rule that is the same in several states is stored once.
 * @param before null for a new workflow
 */
export async function recordChange(
  sql: Sql,
  workflow: Workflow,
  before: NumberedState | null,
  { kind, user, comment = null, restoredFrom }: ChangeCause,
): Promise<void> {
  const after = { ...stateOf(workflow), kind, user, comment, restoredFrom: restoredFrom ?? null }
  const states = before && before.number !== after.number ? [{ ...before, kind: null, user: null }, after] : [after]
  const names = await namesOf(sql, workflow, states.flatMap(targetsOf))
  const rules = new Map(states.flatMap((state) => state.rules.map((rule) => [hashOfRule(rule), rule])))
  const rows = states.map(({ rules: own, ...state }) => ({
    ...state,
    rules: own.map(hashOfRule),
    names: Object.fromEntries(targetsOf({ rules: own }).flatMap((id) => (names.has(id) ? [[id, names.get(id)]] : []))),
  }))
  await sql.query(RECORD, [
    workflow.id,
    workflow.organizationId,
    JSON.stringify([...rules].map(([hash, rule]) => ({ hash, rule }))),
    JSON.stringify(rows),
  ])
}

/** Ids of the channels and skills that rules name, each once. */
export function targetsOf({ rules }: { rules: readonly RuleDefinition[] }): string[] {
  const named = rules.flatMap(({ event: { params } }) => [...(params.channels ?? []), ...(params.skills ?? [])])
  return [...new Set(named)]
}

/**
 * Reads the names of channels and skills of the workflow's organization and of those below it: whoever sees the workflow
 * sees these. Names of an organization above are not for everybody who does.
 */
export async function namesOf(
  sql: Pick<Sql, 'query'>,
  workflow: Pick<Workflow, 'org1' | 'org2' | 'org3'>,
  ids: readonly string[],
): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map()
  const values: unknown[] = [[...new Set(ids)]]
  const own = tenantSql({ path: pathOf(workflow) }, 't', values)
  const rows = await sql.query<{ id: string; name: string }>(
    `select t.id, t.name from channel t where t.id = any($1::uuid[]) and ${own}
     union all select t.id, t.name from skill t where t.id = any($1::uuid[]) and ${own}`,
    values,
  )
  return new Map(rows.map(({ id, name }) => [id, name]))
}

const RECORD = `
with rule as (
  insert into workflow_version_rule (workflow_id, hash, organization_id, rule)
  select $1::uuid, x.hash, $2::uuid, x.rule from jsonb_to_recordset($3::jsonb) as x(hash text, rule jsonb)
  order by x.hash on conflict do nothing
)
insert into workflow_change (workflow_id, number, organization_id, at, user_id, kind, comment, restored_from, name,
  organizations, organization_tags, rules, names)
select $1::uuid, x.number, $2::uuid, x.at, x."user", x.kind, x.comment, x."restoredFrom", x.name, x.organizations,
  x."organizationTags", x.rules, x.names
from jsonb_to_recordset($4::jsonb) as x(number int, at timestamptz, "user" uuid, kind text, comment text,
  "restoredFrom" int, name text, organizations uuid[], "organizationTags" text[], rules text[], names jsonb)
on conflict do nothing`

/** A workflow keeps this many; those before are removed by the maintenance. */
const CHANGES_MAX = 500

/** Removes changes of workflows that have more than they keep. @returns the workflows, whose rules may be unused now */
export async function pruneChanges(sql: Sql): Promise<string[]> {
  const gone = await sql.query<{ workflow_id: string }>(
    `delete from workflow_change c using (
       select workflow_id, max(number) - ${CHANGES_MAX} as last from workflow_change
       group by workflow_id having count(*) > ${CHANGES_MAX}
     ) as old where c.workflow_id = old.workflow_id and c.number <= old.last returning c.workflow_id`,
  )
  return [...new Set(gone.map((row) => row.workflow_id))]
}
