import type { JsonObject } from '../../platform/json.js'
import { canonicalName, LIST_SCHEMA, withoutSchema } from './attribute-names.js'
import { scimError } from './scim-errors.js'

/** A question for a list. */
export interface PageRequest {
  filter: string | null
  /** From 1. */
  startIndex: number
  count: number
  /** Attributes to show alone, and those to leave out; null: not said. */
  attributes: ReadonlySet<string> | null
  excludedAttributes: ReadonlySet<string> | null
}

export const COUNT_MAX = 200
const COUNT_DEFAULT = 100
const INDEX_MAX = 1_000_000_000
const NAMES_CHARS_MAX = 2_000

/** Reads the query of a request (RFC 7644, 3.4.2). @throws BadUserInput */
export function readPageRequest(query: URLSearchParams): PageRequest {
  return {
    filter: query.get('filter'),
    startIndex: Math.max(1, integerOf(query.get('startIndex'), 'startIndex') ?? 1),
    // A negative number counts as none.
    count: Math.min(COUNT_MAX, Math.max(0, integerOf(query.get('count'), 'count') ?? COUNT_DEFAULT)),
    attributes: namesOf(query.get('attributes'), 'attributes'),
    excludedAttributes: namesOf(query.get('excludedAttributes'), 'excludedAttributes'),
  }
}

function integerOf(text: string | null, field: string): number | null {
  if (text === null || text === '') return null
  const value = /^-?\d{1,10}$/.test(text) ? Number(text) : NaN
  if (Math.abs(value) <= INDEX_MAX) return value
  throw scimError('invalidValue', field, `${field} must be a whole number`)
}

/** The attributes by their first names: `name.givenName` shows the whole name. */
function namesOf(text: string | null, field: string): ReadonlySet<string> | null {
  if (text === null || text === '') return null
  if (text.length > NAMES_CHARS_MAX) throw scimError('invalidValue', field, `${field} is too long`)
  return new Set(text.split(',').map((name) => canonicalName(withoutSchema(name.trim()).split('.')[0]!)))
}

/** Always shown. */
const ALWAYS = new Set(['schemas', 'id'])

/** Tells whether an attribute is to be shown. */
export function isShown(
  name: string,
  { attributes, excludedAttributes }: Pick<PageRequest, 'attributes' | 'excludedAttributes'>,
): boolean {
  if (ALWAYS.has(name)) return true
  return attributes ? attributes.has(name) : !excludedAttributes?.has(name)
}

/** Returns the part of a resource that is asked for. */
export function shownPart(resource: JsonObject, request: PageRequest): JsonObject {
  return Object.fromEntries(Object.entries(resource).filter(([name]) => isShown(name, request)))
}

/** A page of resources. */
export function listResponse(resources: readonly JsonObject[], total: number, startIndex: number): JsonObject {
  return {
    schemas: [LIST_SCHEMA],
    totalResults: total,
    startIndex,
    itemsPerPage: resources.length,
    Resources: [...resources],
  }
}
