import { BadUserInput, quoteValue } from '../errors.js'
import type { FilterScope } from './filter-scope.js'

/** Maximum nesting of groups: `and`, `or`, conditions on rows of other tables. */
const DEPTH_MAX = 6
const GROUPS_MAX = 200
const CONDITIONS_MAX = 60
/** The cost of a text search is the product of both lengths. */
const SEARCHED_CHARS_MAX = 200
const OPERAND_CHARS_MAX = 2_000
const ELEMENTS_MAX = 1_000
const PATH_CHARS_MAX = 1_000

const SEARCHING: ReadonlySet<string> = new Set(['contains', 'startsWith', 'endsWith'])

/**
 * Limits the cost of one filter, counted over all its nested conditions, since clients write them: more than any
 * legitimate filter needs.
 */
export class FilterBudget {
  #conditions = CONDITIONS_MAX
  #groups = GROUPS_MAX

  constructor(readonly scope: FilterScope) {}

  /** @throws BadUserInput */
  takeGroup(field: string, depth: number): void {
    if (depth > DEPTH_MAX) throw new BadUserInput(field, `${field} nests deeper than ${DEPTH_MAX}`)
    if (--this.#groups < 0) throw new BadUserInput('filter', `filter has more than ${GROUPS_MAX} groups of conditions`)
  }

  /** @throws BadUserInput */
  takeCondition(): void {
    if (--this.#conditions >= 0) return
    throw new BadUserInput('filter', `filter has more than ${CONDITIONS_MAX} conditions`)
  }

  /** @throws BadUserInput */
  takePath(path: string, field: string): void {
    this.takeGroup(field, 0)
    refuseLonger(path, PATH_CHARS_MAX, field)
  }

  /** Counts a comparison. @throws BadUserInput, also for a too large operand */
  takeOperand(operator: string, value: unknown, field: string): void {
    this.takeCondition()
    const max = SEARCHING.has(operator) ? SEARCHED_CHARS_MAX : OPERAND_CHARS_MAX
    if (!Array.isArray(value)) return refuseLonger(value, max, field)
    if (value.length > ELEMENTS_MAX) {
      throw new BadUserInput(field, `${field} has ${value.length} elements; at most ${ELEMENTS_MAX} are allowed`)
    }
    value.forEach((element, index) => refuseLonger(element, max, `${field}[${index}]`))
  }
}

function refuseLonger(value: unknown, max: number, field: string): void {
  if (typeof value !== 'string' || value.length <= max) return
  throw new BadUserInput(
    field,
    `${field} ${quoteValue(value)} has ${value.length} characters; at most ${max} are allowed`,
  )
}
