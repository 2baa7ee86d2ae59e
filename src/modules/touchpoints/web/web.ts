import type { InstalledTouchpoint, TouchpointParts } from '../install.js'
import { GuestsResolver } from './guests-resolver.js'
import { webKind } from './web-params.js'

/**
 * Installs the web widget: visitors begin sessions, and messages to them wait in their conversation, so that no adapter
 * is needed.
 */
export function installWeb({ guestLimits, signer, transact, writer }: TouchpointParts): InstalledTouchpoint {
  return { kind: webKind, resolvers: [new GuestsResolver({ limits: guestLimits, signer, transact, writer })] }
}
