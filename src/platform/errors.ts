import { GENERAL_REASON, type ErrorCode, type ErrorReason } from './error-reasons.js'

export type { ErrorCode } from './error-reasons.js'

/** Members that clients are told beside the message. */
export type ErrorDetails = Readonly<Record<string, unknown>> & { readonly reason?: ErrorReason }

/**
 * Base of all errors that clients see. Modules throw them without knowing HTTP; the single map from code to status (section 7)
 * is `statusOfCode` below, used by both interfaces. `details` are sent to the client unchanged: never a secret.
 */
export class DomainError extends Error {
  readonly details: ErrorDetails & { readonly reason: ErrorReason }

  constructor(
    readonly code: ErrorCode,
    message: string,
    details: ErrorDetails = {},
    options: ErrorOptions = {},
  ) {
    super(message, options)
    this.name = new.target.name
    this.details = { reason: GENERAL_REASON[code], ...details }
  }
}

/** The request is malformed; `field` is the path of the invalid input, `message` names field and value. */
export class BadUserInput extends DomainError {
  constructor(
    readonly field: string,
    message: string,
    reason: ErrorReason = 'INVALID_VALUE',
    details: ErrorDetails = {},
  ) {
    super('BAD_USER_INPUT', message, { ...details, reason, field })
  }
}

/** Returns the refusal of an input with another name of its field, in its text too; any other error as it is. */
export function renamedError(error: unknown, from: RegExp, to: string): unknown {
  if (!(error instanceof BadUserInput || error instanceof Unprocessable)) return error
  const renamed = (text: string): string => text.replaceAll(from, to)
  const message = renamed(error.message)
  if (error instanceof BadUserInput)
    return new BadUserInput(renamed(error.field), message, error.details.reason, error.details)
  const { field } = error.details
  return new Unprocessable(message, { ...error.details, ...(typeof field === 'string' && { field: renamed(field) }) })
}

/** The record does not exist or is not visible to the caller: records of other tenants are not found. */
export class NotFound extends DomainError {
  constructor(message: string, details: ErrorDetails = {}) {
    super('NOT_FOUND', message, details)
  }
}

export class Unauthenticated extends DomainError {
  constructor(message: string, details: ErrorDetails = {}) {
    super('UNAUTHENTICATED', message, details)
  }
}

/** An expired access token (section 5: 403; `EXPIRED_TOKEN_STATUS` makes it 401 for legacy clients). */
export class TokenExpired extends DomainError {
  constructor() {
    super('TOKEN_EXPIRED', 'jwt expired')
  }
}

export class Forbidden extends DomainError {
  constructor(message: string, details: ErrorDetails = {}) {
    super('FORBIDDEN', message, details)
  }
}

/** Well-formed, but impossible in the current state (section 7: 422). */
export class Unprocessable extends DomainError {
  constructor(message: string, details: ErrorDetails = {}) {
    super('UNPROCESSABLE', message, details)
  }
}

/** The record is not in the version that the client names: somebody else changed it, and nothing was written. */
export class ChangedMeanwhile extends DomainError {
  /** @param version the present one, if it was read */
  constructor(message: string, version?: number) {
    super('PRECONDITION_FAILED', message, {
      field: 'ifVersion',
      reason: 'OTHER_VERSION',
      ...(version !== undefined && { version }),
    })
  }
}

/** Section 8. `retryAfterSeconds` is whole seconds, at least 1. */
export class RateLimited extends DomainError {
  constructor(
    message: string,
    readonly retryAfterSeconds: number,
    details: ErrorDetails = {},
  ) {
    super('RATE_LIMITED', message, { ...details, retryAfterSeconds })
  }
}

/** Default delay before a retry, in seconds. */
export const RETRY_AFTER_SECONDS = 1

/** The server is draining or a dependency is temporarily unavailable: retry. */
export class Unavailable extends DomainError {
  constructor(message: string, options: ErrorOptions = {}, reason: ErrorReason = 'TEMPORARILY_UNAVAILABLE') {
    super('UNAVAILABLE', message, { reason, retryAfterSeconds: RETRY_AFTER_SECONDS }, options)
  }
}

/** The client hung up before it had sent its request: nobody reads the answer. */
export class RequestAborted extends DomainError {
  constructor() {
    super('BAD_USER_INPUT', 'the request was aborted before its body was complete', { field: 'body' })
  }
}

/** A transaction was sent to the database without an answer: it may have been committed or not. */
export class OutcomeUnknown extends Unavailable {
  constructor(options: ErrorOptions = {}) {
    super(
      'the database did not answer whether this was done: look before you repeat it, or repeat it with its idempotency key',
      options,
      'OUTCOME_UNKNOWN',
    )
  }
}

const STATUS: Readonly<Record<ErrorCode, number>> = {
  BAD_USER_INPUT: 400,
  UNAUTHENTICATED: 401,
  TOKEN_EXPIRED: 403,
  FORBIDDEN: 403,
  NOT_FOUND: 404,
  UNPROCESSABLE: 422,
  PRECONDITION_FAILED: 412,
  RATE_LIMITED: 429,
  UNAVAILABLE: 503,
  INTERNAL_SERVER_ERROR: 500,
}

/** False for a code of which only `/graphql` knows. */
export function isDomainCode(code: string): code is ErrorCode {
  return Object.hasOwn(STATUS, code)
}

/**
 * Returns the HTTP status of a code (section 7). @param expiredTokenStatus 403, or 401 for legacy refresh (open points)
 */
export function statusOfCode(code: ErrorCode, expiredTokenStatus: 401 | 403 = 403): number {
  return code === 'TOKEN_EXPIRED' ? expiredTokenStatus : STATUS[code]
}

/** Formats a client's value for a message: truncated, on one line. */
export function quoteValue(value: unknown): string {
  let text: string
  try {
    // JSON writes NaN and the infinities as null.
    text = typeof value === 'number' ? String(value) : (JSON.stringify(value) ?? String(value))
  } catch {
    // Nested too deeply, cyclic, or not JSON: String() can fail on these too.
    text = `(${typeof value})`
  }
  return text.length > 80 ? `${text.slice(0, 77)}...` : text
}

export function assertNever(value: never): never {
  throw new Error(`unhandled case: ${String(value)}`)
}
