import type { Caller } from './caller.js'

/** Turns credentials into a caller. Implemented by `auth/`; declared here so that transports need not depend on it. */
export interface Authenticator {
  /**
   * @param authorization the header's value, `Bearer <token>`
   * @returns null without credentials
   * @throws Unauthenticated for a bad signature, malformed, revoked or orphaned token; TokenExpired
   */
  authenticate(authorization: string | null | undefined): Promise<Caller | null>
  /**
   * Returns the callers whose access has ended: token expired or revoked, user deleted, archived or changed in role or
   * organization. One statement, for the periodic check of live sockets.
   */
  findEnded(callers: readonly Caller[]): Promise<Set<Caller>>
}
