import { GraphQLError, type GraphQLFormattedError } from 'graphql'
import type { Logger } from 'pino'
import { isConnectionLoss, isLockTimeout, sqlStateOf } from '../db/sql-errors.js'
import { DomainError, Unavailable, type ErrorCode, type ErrorDetails } from '../errors.js'

/** What a client may know of an error. */
export interface PublicError {
  message: string
  code: ErrorCode
  details: ErrorDetails
}

export interface ErrorScope {
  requestId: string
  log: Pick<Logger, 'error' | 'warn'>
}

/**
 * The one reading of whatever was thrown. What is not meant for a client is masked, and logged with its stack under the
 * request's id.
 */
export function publicError(error: unknown, { requestId, log }: ErrorScope): PublicError {
  const domain = findDomainError(error)
  if (domain) return { message: domain.message, code: domain.code, details: domain.details }
  const state = sqlStateOf(error)
  if (state?.startsWith('22')) {
    // Class 22, data exception: the database cannot hold what the client sent.
    log.warn({ err: error, requestId }, 'a value cannot be stored')
    return { message: 'a value cannot be stored', code: 'BAD_USER_INPUT', details: {} }
  }
  if (state === UNIQUE_VIOLATION) {
    log.warn({ err: error, requestId }, 'an unexpected unique violation')
    return { message: 'such a record exists already', code: 'UNPROCESSABLE', details: {} }
  }
  if (state && isConnectionLoss(state)) {
    log.error({ err: error, requestId }, 'the database is not available')
    return unavailable('the service is not available for the moment; retry')
  }
  if (state === QUERY_CANCELED || isLockTimeout(error)) {
    log.warn({ err: error, requestId }, 'a statement took too long, or waited too long for a lock')
    return unavailable('what is asked for is in use by others for the moment; retry')
  }
  log.error({ err: error, requestId }, 'unexpected error')
  return { message: 'internal server error', code: 'INTERNAL_SERVER_ERROR', details: { requestId } }
}

/** An error of the parser, of validation or of execution as it goes to the client. */
export function formatError(error: GraphQLError, scope: ErrorScope): GraphQLFormattedError {
  const { locations, path } = error
  const where = { ...(locations && { locations }), ...(path && { path }) }
  const cause = rootCause(error)
  const said = cause instanceof GraphQLError ? extensionsOf(error) : null
  if (said) return { message: error.message, ...where, extensions: said }
  const { message, extensions } = formatPublicError(publicError(cause, scope))
  return { message, ...where, extensions }
}

/** What a client of GraphQL is told. A token past its time is UNAUTHENTICATED with the message `jwt expired`. */
export function formatPublicError({ message, code, details }: PublicError): GraphQLFormattedError {
  return { message, extensions: { code: code === 'TOKEN_EXPIRED' ? 'UNAUTHENTICATED' : code, ...details } }
}

/** Those of GraphQL's own errors that are for the client: null for a result that does not fit the schema, say. */
function extensionsOf(error: GraphQLError): GraphQLFormattedError['extensions'] | null {
  const field = fieldOf(error)
  // graphql-jit makes errors without extensions.
  const given = error.extensions ?? {}
  const code = given.code ?? (field === undefined ? null : 'BAD_USER_INPUT')
  if (code === null) return null
  const { http: _http, stacktrace: _stacktrace, ...extensions } = given
  return { ...extensions, code, ...(code === 'BAD_USER_INPUT' && field !== undefined && { field }) }
}

const AT_VARIABLE = /^Variable "\$([^"]+)"(?:.*? at "([^"]+)")?/s
const AT_ARGUMENT = /^Argument "([^"]+)"/

/** `Variable "$input" got invalid value 5 at "input.name[0]"; …` and `Argument "first" of …` tell where. */
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
