import { parse, type Filter } from 'scim2-parse-filter'
import { scimError } from './scim-errors.js'

export type { Filter } from 'scim2-parse-filter'

const FILTER_CHARS_MAX = 2_000
/** Brackets within brackets. */
const DEPTH_MAX = 20
const TERMS_MAX = 50

/** Parses a filter (RFC 7644, 3.4.2.2). @throws BadUserInput (`invalidFilter`) */
export function parseFilter(text: unknown, field = 'filter'): Filter {
  if (typeof text !== 'string' || text.trim() === '') throw invalidFilter(field, 'it must be a text')
  if (text.length > FILTER_CHARS_MAX) throw invalidFilter(field, `it is longer than ${FILTER_CHARS_MAX} characters`)
  // The library's pattern of a text takes line breaks in two ways, and would try both of each.
  if (/\p{Cc}/u.test(text)) throw invalidFilter(field, 'it has control characters')
  if (depthOf(text) > DEPTH_MAX) throw invalidFilter(field, `it nests deeper than ${DEPTH_MAX}`)
  let filter: Filter
  try {
    filter = parse(text)
  } catch (error) {
    throw invalidFilter(field, (error as Error).message.slice(0, 200))
  }
  if (countTerms(filter) > TERMS_MAX) throw invalidFilter(field, `it has more than ${TERMS_MAX} terms`)
  return filter
}

export function invalidFilter(field: string, why: string): Error {
  return scimError('invalidFilter', field, `${field} is not one that is understood here: ${why}`)
}

/** Each `not` and each bracket is a level of the parser's own calls. */
function depthOf(text: string): number {
  return text.match(/[([]|\bnot\b/gi)?.length ?? 0
}

function countTerms(filter: Filter): number {
  if ('filters' in filter) return filter.filters.reduce((sum, each) => sum + countTerms(each), 0)
  if ('filter' in filter) return countTerms(filter.filter)
  return 'valFilter' in filter ? countTerms(filter.valFilter) : 1
}
