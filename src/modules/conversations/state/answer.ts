import { isToConsumer } from '../../messages/message-content.js'
import type { MessageRow } from '../../messages/message-row.js'

/** Tells whether a message answers the consumer. What was shown of a stream that was cut off is not whole: it ends nobody's wait. */
export const isAnswer = (message: Pick<MessageRow, 'role' | 'isBackchannel' | 'type' | 'ending'>): boolean =>
  isToConsumer(message) && message.type !== 'command' && !message.ending
