import { isPlainObject } from '../../platform/json.js'
import type { DeliveryCode } from '../messages/delivery.js'
import { DeliveryFailed, DeliveryRefused, DeliveryUnknown, ServiceRefused } from './adapter.js'
import type { ProviderAnswer } from './provider-call.js'

/** Refusals of the token or account itself: an administrator has to act, and messages wait. */
export const REFUSED_ACCESS: ReadonlyMap<number, string> = new Map([
  [190, 'the access token is refused: an administrator gives the service a new one'],
  [368, 'the account is restricted'],
  [10, 'the access token lacks a permission'],
  [200, 'the access token lacks a permission'],
])

/** Nothing was taken. Any other failure without a code may follow a message that was taken. */
const UNAVAILABLE = 503
/** According to the platform's error table, the message may have been sent all the same. */
const UNKNOWN_ERROR = 1
/** Temporary errors: too many calls of the app, page or account or to this person, or a temporary failure. */
const PASSING_ERRORS: ReadonlySet<number> = new Set([2, 4, 17, 32, 341, 613, 1200, 80002, 80006])

/** Meaning of errors that differ between Meta's messengers. */
export interface GraphErrors {
  /** Those of the token or account, with words that say more than the platform's. */
  held: ReadonlyMap<number, string>
  /** Returns what an error tells of the next message; null for nothing. */
  meaning(code: number, subcode: number): DeliveryCode | null
}

/** A refusal with the platform's code. */
export class GraphRefused extends DeliveryRefused {
  constructor(
    message: string,
    readonly error: number,
    code: DeliveryCode | null,
  ) {
    super(message, code)
  }
}

/** Returns the id of a message that the platform took. @throws as {@link graphOutcome} says */
export function sentId(given: ProviderAnswer, errors: GraphErrors): string {
  const { status, answer } = given
  if (status < 200 || status >= 300) throw graphOutcome(given, errors)
  if (typeof answer.message_id === 'string') return answer.message_id
  throw new DeliveryUnknown(`the platform answered ${status} without a message's id`)
}

/** Returns what an answer that is no success means for the delivery. */
export function graphOutcome(
  given: ProviderAnswer,
  { held, meaning }: GraphErrors,
): DeliveryRefused | DeliveryFailed | DeliveryUnknown {
  const { status, retryAfterMs } = given
  const { code, subcode, isTransient } = errorOf(given)
  const problem = graphProblem(given)
  const meant = meaning(code, subcode)
  if (meant) return new GraphRefused(problem, code, meant)
  const isPassing = isTransient || PASSING_ERRORS.has(code)
  if (code === UNKNOWN_ERROR || (status >= 500 && status !== UNAVAILABLE && !isPassing))
    return new DeliveryUnknown(problem)
  const words = held.get(code)
  if (words !== undefined) return new ServiceRefused(words ? `${words} (${problem})` : problem)
  if (isPassing || status === 429 || status === UNAVAILABLE) return new DeliveryFailed(problem, retryAfterMs)
  return new GraphRefused(problem, code, null)
}

/** For example `the platform refused: 551/1545041 This person isn't available right now.` */
export function graphProblem({ status, answer }: Pick<ProviderAnswer, 'status' | 'answer'>): string {
  const { code, subcode, message } = errorOf({ answer })
  const codes = [code, subcode].filter((each) => each !== 0).join('/')
  return `the platform refused: ${codes ? `${codes} ` : ''}${message ?? `status ${status}`}`
}

function errorOf({ answer }: Pick<ProviderAnswer, 'answer'>) {
  const error = isPlainObject(answer.error) ? answer.error : {}
  const numberOf = (value: unknown): number => (typeof value === 'number' ? value : 0)
  return {
    code: numberOf(error.code),
    subcode: numberOf(error.error_subcode),
    isTransient: error.is_transient === true,
    message: typeof error.message === 'string' ? error.message.slice(0, 300) : null,
  }
}
