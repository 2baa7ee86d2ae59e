import { getNamedType, isEnumType, isInputObjectType, type GraphQLInputType } from 'graphql'
import { BadUserInput, quoteValue } from '../../src/platform/errors.js'
import { nearestHint } from '../../src/platform/nearest-names.js'
import { restEnum } from '../enums.js'

export const LIMIT_DEFAULT = 30 // open points: list query
export const LIMIT_MAX = 100
/** Upper bound while parsing: the number of digits that are read. */
const LIMIT_ASKED_MAX = 999_999_999_999_999
/** The same limit as for GraphQL lists; beyond it a list must be narrowed by a filter. */
const OFFSET_MAX = 10_000_000
const SORT_TERMS_MAX = 5

export type Query = Readonly<Record<string, string | string[] | undefined>>

export interface Page {
  limit: number
  /** True if the client asked for more than the maximum. */
  isReduced: boolean
  offset: number
  /** The cursor at which the page begins, instead of skipping rows. */
  after?: string
}

export interface OrderTerm {
  field: string
  direction: 'ASC' | 'DESC'
}

/**
 * Parses the page; `limit` is reduced to the maximum, and `Link` leads on (open points, list query). @throws
 * BadUserInput
 */
export function readPage(query: Query): Page {
  const offset = wholeNumber(query, 'offset', 0, 0, OFFSET_MAX)
  const asked = wholeNumber(query, 'limit', LIMIT_DEFAULT, 1, LIMIT_ASKED_MAX)
  const limit = Math.min(asked, LIMIT_MAX)
  return { limit, isReduced: asked > limit, offset, after: readAfter(query, offset) }
}

/** `after` of a `Link` contains its offset: with another one, chosen by a client, it is ignored. */
function readAfter({ after }: Query, offset: number): string | undefined {
  if (after === undefined) return undefined
  const [, of, cursor] = (typeof after === 'string' && /^(\d{1,15})\.([\w-]+)$/.exec(after)) || []
  if (of === undefined)
    throw new BadUserInput('after', `after must be the value from a Link header, not ${quoteValue(after)}`)
  return Number(of) === offset ? cursor : undefined
}

/** Returns the fields by which a list can be sorted, from the type of its `orderBy`, with GraphQL's name of each. */
export function sortFields(orderBy: GraphQLInputType): ReadonlyMap<string, string> {
  const order = getNamedType(orderBy)
  const field = isInputObjectType(order) ? order.getFields().field : undefined
  const type = field && getNamedType(field.type)
  if (!isEnumType(type)) throw new Error(`${order.name} has no enum of fields`)
  return restEnum(type).nameOf
}

/** Parses `sort=-createdAt,name`. @throws BadUserInput naming the term */
export function readSort(query: Query, fields: ReadonlyMap<string, string>, byDefault = ''): OrderTerm[] | undefined {
  const terms = commaList({ sort: query.sort ?? byDefault }, 'sort')
  if (terms.length > SORT_TERMS_MAX) throw new BadUserInput('sort', `sort has more than ${SORT_TERMS_MAX} terms`)
  if (terms.length === 0) return undefined
  return terms.map((term) => {
    const descending = term.startsWith('-')
    const text = descending ? term.slice(1) : term
    const field = fields.get(text)
    if (field === undefined) {
      const known = [...fields.keys()]
      throw new BadUserInput(
        'sort',
        `sort: ${quoteValue(text)} is not a sortable field${nearestHint(text, known)}; known fields: ${known.join(', ')}`,
      )
    }
    return { field, direction: descending ? 'DESC' : 'ASC' }
  })
}

/**
 * Splits names separated by commas, with optional spaces; repeated parameters are combined. Empty names are dropped.
 */
export function commaList(query: Query, name: string): string[] {
  const given = query[name]
  if (given === undefined) return []
  return (Array.isArray(given) ? given.join(',') : given)
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean)
}

function wholeNumber(query: Query, name: string, fallback: number, min: number, max: number): number {
  const given = query[name]
  if (given === undefined) return fallback
  const value = typeof given === 'string' && /^\d{1,15}$/.test(given) ? Number(given) : Number.NaN
  if (!(value >= min && value <= max)) {
    const rule =
      max === LIMIT_ASKED_MAX ? `from ${min}; more than ${LIMIT_MAX} count as these` : `from ${min} to ${max}`
    throw new BadUserInput(name, `${name} must be given once, as a whole number ${rule}, not ${quoteValue(given)}`)
  }
  return value
}
