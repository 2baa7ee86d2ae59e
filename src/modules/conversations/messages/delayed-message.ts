import type { NewMessage } from '../../messages/message-content.js'
import type { Sender } from './members.js'

/** A message that waits for its delay, as the payload of its job. */
export interface DelayedMessage {
  conversation: string
  id: string
  sender: Sender
  newMessage: NewMessage
  isInCreate?: boolean
}
