import type { MessageInput } from '../../generated/conversations.js'

/** A message on its way to the server. */
export interface Outgoing {
  /** Also the id of the message: when it comes twice, the server knows it, however late. */
  id: string
  user: string
  conversation: string
  message: MessageInput
  /** Time at which the agent sent it. */
  at: number
  /** Sent before its conversation had come: it is looked at first. By Enter, which makes a new line in a letter. */
  unseen?: 'enter' | 'button'
  /** The server waits this long before it sends it, in which the agent may take it back. */
  undoMs?: number
  /** Time at which the server took it, and began to wait if it is to. */
  takenAt?: number
  /** Tried at least once: it may have been done. */
  isTried?: boolean
  /** The last try was not answered. */
  isLate?: boolean
  /** The server's words: it waits for the agent, and those after it wait for it. */
  refusal?: string
}
