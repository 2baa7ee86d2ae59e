import { ChangeSetType, JsonType, type ChangeSet, type EventSubscriber, type FlushEventArgs } from '@mikro-orm/core'
import type { EntityManager } from '@mikro-orm/postgresql'
import type { JsonObject, JsonValue } from '../json.js'
import { readTextArray, TextArray } from './text-array.js'

/** A record that a transaction wrote, with the old and the new value of each property that it changed. */
export interface RecordedChange {
  /** The record's table. */
  record: string
  id: string
  change: 'created' | 'updated' | 'deleted'
  values: Record<string, { from: JsonValue; to: JsonValue }>
}

/** Written with every change, or telling nothing that the entry does not. */
const LEFT_OUT = new Set(['id', 'organizationId', 'org1', 'org2', 'org3', 'createdAt', 'updatedAt', 'version'])

/** Stands for a value that the log does not keep: a secret, or a consumer's. */
export const NOT_KEPT = '(not kept)'
/** Longer texts and larger values are not kept: the record's own history has them, where it has one. */
const VALUE_CHARS_MAX = 1_000

/**
 * Properties whose values are secrets or personal data of consumers, by table: the log tells that they changed, of an object
 * which of its keys. A table of consumers' data has none of its values kept.
 */
const HIDDEN: Readonly<Record<string, ReadonlySet<string> | 'all'>> = {
  app_user: new Set(['passwordHash', 'apiTokenId', 'apiTokenHash', 'meta', 'settings']),
  service: new Set(['params']),
  webhook: new Set(['previousSecret']),
  // Words that are looked for may be a consumer's.
  view: new Set(['filter']),
  contact: 'all',
  contact_note: 'all',
  attachment: 'all',
}

const recorders = new WeakMap<EntityManager, RecordedChange[]>()

/** Collects what the entity manager writes from now on. */
export function recordChangesOf(em: EntityManager): RecordedChange[] {
  const changes: RecordedChange[] = []
  recorders.set(em, changes)
  return changes
}

/** Returns what the entity manager has written so far, for an entry of its own beside that of a mutation. */
export function changesSoFar(em: EntityManager): readonly RecordedChange[] {
  return recorders.get(em) ?? []
}

/** Notes a change that is written by SQL, for the entry of the mutation that makes it. */
export function noteChange(em: EntityManager, change: RecordedChange): void {
  recorders.get(em)?.push(change)
}

/** Notes the changes of each flush for {@link recordChangesOf}. */
export class ChangeRecorder implements EventSubscriber {
  onFlush({ em, uow }: FlushEventArgs): void {
    const changes = recorders.get(em as EntityManager)
    if (!changes) return
    for (const changeSet of uow.getChangeSets()) changes.push(changeOf(changeSet))
  }
}

const CHANGES = {
  [ChangeSetType.CREATE]: 'created',
  [ChangeSetType.UPDATE]: 'updated',
  [ChangeSetType.UPDATE_EARLY]: 'updated',
  [ChangeSetType.DELETE]: 'deleted',
  [ChangeSetType.DELETE_EARLY]: 'deleted',
} as const

function changeOf({ type, meta, entity, payload, originalEntity }: ChangeSet<object>): RecordedChange {
  const record = meta.tableName
  const change = CHANGES[type]
  const before = (originalEntity ?? {}) as Record<string, unknown>
  const after = change === 'deleted' ? {} : (payload as Record<string, unknown>)
  const properties = meta.properties as Record<string, { customType?: unknown } | undefined>
  // Snapshots and what is about to be written have JSON and arrays as text.
  const read = (values: Record<string, unknown>, name: string): unknown => {
    const value = values[name]
    if (typeof value !== 'string') return value
    const type = properties[name]?.customType
    if (type instanceof TextArray) return readTextArray(value)
    return type instanceof JsonType ? (JSON.parse(value) as unknown) : value
  }
  const names = Object.keys(change === 'deleted' ? before : after).filter((name) => !LEFT_OUT.has(name))
  const hidden = HIDDEN[record]
  const values = names.flatMap((name) => {
    const [from, to] = [read(before, name), read(after, name)]
    if (hidden !== 'all' && !hidden?.has(name)) return [[name, { from: keptValue(from), to: keptValue(to) }] as const]
    const keys = changedKeys(from, to)
    if (!keys) return [[name, { from: hide(from), to: hide(to) }] as const]
    const [old, now] = [objectOf(from), objectOf(to)]
    return keys.map((key) => [`${name}.${key}`, { from: hide(old[key]), to: hide(now[key]) }] as const)
  })
  return { record, id: String((entity as { id?: unknown }).id ?? ''), change, values: Object.fromEntries(values) }
}

const hide = (value: unknown): JsonValue => (value == null ? null : NOT_KEPT)

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date)
const objectOf = (value: unknown): Record<string, unknown> => (isObject(value) ? value : {})

/** The keys whose values differ, if either value is an object. */
function changedKeys(from: unknown, to: unknown): string[] | null {
  if (!isObject(from) && !isObject(to)) return null
  const [old, now] = [objectOf(from), objectOf(to)]
  const keys = new Set([...Object.keys(old), ...Object.keys(now)])
  return [...keys].filter((key) => JSON.stringify(old[key]) !== JSON.stringify(now[key])).toSorted()
}

function keptValue(value: unknown): JsonValue {
  if (value == null) return null
  const json = JSON.stringify(value)
  if (json === undefined) return null
  return json.length > VALUE_CHARS_MAX ? `(${json.length} characters)` : (JSON.parse(json) as JsonValue)
}

/** Returns the changes as details of an entry. */
export function detailsOfChanges(changes: readonly RecordedChange[]): JsonObject[] {
  return changes
    .filter(({ change, values }) => change !== 'updated' || Object.keys(values).length > 0)
    .map(({ record, id, change, values }) => ({ record, id, change, values: values as unknown as JsonObject }))
}
