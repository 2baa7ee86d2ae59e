import type { Caller } from './caller.js'

/** Turns credentials into a caller. Implemented by `auth/`; named here so that transports need not know how. */
export interface Authenticator {
  /**
   * @param authorization the header's value, `Bearer <token>`
   * @returns null without credentials
   * @throws Unauthenticated for a bad signature, malformed, revoked or orphaned token; TokenExpired
   */
  authenticate(authorization: string | null | undefined): Promise<Caller | null>
  /**
   * Which of these callers may not go on: token expired or revoked, user gone, archived or changed in role or
   * organization. One statement, for the live sockets' periodic check.
   */
  findEnded(callers: readonly Caller[]): Promise<Set<Caller>>
}
