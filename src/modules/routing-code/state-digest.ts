import { createHash } from 'node:crypto'
import type { JsonObject } from '../../platform/json.js'
import { BadUserInput, DomainError, quoteValue, Unprocessable } from '../../platform/errors.js'
import type { RenderedRecord } from './render-records.js'
import { SECTIONS, TRAITS, type Section } from './sections.js'

const HASH_CHARS = 16
/** A thousand records have some 40,000. A digest is sent beside its document: of longer ones the names are left out. */
const NAMED_CHARS_MAX = 60_000
/** All sections but channels have at most 1,600 together. */
const RECORDS_MAX = 5_000
/** A record without its name has less than 40. */
const DIGEST_CHARS_MAX = 40 * RECORDS_MAX

/** Section, name and hash of each record; without names if these are too long. */
type Row = [section: number, name: string | null, hash: string]

/**
 * Names a state of an organization's routing, so that a later one can be told from it, with the names of what differs. It has no
 * secrets: only names that the caller has seen, and hashes.
 * @param planned the document that is planned, and what it wants with the ids that its names stand for: no other is applied with this
 *   digest, nor the same where it would mean other records, as those of sections that it has not
 * @throws Unprocessable for more records than a digest may have
 */
export function digestOf(
  records: readonly RenderedRecord[],
  planned?: { document: string; resolved: readonly JsonObject[] },
): string {
  if (records.length > RECORDS_MAX) {
    throw new Unprocessable(
      `the sections of the document have ${records.length} records of the organization; at most ${RECORDS_MAX} are planned: leave out a section`,
      { reason: 'TOO_MANY' },
    )
  }
  const rows = records.map(rowOf)
  const named = encode(rows)
  const state = named.length <= NAMED_CHARS_MAX ? named : encode(rows.map(([section, , hash]) => [section, null, hash]))
  return planned ? `${state}.${hashOf(planned.document)}.${hashOf(JSON.stringify(planned.resolved))}` : state
}

const encode = (rows: readonly Row[]): string => Buffer.from(JSON.stringify(rows)).toString('base64url')

const hashOf = (text: string): string => createHash('sha256').update(text).digest('base64url')

function rowOf({ section, title, id, entry }: RenderedRecord): Row {
  const hash = createHash('sha256').update(id).update(JSON.stringify(entry)).digest('base64url')
  return [SECTIONS.indexOf(section), title, hash.slice(0, HASH_CHARS)]
}

/**
 * @throws DomainError PRECONDITION_FAILED with the records that differ; BadUserInput for what is no digest, and for that of another
 *   document's plan
 */
export function requireDigest(given: string, records: readonly RenderedRecord[], document: string): void {
  const [digest, planned, _resolved, ...rest] = given.split('.')
  if (rest.length > 0) throw new BadUserInput('digest', 'digest must be that of a plan')
  requireState(digest!, records)
  if (planned !== undefined && planned !== hashOf(document))
    throw new BadUserInput('digest', 'digest is that of the plan of another document: plan this one')
}

/** @throws DomainError PRECONDITION_FAILED if a name of the document stands for another record than in the plan with the digest */
export function requireResolved(given: string, resolved: readonly JsonObject[]): void {
  const [, , planned] = given.split('.')
  if (planned === undefined || planned === hashOf(JSON.stringify(resolved))) return
  throw new DomainError(
    'PRECONDITION_FAILED',
    'changed since the plan: a name in the document stands for another record now. Nothing was applied: plan again',
    { reason: 'OTHER_VERSION', field: 'digest', records: [] },
  )
}

function requireState(digest: string, records: readonly RenderedRecord[]): void {
  const [planned, present] = [rowsByKey(parseDigest(digest)), rowsByKey(records.map(rowOf))]
  const gone = [...planned].flatMap(([key, row]) => (present.has(key) ? [] : [row]))
  const there = [...present].flatMap(([key, row]) => (planned.has(key) ? [] : [row]))
  if (gone.length === 0 && there.length === 0) return
  const [goneBy, thereBy] = [gone, there].map((rows) => Map.groupBy(rows, ([at]) => at))
  const changed = new Map<string, Changed>()
  for (const [at, name] of [...there, ...gone]) {
    // What is without a name may be an earlier state of one that has it.
    if (name === null && goneBy!.get(at)!.length <= (thereBy!.get(at)?.length ?? 0)) continue
    const section = SECTIONS[at]!
    changed.set(`${section} ${name}`, { section, name })
  }
  refuseChanged([...changed.values()])
}

/** A record that differs; without a name if it is gone, and its digest had none. */
interface Changed {
  section: Section
  name: string | null
}

/** @throws DomainError PRECONDITION_FAILED, as for a version that is another by now */
export function refuseChanged(changed: readonly Changed[]): never {
  const named = changed.slice(0, 10).map(({ section, name }) => nameOf(section, name))
  const more = changed.length > named.length ? ` and ${changed.length - named.length} more` : ''
  throw new DomainError(
    'PRECONDITION_FAILED',
    `changed since the plan: ${named.join(', ')}${more}. Nothing was applied: plan again`,
    { reason: 'OTHER_VERSION', field: 'digest', records: changed.slice(0, 100) },
  )
}

const nameOf = (section: Section, name: string | null): string =>
  name === null
    ? `a ${TRAITS[section].noun} that is not there any more`
    : `the ${TRAITS[section].noun} ${quoteValue(name)}`

/** Returns rows by what tells states apart: the hashes have the names too, and ids, so that each is there once. */
const rowsByKey = (rows: readonly Row[]): Map<string, Row> => new Map(rows.map((row) => [`${row[0]} ${row[2]}`, row]))

function parseDigest(digest: string): Row[] {
  try {
    if (digest.length > DIGEST_CHARS_MAX) throw new Error('too long')
    const rows: unknown = JSON.parse(Buffer.from(digest, 'base64url').toString())
    if (Array.isArray(rows) && rows.every(isRow)) return rows
  } catch {
    // Refused below.
  }
  throw new BadUserInput('digest', 'digest must be that of a plan')
}

function isRow(row: unknown): row is Row {
  if (!Array.isArray(row)) return false
  const [section, name, hash] = row as unknown[]
  return (
    Number.isInteger(section) &&
    SECTIONS[section as number] !== undefined &&
    (name === null || typeof name === 'string') &&
    typeof hash === 'string'
  )
}
