import { isDomainCode, type ErrorCode } from '../../src/platform/errors.js'
import { ERROR_REASONS } from '../../src/platform/error-reasons.js'
import { EXAMPLES } from './examples.js'
import type { JsonSchema } from './schema-components.js'

interface ErrorKind {
  description: string
  codes: readonly ErrorCode[]
}

/** Section 7, and the statuses of HTTP that say better than 400 what is wrong. */
const ERRORS: Readonly<Record<string, ErrorKind>> = {
  400: { description: 'Invalid or missing input, named by `field`.', codes: ['BAD_USER_INPUT'] },
  401: {
    description: 'Missing or invalid authentication; an expired access token if the server is set to say so by 401.',
    codes: ['UNAUTHENTICATED', 'TOKEN_EXPIRED'],
  },
  403: { description: 'Not permitted, or an expired access token.', codes: ['FORBIDDEN', 'TOKEN_EXPIRED'] },
  404: { description: 'The record does not exist, or belongs to another tenant.', codes: ['NOT_FOUND'] },
  412: {
    description: 'The record has another version than `If-Match` names: somebody changed it. Nothing is written.',
    codes: ['PRECONDITION_FAILED'],
  },
  413: { description: 'The body is too large.', codes: ['BAD_USER_INPUT'] },
  415: { description: 'The media type of the body is not accepted.', codes: ['BAD_USER_INPUT'] },
  422: { description: 'Well-formed, but not possible in the current state.', codes: ['UNPROCESSABLE'] },
  429: { description: 'A limit is exceeded: wait for the seconds in `Retry-After`.', codes: ['RATE_LIMITED'] },
  500: { description: 'An unexpected error; the log has its `requestId`.', codes: ['INTERNAL_SERVER_ERROR'] },
  503: { description: 'Temporarily unavailable: retry.', codes: ['UNAVAILABLE'] },
}
const REASONS = Object.entries(ERROR_REASONS)
  .filter(([, [code]]) => isDomainCode(code))
  .map(([reason]) => reason)
const FOR_BODIES = ['413', '415']
const WITH_RETRY_AFTER = ['429', '503']

/** Returns references to the errors that an operation may answer with. */
export function errorRefs({
  hasBody,
  hasPrecondition,
}: Record<'hasBody' | 'hasPrecondition', boolean>): Record<string, JsonSchema> {
  const statuses = Object.keys(ERRORS).filter(
    (status) => (hasPrecondition || status !== '412') && (hasBody || !FOR_BODIES.includes(status)),
  )
  return refsTo(statuses)
}

export function refsTo(statuses: readonly string[]): Record<string, JsonSchema> {
  return Object.fromEntries(statuses.map((status) => [status, { $ref: `#/components/responses/Error${status}` }]))
}

/** `components.responses`: one for each status, with the codes that it may have. */
export function errorResponses(): Record<string, JsonSchema> {
  return Object.fromEntries(Object.keys(ERRORS).map((status) => [`Error${status}`, errorResponse(status)]))
}

function errorResponse(status: string): JsonSchema {
  const { description, codes } = ERRORS[status]!
  const example = EXAMPLES.errors[status]
  const narrowed = { type: 'object', properties: { code: { enum: codes } } }
  return {
    description,
    ...(WITH_RETRY_AFTER.includes(status) && {
      headers: { 'Retry-After': { $ref: '#/components/headers/Retry-After' } },
    }),
    content: {
      'application/json': {
        schema: { allOf: [{ $ref: '#/components/schemas/Error' }, narrowed] },
        ...(example !== undefined && { example }),
      },
    },
  }
}

const MESSAGE_AND_CODE = {
  message: { type: 'string', description: 'Explanation, naming field and value.' },
  code: {
    type: 'string',
    description: 'The kind of error, for programs.',
    enum: [...new Set(Object.values(ERRORS).flatMap(({ codes }) => codes))],
  },
}

/** The body of every error. Details of some errors stand beside the members that are listed. */
export const ERROR: JsonSchema = {
  type: 'object',
  description: 'An error.',
  properties: {
    ...MESSAGE_AND_CODE,
    reason: {
      type: 'string',
      description: 'The cause, for programs. A later version may have more.',
      enum: REASONS,
    },
    docs: { type: 'string', description: 'Path of the page that explains the reason.' },
    error: {
      type: 'object',
      description: '`message` and `code` once more.',
      properties: MESSAGE_AND_CODE,
      required: ['message', 'code'],
    },
    requestId: { type: 'string', description: 'The request in the log of the server, as in `X-Request-Id`.' },
    field: { type: 'string', description: 'Path of the invalid input.' },
    retryAfterSeconds: { type: 'integer', description: 'As in `Retry-After`.' },
  },
  required: ['message', 'code', 'reason', 'docs', 'error', 'requestId'],
  additionalProperties: true,
}
