import { ChangedMeanwhile, DomainError, Forbidden, NotFound, Unavailable } from '../../platform/errors.js'

/**
 * - `NOT_BEGUN`: it was not begun in this browser, was used, is too old, or the service was deleted.
 * - `CHANGED`: the settings of the service are others by now.
 * - `NOT_ALLOWED`: who asked may not change the service any more, or does not see it.
 * - `REFUSED`: the provider refused, or the person did there.
 * - `UNAVAILABLE`: the provider was not reached.
 * - `ANSWER_INVALID`: what the provider answered cannot be believed.
 * - `OTHER_ACCOUNT`: the person signed in as another one.
 * - `SCOPE_MISSING`: the person did not grant what the service needs.
 * - `NO_GRANT`: the provider gave nothing that lasts.
 */
export type AuthorizationFault =
  | 'NOT_BEGUN'
  | 'CHANGED'
  | 'NOT_ALLOWED'
  | 'REFUSED'
  | 'UNAVAILABLE'
  | 'ANSWER_INVALID'
  | 'OTHER_ACCOUNT'
  | 'SCOPE_MISSING'
  | 'NO_GRANT'

/** Details that the console shows of a fault: no words of others, which anybody could have put there. */
export interface AuthorizationDetails {
  /** The error, by the name that OAuth 2.0 has for it. */
  error?: string
  /** The account that signed in, and the one of the service. */
  account?: string
  expected?: string
}

/** A sign-in at a provider has granted nothing. */
export class AuthorizationFailed extends Error {
  constructor(
    readonly fault: AuthorizationFault,
    readonly details: AuthorizationDetails = {},
  ) {
    super(fault)
    this.name = new.target.name
  }
}

/** Names of errors by OAuth 2.0. */
const ERROR = /^[a-z_]{1,60}$/

/** Returns the refusal by a provider. @param error its name of it; left out unless it is one */
export const refusedBy = (error: unknown): AuthorizationFailed =>
  new AuthorizationFailed('REFUSED', typeof error === 'string' && ERROR.test(error) ? { error } : {})

/** Returns the fault of a sign-in that led to nothing. @throws whatever is no refusal of the product's own */
export function failureOf(error: unknown): Pick<AuthorizationFailed, 'fault' | 'details'> {
  if (error instanceof AuthorizationFailed) return error
  if (error instanceof ChangedMeanwhile) return { fault: 'CHANGED', details: {} }
  if (error instanceof Forbidden || error instanceof NotFound) return { fault: 'NOT_ALLOWED', details: {} }
  if (error instanceof DomainError && !(error instanceof Unavailable)) return { fault: 'ANSWER_INVALID', details: {} }
  throw error
}
