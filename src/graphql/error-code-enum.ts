import { GraphQLEnumType } from 'graphql'
import type { ErrorCode } from '../errors.js'

type Told = Exclude<ErrorCode, 'TOKEN_EXPIRED'>

/** Codes of the domain, and of documents that are refused before anything runs. */
const DESCRIPTIONS = {
  BAD_USER_INPUT: 'The input is malformed; `field` is its path.',
  UNAUTHENTICATED:
    'There are no credentials, or they have ended; `jwt expired` is the message of a token past its time.',
  FORBIDDEN: 'The credentials do not reach that far (section 5).',
  NOT_FOUND: 'There is no such record, or none that the caller may know of.',
  UNPROCESSABLE: 'Well-formed, but impossible in the present state (section 7).',
  RATE_LIMITED: 'Too much at once; `retryAfterSeconds` says when to try again (section 8).',
  UNAVAILABLE: 'For the moment; `retryAfterSeconds` says when to try again.',
  INTERNAL_SERVER_ERROR: 'Ours, and logged under `requestId`.',
  GRAPHQL_PARSE_FAILED: 'The document is no GraphQL.',
  GRAPHQL_VALIDATION_FAILED: 'The document does not fit the schema.',
  OPERATION_RESOLUTION_FAILURE: 'The document has no operation of the name, or several and no name was given.',
  DOCUMENT_TOO_LARGE: 'The document, or what it asks for, is larger than one request may be.',
} as const satisfies Readonly<Record<Told, string>> & Readonly<Record<string, string>>

export const ErrorCodeEnum = new GraphQLEnumType({
  name: 'ErrorCode',
  description: 'What stands in `extensions.code` of an error.',
  values: Object.fromEntries(Object.entries(DESCRIPTIONS).map(([name, description]) => [name, { description }])),
})
