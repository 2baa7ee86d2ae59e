import type { Context, LoaderDefinition } from '../../platform/context.js'
import { isId } from '../../platform/db/clock.js'
import type { Sql } from '../../platform/db/sql.js'
import { lineageSql, ownOrAboveSql, tenantSql, type OrganizationPath } from '../../platform/db/tenancy.js'
import type { JsonObject, JsonValue } from '../../platform/json.js'
import { recordNotFound } from '../../platform/lists/fetch-record.js'
import type { ViewedKind, View, ViewGap } from './view.js'

/** A record that a filter names. */
interface Named {
  kind: ViewedKind
  id: string
  field: string
}

/** The fields of conversations and of participants that name records. */
export const NAMING: Readonly<Record<string, ViewedKind>> = {
  id: 'Conversation',
  organization: 'Organization',
  contact: 'Contact',
  channels: 'Channel',
  channelsOffline: 'Channel',
  caseChannels: 'Channel',
  labels: 'Label',
  assignee: 'User',
  user: 'User',
  createdBy: 'User',
  snoozedBy: 'User',
}

/**
 * The tables of what filters name. `above`: those of organizations above are of use below them too. People's names are not kept: a
 * colleague or a contact may be erased.
 */
const PLACES: Readonly<Record<ViewedKind, { table: string; above: boolean; name?: string; where?: string }>> = {
  Label: { table: 'label', above: true, name: 't.name' },
  Channel: { table: 'channel', above: true, name: 't.name' },
  User: { table: 'app_user', above: true, where: `t.status <> 'archived'` },
  Contact: { table: 'contact', above: false },
  Conversation: { table: 'conversation', above: false },
  Organization: { table: 'organization', above: false, name: 't.name' },
}

/** Lists the records that a filter names, in its stored form. */
export function namedIn(filter: JsonObject, at = 'filter'): Named[] {
  return Object.entries(filter).flatMap(([name, condition]): Named[] => {
    const place = `${at}.${name}`
    if (name === 'and' || name === 'or')
      return (condition as JsonObject[]).flatMap((part, index) => namedIn(part, `${place}[${index}]`))
    if (name === 'participants') return namedIn(condition as JsonObject, place)
    const kind = name === 'orgPath' ? 'Organization' : NAMING[name]
    if (kind === undefined) return []
    return Object.entries(condition as JsonObject).flatMap(([operator, value]) =>
      idsOf(name, value!).map((id): Named => ({ kind, id, field: `${place}.${operator}` })),
    )
  })
}

function idsOf(name: string, value: JsonValue): string[] {
  const texts = (Array.isArray(value) ? value : [value]).filter((each) => typeof each === 'string')
  const ids = name === 'orgPath' ? texts.flatMap((text) => text.split('#')).filter(isId) : texts
  return ids.map((id) => id.toLowerCase())
}

/**
 * Checks that the caller sees what a filter names, and that conversations of the view's organization, or of one above or below it,
 * can have it. What the view named before may be gone, so that the rest can be changed.
 * @returns the names of what has one, by id
 * @throws NotFound naming the field
 */
export async function checkNamed(
  ctx: Context,
  sql: Sql,
  filter: JsonObject,
  { path, stored }: { path: OrganizationPath; stored: View | null },
): Promise<Record<string, string>> {
  const named = namedIn(filter)
  const known = new Set(stored ? namedIn(stored.filter).map(({ id }) => id) : [])
  const names = { ...stored?.names }
  for (const [kind, ids] of byKind(named)) {
    const { table, above, name = 'null::text', where = 'true' } = PLACES[kind]
    const values: unknown[] = [ids]
    const visible = above ? ownOrAboveSql(ctx.tenant, 't', values) : tenantSql(ctx.tenant, 't', values)
    const rows = await sql.query<{ id: string; name: string | null }>(
      `select t.id, ${name} as name from ${table} t
       where t.id = any($1::uuid[]) and ${where} and ${visible} and ${lineageSql(path, 't', values)}`,
      values,
    )
    const found = new Map(rows.map((row) => [row.id, row.name]))
    for (const { id, field } of named.filter((each) => each.kind === kind))
      if (!found.has(id) && !known.has(id)) throw recordNotFound(kind, id, field)
    for (const [id, each] of found) if (each !== null) names[id] = each
  }
  const now = new Set(named.map(({ id }) => id))
  return Object.fromEntries(Object.entries(names).filter(([id]) => now.has(id)))
}

function byKind(named: readonly Named[]): Map<ViewedKind, string[]> {
  const ids = new Map<ViewedKind, string[]>()
  for (const { kind, id } of named) ids.set(kind, [...(ids.get(kind) ?? []), id])
  return ids
}

interface State {
  isArchived: boolean
}

/** Loads by kind and id, such as `Label 0190…`, whether a record is archived; null if it is gone. Of no tenant: it tells no more. */
const states: LoaderDefinition<State> = {
  load: async (ctx, keys) => {
    const named = keys.map((key) => key.split(' ') as [ViewedKind, string])
    const found = new Map<string, State>()
    for (const [kind, ids] of byKind(named.map(([each, id]) => ({ kind: each, id, field: '' })))) {
      const { table, where = 'true' } = PLACES[kind]
      const archived = kind === 'Label' ? 't.archived_at is not null' : 'false'
      const rows = await ctx.reads.query<{ id: string; archived: boolean }>(
        `select t.id, ${archived} as archived from ${table} t where t.id = any($1::uuid[]) and ${where}`,
        [ids],
      )
      for (const row of rows) found.set(`${kind} ${row.id}`, { isArchived: row.archived })
    }
    return found
  },
}

/** Lists what the filter of a view names, and which is gone or archived by now. */
export async function gapsOf(ctx: Context, { filter, names }: View): Promise<ViewGap[]> {
  const named = namedIn(filter)
  const found = await Promise.all(named.map(({ kind, id }) => ctx.loader(states).load(`${kind} ${id}`)))
  return named.flatMap((each, index): ViewGap[] => {
    const state = found[index] ?? null
    if (state !== null && !state.isArchived) return []
    return [{ ...each, name: names[each.id] ?? null, isArchived: state !== null }]
  })
}
