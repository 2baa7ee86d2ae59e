import {
  getNamedType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  type GraphQLEnumType,
  type GraphQLInputField,
  type GraphQLInputObjectType,
  type GraphQLInputType,
  type GraphQLNamedInputType,
  type GraphQLScalarType,
} from 'graphql'
import { BadUserInput, quoteValue } from '../../src/platform/errors.js'
import { nearestHint } from '../../src/platform/nearest-names.js'
import { restEnum } from '../enums.js'
import { CUSTOM, isOpenType } from '../open-types.js'

/**
 * @param path of the value in the body, '' for the body itself
 * @param ignored collects the paths of unknown keys; without it they are refused
 * @throws BadUserInput naming path and value
 */
export type InputReader = (value: unknown, path: string, ignored?: string[]) => unknown

const INT_MAX = 2_147_483_647
const JSON_DEPTH_MAX = 200
const readers = new WeakMap<GraphQLInputType, InputReader>()

/**
 * Creates a reader of JSON as a value of a GraphQL input type, with REST's strictness: no coercion, unknown keys are
 * refused or reported, enums have REST's text. JSON scalars are passed unchanged. The result is a variable of an
 * operation.
 */
export function inputReader(type: GraphQLInputType): InputReader {
  let reader = readers.get(type)
  if (!reader) {
    // Input types may contain themselves: readers of fields are created on first use.
    readers.set(type, (value, path, ignored) => readers.get(type)!(value, path, ignored))
    reader = makeReader(type)
    readers.set(type, reader)
  }
  return reader
}

function makeReader(type: GraphQLInputType): InputReader {
  if (isNonNullType(type)) {
    const read = inputReader(getNullableType(type))
    return (value, path, ignored) => {
      if (value === null || value === undefined)
        throw new BadUserInput(path, `${nameOf(path)} is required`, 'MISSING_VALUE')
      return read(value, path, ignored)
    }
  }
  const read = isListType(type) ? listReader(type.ofType) : namedReader(getNamedType(type))
  return (value, path, ignored) => (value === null || value === undefined ? value : read(value, path, ignored))
}

function namedReader(type: GraphQLNamedInputType): InputReader {
  if (isInputObjectType(type)) return objectReader(type)
  if (isEnumType(type)) return enumReader(type)
  return scalarReader(type)
}

function listReader(element: GraphQLInputType): InputReader {
  const read = inputReader(element)
  return (value, path, ignored) => {
    if (!Array.isArray(value)) throw mismatch(path, 'a list', value)
    return value.map((member, index) => read(member, `${path}[${index}]`, ignored))
  }
}

/** Returns the fields of an input that `/v2` has too: not those marked as GraphQL only. */
export function restFields(type: GraphQLInputObjectType): [string, GraphQLInputField][] {
  return Object.entries(type.getFields()).filter(([, { extensions }]) => extensions.isGraphqlOnly !== true)
}

function objectReader(type: GraphQLInputObjectType): InputReader {
  const isOpen = isOpenType(type.name)
  const fields = new Map(restFields(type).filter(([name]) => !isOpen || name !== CUSTOM))
  return (value, path, ignored) => {
    if (!isObject(value)) throw mismatch(path, 'an object', value)
    const result: Record<string, unknown> = {}
    const unknown = Object.keys(value).filter((key) => !fields.has(key))
    if (isOpen && unknown.length > 0) result[CUSTOM] = Object.fromEntries(unknown.map((key) => [key, value[key]]))
    else for (const key of unknown) passOver(key, { path, ignored, known: fields })
    for (const [name, field] of fields) {
      const member = Object.hasOwn(value, name) ? value[name] : undefined
      if (member === undefined && field.defaultValue !== undefined) continue
      const { restDefault } = field.extensions
      if (restDefault !== undefined && (member === undefined || member === null)) {
        result[name] = restDefault
        continue
      }
      const read = inputReader(field.type)(member, keyPath(path, name), ignored)
      if (read !== undefined) result[name] = read
    }
    return result
  }
}

function passOver(
  key: string,
  { path, ignored, known }: { path: string; ignored: string[] | undefined; known: ReadonlyMap<string, unknown> },
): void {
  if (!ignored) throw unknownKey(path, key, [...known.keys()])
  ignored.push(keyPath(path, key))
}

function enumReader(type: GraphQLEnumType): InputReader {
  const { nameOf: names } = restEnum(type)
  return (value, path) => {
    const name = typeof value === 'string' ? (names.get(value) ?? names.get(languageIn(type, value))) : undefined
    if (name === undefined) throw mismatch(path, `one of ${[...names.keys()].join(', ')}`, value)
    return name
  }
}

/** A user's locale may be written with a country, as results of existing clients have it: `nl_NL` (2.3). */
function languageIn({ name }: GraphQLEnumType, text: string): string {
  return name === 'UserLocale' && /^[a-z]{2}[-_][A-Z]{2}$/.test(text) ? text.slice(0, 2) : ''
}

function scalarReader(type: GraphQLScalarType): InputReader {
  switch (type.name) {
    case 'String':
      return check('a string', (value) => typeof value === 'string')
    case 'ID':
      return check('an id', (value) => typeof value === 'string')
    case 'Boolean':
      return check('true or false', (value) => typeof value === 'boolean')
    case 'Int':
      return check(`a whole number from ${-INT_MAX - 1} to ${INT_MAX}`, isInt)
    case 'Float':
      return check('a number', (value) => typeof value === 'number' && Number.isFinite(value))
  }
  return (value, path) => {
    if (isDeep(value)) throw new BadUserInput(path, `${nameOf(path)} is nested too deeply`)
    try {
      type.parseValue(value)
    } catch (error) {
      throw new BadUserInput(path, `${nameOf(path)}: ${(error as Error).message}`)
    }
    return value
  }
}

/** Tells whether JSON is so deep that traversing it could exhaust the stack. The domain's own limits are far lower. */
function isDeep(value: unknown, depthLeft = JSON_DEPTH_MAX): boolean {
  if (typeof value !== 'object' || value === null) return false
  return depthLeft === 0 || Object.values(value).some((member) => isDeep(member, depthLeft - 1))
}

function check(expected: string, holds: (value: unknown) => boolean): InputReader {
  return (value, path) => {
    if (!holds(value)) throw mismatch(path, expected, value)
    return value
  }
}

/** Tells whether the value is an `Int` of GraphQL: whole, of 32 bits. */
export function isInt(value: unknown): boolean {
  return Number.isInteger(value) && (value as number) >= -INT_MAX - 1 && (value as number) <= INT_MAX
}

/** Tells whether the value is a JSON object, not a list and not null. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Joins `messages[0]` and `text` to `messages[0].text`. */
export function keyPath(path: string, key: string): string {
  return path === '' ? key : `${path}.${key}`
}

/** Returns the refusal of a member that the input does not have, with those that it has. */
export function unknownKey(path: string, key: string, known: readonly string[]): BadUserInput {
  const at = keyPath(path, key.slice(0, 100))
  const hint = nearestHint(key, known)
  return new BadUserInput(at, `${at} is not a known field${hint}; known fields: ${known.join(', ')}`, 'UNKNOWN_FIELD')
}

/** Returns the refusal of a value of another type. @param expected completes "must be" */
export function mismatch(path: string, expected: string, value: unknown): BadUserInput {
  return new BadUserInput(path || 'body', `${nameOf(path)} must be ${expected}, not ${quoteValue(value)}`)
}

function nameOf(path: string): string {
  return path || 'the body'
}
