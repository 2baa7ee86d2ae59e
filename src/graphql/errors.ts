import { GraphQLError, type GraphQLFormattedError } from 'graphql'
import type { Logger } from 'pino'
import { isConnectionLoss, isLockTimeout, isOutOfResources, sqlStateOf } from '../db/sql-errors.js'
import { DomainError, Unavailable, type ErrorCode, type ErrorDetails } from '../errors.js'

/** The parts of an error that clients may see. */
export interface PublicError {
  message: string
  code: ErrorCode
  details: ErrorDetails
}

export interface ErrorScope {
  requestId: string
  log: Pick<Logger, 'error' | 'warn'>
}

/** Converts any thrown value. Internal errors are masked, and logged with their stack and the request's id. */
export function publicError(error: unknown, { requestId, log }: ErrorScope): PublicError {
  const domain = findDomainError(error)
  if (domain) return { message: domain.message, code: domain.code, details: domain.details }
  const state = sqlStateOf(error)
  if (state?.startsWith('22')) {
    // Class 22, data exception: the database cannot store a value of the client.
    log.warn({ err: error, requestId }, 'a value cannot be stored')
    return { message: 'a value cannot be stored', code: 'BAD_USER_INPUT', details: {} }
  }
  if (state === UNIQUE_VIOLATION) {
    log.warn({ err: error, requestId }, 'unexpected unique violation')
    return { message: 'such a record already exists', code: 'UNPROCESSABLE', details: {} }
  }
  if (state && isConnectionLoss(state)) {
    log.error({ err: error, requestId }, 'the database is not available')
    return unavailable('the service is temporarily unavailable; retry')
  }
  if (state && isOutOfResources(state)) {
    log.error({ err: error, requestId }, 'the database has no resources left')
    return unavailable('the service has no room for this at the moment, and wrote nothing; retry later')
  }
  if (state === QUERY_CANCELED || isLockTimeout(error)) {
    log.warn({ err: error, requestId }, 'a statement took too long, or waited too long for a lock')
    return unavailable('the record is temporarily locked by other requests; retry')
  }
  log.error({ err: error, requestId }, 'unexpected error')
  return { message: 'internal server error', code: 'INTERNAL_SERVER_ERROR', details: { requestId } }
}

/** Formats an error of the parser, validation or execution for the client. */
export function formatError(error: GraphQLError, scope: ErrorScope): GraphQLFormattedError {
  const { locations, path } = error
  const where = { ...(locations && { locations }), ...(path && { path }) }
  const cause = rootCause(error)
  const own = cause instanceof GraphQLError ? extensionsOf(error) : null
  if (own) return { message: error.message, ...where, extensions: own }
  const { message, extensions } = formatPublicError(publicError(cause, scope))
  return { message, ...where, extensions }
}

/** Formats an error for a GraphQL client. An expired token is UNAUTHENTICATED with the message `jwt expired`. */
export function formatPublicError({ message, code, details }: PublicError): GraphQLFormattedError {
  return { message, extensions: { code: code === 'TOKEN_EXPIRED' ? 'UNAUTHENTICATED' : code, ...details } }
}

/**
 * Returns the extensions of GraphQL errors meant for the client; null for internal ones, such as a result that does not
 * fit the schema.
 */
function extensionsOf(error: GraphQLError): GraphQLFormattedError['extensions'] | null {
  const field = fieldOf(error)
  // graphql-jit creates errors without extensions.
  const given = error.extensions ?? {}
  const code = given.code ?? (field === undefined ? null : 'BAD_USER_INPUT')
  if (code === null) return null
  const { http: _http, stacktrace: _stacktrace, ...extensions } = given
  return { ...extensions, code, ...(code === 'BAD_USER_INPUT' && field !== undefined && { field }) }
}

const AT_VARIABLE = /^Variable "\$([^"]+)"(?:.*? at "([^"]+)")?/s
const AT_ARGUMENT = /^Argument "([^"]+)"/

/**
 * Extracts the field from `Variable "$input" got invalid value 5 at "input.name[0]"; …` and `Argument "first" of …`.
 */
function fieldOf({ message }: GraphQLError): string | undefined {
  const variable = AT_VARIABLE.exec(message)
  return variable?.[2] ?? variable?.[1] ?? AT_ARGUMENT.exec(message)?.[1]
}

function rootCause(error: GraphQLError): unknown {
  let cause: unknown = error
  while (cause instanceof GraphQLError && cause.originalError) cause = cause.originalError
  return cause
}

function findDomainError(error: unknown): DomainError | null {
  for (let at: unknown = error; at instanceof Error; at = at.cause) if (at instanceof DomainError) return at
  return null
}

function unavailable(text: string): PublicError {
  const { message, code, details } = new Unavailable(text)
  return { message, code, details }
}

const UNIQUE_VIOLATION = '23505'
const QUERY_CANCELED = '57014'
