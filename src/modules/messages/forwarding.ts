import { isPlainObject, type JsonObject } from '../../platform/json.js'
import type { MessageRow } from './message-row.js'
import { outgoingMailOf, type OutgoingMail } from './outgoing-mail.js'

/** The meaning of a note that forwards a message by mail to people outside. */
export interface Forwarding {
  /** Id of the forwarded message, as it was when it was forwarded: a merge copies it. */
  messageId: string
  /** Addresses to which it was forwarded, in lower case. */
  to: string[]
}

type Kept = Pick<MessageRow, 'role' | 'meta'>

/** The metadata of a note that forwards a message. The addresses stand where those of other mails do, for whoever erases them. */
export function metaOfForwarding({ messageId, to }: Forwarding): JsonObject {
  const mail: OutgoingMail = { to, cc: [], bcc: [], subject: null, replyTo: null }
  return { _forward: { message: messageId }, _mail: mail } as unknown as JsonObject
}

/** Returns what a stored note forwards; null for any other message. Only the server sets these keys. */
export function forwardingOf({ role, meta }: Kept): Forwarding | null {
  const forward = meta?._forward
  if (role !== 'agent' || !isPlainObject(forward)) return null
  return { messageId: forward.message as string, to: outgoingMailOf({ role, meta })?.to ?? [] }
}

/** Returns the id of the note whose forwarded mail a stored note answers; null for any other message. */
export function forwardingAnsweredBy({ role, meta }: Kept): string | null {
  const answered = meta?._answersForwarding
  return role === 'system' && typeof answered === 'string' ? answered : null
}

/** Tells whether a message has deliveries: it is said to the consumer, or forwards something. */
export const isDelivered = (message: Kept & Pick<MessageRow, 'isBackchannel'>): boolean =>
  message.isBackchannel ? forwardingOf(message) !== null : message.role === 'agent' || message.role === 'system'
