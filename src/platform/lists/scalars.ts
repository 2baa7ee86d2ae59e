import { GraphQLError, GraphQLScalarType, Kind, print, type ValueNode } from 'graphql'
import { GraphQLJSON, GraphQLJSONObject } from 'graphql-scalars'
import { quoteValue } from '../errors.js'

const ISO_8601 = /^(\d{4})-(\d{2})-(\d{2})(?:[T ]\d{2}:\d{2}(?::\d{2}(?:[.,]\d{1,9})?)?(Z|[+-]\d{2}:?\d{2})?)?$/i

/** A URL's `+`, which is read as a space. */
const UNESCAPED_PLUS = /^\d{4}-\d{2}-\d{2}T[\d:.,]{5,18} \d{2}:?\d{2}$/i

/** Accepts any offset; a datetime without one is UTC (section 1, conventions). @param node where it is written in a document. @throws GraphQLError */
export function parseDateTime(value: unknown, node?: ValueNode): Date {
  const match = typeof value === 'string' ? ISO_8601.exec(value) : null
  if (match) {
    const [, year, month, day, offset] = match
    const text = (value as string).replace(' ', 'T').replace(',', '.')
    const date = new Date(offset || !text.includes('T') ? text : `${text}Z`)
    // 30 February is otherwise 2 March.
    const isDay = Number(day) <= new Date(Date.UTC(Number(year), Number(month), 0)).getUTCDate()
    if (isDay && !Number.isNaN(date.getTime())) return date
  }
  const hint = typeof value === 'string' && UNESCAPED_PLUS.test(value) ? ': a + in a URL is written as %2B' : ''
  throw new GraphQLError(`${quoteValue(value)} is not an ISO 8601 datetime${hint}`, {
    nodes: node,
    extensions: { code: 'BAD_USER_INPUT' },
  })
}

export const DateTime = new GraphQLScalarType({
  name: 'DateTime',
  description:
    'ISO 8601 datetime. Output: UTC with milliseconds and `Z`. Input: any offset; without one, UTC (section 1).',
  serialize: (value) => (value instanceof Date ? value : new Date(value as string)).toISOString(),
  parseValue: (value) => parseDateTime(value),
  parseLiteral(node) {
    return parseDateTime(node.kind === Kind.STRING ? node.value : print(node), node)
  },
})

export const Json = GraphQLJSON
export const JsonObject = GraphQLJSONObject
