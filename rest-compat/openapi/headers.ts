import type { JsonSchema } from './schema-components.js'

/** `components.headers`. */
export const HEADERS: Readonly<Record<string, JsonSchema>> = {
  RateLimit: { description: 'Remaining requests in this second, by policy.', schema: { type: 'string' } },
  'RateLimit-Policy': {
    description: 'Allowed requests per second, by address and by user or API key.',
    schema: { type: 'string' },
  },
  'Retry-After': { description: 'Seconds to wait before a retry.', schema: { type: 'integer' } },
  'X-Total-Count': { description: 'Number of records in the whole list.', schema: { type: 'integer' } },
  Link: { description: 'The next page, `rel="next"`; absent on the last.', schema: { type: 'string' } },
  'Applied-Limit': {
    description: 'The maximum that was taken in place of a larger `limit`; absent if `limit` was.',
    schema: { type: 'integer' },
  },
  ETag: {
    description: 'Names the version of the record, for `If-Match` of a change.',
    schema: { type: 'string' },
  },
  Location: { description: 'Path of the created record.', schema: { type: 'string' } },
  'Ignored-Fields': {
    description: 'Paths of the fields of the body that were ignored; absent if there are none.',
    schema: { type: 'string' },
  },
}

const refs = (...names: string[]): Record<string, JsonSchema> =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))

export const PAGE_HEADERS = refs('X-Total-Count', 'Link', 'Applied-Limit')
export const RATE_HEADERS = refs('RateLimit', 'RateLimit-Policy')
