import type { Caller } from './caller.js'

/** A connection of a caller, and from where it comes. */
export interface Connected {
  caller: Caller
  address: string | null
}

/** Turns credentials into a caller. Implemented by `auth/`; declared here so that transports need not depend on it. */
export interface Authenticator {
  /**
   * @param authorization the header's value, `Bearer <token>`
   * @param address from where it comes; undefined for what comes by no request, as a token in an answer of a webhook
   * @param options.isUnattended nobody is at the page that asks: its session is not used
   * @returns null without credentials
   * @throws Unauthenticated for a bad signature, malformed, revoked or orphaned token; TokenExpired; Forbidden for an address outside of
   *   the networks that the sign-in policy allows
   */
  authenticate(
    authorization: string | null | undefined,
    address?: string | null,
    options?: { isUnattended?: boolean },
  ): Promise<Caller | null>
  /** Notes that a session is in use, by something that was not authenticated by itself: an operation on a socket. */
  noteUse(caller: Caller): void
  /**
   * Returns the connections whose access has ended: token expired or revoked, user deleted, archived or changed in role or
   * organization, session or address no longer allowed. One statement, for the periodic check of live sockets.
   */
  findEnded<Connection extends Connected>(connections: readonly Connection[]): Promise<Set<Connection>>
}
