import type { Context } from '../../platform/context.js'
import { BadUserInput } from '../../platform/errors.js'
import { parseJsonObject, type JsonObject, type JsonValue } from '../../platform/json.js'
import { filterScope } from '../../platform/lists/filter-scope.js'
import { hasCondition, whereSql } from '../../platform/lists/where.js'
import { REQUEST_DEPTH_MAX } from '../../platform/request-json.js'
import { conversationList } from '../conversations/api/conversation-list.js'
import { refuseImpossible } from './refuse-impossible.js'

const LIMITS = { maxBytes: 20_000, maxDepth: REQUEST_DEPTH_MAX }
const OF_CONSUMERS = 'contact'
const EARLIEST = new Date('0001-01-01T00:00:00.000Z')
const LATEST = new Date('9999-12-31T23:59:59.999Z')

/**
 * Brings a filter of conversations into the form that is stored: the domain's texts, and conditions alone. Only conversations with
 * consumers are in a view.
 * @throws BadUserInput for what `conversations` would refuse, what fits all, and what could match nothing
 */
export function parseFilter(ctx: Context, given: object): JsonObject {
  const { fields } = conversationList
  refuseFarTimes(given, 'filter')
  // Times become texts, and `undefined` nothing.
  const plain: unknown = JSON.parse(JSON.stringify(given))
  const filter = withoutNothing(parseJsonObject(plain, 'filter', LIMITS))
  whereSql(fields, filter, [], filterScope(ctx, []))
  const { type: _, ...rest } = filter
  if (!hasCondition(fields, rest))
    throw new BadUserInput('filter', 'filter must have a condition: it would fit all conversations', 'MISSING_VALUE')
  refuseImpossible(fields, filter, new Map([['type', [{ operator: 'eq', value: OF_CONSUMERS, at: 'filter.type' }]]]))
  return { ...rest, type: { eq: OF_CONSUMERS } }
}

/** Refuses years that neither the database nor `conversations` reads in the form that is stored. @throws BadUserInput */
function refuseFarTimes(given: unknown, at: string): void {
  if (given instanceof Date) {
    if (given >= EARLIEST && given <= LATEST) return
    throw new BadUserInput(at, `${at} must be a time in the years 1 to 9999, in UTC, not ${given.toISOString()}`)
  }
  if (typeof given !== 'object' || given === null) return
  for (const [name, each] of Object.entries(given))
    refuseFarTimes(each, Array.isArray(given) ? `${at}[${name}]` : `${at}.${name}`)
}

/** Leaves out what has no condition: members that are null or empty. `eq: null` is one. */
function withoutNothing(group: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(group).flatMap(([name, condition]): [string, JsonValue][] => {
      if (condition === null || condition === undefined) return []
      if (name === 'and' || name === 'or') return [[name, (condition as JsonObject[]).map(withoutNothing)]]
      if (name === 'participants') return keptIfAny(name, withoutNothing(condition as JsonObject))
      return typeof condition === 'object' && !Array.isArray(condition)
        ? keptIfAny(name, condition as JsonObject)
        : [[name, condition]]
    }),
  )
}

const keptIfAny = (name: string, condition: JsonObject): [string, JsonValue][] =>
  Object.keys(condition).length > 0 ? [[name, condition]] : []
