import { isId } from '../../platform/db/clock.js'
import { reading, type ReadSql } from '../../platform/db/sql.js'
import { lineageSql, tenantSql, type OrganizationPath, type TenantScope } from '../../platform/db/tenancy.js'
import { Unprocessable } from '../../platform/errors.js'
import type { JsonObject, JsonValue } from '../../platform/json.js'
import { mapReferences, NAMED_BY, SECTIONS, TRAITS, type ReferenceKind, type Section } from './sections.js'

/** A record of the organization, as its mutation takes it: what it names by ids. */
export interface StoredRecord {
  section: Section
  id: string
  version: number
  name: string | null
  values: JsonObject
}

/**
 * Reads the records of an organization in some sections, in one statement, and the names alone of those that these may name.
 * @throws Unprocessable for more than is kept in memory for a document
 */
export async function readState(
  sql: ReadSql,
  organization: string,
  sections: ReadonlySet<Section>,
): Promise<StoredRecord[]> {
  const whole = [...sections]
  const present = [...new Set(whole.flatMap((section) => [section, ...NAMED_BY[section]]))]
  const [size] = await sql.query<{ chars: string | number }>(SIZE, [organization, whole], 'routing-state-size')
  const chars = Number(size!.chars)
  if (chars > STATE_CHARS_MAX) {
    throw new Unprocessable(
      `the workflows of the organization have ${chars} characters; at most ${STATE_CHARS_MAX} are read for a document`,
      { reason: 'TOO_LARGE' },
    )
  }
  return sql.query<StoredRecord>(STATE, [organization, present, whole], 'routing-state')
}

/** A document has at most a million. */
const STATE_CHARS_MAX = 4_000_000

/** Workflows alone may be this large: of the others there are few, or they are small. */
const SIZE = reading(`select coalesce(sum(length(rules::text)), 0) as chars from workflow
  where organization_id = $1 and 'workflows' = any($2::text[])`)

const VALUES: Readonly<Record<Section, string>> = {
  skills: `'{}'::jsonb`,
  holidayCalendars: `jsonb_build_object('days', days)`,
  schedules: `jsonb_build_object('timezone', timezone, 'spans', spans, 'exceptions', exceptions,
    'calendars', to_jsonb(calendar_ids), 'text', text)`,
  channels: `jsonb_build_object('assignment', assignment, 'serviceLevel', service_level, 'survey', survey)`,
  slaPolicies: `jsonb_build_object('position', position, 'conditions', conditions, 'schedule', schedule_id,
    'targets', targets)`,
  workflows: `jsonb_build_object('externalId', external_id, 'organizations', to_jsonb(organizations),
    'organizationTags', to_jsonb(organization_tags), 'rules', rules)`,
}

const STATE = reading(
  SECTIONS.map(
    (section) => `select '${section}' as section, id, version, name,
    case when '${section}' = any($3::text[]) then ${VALUES[section]} else '{}' end as "values"
  from ${TRAITS[section].table} where organization_id = $1 and '${section}' = any($2::text[])`,
  ).join('\nunion all '),
)

/** A record that others may name. */
export interface Nameable {
  kind: ReferenceKind
  id: string
  /** The email of a user, the name of any other. */
  name: string
  organizationId: string
  /** Name of its organization. */
  organization: string
}

/** The ids and names by which something is named. */
export type Wanted = ReadonlyMap<ReferenceKind, ReadonlySet<string>>

/** Collects the ids by which records name others. */
export function idsNamedBy(records: readonly StoredRecord[]): Map<ReferenceKind, Set<string>> {
  const wanted = new Map<ReferenceKind, Set<string>>()
  for (const { section, values } of records) {
    mapReferences(section, values, (kind, value) => {
      if (isId(value)) want(wanted, kind, value)
      return value
    })
  }
  return wanted
}

export function want(wanted: Map<ReferenceKind, Set<string>>, kind: ReferenceKind, value: JsonValue): void {
  if (typeof value !== 'string') return
  const of = wanted.get(kind) ?? new Set()
  wanted.set(kind, of.add(value))
}

export interface Visible {
  scope: TenantScope
  /** The organization whose records name others: these are of its lineage, as the mutations ask. */
  path: OrganizationPath
}

/**
 * Reads the records with these ids, or with the name of one of them, or with one of these names, that the caller sees: so that what
 * has its name alone can be told from what has not.
 */
export async function readNameables(sql: ReadSql, visible: Visible, wanted: Wanted): Promise<Nameable[]> {
  const found = await Promise.all([...wanted].map(([kind, named]) => readKind(sql, visible, kind, [...named])))
  return found.flat()
}

async function readKind(
  sql: ReadSql,
  { scope, path }: Visible,
  kind: ReferenceKind,
  named: readonly string[],
): Promise<Nameable[]> {
  const { table, name, isOfLineage } = KINDS[kind]
  const values: unknown[] = [named.filter(isId), named]
  const conditions = [tenantSql(scope, 't', values)]
  if (isOfLineage) conditions.push(lineageSql(path, 't', values))
  const where = conditions.join(' and ')
  const statement = `
    with wanted as (
      select t.${name} as name from ${table} t where t.id = any($1::uuid[]) and ${where}
      union select unnest($2::text[])
    )
    select t.id, t.${name} as name, t.organization_id as "organizationId", o.name as organization
    from ${table} t join organization o on o.id = t.organization_id
    where t.${name} in (select name from wanted) and ${where} order by t.id`
  const rows = await sql.query<Omit<Nameable, 'kind'>>(reading(statement), values)
  return rows.map((row) => ({ kind, ...row }))
}

const KINDS: Readonly<Record<ReferenceKind, { table: string; name: string; isOfLineage: boolean }>> = {
  skills: { table: 'skill', name: 'name', isOfLineage: true },
  holidayCalendars: { table: 'holiday_calendar', name: 'name', isOfLineage: true },
  schedules: { table: 'schedule', name: 'name', isOfLineage: true },
  channels: { table: 'channel', name: 'name', isOfLineage: true },
  users: { table: 'app_user', name: 'email', isOfLineage: true },
  organizations: { table: 'organization', name: 'name', isOfLineage: false },
  groups: { table: 'organization_group', name: 'name', isOfLineage: false },
}
