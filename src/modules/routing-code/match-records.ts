import { isId } from '../../platform/db/clock.js'
import { quoteValue } from '../../platform/errors.js'
import type { JsonObject, JsonValue } from '../../platform/json.js'
import { nearestHint } from '../../platform/nearest-names.js'
import { nameKey, type DesiredRecord, type Problems, type RoutingDocumentContent } from './read-document.js'
import type { RenderedRecord } from './render-records.js'
import type { Nameable } from './routing-state.js'
import { isObject, mapReferences, TRAITS, type ReferenceKind, type Section } from './sections.js'

/** A record of the document with the one that there is, if there is one. */
export interface MatchedRecord {
  desired: DesiredRecord
  stored: RenderedRecord | null
}

export interface Matches {
  matched: MatchedRecord[]
  /** Records that the document claims, and has not. */
  removed: RenderedRecord[]
}

/** Finds the records that a document means: by id, else by external id, else by name. Notes what is not to be told. */
export function matchRecords(
  { records, manages }: RoutingDocumentContent,
  stored: readonly RenderedRecord[],
  problems: Problems,
): Matches {
  const taken = new Map<RenderedRecord, DesiredRecord>()
  const found = new Map<DesiredRecord, RenderedRecord>()
  const take = (desired: DesiredRecord, record: RenderedRecord | undefined): void => {
    if (!record) return
    const { at, section } = desired
    const earlier = taken.get(record)
    if (earlier)
      problems.add(at, `${at} and ${earlier.at} are the same ${TRAITS[section].noun}: ${quoteValue(record.title)}`)
    found.set(desired, record)
    taken.set(record, desired)
  }
  const byId = new Map(stored.map((record) => [`${record.section} ${record.id}`, record]))
  const byExternalId = new Map(
    stored.flatMap((record) => {
      const { externalId } = record.entry
      return typeof externalId === 'string' ? [[`${record.section} ${externalId}`, record]] : []
    }),
  )
  for (const desired of records) {
    const { section, at, id, externalId } = desired
    if (id !== null) {
      const record = byId.get(`${section} ${id}`)
      if (!record) problems.add(`${at}.id`, `the organization has no ${TRAITS[section].noun} ${id}`)
      else checkExternalId(desired, record, problems)
      take(desired, record)
    } else if (externalId !== null) {
      take(desired, byExternalId.get(`${section} ${externalId}`) ?? byId.get(`${section} ${externalId.toLowerCase()}`))
    }
  }
  const byName = Map.groupBy(
    stored.filter((record) => !taken.has(record)),
    (record) => keyOf(record.section, nameOf(record)),
  )
  for (const desired of records) {
    const { section, at, id, externalId } = desired
    if (id !== null || externalId !== null) continue
    const same = byName.get(keyOf(section, desired.name)) ?? []
    if (same.length > 1) {
      const ids = same.map((record) => record.id).join(' and ')
      const { noun } = TRAITS[section]
      problems.add(
        at,
        `the organization has several of the ${noun} ${quoteValue(desired.name)}: say which by id, ${ids}`,
      )
    }
    take(desired, same[0])
  }
  return {
    matched: records.map((desired) => ({ desired, stored: found.get(desired) ?? null })),
    removed: stored.filter((record) => manages.has(record.section) && !taken.has(record)),
  }
}

/** It is given when a workflow is created, and stays: another one of a workflow that the id finds would change nothing. */
function checkExternalId({ at, externalId }: DesiredRecord, { entry, id }: RenderedRecord, problems: Problems): void {
  const own = typeof entry.externalId === 'string' ? entry.externalId : null
  if (externalId === null || externalId === own || (own === null && externalId.toLowerCase() === id)) return
  const whose = own === null ? 'has none' : `has ${quoteValue(own)}`
  problems.add(`${at}.externalId`, `the workflow ${id} ${whose}, and an externalId does not change`)
}

const keyOf = (section: Section, name: string | null): string => `${section} ${nameKey(section, name)}`
const nameOf = ({ entry }: RenderedRecord): string | null => (typeof entry.name === 'string' ? entry.name : null)

/** Something that a name stands for, of which the id may not be known before it is created. */
interface Holder {
  id: string | null
}

/** Tells why a name stands for nothing: the words take long for a name that resembles many. */
type Reason = () => string

/** Finds the ids for the names in a document. */
export class Names {
  readonly #own = new Map<string, Holder[]>()
  readonly #names = new Map<ReferenceKind, Set<string>>()
  readonly #removed = new Set<string>()
  /** Titles of those that are removed, by kind and id. */
  readonly #removedById = new Map<string, string>()
  readonly #holders = new Map<DesiredRecord, Holder>()
  readonly #nameables: ReadonlyMap<string, readonly Nameable[]>

  constructor({ matched, removed }: Matches, stored: readonly RenderedRecord[], nameables: readonly Nameable[]) {
    this.#nameables = Map.groupBy(nameables, ({ kind, name }) => `${kind} ${name}`)
    const changed = new Set<RenderedRecord>(removed)
    for (const { desired, stored: record } of matched) {
      if (record) changed.add(record)
      const holder: Holder = { id: record?.id ?? null }
      this.#holders.set(desired, holder)
      this.#add(desired.section, desired.name, holder)
    }
    for (const record of stored) if (!changed.has(record)) this.#add(record.section, nameOf(record), record)
    for (const record of removed) {
      this.#removed.add(keyOf(record.section, nameOf(record)))
      this.#removedById.set(`${record.section} ${record.id}`, record.title)
    }
  }

  /** Says which id a new record got. */
  created(desired: DesiredRecord, id: string): void {
    this.#holders.get(desired)!.id = id
  }

  /** Notes every name of a record that is unknown, or that several have. */
  check({ section, entry, at }: DesiredRecord, problems: Problems): void {
    mapReferences(section, entry, (kind, value, place) => {
      const found = this.#find(kind, value)
      if (typeof found === 'function') problems.add(`${at}.${place}`, found)
      return value
    })
  }

  /** Returns what a record wants, with ids. Needs {@link check}, and what it names to be there. */
  resolve({ section, entry }: DesiredRecord): JsonObject {
    return mapReferences(section, entry, (kind, value) => {
      const found = this.#find(kind, value)
      return typeof found === 'function' ? value : found.id
    })
  }

  #add(section: Section, name: string | null, holder: Holder): void {
    if (name === null) return
    const key = keyOf(section, name)
    const same = this.#own.get(key)
    if (same) same.push(holder)
    else this.#own.set(key, [holder])
    const kind = section as ReferenceKind
    this.#names.set(kind, (this.#names.get(kind) ?? new Set()).add(name))
  }

  /** Returns the id, null for one that is to be created, or what tells why there is none. */
  #find(kind: ReferenceKind, value: JsonValue): Holder | Reason {
    if (kind === 'groups') return this.#findGroup(value)
    const noun = NOUNS[kind]
    if (typeof value === 'string') {
      if (kind === 'users' || kind === 'organizations') return this.#among(kind, value, () => true)
      const found = this.#own.get(keyOf(kind, value)) ?? []
      if (found.length === 1) return found[0]!
      if (found.length > 1) return () => several(noun, value, found)
      if (this.#removed.has(keyOf(kind, value)))
        return () => `the ${noun} ${quoteValue(value)} is removed by this document`
      return () => `there is no ${noun} ${quoteValue(value)}${nearestHint(value, [...(this.#names.get(kind) ?? [])])}`
    }
    if (isObject(value)) {
      const keys = Object.keys(value).toSorted().join(' ')
      const { id, name, organization } = value
      if (keys === 'id' && isId(id)) {
        const removed = this.#removedById.get(`${kind} ${id.toLowerCase()}`)
        if (removed !== undefined) return () => `the ${noun} ${quoteValue(removed)} is removed by this document`
        return { id: id.toLowerCase() }
      }
      if (keys === 'name organization' && typeof name === 'string')
        return this.#among(kind, name, (each) => each.organization === organization)
    }
    return () =>
      `a ${noun} is named by its name, by {id: …}, or by {name: …, organization: …}, not by ${quoteValue(value)}`
  }

  #findGroup(value: JsonValue): Holder | Reason {
    if (typeof value === 'string') return { id: value }
    if (isObject(value) && Object.keys(value).join() === 'group' && typeof value.group === 'string')
      return this.#among('groups', value.group, () => true)
    return () => `a tag is a text, or {group: …} for an organization group, not ${quoteValue(value)}`
  }

  #among(kind: ReferenceKind, name: string, isMeant: (each: Nameable) => boolean): Holder | Reason {
    const found = (this.#nameables.get(`${kind} ${name}`) ?? []).filter(isMeant)
    if (found.length === 1) return found[0]!
    if (found.length > 1) return () => several(NOUNS[kind], name, found)
    return () => `there is no ${NOUNS[kind]} ${quoteValue(name)} that you may name here`
  }
}

function several(noun: string, name: string, found: readonly Holder[]): string {
  const ids = found.map(({ id }) => id ?? 'a new one').join(' and ')
  return `several have the name of the ${noun} ${quoteValue(name)}: say which by {id: …}, ${ids}`
}

const NOUNS: Readonly<Record<ReferenceKind, string>> = {
  skills: 'skill',
  holidayCalendars: 'holiday calendar',
  schedules: 'schedule',
  channels: 'channel',
  users: 'user',
  organizations: 'organization',
  groups: 'organization group',
}
