import { BadUserInput } from '../../platform/errors.js'
import { FACT_NAMES, type FactName, isFactName, type JsonValue } from './facts.js'
import { compileOperator, isOperatorName, OPERATOR_NAMES, type OperatorName } from './operators.js'
import { parsePath } from './paths.js'
import { fieldOf, readArray, readObject, refuse } from './rule-input.js'

/** Section 4.6: `all` holds if every member does (also without any), `any` if at least one does. */
export type Conditions = AllConditions | AnyConditions
export interface AllConditions {
  all: Condition[]
}
export interface AnyConditions {
  any: Condition[]
}
export type Condition = Conditions | LeafCondition

export interface LeafCondition {
  fact: FactName
  /** Begins with a dot. */
  path: string
  operator: OperatorName
  value: JsonValue
}

export const CONDITION_DEPTH_MAX = 10
/** Maximum number of leaves and groups in one rule. */
export const CONDITIONS_MAX = 200
/**
 * Maximum number of instructions of all expressions of one rule: limits the time to compile them and, with
 * `SUBJECT_STEPS`, to run them.
 */
const EXPRESSION_SIZE_MAX = 5000
const SUBJECT_STEPS = 4_000_000

/**
 * Validates a whole tree of conditions.
 * @returns also the total number of instructions of its regular expressions
 * @throws BadUserInput naming the field, such as `conditions.all[1].operator`
 */
export function parseConditions(input: unknown, field: string): { conditions: Conditions; expressionSize: number } {
  const seen = { conditions: 0, expressionSize: 0 }
  return { conditions: parseGroup(input, field, 1), expressionSize: seen.expressionSize }

  function parseGroup(value: unknown, at: string, depth: number): Conditions {
    count(at)
    if (depth > CONDITION_DEPTH_MAX) {
      throw new BadUserInput(at, `${at} is nested ${depth} levels deep; the maximum is ${CONDITION_DEPTH_MAX}`)
    }
    const group = readObject(value, at, ['all', 'any'])
    if (Object.keys(group).length !== 1) refuse(at, 'an object with either all or any', value)
    const key = Object.hasOwn(group, 'all') ? 'all' : 'any'
    const members = readArray(group[key], fieldOf(at, key), CONDITIONS_MAX).map((member, index) =>
      parseCondition(member, fieldOf(fieldOf(at, key), index), depth + 1),
    )
    return key === 'all' ? { all: members } : { any: members }
  }

  function parseCondition(value: unknown, at: string, depth: number): Condition {
    const isObject = typeof value === 'object' && value !== null
    const nests = isObject && (Object.hasOwn(value, 'all') || Object.hasOwn(value, 'any'))
    return nests ? parseGroup(value, at, depth) : parseLeaf(value, at)
  }

  function parseLeaf(value: unknown, at: string): LeafCondition {
    count(at)
    const leaf = readObject(value, at, ['fact', 'path', 'operator', 'value'])
    const { fact, operator } = leaf
    if (!isFactName(fact)) refuse(fieldOf(at, 'fact'), `one of ${FACT_NAMES.join(', ')}`, fact)
    if (!isOperatorName(operator)) refuse(fieldOf(at, 'operator'), `one of ${OPERATOR_NAMES.join(', ')}`, operator)
    const path = parsePath(leaf.path, fieldOf(at, 'path'))
    seen.expressionSize += compileOperator(operator, leaf.value, fieldOf(at, 'value')).expressionSize
    if (seen.expressionSize > EXPRESSION_SIZE_MAX) {
      throw new BadUserInput(
        field,
        `${field} contains regular expressions that compile to more than ` +
          `${EXPRESSION_SIZE_MAX} instructions: shorten repetitions such as {1,500}`,
      )
    }
    return { fact, path, operator, value: leaf.value as JsonValue }
  }

  function count(at: string): void {
    seen.conditions++
    if (seen.conditions > CONDITIONS_MAX) {
      throw new BadUserInput(at, `${field} contains more than ${CONDITIONS_MAX} conditions`)
    }
  }
}

export function membersOf(conditions: Conditions): readonly Condition[] {
  return 'all' in conditions ? conditions.all : conditions.any
}

export function isGroup(condition: Condition): condition is Conditions {
  return !('fact' in condition)
}

export function countConditions(condition: Condition): number {
  if (!isGroup(condition)) return 1
  return membersOf(condition).reduce((sum, member) => sum + countConditions(member), 1)
}

/**
 * Returns how many characters of a text each expression of a rule may read: 400,000 for a rule with one small
 * expression, 800 for the largest allowed. Longer texts are truncated.
 */
export function textLimitOf(expressionSize: number): number {
  return Math.floor(SUBJECT_STEPS / Math.max(expressionSize, 1))
}

/** In conditions. The automata, which are large, are counted where they are built. */
const EXPRESSION_WEIGHT = 5
const EXPRESSION_OPERATORS = new Set<OperatorName>(['match', 'notMatch', 'pattern', 'noPattern'])

/** Returns the approximate memory of conditions, in conditions without an expression. */
export function weightOf(condition: Condition): number {
  if (isGroup(condition)) return membersOf(condition).reduce((sum, member) => sum + weightOf(member), 1)
  return EXPRESSION_OPERATORS.has(condition.operator) ? EXPRESSION_WEIGHT : 1
}
