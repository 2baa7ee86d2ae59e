import type { Logger } from 'pino'
import { publicError } from '../graphql/errors.js'
import { BadUserInput, NotFound, statusOfCode, Unavailable, type ErrorCode, type ErrorDetails } from '../errors.js'

/** The error body of every route except `/graphql` (open points, REST conventions). */
export interface ErrorBody extends ErrorDetails {
  message: string
  code: ErrorCode
  error: { message: string; code: ErrorCode }
  requestId: string
}

export interface ErrorReply {
  status: number
  retryAfterSeconds: number | null
  body: ErrorBody
}

export interface ErrorReplyScope {
  requestId: string
  log: Pick<Logger, 'error' | 'warn'>
  expiredTokenStatus: 401 | 403
}

/** Converts an error to a reply. Masked errors reveal nothing; see `publicError`. */
export function errorReply(error: unknown, { requestId, log, expiredTokenStatus }: ErrorReplyScope): ErrorReply {
  const { message, code, details } = publicError(frameworkError(error) ?? error, { requestId, log })
  const { retryAfterSeconds } = details
  return {
    status: frameworkStatus(error) ?? statusOfCode(code, expiredTokenStatus),
    retryAfterSeconds: typeof retryAfterSeconds === 'number' ? retryAfterSeconds : null,
    body: { ...details, message, code, error: { message, code }, requestId },
  }
}

/** Recognizes Fastify's errors before a handler runs; their texts are meant for clients. */
function frameworkError(error: unknown): Error | null {
  const status = statusOf(error)
  if (status === null) return null
  const { message } = error as Error
  if (status === 404) return new NotFound(message)
  if (status === 503) return new Unavailable('the server is stopping; retry')
  return status < 500 ? new BadUserInput('request', message) : null
}

/** Section 7 has no 413, 414 or 415, but they describe the error better than 400. */
function frameworkStatus(error: unknown): number | null {
  const status = statusOf(error)
  return status !== null && (status < 500 || status === 503) ? status : null
}

function statusOf(error: unknown): number | null {
  if (!(error instanceof Error) || !('code' in error) || !('statusCode' in error)) return null
  const { code, statusCode } = error
  return typeof code === 'string' && code.startsWith('FST_') && typeof statusCode === 'number' ? statusCode : null
}
