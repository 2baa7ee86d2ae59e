import { InvalidExpression, LinearExpression } from '../../platform/content/linear-expression.js'
import { BadUserInput, quoteValue } from '../../platform/errors.js'
import { fieldOf, readArray, readText, refuse } from './rule-input.js'
import { compileUrlPattern } from './url-pattern.js'

export type OperatorName =
  | 'defined'
  | 'equal'
  | 'notEqual'
  | 'in'
  | 'notIn'
  | 'match'
  | 'notMatch'
  | 'pattern'
  | 'noPattern'
  | 'lessThan'
  | 'lessThanInclusive'
  | 'greaterThan'
  | 'greaterThanInclusive'
  | 'between'
  | 'notBetween'
  | 'contains'
  | 'doesNotContain'

/** A condition's operator with its value, validated and compiled. */
export interface Test {
  /**
   * @param fact value at the condition's path; undefined if there is none
   * @param textLimit number of characters of a text that an expression may read
   */
  holds(fact: unknown, textLimit: number): boolean
  /** Instructions of the compiled expression; 0 for an operator without one. */
  readonly expressionSize: number
}

const TEXT_MAX = 1000
const EXPRESSION_MAX = 1000
const LIST_MAX = 1000

/**
 * The operators of 4.6. For missing facts and wrong types:
 *
 * - A positive operator is false. A negative one is the exact negation of its positive: one of `in` and `notIn`, of
 *   `match` and `notMatch` and so on holds for every fact, and a missing fact is `notEqual` to anything.
 * - `equal`, `in` and `contains` compare strictly: `1` is not `"1"`, a missing fact is not `null`.
 * - `match` and `pattern` accept strings, and numbers in decimal form; nothing else matches. `match` finds its
 *   expression anywhere in the text, case-sensitively (a leading `(?i)` ignores case); `pattern` must match the whole
 *   text.
 * - The numeric operators accept numbers and strings with a decimal number (`context.currentHour` is `"09"`, and form
 *   values are often strings). `between` includes both ends.
 */
const OPERATORS: Readonly<Record<OperatorName, (value: unknown, field: string) => Test>> = {
  defined: (value, field) => {
    if (typeof value !== 'boolean') refuse(field, 'true or false', value)
    return plain((fact) => (fact !== undefined) === value)
  },
  equal,
  notEqual: not(equal),
  in: isIn,
  notIn: not(isIn),
  match,
  notMatch: not(match),
  pattern,
  noPattern: not(pattern),
  lessThan: comparison((fact, value) => fact < value),
  lessThanInclusive: comparison((fact, value) => fact <= value),
  greaterThan: comparison((fact, value) => fact > value),
  greaterThanInclusive: comparison((fact, value) => fact >= value),
  between,
  notBetween: not(between),
  contains,
  doesNotContain: not(contains),
}

export const OPERATOR_NAMES = Object.keys(OPERATORS) as readonly OperatorName[]

export function isOperatorName(name: unknown): name is OperatorName {
  return typeof name === 'string' && Object.hasOwn(OPERATORS, name)
}

/** Validates the value's type for the operator and compiles both. @throws BadUserInput naming `field` and the value */
export function compileOperator(name: OperatorName, value: unknown, field: string): Test {
  return OPERATORS[name](value, field)
}

function equal(value: unknown, field: string): Test {
  const expected = readScalar(value, field)
  return plain((fact) => fact === expected)
}

function isIn(value: unknown, field: string): Test {
  const items = readArray(value, field, LIST_MAX).map((item, index) => readScalar(item, fieldOf(field, index)))
  const expected = new Set(items)
  return plain((fact) => expected.has(fact))
}

function contains(value: unknown, field: string): Test {
  const expected = readScalar(value, field)
  return plain((fact) => Array.isArray(fact) && fact.includes(expected))
}

function match(value: unknown, field: string): Test {
  const source = readText(value, field, EXPRESSION_MAX)
  return expressionTest(field, source, 'a regular expression', () => new LinearExpression(source))
}

function pattern(value: unknown, field: string): Test {
  const source = readText(value, field, EXPRESSION_MAX)
  if (source === '') refuse(field, 'a URL pattern', source)
  return expressionTest(field, source, 'a URL pattern', () => compileUrlPattern(source))
}

function expressionTest(field: string, source: string, what: string, compile: () => LinearExpression): Test {
  let expression: LinearExpression
  try {
    expression = compile()
  } catch (error) {
    if (!(error instanceof InvalidExpression)) throw error
    throw new BadUserInput(
      field,
      `${field} is not ${what} that is supported: ${error.message} (in ${quoteValue(source)})`,
    )
  }
  return {
    expressionSize: expression.size,
    holds: (fact, textLimit) => {
      const text = textOf(fact)
      return text !== undefined && expression.test(text, textLimit)
    },
  }
}

function comparison(compare: (fact: number, value: number) => boolean) {
  return (value: unknown, field: string): Test => {
    const bound = readNumber(value, field)
    return plain((fact) => {
      const number = numberOf(fact)
      return number !== undefined && compare(number, bound)
    })
  }
}

function between(value: unknown, field: string): Test {
  if (!Array.isArray(value) || value.length !== 2) refuse(field, 'an array of 2 numbers, the lower first', value)
  const low = readNumber(value[0], fieldOf(field, 0))
  const high = readNumber(value[1], fieldOf(field, 1))
  // Reversed it could never hold. A span across midnight needs two conditions, or notBetween.
  if (low > high) refuse(field, 'an array of 2 numbers, the lower first', value)
  return plain((fact) => {
    const number = numberOf(fact)
    return number !== undefined && low <= number && number <= high
  })
}

function not(operator: (value: unknown, field: string) => Test) {
  return (value: unknown, field: string): Test => {
    const positive = operator(value, field)
    return { ...positive, holds: (fact, textLimit) => !positive.holds(fact, textLimit) }
  }
}

function plain(holds: (fact: unknown) => boolean): Test {
  return { holds, expressionSize: 0 }
}

function readScalar(value: unknown, field: string): unknown {
  if (typeof value === 'string') return readText(value, field, TEXT_MAX)
  if (value === null || typeof value === 'boolean' || Number.isFinite(value)) return value
  // Objects and arrays never strictly equal a fact: such a condition could not hold.
  return refuse(field, 'a string, a number, true, false or null', value)
}

function readNumber(value: unknown, field: string): number {
  return numberOf(value) ?? refuse(field, 'a number', value)
}

const DECIMAL = /^[+-]?(?:\d{1,20}(?:\.\d{0,20})?|\.\d{1,20})$/

function numberOf(value: unknown): number | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined
  return typeof value === 'string' && DECIMAL.test(value) ? Number(value) : undefined
}

function textOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value
  return typeof value === 'number' && Number.isFinite(value) ? String(value) : undefined
}
