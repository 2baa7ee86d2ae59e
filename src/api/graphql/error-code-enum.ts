import { GraphQLEnumType } from 'graphql'
import type { ErrorCode } from '../../platform/errors.js'

/** Codes of the domain, and of documents that are refused before execution. */
const DESCRIPTIONS = {
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
} as const satisfies Readonly<Record<ErrorCode, string>> & Readonly<Record<string, string>>

export const ErrorCodeEnum = new GraphQLEnumType({
  name: 'ErrorCode',
  description: 'Values of `extensions.code` in errors.',
  values: Object.fromEntries(Object.entries(DESCRIPTIONS).map(([name, description]) => [name, { description }])),
})
