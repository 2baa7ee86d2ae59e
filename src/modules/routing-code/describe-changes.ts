import { isDeepStrictEqual } from 'node:util'
import type { JsonObject, JsonValue } from '../../platform/json.js'
import { byText, type RenderedRecord } from './render-records.js'
import { isObject, ruleName, SECTIONS, type Section } from './sections.js'

export type ChangeAction = 'create' | 'update' | 'delete'

/** A value that differs; null where there was or is none. */
export interface FieldChange {
  field: string
  before: JsonValue
  after: JsonValue
}

export interface RecordChanges {
  section: Section
  action: ChangeAction
  /** The name, or what stands for it; of one that is renamed the old one. */
  name: string
  /** Null for one that is to be created. */
  recordId: string | null
  fields: FieldChange[]
}

/** Compares two states of an organization's routing. Another name of what a record names is no change of it. */
export function describeChanges(before: readonly RenderedRecord[], after: readonly RenderedRecord[]): RecordChanges[] {
  const left = new Map(before.map((record) => [record.id, record]))
  const changes: RecordChanges[] = []
  for (const record of after) {
    const { section, id, title, entry } = record
    const old = left.get(id)
    left.delete(id)
    if (!old) {
      changes.push({ section, action: 'create', name: title, recordId: null, fields: fieldChanges({}, entry) })
    } else if (old.identity !== record.identity) {
      const fields = fieldChanges(old.entry, entry)
      // The same names stand for others now.
      if (fields.length === 0) fields.push(...fieldChanges(parse(old.identity), parse(record.identity)))
      changes.push({ section, action: 'update', name: old.title, recordId: id, fields })
    }
  }
  for (const { section, id, title } of left.values())
    changes.push({ section, action: 'delete', name: title, recordId: id, fields: [] })
  return changes.toSorted(
    (one, other) => SECTIONS.indexOf(one.section) - SECTIONS.indexOf(other.section) || byText(one.name, other.name),
  )
}

const parse = (identity: string): JsonObject => JSON.parse(identity) as JsonObject

/** Lists the values that differ, each with its path. The id by which a record is told from another is none of them. */
function fieldChanges(before: JsonObject, after: JsonObject): FieldChange[] {
  const changes: FieldChange[] = []
  for (const key of keysOf(before, after)) if (key !== 'id') compare(key, before[key], after[key])
  return changes

  function compare(field: string, from: JsonValue | undefined, to: JsonValue | undefined): void {
    if (isDeepStrictEqual(from, to)) return
    if (isObject(from) && isObject(to)) {
      for (const key of keysOf(from, to)) compare(`${field}.${key}`, from[key], to[key])
    } else if (Array.isArray(from) && Array.isArray(to) && [...from, ...to].every(isObject)) {
      compareLists(field, from as JsonObject[], to as JsonObject[])
    } else changes.push({ field, before: from ?? null, after: to ?? null })
  }

  function compareLists(field: string, from: readonly JsonObject[], to: readonly JsonObject[]): void {
    const [old, now] = [byName(from), byName(to)]
    if (!old || !now) {
      for (let index = 0; index < Math.max(from.length, to.length); index++)
        compare(`${field}[${index}]`, from[index], to[index])
      return
    }
    for (const name of new Set([...old.keys(), ...now.keys()]))
      compare(`${field}[${JSON.stringify(name)}]`, old.get(name), now.get(name))
    const [were, are] = [
      [...old.keys()].filter((name) => now.has(name)),
      [...now.keys()].filter((name) => old.has(name)),
    ]
    if (!isDeepStrictEqual(were, are)) changes.push({ field: `${field} (order)`, before: were, after: are })
  }
}

const keysOf = (one: JsonObject, other: JsonObject): Set<string> =>
  new Set([...Object.keys(one), ...Object.keys(other)])

/** Returns rules by their names, if each has one of its own. */
function byName(list: readonly JsonObject[]): Map<string, JsonObject> | null {
  const named = new Map<string, JsonObject>()
  for (const each of list) {
    const name = ruleName(each)
    if (name === null || named.has(name)) return null
    named.set(name, each)
  }
  return named
}
