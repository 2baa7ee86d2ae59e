import type { Logger } from 'pino'
import { distanceOf, nearestNames } from '../../platform/nearest-names.js'
import { docsOf, type ErrorReason } from '../../platform/error-reasons.js'
import { publicError } from '../graphql/errors.js'
import {
  BadUserInput,
  NotFound,
  statusOfCode,
  Unavailable,
  type DomainError,
  type ErrorCode,
  type ErrorDetails,
} from '../../platform/errors.js'

/** The error body of every route except `/graphql` (open points, REST conventions). */
export interface ErrorBody extends ErrorDetails {
  message: string
  code: ErrorCode
  reason: ErrorReason
  /** Address of the reason's explanation. */
  docs: string
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

/**
 * The error of an address that the server does not have.
 * @param known the first segments of addresses: `/v2/users`
 * @param near the whole address that is most like it, if it is known
 */
export function routeNotFound(
  { method, url }: { method: string; url: string },
  known: ReadonlySet<string> = new Set(),
  near: string | null = null,
): NotFound {
  const path = url.split('?', 1)[0]!.slice(0, 200)
  const hint = near === null ? hintFor(path, [...known]) : `the nearest is ${near}`
  return new NotFound(`${method} ${path} does not exist: ${hint}`, { reason: 'ROUTE_NOT_FOUND' })
}

/** Other names of the prefix of `/v2`, with the part behind it. */
const OTHER_PREFIX = /^(?:\/api)?(?:\/v\d+)?(\/[^/]+)/i
/** A name that differs more is another. */
const DISTANCE_MAX = 2

/** Says where a client that asked for an unknown address finds what it may have meant. */
function hintFor(path: string, known: readonly string[]): string {
  if (path.length > 1 && path.endsWith('/')) return 'leave out the slash at its end'
  const [, name = ''] = OTHER_PREFIX.exec(path.replace(/^\/+/, '/')) ?? []
  const meant = `/v2${name.toLowerCase()}`
  const [nearest] = nearestNames(meant, known, 1)
  if (nearest !== undefined && distanceOf(meant, nearest) <= DISTANCE_MAX) return `the nearest is ${nearest}`
  return 'what there is says /api'
}

/** Shapes what clients are told of an error. */
export function errorBody(
  { code, message, details }: Pick<DomainError, 'code' | 'message' | 'details'>,
  requestId: string,
): ErrorBody {
  return { ...details, docs: docsOf(details.reason), message, code, error: { message, code }, requestId }
}

/** Converts an error to a reply. Masked errors reveal nothing; see `publicError`. */
export function errorReply(error: unknown, { requestId, log, expiredTokenStatus }: ErrorReplyScope): ErrorReply {
  const { message, code, details } = publicError(frameworkError(error) ?? error, { requestId, log })
  const { retryAfterSeconds } = details
  return {
    status: frameworkStatus(error) ?? statusOfCode(code, expiredTokenStatus),
    retryAfterSeconds: typeof retryAfterSeconds === 'number' ? retryAfterSeconds : null,
    body: errorBody({ code, message, details }, requestId),
  }
}

/** Recognizes Fastify's errors before a handler runs; their texts are meant for clients. */
function frameworkError(error: unknown): Error | null {
  const status = statusOf(error)
  if (status === null) return null
  const { message } = error as Error
  if (status === 404) return new NotFound(message, { reason: 'ROUTE_NOT_FOUND' })
  if (status === 503) return new Unavailable('the server is stopping; retry')
  if (status === 415 && message.startsWith('Unsupported Media Type')) {
    const type = 'application/json, or multipart/form-data for an upload'
    return new BadUserInput('Content-Type', `the Content-Type of this body is not taken here: send ${type}`)
  }
  // A refusal of a header begins with its name.
  const header = /^(?:Expect|[A-Z][a-z]+(?:-[A-Z][a-z]+)+)\b/.exec(message)
  return status < 500 ? new BadUserInput(header?.[0] ?? 'request', message) : null
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
