import type { LeafCondition } from './conditions.js'
import type { JsonValue } from './facts.js'
import { UNKNOWN } from './situation.js'

/**
 * Trace of a rule's conditions, in the shape of the rule's tree. Conditions are not short-circuited, so every leaf has
 * a result: an administrator sees everything that kept a rule from firing, not only the first condition.
 */
export type ConditionTrace =
  | ({ all: ConditionTrace[] } & Judgement)
  | ({ any: ConditionTrace[] } & Judgement)
  | LeafTrace

interface Judgement {
  result: boolean
  /** Set if a fact that was not recorded decides; `result` is false then. */
  unknown?: true
}

export interface LeafTrace extends Judgement {
  fact: string
  path: string
  operator: string
  value: JsonValue
  /** Absent if there was no value at the path. Shortened for storing, like `value`. */
  factValue?: JsonValue
}

/** @param seen value at the condition's path; undefined if there was none */
export function leafTrace({ fact, path, operator, value }: LeafCondition, seen: unknown, result: boolean): LeafTrace {
  const leaf: LeafTrace = { fact, path, operator, value: shortened(value), result }
  if (seen === UNKNOWN) return { ...leaf, unknown: true }
  if (seen !== undefined) leaf.factValue = shortened(seen)
  return leaf
}

/** Judges a group in three values: a false member decides `all`, a true one `any`, whatever is unknown beside it. */
export function judgeGroup(kind: 'all' | 'any', members: readonly ConditionTrace[]): Judgement {
  const decides = (member: ConditionTrace): boolean => !member.unknown && member.result === (kind === 'any')
  if (members.some(decides)) return { result: kind === 'any' }
  if (members.some(({ unknown }) => unknown)) return { result: false, unknown: true }
  return { result: kind === 'all' }
}

/** Returns the places on which the result depends and of which no value was recorded, each once. */
export function unknownPlaces(trace: ConditionTrace): string[] {
  if (!trace.unknown) return []
  if ('fact' in trace) return [trace.fact + trace.path]
  return [...new Set(('all' in trace ? trace.all : trace.any).flatMap(unknownPlaces))]
}

const TRACED_CHARACTERS = 300
const TRACED_STRING = 200
const TRACED_DEPTH = 4
const LEFT_OUT = '…'

/** Copies a value with at most a few hundred characters; omissions are shown as `…`. */
export function shortened(value: unknown): JsonValue {
  let left = TRACED_CHARACTERS
  return copy(value, 0)

  function copy(part: unknown, depth: number): JsonValue {
    if (left <= 0) return LEFT_OUT
    if (typeof part === 'string') return shortString(part)
    left -= 5
    if (part === null || typeof part === 'boolean' || typeof part === 'number') return part
    if (typeof part !== 'object') return null
    if (depth === TRACED_DEPTH) return LEFT_OUT
    return Array.isArray(part) ? copyArray(part, depth) : copyObject(part, depth)
  }

  function copyArray(items: readonly unknown[], depth: number): JsonValue[] {
    const copies: JsonValue[] = []
    for (const item of items) {
      copies.push(copy(item, depth + 1))
      if (left <= 0) break
    }
    if (copies.length < items.length) copies.push(LEFT_OUT)
    return copies
  }

  function copyObject(object: object, depth: number): JsonValue {
    const entries: [string, JsonValue][] = []
    for (const key in object) {
      if (!Object.hasOwn(object, key)) continue
      if (left <= 0) {
        entries.push([LEFT_OUT, LEFT_OUT])
        break
      }
      entries.push([shortString(key), copy((object as Record<string, unknown>)[key], depth + 1)])
    }
    return Object.fromEntries(entries)
  }

  function shortString(text: string): string {
    const room = Math.min(TRACED_STRING, Math.max(left, 1))
    left -= Math.min(text.length, room)
    // A cut can split a surrogate pair, and jsonb accepts neither lone surrogates nor NUL.
    const kept = text.length > room ? text.slice(0, room) + LEFT_OUT : text
    return kept.toWellFormed().replaceAll('\0', '�')
  }
}
