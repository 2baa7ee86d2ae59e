import { isPlainObject } from '../../../platform/json.js'
import { DeliveryFailed, DeliveryRefused, DeliveryUnknown, ServiceRefused } from '../adapter.js'
import { REFUSED_ACCESS } from '../graph-errors.js'
import type { ProviderAnswer } from '../provider-call.js'

const SECOND_MS = 1_000

/** The person has not written for 24 hours. */
const WINDOW_CLOSED = 131_047
/** Limits of the number, of the pair with this person, of the app and of the account: when the next try is made. */
const LATER_MS: ReadonlyMap<number, number> = new Map([
  [130_429, SECOND_MS],
  [131_056, 6 * SECOND_MS],
  [4, 60 * SECOND_MS],
  [80_007, 60 * SECOND_MS],
  [131_016, 60 * SECOND_MS],
  [131_057, 60 * SECOND_MS],
])
/** The number or account is restricted, or its token is refused: an administrator has to act, and messages wait. */
const HELD: ReadonlyMap<number, string> = new Map([
  ...REFUSED_ACCESS,
  [131_048, 'the number is restricted for its quality'],
  [131_031, 'the account is locked'],
])
/** May have been sent all the same. */
const UNKNOWN: ReadonlySet<number> = new Set([131_000, 1])
/** Words that say more than the platform's. */
const ADVICE: ReadonlyMap<number, string> = new Map([
  [131_026, 'this person cannot be reached by WhatsApp: use another touchpoint'],
  [131_049, 'the platform holds back marketing for this person: use another touchpoint, or wait'],
  [131_051, 'the platform has no such kind of message'],
])

/** Returns what an answer that is no success means for the delivery. */
export function outcomeOf(given: ProviderAnswer): DeliveryRefused | DeliveryFailed | DeliveryUnknown {
  const { status, retryAfterMs } = given
  const code = codeOf(given)
  const problem = problemOf(given)
  if (code === WINDOW_CLOSED) return new DeliveryRefused(problem, 'windowClosed')
  if (HELD.has(code)) return new ServiceRefused(`${HELD.get(code)} (${problem})`)
  const laterMs = LATER_MS.get(code)
  if (laterMs !== undefined || status === 429 || (status === 503 && code === 0))
    return new DeliveryFailed(problem, retryAfterMs ?? laterMs ?? null)
  if (UNKNOWN.has(code) || status >= 500) return new DeliveryUnknown(problem)
  return new DeliveryRefused(ADVICE.has(code) ? `${ADVICE.get(code)} (${problem})` : problem)
}

/** Tells whether a failure that a status reports is that of a closed window. */
export function isWindowClosed(code: number | null): boolean {
  return code === WINDOW_CLOSED
}

/** For example `the platform refused: 131026 Message undeliverable`. */
export function problemOf({ status, answer }: Pick<ProviderAnswer, 'status' | 'answer'>): string {
  const error = isPlainObject(answer.error) ? answer.error : {}
  const details = isPlainObject(error.error_data) ? error.error_data.details : null
  const words = [error.message, details].filter((each) => typeof each === 'string').join(': ')
  const code = codeOf({ answer })
  return `the platform refused: ${code ? `${code} ` : ''}${(words || `status ${status}`).slice(0, 300)}`
}

function codeOf({ answer }: Pick<ProviderAnswer, 'answer'>): number {
  return isPlainObject(answer.error) && typeof answer.error.code === 'number' ? answer.error.code : 0
}
