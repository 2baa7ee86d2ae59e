import type { InstalledTouchpoint, TouchpointParts } from '../touchpoints-module.js'
import { GuestsResolver } from './guests-resolver.js'
import { webKind } from './web-params.js'

/** The web: visitors begin sessions, and what is sent to them waits in their conversation. It needs no adapter. */
export function installWeb({ guestLimits, signer, transact, writer }: TouchpointParts): InstalledTouchpoint {
  return { kind: webKind, resolvers: [new GuestsResolver({ limits: guestLimits, signer, transact, writer })] }
}
