import { ERROR_REASONS, type ErrorCode, type ErrorReason, type RequestErrorCode } from '../error-reasons.js'
import { graphqlEnum } from './graphql-enum.js'

/** Codes of the domain, and of documents that are refused before execution. */
const CODES = {
  BAD_USER_INPUT: 'The input is malformed; `field` is its path.',
  UNAUTHENTICATED:
    'There are no credentials, or they are no longer valid; `jwt expired` is the message for an expired token.',
  TOKEN_EXPIRED:
    'The access token is expired, in answers of `/v2` and of the other routes. GraphQL answers UNAUTHENTICATED instead.',
  FORBIDDEN: 'The caller lacks the permission (section 5).',
  NOT_FOUND: 'There is no such record, or the caller may not know of it.',
  UNPROCESSABLE: 'The input is valid, but conflicts with the current state (section 7).',
  PRECONDITION_FAILED:
    'The record has another version than `ifVersion` (`If-Match` in `/v2`): it was changed meanwhile. Nothing is written.',
  RATE_LIMITED: 'A rate limit is exceeded; `retryAfterSeconds` is the time until a retry can succeed (section 8).',
  UNAVAILABLE: 'The server is temporarily unavailable; `retryAfterSeconds` is the time until a retry can succeed.',
  INTERNAL_SERVER_ERROR: 'An internal error, logged under `requestId`.',
  BAD_REQUEST: 'The HTTP request is not an operation as GraphQL over HTTP defines it.',
  PERSISTED_QUERY_NOT_SUPPORTED:
    'The request has the hash of a document in place of the document: send the document, as Apollo Client then does.',
  GRAPHQL_PARSE_FAILED: 'The document is not valid GraphQL syntax.',
  GRAPHQL_VALIDATION_FAILED: 'The document is not valid against the schema.',
  OPERATION_RESOLUTION_FAILURE: 'The document has no operation with the name, or has several and no name was given.',
  DOCUMENT_TOO_LARGE: 'The document, or its requested result, exceeds the limit of one request.',
} as const satisfies Readonly<Record<ErrorCode | RequestErrorCode, string>>

/** Values whose text is their name. */
function named<Name extends string>(descriptions: Readonly<Record<Name, string>>) {
  const values = Object.entries<string>(descriptions).map(([name, description]) => [name, [name, description]])
  return Object.fromEntries(values) as { readonly [Each in Name]: readonly [Each, string] }
}

export const ErrorCodeEnum = graphqlEnum('ErrorCode', 'Values of `extensions.code` in errors.', named(CODES))

const REASONS = Object.fromEntries(
  Object.entries(ERROR_REASONS).map(([name, [, description]]) => [name, description]),
) as Readonly<Record<ErrorReason, string>>

export const ErrorReasonEnum = graphqlEnum(
  'ErrorReason',
  'Values of `extensions.reason` in errors, of which a later version may have more; `extensions.docs` explains each.',
  named(REASONS),
)
