import {
  getNamedType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isListType,
  isScalarType,
  type GraphQLInputObjectType,
  type GraphQLInputType,
  type GraphQLEnumType,
  type GraphQLScalarType,
} from 'graphql'
import { BadUserInput, quoteValue } from '../../src/platform/errors.js'
import { nearestHint } from '../../src/platform/nearest-names.js'
import { restEnum } from '../enums.js'
import { isInt } from '../input/input-reader.js'
import type { Query } from './list-query.js'

type Filter = Record<string, unknown>
const CONDITIONS_MAX = 50
const JSON_PATH_CHARS_MAX = 256
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** Value prefix to operator, longer ones first. */
const PREFIXES = [
  ['>=', 'gte'],
  ['<=', 'lte'],
  ['>', 'gt'],
  ['<', 'lt'],
  ['!', 'ne'],
  ['~', 'contains'],
  ['^', 'startsWith'],
  ['$', 'endsWith'],
] as const

/** The place in the filter type to which a query parameter leads. */
interface Target {
  /** Keys of the filter, down to the comparison. */
  keys: string[]
  /** Null for words to search for, which have no operator prefix. */
  comparison: GraphQLInputObjectType | null
  /** Path within a JSON field. */
  jsonPath: string | null
}

/**
 * Builds the typed filter of a list from query parameters: dotted names follow the filter type, the value may begin
 * with an operator (open points, filter operators). An empty value means unset. Conditions on one nested list
 * (`participants.user`, `participants.inbox`) must match the same element.
 * @throws BadUserInput naming the field and the value
 */
export function readFilter(type: GraphQLInputObjectType, query: Query, names: readonly string[]): Filter | undefined {
  const filters: Filter[] = []
  let count = 0
  for (const name of names) {
    const target = findTarget(type, name)
    const given = query[name]
    for (const text of Array.isArray(given) ? given : [given ?? '']) {
      if (++count > CONDITIONS_MAX) throw new BadUserInput(name, `the query has more than ${CONDITIONS_MAX} conditions`)
      addCondition(filters, target, target.comparison ? readCondition(target.comparison, name, text) : text)
    }
  }
  return filters.length > 1 ? { and: filters } : filters[0]
}

export interface FilterName {
  name: string
  /** Null for words to search for. */
  comparison: GraphQLInputObjectType | null
}

/** Returns the names of a filter type, for the documentation; `meta.*` for keys of a JSON field. */
export function filterNames(type: GraphQLInputObjectType, prefix = ''): FilterName[] {
  return Object.values(type.getFields()).flatMap((field) => {
    const inner = getNamedType(field.type)
    const name = prefix + field.name
    if (isScalarType(inner)) return [{ name, comparison: null }]
    if (!isInputObjectType(inner) || inner === type) return []
    if (isJsonFilter(field.type, inner)) return [{ name: `${name}.*`, comparison: inner }]
    return isComparison(inner) ? [{ name, comparison: inner }] : filterNames(inner, `${name}.`)
  })
}

function findTarget(root: GraphQLInputObjectType, name: string): Target {
  let type = root
  const keys: string[] = []
  const segments = name.split('.')
  for (const [index, segment] of segments.entries()) {
    const field = Object.hasOwn(type.getFields(), segment) ? type.getFields()[segment] : undefined
    const inner = field && getNamedType(field.type)
    if (isScalarType(inner) && index === segments.length - 1) {
      return { keys: [...keys, segment], comparison: null, jsonPath: null }
    }
    // `and` and `or` have the type itself.
    if (!field || !isInputObjectType(inner) || inner === type) throw unknownName(root, name)
    keys.push(segment)
    const left = segments.slice(index + 1)
    if (isJsonFilter(field.type, inner)) return { keys, comparison: inner, jsonPath: jsonPath(name, left) }
    if (isComparison(inner)) {
      if (left.length > 0) throw unknownName(root, name)
      return { keys, comparison: inner, jsonPath: null }
    }
    type = inner
  }
  throw unknownName(root, name)
}

function isJsonFilter(type: GraphQLInputType, inner: GraphQLInputObjectType): boolean {
  return isListType(getNullableType(type)) && 'path' in inner.getFields()
}

function isComparison(type: GraphQLInputObjectType): boolean {
  return 'eq' in type.getFields()
}

function jsonPath(name: string, segments: readonly string[]): string {
  const path = segments.join('.')
  if (segments.length === 0 || segments.includes('') || path.length > JSON_PATH_CHARS_MAX || path.includes('\0')) {
    throw new BadUserInput(shortened(name), `${shortened(name)} must include a key, such as ${name.split('.')[0]}.key`)
  }
  return path
}

const PAGE_NAMES = ['limit', 'offset', 'sort', 'select', 'populate']

function unknownName(root: GraphQLInputObjectType, name: string): BadUserInput {
  const known = filterNames(root).map((field) => field.name)
  return new BadUserInput(
    shortened(name),
    `${shortened(name)} is not a parameter of this list${nearestHint(name, [...PAGE_NAMES, ...known])}; ` +
      `parameters: ${PAGE_NAMES.join(', ')}; filterable fields: ${known.join(', ')}`,
    'UNKNOWN_FIELD',
  )
}

function shortened(name: string): string {
  return name.slice(0, 100)
}

function readCondition(comparison: GraphQLInputObjectType, name: string, text: string): Filter {
  const type = getNamedType(comparison.getFields().eq!.type) as GraphQLScalarType | GraphQLEnumType
  if (text.startsWith('[') && text.endsWith(']')) {
    checkOperator(comparison, name, 'in', text)
    return {
      in: text
        .slice(1, -1)
        .split(',')
        .map((element) => readOperand(type, name, element.trim())),
    }
  }
  const [prefix, operator] = PREFIXES.find(([start]) => text.startsWith(start)) ?? ['', 'eq']
  const operand = text.slice(prefix.length)
  checkOperator(comparison, name, operator, text)
  if (operand === '' && (operator === 'eq' || operator === 'ne')) return { [operator]: null }
  return { [operator]: readOperand(type, name, operand) }
}

function checkOperator(comparison: GraphQLInputObjectType, name: string, operator: string, text: string): void {
  if (Object.hasOwn(comparison.getFields(), operator)) return
  throw new BadUserInput(name, `${name}: the operator of ${quoteValue(text)} does not apply to this field`)
}

/**
 * Reads the text of a parameter as a value of the type; an enum's in REST's case.
 * @throws BadUserInput naming the parameter and the value
 */
export function readOperand(type: GraphQLScalarType | GraphQLEnumType, name: string, text: string): unknown {
  if (isEnumType(type)) {
    const { nameOf } = restEnum(type)
    const value = nameOf.get(text)
    return required(value !== undefined, value, name, `one of ${[...nameOf.keys()].join(', ')}`, text)
  }
  switch (type.name) {
    case 'ID':
      return required(isId(text), text, name, 'an id', text)
    case 'Int': {
      const value = text.trim() === '' ? Number.NaN : Number(text)
      return required(isInt(value), value, name, 'a whole number', text)
    }
    case 'Boolean':
      return required(text === 'true' || text === 'false', text === 'true', name, 'true or false', text)
    case 'String':
      return required(!text.includes('\0') && text.isWellFormed(), text, name, 'well-formed text', text)
  }
  if (!isScalarType(type)) throw new Error(`${name} has a type that REST cannot parse`)
  try {
    type.parseValue(text)
  } catch (error) {
    throw new BadUserInput(name, `${name}: ${(error as Error).message}`)
  }
  return text
}

export function isId(text: string): boolean {
  return UUID.test(text)
}

function required(holds: boolean, value: unknown, name: string, expected: string, text: string): unknown {
  if (holds) return value
  throw new BadUserInput(name, `${name} must be ${expected}, not ${quoteValue(text)}`)
}

/** Adds the condition to the first filter that has none with the same operator at its place. */
function addCondition(filters: Filter[], target: Target, condition: Filter | string): void {
  for (const filter of filters) if (merge(filter, target, condition)) return
  const filter: Filter = {}
  merge(filter, target, condition)
  filters.push(filter)
}

function merge(filter: Filter, { keys, jsonPath: path }: Target, condition: Filter | string): boolean {
  let at = filter
  for (const key of keys.slice(0, -1)) at = (at[key] ??= {}) as Filter
  const last = keys.at(-1)!
  if (typeof condition === 'string') {
    const isFree = !(last in at)
    if (isFree) at[last] = condition
    return isFree
  }
  if (path !== null) {
    const list = (at[last] ??= []) as Filter[]
    list.push({ path, ...condition })
    return true
  }
  const comparison = (at[last] ??= {}) as Filter
  if (Object.keys(condition).some((operator) => operator in comparison)) return false
  Object.assign(comparison, condition)
  return true
}
