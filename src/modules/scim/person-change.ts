import type { JsonObject } from '../../platform/json.js'
import { isPlainObject } from '../../platform/json.js'
import { canonical } from './attribute-names.js'
import { patched, type Operation } from './patch.js'
import { KEPT_NAMES, patchableOf, readPerson, type KeptName, type Person, type PersonRow } from './person.js'

/** The change of a user by a request. */
export interface PersonChange {
  person: Person
  /** The properties of which it says something: these are the provider's from then on. */
  named: readonly KeptName[]
}

const NAMES: Readonly<Record<string, readonly KeptName[]>> = {
  displayName: ['displayName'],
  phoneNumbers: ['phone'],
  givenName: ['givenName'],
  familyName: ['familyName'],
  middleName: ['additionalName'],
}
const OF_NAME = ['givenName', 'familyName', 'middleName']

/** Returns the change by a whole resource: it says something of what it has. @throws BadUserInput */
export function wholeChange(resource: JsonObject): PersonChange {
  const person = readPerson(resource)
  return { person, named: namedBy(person) }
}

/** The properties of which a whole resource says something. */
export function namedBy(person: Person): KeptName[] {
  return KEPT_NAMES.filter((key) => person[key] !== null)
}

/**
 * Returns the change by a patch: what its operations do not name stays as it is, and whose it is.
 * @throws BadUserInput
 */
export function patchChange(row: PersonRow, base: string, operations: readonly Operation[]): PersonChange {
  const read = readPerson(patched(patchableOf(row, base), operations), row.email)
  const attributes = new Set(operations.flatMap(attributesOf))
  const isNamed = (key: KeptName): boolean => {
    // The whole name is the one that is shown where there is no other.
    if (key === 'displayName' && attributes.has('formatted') && read.displayName !== row.displayName) return true
    // One that is not the number that is kept.
    if (key === 'phone' && read.phone === row.phone && !operations.some(isOfAllNumbers)) return false
    return [...attributes].some((attribute) => NAMES[attribute]?.includes(key))
  }
  const named = KEPT_NAMES.filter(isNamed)
  const person = { ...read, active: attributes.has('active') ? read.active : null }
  for (const key of KEPT_NAMES) if (!named.includes(key)) person[key] = row[key]
  return { person, named }
}

const isOfAllNumbers = ({ path }: Operation): boolean => path.attribute === 'phoneNumbers' && path.filter === null

/** The attributes of which an operation says something, the parts of a name by themselves. */
function attributesOf({ op, path: { attribute, part }, value }: Operation): string[] {
  if (attribute !== 'name') return [attribute]
  if (part !== null) return [part]
  return op === 'remove' || !isPlainObject(value) ? OF_NAME : Object.keys(canonical(value as JsonObject))
}
