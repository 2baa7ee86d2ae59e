import { GraphQLError, type GraphQLFormattedError } from 'graphql'
import type { Logger } from 'pino'
import { isConnectionLoss, isLockTimeout, isOutOfResources, sqlStateOf } from '../../platform/db/sql-errors.js'
import { docsOf, GENERAL_REASON, type ErrorReason } from '../../platform/error-reasons.js'
import { DomainError, Unavailable, type ErrorCode, type ErrorDetails } from '../../platform/errors.js'

/** The parts of an error that clients may see. */
export interface PublicError {
  message: string
  code: ErrorCode
  details: ErrorDetails & { readonly reason: ErrorReason }
}

export interface ErrorScope {
  requestId: string
  log: Pick<Logger, 'error' | 'warn'>
}

/** Converts any thrown value. Internal errors are masked, and logged with their stack and the request's id. */
export function publicError(error: unknown, { requestId, log }: ErrorScope): PublicError {
  const domain = findDomainError(error)
  if (domain) {
    // What failed below it is for the operator.
    if (domain.code === 'UNAVAILABLE' && domain.cause) log.warn({ err: domain.cause, requestId }, domain.message)
    return { message: domain.message, code: domain.code, details: domain.details }
  }
  const state = sqlStateOf(error)
  if (state?.startsWith('22')) {
    // Class 22, data exception: the database cannot store a value of the client.
    log.warn({ err: error, requestId }, 'a value cannot be stored')
    return { message: 'a value cannot be stored', code: 'BAD_USER_INPUT', details: { reason: 'INVALID_VALUE' } }
  }
  if (state === UNIQUE_VIOLATION) {
    log.warn({ err: error, requestId }, 'unexpected unique violation')
    return { message: 'such a record already exists', code: 'UNPROCESSABLE', details: { reason: 'CONFLICT' } }
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
  return {
    message: 'internal server error',
    code: 'INTERNAL_SERVER_ERROR',
    details: { reason: 'INTERNAL_ERROR', requestId },
  }
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
  const shownCode = code === 'TOKEN_EXPIRED' ? 'UNAUTHENTICATED' : code
  return { message, extensions: { code: shownCode, ...withEnumNames(details), docs: docsOf(details.reason) } }
}

/** Details that are values of enums, which GraphQL writes in its own case. */
const STATES = ['status', 'availability', 'touchpoint', 'type', 'kind', 'methods', 'ending', 'action', 'mode', 'budget']

function withEnumNames(details: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(details).map(([key, value]: [string, unknown]) => {
      const named = (each: unknown) => (STATES.includes(key) && typeof each === 'string' ? enumName(each) : each)
      if (Array.isArray(value))
        return [key, value.map((each: unknown) => (isObject(each) ? withEnumNames(each) : named(each)))]
      return [key, named(value)]
    }),
  )
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

function enumName(text: string): string {
  return text.replaceAll(/([a-z])([A-Z])/g, '$1_$2').toUpperCase()
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
  if (code !== 'BAD_USER_INPUT') return withReason({ ...extensions, code })
  const reason = reasonOf(error.message)
  return { ...extensions, code, reason, ...(field !== undefined && { field }), docs: docsOf(reason) }
}

/** Adds the reason of a code to extensions that have none, as those of Apollo Server; a code of others has none. */
export function withReason<Extensions extends { code?: unknown; reason?: unknown }>(
  extensions: Extensions,
): Extensions {
  const { code, reason } = extensions
  if (reason !== undefined || typeof code !== 'string' || !isKnown(code)) return extensions
  const general = GENERAL_REASON[code]
  return { ...extensions, reason: general, docs: docsOf(general) }
}

const isKnown = (code: string): code is keyof typeof GENERAL_REASON => Object.hasOwn(GENERAL_REASON, code)

/** Texts of graphql-js for input that is missing, and for input that the schema does not have. */
function reasonOf(message: string): ErrorReason {
  if (message.endsWith('was not provided.')) return 'MISSING_VALUE'
  return UNDEFINED_FIELD.test(message) ? 'UNKNOWN_FIELD' : 'INVALID_VALUE'
}

const UNDEFINED_FIELD = /; Field "([^"]+)" is not defined by type /
const MISSING_FIELD = /; Field "([^"]+)" of required type "[^"]+" was not provided\.$/
const AT_VARIABLE = /^Variable "\$([^"]+)"(?:.*? at "([^"]+)")?/s
const AT_ARGUMENT = /^Argument "([^"]+)"/

/**
 * Extracts the field from `Variable "$input" got invalid value 5 at "input.name[0]"; …` and `Argument "first" of …`.
 */
function fieldOf({ message }: GraphQLError): string | undefined {
  const variable = AT_VARIABLE.exec(message)
  const at = variable?.[2] ?? variable?.[1]
  if (at === undefined) return AT_ARGUMENT.exec(message)?.[1]
  const [, within] = UNDEFINED_FIELD.exec(message) ?? MISSING_FIELD.exec(message) ?? []
  return within === undefined ? at : `${at}.${within}`
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
