import { BadUserInput, quoteValue } from '../errors.js'
import { OrderDirection, type OrderTerm } from './connection.js'
import { isSortable, type FilterFields, type Slot } from './filters.js'

const TERMS_MAX = 5

/** One term of a list's order. */
export interface Term {
  sql: string
  descending: boolean
  /** The slot that an index of the order contains instead of the column. */
  slot?: Slot
}

/**
 * Returns the terms of an order, made total by the id.
 * @throws BadUserInput naming a field that cannot be sorted by
 */
export function orderTerms(fields: FilterFields, orderBy: readonly OrderTerm[]): Term[] {
  const terms = orderBy.map(({ field, direction }, index): Term => {
    const known = Object.hasOwn(fields, field) ? fields[field]! : undefined
    if (!known || !isSortable(known)) {
      throw new BadUserInput(`orderBy[${index}].field`, `${quoteValue(field)} is not a sortable field`)
    }
    return { sql: known.sql, slot: known.slot, descending: direction === OrderDirection.DESC }
  })
  if (terms.length > TERMS_MAX) throw new BadUserInput('orderBy', `orderBy has more than ${TERMS_MAX} terms`)
  // The id has the direction of the first term, so that one index can serve both.
  if (terms.some(({ sql }) => sql === 't.id')) return terms
  return [...terms, { sql: 't.id', descending: terms[0]?.descending ?? false }]
}

/**
 * Builds `order by` of a page, backward from the list's end. The first term's slot precedes it: a slot has few rows.
 */
export function orderSql(terms: readonly Term[], isBackward: boolean): string {
  return terms
    .flatMap(({ sql, slot, descending }, index) => {
      const direction = descending !== isBackward ? 'desc' : 'asc'
      return slot && index === 0 ? [`${slot.sql} ${direction}`, `${sql} ${direction}`] : [`${sql} ${direction}`]
    })
    .join(', ')
}

/** Columns that are never null. */
const NEVER_NULL: ReadonlySet<string> = new Set(['t.id', 't.created_at', 't.updated_at', 't.position'])

/**
 * Builds the condition for the rows after a cursor, by the order's terms; nulls come last ascending, first descending.
 * If all terms have one direction and no null can follow, it is a single row comparison, at which an index scan can
 * begin: with alternatives joined by `or` it would begin at the first row, so that a deep page would cost as much as
 * all pages before it.
 */
export function keysetSql(
  terms: readonly Term[],
  cursor: readonly unknown[],
  values: unknown[],
  reverse: boolean,
): string {
  const goesDown = terms[0]!.descending !== reverse
  const isOneWay = terms.every(({ descending }) => (descending !== reverse) === goesDown)
  const noNullFollows = goesDown || terms.every(({ sql }) => NEVER_NULL.has(sql))
  if (isOneWay && noNullFollows && cursor.every((value) => value !== null)) {
    const parameters = cursor.map((value) => `$${values.push(value)}`)
    const columns = terms.map(({ sql }) => sql).join(', ')
    const beyond = `(${columns}) ${goesDown ? '<' : '>'} (${parameters.join(', ')})`
    const { slot } = terms[0]!
    return slot ? `(${slot.sql} ${goesDown ? '<=' : '>='} ${slot.of(parameters[0]!)} and ${beyond})` : beyond
  }
  const alternatives: string[] = []
  const equals: string[] = []
  terms.forEach(({ sql, descending }, index) => {
    const value = cursor[index] ?? null
    const parameter = value === null ? 'null' : `$${values.push(value)}`
    const down = descending !== reverse
    const beyondNull = down ? `${sql} is not null` : 'false'
    const beyondValue = down ? `${sql} < ${parameter}` : `(${sql} > ${parameter} or ${sql} is null)`
    const beyond = value === null ? beyondNull : beyondValue
    alternatives.push(`(${[...equals, beyond].join(' and ')})`)
    equals.push(value === null ? `${sql} is null` : `${sql} = ${parameter}`)
  })
  return `(${alternatives.join(' or ')})`
}

export function writeCursor(values: readonly unknown[]): string {
  return Buffer.from(JSON.stringify(values)).toString('base64url')
}

/** @throws BadUserInput for a value that is not a cursor of this order */
export function readCursor(cursor: string, field: string, terms: readonly Term[]): unknown[] {
  try {
    const values: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString())
    if (Array.isArray(values) && values.length === terms.length && values.every(isScalar)) return values
  } catch {
    // Falls through to the common message.
  }
  throw new BadUserInput(field, `${field} ${quoteValue(cursor)} is not a cursor of this list`)
}

function isScalar(value: unknown): boolean {
  return value === null || ['string', 'number', 'boolean'].includes(typeof value)
}
