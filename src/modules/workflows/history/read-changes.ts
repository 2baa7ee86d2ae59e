import type { Context } from '../../../platform/context.js'
import { NotFound } from '../../../platform/errors.js'
import { parseInteger } from '../../../platform/input.js'
import { camelRow } from '../../../platform/lists/rows.js'
import type { Sql } from '../../../platform/db/database.js'
import type { RuleDefinition } from '../rule-definition.js'
import type { Workflow } from '../workflow.js'
import type { WorkflowChange } from './workflow-change.js'

const FIRST_MAX = 100

/** A change with the rules after it. */
export type WholeChange = WorkflowChange & { rules: RuleDefinition[] }

const COLUMNS = `c.workflow_id, c.number, c.at, c.user_id, c.kind, c.comment, c.restored_from, c.name, c.organizations,
  c.organization_tags, c.names, cardinality(c.rules) as rule_count`

const RULES = `coalesce((
  select jsonb_agg(r.rule order by kept.place) from unnest(c.rules) with ordinality as kept (hash, place)
  join workflow_version_rule r on r.workflow_id = c.workflow_id and r.hash = kept.hash), '[]') as rules`

/** Reads changes of a workflow that the caller sees, the newest first. @throws BadUserInput */
export async function readChanges(
  ctx: Context,
  workflow: Workflow,
  { first, before = null }: { first: number; before?: number | null | undefined },
): Promise<WorkflowChange[]> {
  parseInteger(first, 'first', 1, FIRST_MAX)
  const rows = await ctx.reads.query<Record<string, unknown>>(
    `select ${COLUMNS} from workflow_change c
     where c.workflow_id = $1 and c.number < coalesce($2, 2147483647) order by c.number desc limit $3`,
    [workflow.id, before, first],
  )
  return rows.map((row) => camelRow<WorkflowChange>(row))
}

/** Reads the rules after a change. */
export async function readRulesOf(ctx: Context, { workflowId, number }: WorkflowChange): Promise<RuleDefinition[]> {
  const [row] = await ctx.reads.query<{ rules: RuleDefinition[] }>(
    `select ${RULES} from workflow_change c where c.workflow_id = $1 and c.number = $2`,
    [workflowId, number],
  )
  return row?.rules ?? []
}

/** Reads a change with its rules; undefined if none is stored under the number. */
export async function findChange(
  sql: Pick<Sql, 'query'>,
  workflow: string,
  number: number,
): Promise<WholeChange | undefined> {
  const [row] = await sql.query<Record<string, unknown>>(
    `select ${COLUMNS}, ${RULES} from workflow_change c where c.workflow_id = $1 and c.number = $2`,
    [workflow, number],
  )
  return row && camelRow<WholeChange>(row)
}

/** @throws NotFound naming the field */
export async function requireChange(
  sql: Pick<Sql, 'query'>,
  workflow: string,
  { number, field }: { number: number; field: string },
): Promise<WholeChange> {
  const change = await findChange(sql, workflow, number)
  if (change) return change
  throw new NotFound(`${field}: change ${number} of workflow ${workflow} not found`, { field })
}
