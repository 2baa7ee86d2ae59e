import { isId } from '../../platform/db/clock.js'
import { quoteValue } from '../../platform/errors.js'
import type { JsonObject, JsonValue } from '../../platform/json.js'
import { nearestHint } from '../../platform/nearest-names.js'
import {
  parseDocumentText,
  PROBLEMS_MAX,
  documentRefusal,
  type LocatedDocument,
  type Problem,
} from './document-text.js'
import type { DocumentThread } from './document-thread.js'
import { RULES_MAX } from '../workflows/rule.js'
import { isObject, SECTIONS, TRAITS, type Section } from './sections.js'

export const DOCUMENT_VERSION = 1
const RECORDS_MAX = 2_000
/** No list of a record may be longer; most must be shorter, which is for its mutation to say. */
const LIST_MAX = 1_000
const KEYS = ['version', 'organization', 'manages', ...SECTIONS] as const

/** A record as the document wants it. */
export interface DesiredRecord {
  section: Section
  /** Its path in the document: `workflows[0]`. */
  at: string
  name: string | null
  id: string | null
  externalId: string | null
  /** The entry as it is written, with names. */
  entry: JsonObject
}

/** A routing document that has been read. */
export interface RoutingDocumentContent {
  /** Name of the organization that it is for, if it says so. */
  organization: string | null
  /** Sections whose records are removed if the document has them not. */
  manages: ReadonlySet<Section>
  /** Sections that the document has: nothing of the others matters to it. */
  sections: ReadonlySet<Section>
  records: DesiredRecord[]
  locate: LocatedDocument['locate']
}

/**
 * Notes what is wrong in a document, so that it is said at once. Of a document that is wrong everywhere the first mistakes are noted,
 * and the others counted: to find the words and the place of each would take minutes.
 */
export class Problems {
  readonly #noted: Problem[] = []
  #count = 0

  constructor(private readonly locate: LocatedDocument['locate']) {}

  add(field: string, message: string | (() => string)): void {
    if (++this.#count > PROBLEMS_MAX) return
    const words = typeof message === 'string' ? message : message()
    this.#noted.push({ ...this.locate(field), field, message: words })
  }

  /** @throws BadUserInput if there are any */
  refuse(): void {
    if (this.#count > 0) throw documentRefusal(this.#noted, this.#count)
  }
}

/** Reads a document as far as that needs no database. @throws BadUserInput with line and column of everything wrong */
export async function readDocument(thread: DocumentThread, text: string): Promise<RoutingDocumentContent> {
  const { value, locate } = await parseDocumentText(thread, text)
  const problems = new Problems(locate)
  if (!isObject(value)) {
    problems.add('document', `the document must be a map with the keys ${KEYS.join(', ')}`)
    problems.refuse()
  }
  const root = value as JsonObject
  checkKeys(root, '', KEYS, problems)
  if (root.version !== DOCUMENT_VERSION)
    problems.add('version', `version must be ${DOCUMENT_VERSION}, not ${quoteValue(root.version ?? null)}`)
  const { organization = null } = root
  if (organization !== null && typeof organization !== 'string')
    problems.add('organization', `organization must be a name, not ${quoteValue(organization)}`)
  const manages = readManages(root, problems)
  const records = SECTIONS.flatMap((section) => readSection(root, section, problems))
  refuseTwice(records, problems)
  problems.refuse()
  const sections = new Set(SECTIONS.filter((section) => root[section] !== undefined))
  return { organization: organization as string | null, manages, sections, records, locate }
}

function readManages(root: JsonObject, problems: Problems): Set<Section> {
  const given = root.manages ?? []
  if (!Array.isArray(given)) {
    problems.add('manages', `manages must be a list of sections, not ${quoteValue(given)}`)
    return new Set()
  }
  for (const [index, section] of given.entries()) {
    const at = `manages[${index}]`
    if (!SECTIONS.includes(section as Section)) {
      problems.add(at, `${quoteValue(section)} is no section; known are ${SECTIONS.join(', ')}`)
    } else if (root[section as Section] === undefined) {
      problems.add(
        at,
        `${section as Section} is managed, and not in the document: write "${section as Section}: []" to remove all of them`,
      )
    }
  }
  return new Set(given as Section[])
}

function readSection(root: JsonObject, section: Section, problems: Problems): DesiredRecord[] {
  const given = root[section] ?? []
  if (!Array.isArray(given)) {
    problems.add(section, `${section} must be a list, not ${quoteValue(given)}`)
    return []
  }
  if (given.length > RECORDS_MAX) {
    problems.add(section, `${section} has ${given.length} elements; at most ${RECORDS_MAX} are allowed`)
    return []
  }
  return given.flatMap((entry, index) => readRecord(section, entry, `${section}[${index}]`, problems) ?? [])
}

function readRecord(section: Section, entry: JsonValue, at: string, problems: Problems): DesiredRecord | null {
  if (!isObject(entry)) {
    problems.add(at, `${at} must be a map, not ${quoteValue(entry)}`)
    return null
  }
  const { keys, required, noun } = TRAITS[section]
  checkLists(entry, at, problems)
  checkKeys(entry, at, ['name', 'id', ...keys], problems)
  for (const key of required) {
    if (entry[key] === undefined || entry[key] === null) problems.add(at, `the ${noun} needs ${key}`)
  }
  const textOf = (key: string): string | null => {
    const value = entry[key] ?? null
    if (value === null || typeof value === 'string') return value
    problems.add(`${at}.${key}`, `${at}.${key} must be a text, not ${quoteValue(value)}: put it in quotes`)
    return null
  }
  const [name, id, externalId] = [textOf('name'), textOf('id'), textOf('externalId')]
  if (id !== null && !isId(id)) problems.add(`${at}.id`, `${at}.id must be a UUID, not ${quoteValue(id)}`)
  if (section === 'workflows') {
    if (name === null && id === null && externalId === null)
      problems.add(at, 'the workflow needs a name, an externalId or an id')
    for (const [index, rule] of (Array.isArray(entry.rules) ? entry.rules : []).entries()) {
      const given = isObject(rule) ? rule.id : undefined
      if (given !== undefined && typeof given !== 'string')
        problems.add(`${at}.rules[${index}].id`, `${at}.rules[${index}].id must be a text, not ${quoteValue(given)}`)
    }
  }
  return { section, at, name, id: id?.toLowerCase() ?? null, externalId, entry }
}

function checkKeys(of: JsonObject, at: string, known: readonly string[], problems: Problems): void {
  for (const key of Object.keys(of)) {
    if (known.includes(key)) continue
    const field = at === '' ? key : `${at}.${key}`
    problems.add(
      field,
      () => `${quoteValue(key)} is not a known key${nearestHint(key, known)}; known are ${known.join(', ')}`,
    )
  }
}

/** Refuses lists that are too long for what is done with them before the mutations see them. */
function checkLists(value: JsonValue, at: string, problems: Problems): void {
  if (isObject(value)) for (const key of Object.keys(value)) checkLists(value[key]!, `${at}.${key}`, problems)
  if (!Array.isArray(value)) return
  const max = RULES_AT.test(at) ? RULES_MAX : LIST_MAX
  if (value.length > max) problems.add(at, `${at} has ${value.length} elements; at most ${max} are allowed`)
  else for (const [index, each] of value.entries()) checkLists(each, `${at}[${index}]`, problems)
}
const RULES_AT = /^workflows\[\d+\]\.rules$/

/** Two records of one name are told apart by their ids alone. */
function refuseTwice(records: readonly DesiredRecord[], problems: Problems): void {
  const seen = new Map<string, DesiredRecord>()
  for (const record of records) {
    const { section, at, name, id, externalId } = record
    for (const key of [
      id && `id ${id}`,
      externalId && `externalId ${externalId}`,
      !id && !externalId && nameKey(section, name),
    ]) {
      if (!key) continue
      const earlier = seen.get(`${section} ${key}`)
      if (!earlier) seen.set(`${section} ${key}`, record)
      else problems.add(at, `${at} and ${earlier.at} are the same ${TRAITS[section].noun}: ${quoteValue(name ?? key)}`)
    }
  }
}

/** Returns by what a name is found: those of skills are unique whatever their case. */
export function nameKey(section: string, name: string | null): string | null {
  if (name === null) return null
  return `name ${section === 'skills' ? name.toLowerCase() : name}`
}
