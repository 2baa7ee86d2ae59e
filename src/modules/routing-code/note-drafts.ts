import type { Sql } from '../../platform/db/sql.js'
import { quoteValue } from '../../platform/errors.js'
import type { RecordChanges } from './describe-changes.js'

/** Numbers of drafts of a workflow, and of those whose publication is planned. */
interface DraftCounts {
  drafts: number
  planned: number
}

/** Counts the drafts of an organization's workflows, by workflow: before these change, which takes planned publications back. */
export async function countDrafts(
  sql: Pick<Sql, 'query'>,
  organization: string,
): Promise<ReadonlyMap<string, DraftCounts>> {
  const rows = await sql.query<DraftCounts & { workflow: string }>(
    `select d.workflow_id as workflow, count(*)::int as drafts, count(d.publish_at)::int as planned
     from workflow w join workflow_draft d on d.workflow_id = w.id where w.organization_id = $1 group by d.workflow_id`,
    [organization],
  )
  return new Map(rows.map((row) => [row.workflow, row]))
}

/** Says which changes of workflows meet somebody's draft: it is kept and is then outdated, or goes with its workflow. */
export function noteDrafts(counts: ReadonlyMap<string, DraftCounts>, changes: readonly RecordChanges[]): string[] {
  return changes.flatMap(({ section, action, name, recordId, fields }) => {
    if (section !== 'workflows') return []
    if (action === 'delete') return [`the workflow ${quoteValue(name)} is deleted, and drafts of it`]
    const found = counts.get(recordId!)
    if (!found || !fields.some(({ field }) => field.startsWith('rules'))) return []
    const { drafts, planned } = found
    const words =
      drafts === 1
        ? '1 draft, which is kept, and is outdated then'
        : `${drafts} drafts, which are kept, and are outdated then`
    const also =
      planned === 0 ? '' : `; ${planned} planned ${planned === 1 ? 'publication is' : 'publications are'} taken back`
    return [`the workflow ${quoteValue(name)} has ${words}${also}`]
  })
}
