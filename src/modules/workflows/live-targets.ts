import type { Sql } from '../../platform/db/database.js'
import { lineageSql, pathOf } from '../../platform/db/tenancy.js'
import { Unprocessable } from '../../platform/errors.js'
import type { RuleDefinition } from './rule-definition.js'
import type { Workflow } from './workflow.js'

/** A channel, user or skill that rules name and that is no longer there. */
interface GoneTarget {
  rule: string
  ruleName: string | null
  kind: 'channel' | 'user' | 'skill'
  id: string
  /** As it was stored; null if it was not. */
  name: string | null
  isArchived: boolean
}

const KINDS = { channels: 'channel', users: 'user', skills: 'skill' } as const
const TOLD_MAX = 20

/**
 * Checks that everything exists that rules would notify or ask for, when they come into effect: what was there as they were
 * written may have been deleted or archived since.
 * @param names of channels and skills when the rules were written
 * @throws Unprocessable with the reason `TARGETS_GONE`, naming rules and targets
 */
export async function requireLiveTargets(
  sql: Sql,
  workflow: Pick<Workflow, 'org1' | 'org2' | 'org3'>,
  { rules, names }: { rules: readonly RuleDefinition[]; names: Readonly<Record<string, string>> },
): Promise<void> {
  const wanted = rules.flatMap(({ id: rule, event: { params } }) =>
    (Object.keys(KINDS) as (keyof typeof KINDS)[]).flatMap((key) =>
      (params[key] ?? []).map((id) => ({ rule, ruleName: params.name ?? null, kind: KINDS[key], id })),
    ),
  )
  if (wanted.length === 0) return
  const values: unknown[] = [[...new Set(wanted.map(({ id }) => id))]]
  const inLineage = lineageSql(pathOf(workflow), 't', values)
  const rows = await sql.query<{ id: string; archived: string | null }>(
    `select t.id, null as archived from channel t where t.id = any($1::uuid[]) and ${inLineage}
     union all select t.id, null from skill t where t.id = any($1::uuid[]) and ${inLineage}
     union all select t.id, case when t.status = 'archived' then coalesce(t.display_name, t.email) end from app_user t
       where t.id = any($1::uuid[]) and ${inLineage}`,
    values,
  )
  const found = new Map(rows.map(({ id, archived }) => [id, archived]))
  const gone = wanted.flatMap((target): GoneTarget[] => {
    const archived = found.get(target.id)
    if (archived === null) return []
    const name = archived ?? names[target.id] ?? null
    return [{ ...target, name, isArchived: archived !== undefined }]
  })
  if (gone.length === 0) return
  const told = gone.slice(0, TOLD_MAX)
  throw new Unprocessable(`rules name what is gone: ${told.map(wordsOf).join('; ')}`, {
    reason: 'TARGETS_GONE',
    field: 'rules',
    targets: told,
  })
}

function wordsOf({ rule, ruleName, kind, id, name, isArchived }: GoneTarget): string {
  const target = `${kind} ${name === null ? id : `${JSON.stringify(name)} (${id})`}`
  return `rule ${ruleName === null ? rule : JSON.stringify(ruleName)} names the ${target}, which was ${isArchived ? 'archived' : 'deleted'}`
}
