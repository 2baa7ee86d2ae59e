import { isPlainObject, type JsonObject, type JsonValue } from '../../platform/json.js'
import {
  canonical,
  canonicalName,
  inAnyCase,
  isUnkept,
  PATCH_SCHEMA,
  requireSchema,
  SERVER_MADE,
  withoutSchema,
} from './attribute-names.js'
import { parseFilter, type Filter } from './filter-ast.js'
import { isPrimary, valuesOf } from './person.js'
import { scimError } from './scim-errors.js'

/** An operation of a patch (RFC 7644, 3.5.2). */
export interface Operation {
  op: 'add' | 'remove' | 'replace'
  path: Path
  value: JsonValue | undefined
}

/** `emails[type eq "work"].value`. */
export interface Path {
  attribute: string
  filter: Filter | null
  part: string | null
}

/** Providers send the members of a group one by one, or a list of them. */
const OPERATIONS_MAX = 1_000
const PATH_CHARS_MAX = 500
const OPS = new Set(['add', 'remove', 'replace'])

/** Reads the body of a patch. One without a path is as many operations as its value has attributes. @throws BadUserInput */
export function readOperations(body: unknown): Operation[] {
  const { Operations: given, operations = given } = requireSchema(body, PATCH_SCHEMA)
  if (!Array.isArray(operations) || operations.length === 0)
    throw scimError('invalidSyntax', 'Operations', 'Operations must be a list of one or more')
  if (operations.length > OPERATIONS_MAX) throw tooManyOperations()
  const result: Operation[] = []
  for (const [at, each] of operations.entries()) {
    result.push(...readOperation(each, `Operations[${at}]`, OPERATIONS_MAX - result.length))
  }
  return result
}

/** @param left how many there may be */
function readOperation(given: JsonValue, field: string, left: number): Operation[] {
  if (!isPlainObject(given)) throw scimError('invalidSyntax', field, `${field} must be an object`)
  const { op: named, path, value } = given as JsonObject
  const op = typeof named === 'string' ? named.toLowerCase() : ''
  if (!isOp(op)) throw scimError('invalidSyntax', `${field}.op`, `${field}.op must be add, remove or replace`)
  if (op !== 'remove' && value === undefined)
    throw scimError('invalidValue', `${field}.value`, `${field}.value is required`)
  if (path !== undefined && path !== null && path !== '') return [{ op, path: readPath(path, `${field}.path`), value }]
  if (op === 'remove') throw scimError('noTarget', `${field}.path`, `${field}.path is required to remove something`)
  if (!isPlainObject(value))
    throw scimError('invalidValue', `${field}.value`, `${field}.value must be an object, since there is no path`)
  const attributes = Object.entries(value as JsonObject)
  if (attributes.length > left) throw tooManyOperations()
  return attributes.map(([key, each]) => ({ op, path: readPath(key, `${field}.value`), value: each }))
}

function tooManyOperations(): Error {
  return scimError('tooMany', 'Operations', `Operations has more than ${OPERATIONS_MAX} changes`)
}

const isOp = (op: string): op is Operation['op'] => OPS.has(op)

/** @throws BadUserInput (`invalidPath`, `invalidFilter`) */
function readPath(given: JsonValue, field: string): Path {
  if (typeof given !== 'string' || given.length > PATH_CHARS_MAX || /\p{Cc}/u.test(given))
    throw scimError('invalidPath', field, `${field} must be a path of at most ${PATH_CHARS_MAX} characters`)
  const text = withoutSchema(given.trim())
  // Of an extension: its names have dots, and nothing of it is kept.
  if (text.toLowerCase().startsWith('urn:')) return { attribute: text, filter: null, part: null }
  const [open, close] = [text.indexOf('['), text.lastIndexOf(']')]
  if (open < 0) {
    const [attribute = '', part = null, ...more] = text.split('.')
    if (attribute !== '' && part !== '' && more.length === 0) return named(attribute, null, part)
  } else if (open > 0 && close > open) {
    const rest = text.slice(close + 1)
    const filter = parseFilter(text.slice(open + 1, close), field)
    if (rest === '' || /^\.\w+$/.test(rest)) return named(text.slice(0, open), filter, rest.slice(1) || null)
  }
  throw scimError('invalidPath', field, `${field} is not a path that is understood here`)
}

function named(attribute: string, filter: Filter | null, part: string | null): Path {
  return { attribute: canonicalName(attribute), filter, part: part && canonicalName(part) }
}

const SIMPLE = new Set(['userName', 'externalId', 'active', 'displayName'])
const NAME_PARTS = new Set(['givenName', 'familyName', 'middleName', 'formatted'])
const LISTS = new Set(['emails', 'phoneNumbers'])
const LIST_PARTS = new Set(['value', 'type', 'primary', 'display'])

/**
 * Returns a user's resource as a patch makes it. Attributes that are not kept here change nothing; what is no attribute at all is refused.
 * @throws BadUserInput
 */
export function patched(resource: JsonObject, operations: readonly Operation[]): JsonObject {
  const result = new Map(Object.entries(structuredClone(resource)))
  for (const { op, path, value } of operations) {
    const { attribute, filter, part } = path
    if (isUnkept(attribute) || SERVER_MADE.has(attribute)) continue
    if (SIMPLE.has(attribute)) {
      if (filter || part !== null) throw noSuchPath(path)
      result.set(attribute, op === 'remove' ? null : value!)
    } else if (attribute === 'name') {
      if (filter || (part !== null && !NAME_PARTS.has(part) && !isUnkept(part))) throw noSuchPath(path)
      result.set('name', patchedName(result.get('name'), { op, part, value }))
    } else if (LISTS.has(attribute)) {
      if (part !== null && !LIST_PARTS.has(part)) throw noSuchPath(path)
      result.set(
        attribute,
        patchedList(valuesOf(result.get(attribute), attribute), { op, filter, part, value }, attribute),
      )
    } else {
      throw noSuchPath(path)
    }
  }
  return Object.fromEntries(result)
}

type Change = Pick<Operation, 'op' | 'value'> & { part: string | null }

function patchedName(name: JsonValue | undefined, { op, part, value }: Change): JsonObject {
  const present = isPlainObject(name) ? (name as JsonObject) : {}
  // It is composed of the others, and would hide a change of them.
  const { formatted: _formatted, ...parts } = present
  if (part === null) {
    if (op === 'remove') return {}
    if (!isPlainObject(value)) throw scimError('invalidValue', 'name', 'name must be an object')
    return { ...parts, ...canonical(value as JsonObject) }
  }
  return { ...parts, [part]: op === 'remove' ? null : value! }
}

function patchedList(
  list: readonly JsonObject[],
  { op, filter, part, value }: Change & { filter: Filter | null },
  field: string,
): JsonObject[] {
  const wanted = filter && equalitiesOf(filter)
  const isMeant = (element: JsonObject): boolean =>
    !wanted || Object.entries(wanted).every(([key, each]) => isSame(element[key], each))
  if (op === 'remove') {
    if (part === null) return list.filter((element) => !isMeant(element))
    return list.map((element) => (isMeant(element) ? { ...element, [part]: null } : element))
  }
  if (!wanted && part === null) {
    const given = valuesOf(value, field)
    if (op === 'replace') return given
    return asOnePrimary([...list.filter((each) => !given.some((other) => isSame(each.value, other.value!))), ...given])
  }
  const change = part === null ? (valuesOf(value, field)[0] ?? {}) : { [part]: value! }
  if (list.some(isMeant)) return list.map((element) => (isMeant(element) ? { ...element, ...change } : element))
  // Entra ID replaces what is not there yet.
  return asOnePrimary([...list, { ...wanted, ...change }])
}

/** The last one that is called primary is it. */
function asOnePrimary(list: readonly JsonObject[]): JsonObject[] {
  const primary = list.findLastIndex(isPrimary)
  return list.map((element, at) => (isPrimary(element) && at !== primary ? { ...element, primary: false } : element))
}

/** The members that an element must have, of a filter that says so by `eq` and `and` alone. @throws BadUserInput */
export function equalitiesOf(filter: Filter): JsonObject {
  if (filter.op === 'and' && 'filters' in filter) {
    return Object.assign({}, ...filter.filters.map(equalitiesOf)) as JsonObject
  }
  const name = 'attrPath' in filter ? canonicalName(filter.attrPath) : ''
  if (filter.op === 'eq' && 'compValue' in filter && LIST_PARTS.has(name)) return { [name]: filter.compValue }
  throw scimError('invalidFilter', 'path', 'a path chooses by value, type, primary or display, by eq')
}

/** In any case, as `"True"` of Entra ID is true. */
const isSame = (value: JsonValue | undefined, other: JsonValue): boolean => {
  const text = inAnyCase(value)
  return text !== null && text === inAnyCase(other)
}

export function noSuchPath({ attribute, part }: Path): Error {
  const name = part === null ? attribute : `${attribute}.${part}`
  return scimError('invalidPath', 'path', `${name.slice(0, 100)} is no attribute that is known here`)
}
