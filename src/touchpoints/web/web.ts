import type { InstalledTouchpoint, TouchpointParts } from '../touchpoints-room.js'
import { GuestLimits } from './guest-limits.js'
import { GuestsResolver } from './guests-resolver.js'
import { webKind } from './web-params.js'

/** The web: visitors begin sessions, and what is sent to them waits in their conversation. It needs no adapter. */
export function installWeb({ redis, signer, transact, writer }: TouchpointParts): InstalledTouchpoint {
  const limits = new GuestLimits(redis)
  return { kind: webKind, resolvers: [new GuestsResolver({ limits, signer, transact, writer })] }
}
