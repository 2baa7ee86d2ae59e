import type { MessageInput } from '../../generated/conversations.js'
import type { Touchpoint } from '../../generated/live.js'

/** The way that the agent chose for the next message; empty: the one that the server takes. */
export type Target = Pick<MessageInput, 'service' | 'touchpoint'>

/** The way of the next message, once it is known. */
export interface Via {
  touchpoint: Touchpoint
  /** Tells whether nothing but a template can be sent now. */
  isBarred(): boolean
}
