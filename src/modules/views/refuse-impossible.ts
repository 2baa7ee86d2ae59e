import { BadUserInput, quoteValue } from '../../platform/errors.js'
import type { JsonObject, JsonValue } from '../../platform/json.js'
import type { ComparedField, FilterFields } from '../../platform/lists/filters.js'

/** A comparison that must hold, and where the filter has it. */
interface Fact {
  operator: string
  value: JsonValue
  at: string
}

type Facts = ReadonlyMap<string, readonly Fact[]>

interface Implied {
  field: string
  operator: 'eq' | 'ne'
  value: JsonValue
}

const ACTIVE: Implied = { field: 'status', operator: 'eq', value: 'active' }
const IS_SNOOZED: Implied = { field: 'snoozedUntil', operator: 'ne', value: null }

/** Conditions that hold of every conversation of which a field has a value; see 3.1. */
const IMPLIED: Readonly<Record<string, readonly Implied[]>> = {
  assignee: [ACTIVE],
  snoozedUntil: [ACTIVE],
  snoozedBy: [ACTIVE, IS_SNOOZED],
  closedAt: [{ field: 'status', operator: 'eq', value: 'closed' }],
}

/**
 * Refuses a filter, in its stored form, of which two conditions cannot both hold, and a group that has no effect for the same reason.
 * What depends on the data is not looked at: a filter that matches nothing now may do so later.
 * @param given what holds besides
 * @throws BadUserInput naming the later of the two
 */
export function refuseImpossible(fields: FilterFields, filter: JsonObject, given: Facts): void {
  check(fields, filter, 'filter', given)
}

function check(fields: FilterFields, group: JsonObject, at: string, above: Facts): void {
  const facts = new Map(above)
  const choices: [string, JsonObject[]][] = []
  collect(fields, group, at, facts, choices)
  imply(facts)
  for (const [name, each] of facts) {
    const field = fields[name]
    if (field && field.kind !== 'nested' && field.kind !== 'search') checkFacts(field, each)
  }
  for (const [place, parts] of choices) {
    if (parts.length === 0) throw new BadUserInput(place, `${place} needs a group of conditions`, 'MISSING_VALUE')
    for (const [index, part] of parts.entries()) check(fields, part, `${place}[${index}]`, facts)
  }
}

/** Adds what a group and its `and` say to the facts, and its `or` to the choices. */
function collect(
  fields: FilterFields,
  group: JsonObject,
  at: string,
  facts: Map<string, readonly Fact[]>,
  choices: [string, JsonObject[]][],
): void {
  for (const [name, condition] of Object.entries(group)) {
    const place = `${at}.${name}`
    if (name === 'or') choices.push([place, condition as JsonObject[]])
    else if (name === 'and')
      for (const [index, part] of (condition as JsonObject[]).entries())
        collect(fields, part, `${place}[${index}]`, facts, choices)
    else {
      const field = fields[name]
      if (field?.kind === 'nested') check(field.fields, condition as JsonObject, place, new Map())
      else if (field?.kind !== 'search' && field?.kind !== 'json')
        for (const [operator, value] of Object.entries(condition as JsonObject))
          addFact(facts, name, { operator, value: value!, at: `${place}.${operator}` })
    }
  }
}

function addFact(facts: Map<string, readonly Fact[]>, name: string, fact: Fact): void {
  facts.set(name, [...(facts.get(name) ?? []), fact])
}

function imply(facts: Map<string, readonly Fact[]>): void {
  for (const { operator, value, at } of facts.get('snoozed') ?? []) {
    const isAside = value === (operator === 'eq')
    addFact(facts, 'snoozedUntil', { operator: isAside ? 'ne' : 'eq', value: null, at })
  }
  for (const [name, implied] of Object.entries(IMPLIED)) {
    const needing = facts.get(name)?.find(needsValue)
    if (needing) for (const { field, ...fact } of implied) addFact(facts, field, { ...fact, at: needing.at })
  }
}

/** Tells whether a field without a value does not fit. */
const needsValue = ({ operator, value }: Fact): boolean => (operator === 'ne' ? value === null : value !== null)

/** A list, or rows of another table: each condition may hold of another element. */
const isMany = (field: ComparedField): boolean =>
  field.kind === 'idArray' || field.kind === 'textArray' || field.via !== undefined

function checkFacts(field: ComparedField, facts: readonly Fact[]): void {
  for (const { operator, value, at } of facts) {
    if (Array.isArray(value) && value.length === 0) throw impossible(at, 'an empty list')
    if (value === null && (operator === 'eq' ? field.isCondition : operator !== 'ne')) throw impossible(at, 'null')
  }
  // Of each two, since three conditions of one field that exclude each other only together are nobody's mistake.
  for (const [index, later] of facts.entries()) {
    for (const earlier of facts.slice(0, index)) {
      if (canBoth(field, earlier, later) && canBoth(field, later, earlier)) continue
      const other = `${earlier.at} ${quoteValue(earlier.value)}`
      throw impossible(later.at, `${quoteValue(later.value)} while it has ${other}`)
    }
  }
}

function impossible(at: string, what: string): BadUserInput {
  return new BadUserInput(at, `${at}: the filter would match nothing with ${what}`, 'MATCHES_NOTHING')
}

/** Tells, of conditions one of which names values, whether one of these may fit the other; of bounds, whether they leave room. */
function canBoth(field: ComparedField, one: Fact, other: Fact): boolean {
  if (isNaming(one)) {
    const values = one.operator === 'in' ? (one.value as JsonValue[]) : [one.value]
    if (!isMany(field)) return values.some((value) => fits(field, value, other))
    return other.operator === 'ne' ? notAll(values, other) : values[0] !== null || !needsValue(other)
  }
  if (isNaming(other) || one.operator === 'ne' || other.operator === 'ne') return true
  return isMany(field) || leaveRoom(field, one, other)
}

const isNaming = ({ operator }: Fact): boolean => operator === 'eq' || operator === 'in'

const notAll = (values: readonly JsonValue[], { value }: Fact): boolean =>
  values.some((each) => normal(each) !== normal(value))

const normal = (value: JsonValue): JsonValue => (typeof value === 'string' ? value.toLowerCase() : value)

function fits(field: ComparedField, value: JsonValue, { operator, value: operand }: Fact): boolean {
  const same = (each: JsonValue): boolean => (field.kind === 'text' ? each === value : normal(each) === normal(value))
  switch (operator) {
    case 'eq':
      return same(operand)
    case 'ne':
      return !same(operand)
    case 'in':
      return (operand as JsonValue[]).some(same)
    case 'contains':
      return typeof value === 'string' && value.toLowerCase().includes(String(operand).toLowerCase())
    case 'startsWith':
      return typeof value === 'string' && value.startsWith(String(operand))
    case 'endsWith':
      return typeof value === 'string' && value.endsWith(String(operand))
    default:
      return (
        value !== null &&
        leaveRoom(field, { operator: 'gte', value }, { operator, value: operand }) &&
        leaveRoom(field, { operator: 'lte', value }, { operator, value: operand })
      )
  }
}

type Bound = Pick<Fact, 'operator' | 'value'>

/** Texts are compared by the database's collation, and not here. */
function leaveRoom({ kind }: ComparedField, one: Bound, other: Bound): boolean {
  if (kind !== 'int' && kind !== 'time') return true
  const [low, high] = [one, other].toSorted((a, b) => Number(isUpper(a)) - Number(isUpper(b))) as [Bound, Bound]
  if (isUpper(low) || !isUpper(high)) return true
  const number = ({ value }: Bound): number => (kind === 'int' ? Number(value) : Date.parse(String(value)))
  const step = (kind === 'int' ? 1 : 0) * (Number(low.operator === 'gt') + Number(high.operator === 'lt'))
  const room = number(high) - number(low) - step
  return low.operator === 'gte' && high.operator === 'lte' ? room >= 0 : kind === 'int' ? room >= 0 : room > 0
}

const isUpper = ({ operator }: Bound): boolean => operator === 'lt' || operator === 'lte'
