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
/** The database is read-only: it became a standby, or its operator made it so. Nothing was written. */
const READ_ONLY = '25006'
/** The message of a standby, as an internal error and in no other language, when it is asked for a transaction's id. */
const NO_IDS = /^cannot assign TransactionIds during recovery/
/** A statement after one that failed, whose error says why. */
const FAILED_BEFORE = '25P02'
/** Messages of pg, without a code, for a connection that ended during a query or could not be opened. */
const ENDED =
  /^Connection terminated|^timeout exceeded when trying to connect|^Client (was closed|has encountered)|^timeout expired/

/** Message of pg's pool when none of its connections became free in time. */
const NONE_FREE = /^timeout exceeded when trying to connect/

const LOCK_NOT_AVAILABLE = '55P03'
const DEADLOCK = '40P01'
const IO_ERROR = '58030'

interface Failure {
  code: unknown
  message: unknown
  cause: Partial<Failure>
}

/** Returns the SQLSTATE, or the system's code of a network failure, of a failed statement; null for other errors. */
export function sqlStateOf(error: unknown): string | null {
  // Not by `instanceof`: in tests the errors of Node's own modules have another class.
  for (let at = error as Partial<Failure> | null | undefined; at; at = at.cause) {
    const { code, message } = at
    if (typeof message === 'string' && NO_IDS.test(message)) return READ_ONLY
    if (typeof code === 'string' && (SQL_STATE.test(code) || NETWORK_CODES.has(code))) return code
    if (typeof message === 'string' && ENDED.test(message)) return CONNECTION_FAILURE
  }
  return null
}

/** Tells whether the server takes no writes: a standby, or a primary that became one. */
export const isReadOnly = (error: unknown): boolean => sqlStateOf(error) === READ_ONLY

/**
 * Returns the error of the first of some pipelined statements that failed, if the given one only says that another did.
 * @param sent all of them, in their order; each has an answer by then
 */
export async function causeOf(failure: unknown, sent: readonly Promise<unknown>[]): Promise<unknown> {
  if (sqlStateOf(failure) !== FAILED_BEFORE) return failure
  const answers = await Promise.allSettled(sent)
  const first = answers.find(({ status }) => status === 'rejected') as PromiseRejectedResult | undefined
  return first?.reason ?? failure
}

/**
 * Tells whether the connection was lost or could not be opened: the statement may be repeated on another one, once it
 * is proved not to have been executed.
 */
export function isConnectionLoss(state: string): boolean {
  return (
    state.startsWith('08') ||
    state.startsWith('57P') ||
    state === '53300' ||
    state === '25P03' ||
    state === READ_ONLY ||
    NETWORK_CODES.has(state)
  )
}

/**
 * Tells whether PostgreSQL has no disk, memory or room for locks left (class 53), or its disk fails (58030): nothing
 * was written.
 */
export function isOutOfResources(state: string): boolean {
  return state.startsWith('53') || state === IO_ERROR
}

/** Tells whether no connection of the pool became free in time, whatever the state of the database. */
export function isPoolTimeout(error: unknown): boolean {
  return error instanceof Error && NONE_FREE.test(error.message)
}

/**
 * Tells whether PostgreSQL refused the statement and keeps the session: its transaction is certain to be rolled back.
 */
export function isRefusal(error: unknown): boolean {
  const state = sqlStateOf(error)
  if (state === null || isConnectionLoss(state)) return false
  // Errors of class 58 and XX (system and internal) often end the session.
  return !state.startsWith('58') && !state.startsWith('XX')
}

/** Tells whether it waited too long for a lock or ran into a deadlock: another transaction holds the rows for now. */
export function isLockTimeout(error: unknown): boolean {
  const state = sqlStateOf(error)
  return state === LOCK_NOT_AVAILABLE || state === DEADLOCK
}

/** Tells whether the operation may be repeated on another connection: it is proved not to have been executed. */
export function isRepeatable(error: unknown): boolean {
  if (error instanceof OutcomeUnknown) return false
  const state = sqlStateOf(error)
  return state !== null && isConnectionLoss(state)
}
