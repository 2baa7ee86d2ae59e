import { OutcomeUnknown } from '../errors.js'

const SQL_STATE = /^[0-9A-Z]{5}$/
const NETWORK_CODES: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EAI_AGAIN',
])
const CONNECTION_FAILURE = '08006'
/** What pg says, without a code, when a connection ends under a query or cannot be had. */
const ENDED =
  /^Connection terminated|^timeout exceeded when trying to connect|^Client (was closed|has encountered)|^timeout expired/

const LOCK_NOT_AVAILABLE = '55P03'
const DEADLOCK = '40P01'

/** The SQLSTATE, or the system's code for a network failure, of whatever a statement failed with; null for other errors. */
export function sqlStateOf(error: unknown): string | null {
  for (let at: unknown = error; at instanceof Error; at = at.cause) {
    const { code } = at as { code?: unknown }
    if (typeof code === 'string' && (SQL_STATE.test(code) || NETWORK_CODES.has(code))) return code
    if (ENDED.test(at.message)) return CONNECTION_FAILURE
  }
  return null
}

/**
 * Whether the connection was lost, or could not be had: the statement may be repeated on another one, once it is known
 * that it was not done.
 */
export function isConnectionLoss(state: string): boolean {
  return (
    state.startsWith('08') ||
    state.startsWith('57P') ||
    state === '53300' ||
    state === '25P03' ||
    NETWORK_CODES.has(state)
  )
}

/** Whether PostgreSQL refused the statement and stays there: what it belongs to is rolled back, whatever comes after. */
export function isRefusal(error: unknown): boolean {
  const state = sqlStateOf(error)
  if (state === null || isConnectionLoss(state)) return false
  // Class 58 and XX, system and internal errors, end a session as often as not.
  return !state.startsWith('58') && !state.startsWith('XX')
}

/** Whether it waited too long for a lock, or for each other: another transaction has what it needs, for now. */
export function isLockTimeout(error: unknown): boolean {
  const state = sqlStateOf(error)
  return state === LOCK_NOT_AVAILABLE || state === DEADLOCK
}

/** Whether the same may be tried again on another connection: it is proved not to have been done. */
export function isRepeatable(error: unknown): boolean {
  if (error instanceof OutcomeUnknown) return false
  const state = sqlStateOf(error)
  return state !== null && isConnectionLoss(state)
}
