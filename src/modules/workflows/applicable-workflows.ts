import { reading, type ReadSql } from '../../platform/db/sql.js'
import type { OrganizationPath } from '../../platform/db/tenancy.js'
import { camelRow } from '../../platform/lists/rows.js'
import { VERSION_KEY_SQL, type Workflow } from './workflow.js'
import { evaluationTurns } from './evaluation-turns.js'
import type { KnownRules, WorkflowCache } from './workflow-cache.js'
import type { ApplicableWorkflow } from './applicable-workflow.js'
import { usedSinceSql } from './workflow-versions.js'

/** The properties of a conversation's organization that decide which workflows run. */
export interface RoutedOrganization {
  id: string
  path: OrganizationPath
  tags: readonly string[]
}

/**
 * Reads the workflows that run for a conversation of an organization (3.4, 4.3), nearest first, then by id: all of its
 * own, and those of its ancestors whose limits do not exclude it. A workflow without limits runs for all; one with
 * limits runs if any of them names the organization: its id in `organizations`; one of its tags, or a group that
 * contains it, in `organizationTags`. A limit does not include the descendants of a named organization. One statement.
 * @param cache spares reading rules that it contains
 */
export async function applicableWorkflows(
  sql: ReadSql,
  organization: RoutedOrganization,
  now: Date,
  cache?: WorkflowCache,
): Promise<ApplicableWorkflow[]> {
  const { id, tags } = organization
  const path: string[] = organization.path.filter((ancestor) => ancestor !== undefined)
  const known = cache?.knownOf(id) ?? []
  const rows = await sql.query<Record<string, unknown>>(
    APPLICABLE,
    [path, id, tags, known.map((rules) => rules.id), known.map(({ version }) => version), now],
    'applicable-workflows',
  )
  const rulesById = new Map(known.map((rules) => [rules.id, rules]))
  const found: ApplicableWorkflow[] = []
  for (const row of rows) {
    // The rules of a large workflow are parsed in a millisecond: of many, others run in between.
    if (evaluationTurns.isOver) await evaluationTurns.enter()
    found.push(applicable(row, path, rulesById))
  }
  if (cache) keep(cache, id, rows, found)
  return found
}

/** Without rules if the statement was passed their version as known. */
function applicable(
  row: Record<string, unknown>,
  path: readonly string[],
  known: ReadonlyMap<string, KnownRules>,
): ApplicableWorkflow {
  const { version_key: version, is_recorded: isRecorded, bytes: _, ...columns } = row
  const record = camelRow<Workflow>(columns)
  const text = columns.rules as string | null
  record.rules = text === null ? known.get(record.id)!.rules : (JSON.parse(text) as Workflow['rules'])
  return {
    workflow: { id: record.id, name: record.name ?? '', version: version as string, rules: record.rules },
    organizationId: record.organizationId,
    nearness: path.length - 1 - path.indexOf(record.organizationId),
    isRecorded: isRecorded as boolean,
    record,
  }
}

function keep(
  cache: WorkflowCache,
  organization: string,
  rows: readonly Record<string, unknown>[],
  found: readonly ApplicableWorkflow[],
): void {
  found.forEach(({ workflow: { id, version, rules } }, index) => {
    const bytes = rows[index]?.bytes as number | null
    if (bytes !== null) cache.keep(id, { version, rules, bytes })
  })
  cache.keepOrganization(
    organization,
    found.map(({ workflow }) => workflow.id),
  )
}

const APPLICABLE = reading(`
select w.id, w.external_id, w.organization_id, w.org1, w.org2, w.org3, w.created_at, w.updated_at, w.name, w.version,
  w.organizations, w.organization_tags, ${VERSION_KEY_SQL} as version_key,
  case when known.id is null then w.rules::text end as rules,
  case when known.id is null then octet_length(w.rules::text) end as bytes,
  exists (
    select from workflow_version v where v.workflow_id = w.id and v.version = ${VERSION_KEY_SQL} and v.used_at > ${usedSinceSql('$6')}
  ) as is_recorded
from workflow w
left join unnest($4::uuid[], $5::text[]) as known (id, version)
  on known.id = w.id and known.version = ${VERSION_KEY_SQL}
where w.organization_id = any($1::uuid[]) and (
  w.organization_id = $2
  or coalesce(cardinality(w.organizations), 0) + coalesce(cardinality(w.organization_tags), 0) = 0
  or w.organizations @> array[$2::uuid]
  or w.organization_tags && ($3::text[] || array(
    select g.id::text from organization_group g where g.members @> array[$2::uuid]
  ))
)
order by array_position($1::uuid[], w.organization_id) desc, w.id`)
