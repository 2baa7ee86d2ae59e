import type { JsonObject } from '../../../platform/json.js'
import { MESSAGE_TEXT_BYTES_MAX } from '../../messages/message-content.js'
import type { InboundMessage } from '../inbound-message.js'
import { trimQuotes } from './quoted-text.js'
import type { MailAddress, ParsedMail } from './read-mail.js'
import type { SenderProof } from './sender-proof.js'

/** The conversation that a mail proves to continue. */
export interface MailThreadProof {
  conversation: string
  /** Email of the conversation's contact. */
  email: string | null
  /** The note whose forwarded mail it answers; null for a mail of the consumer. */
  forwarding: string | null
}

/** Length of the full mail kept beside the trimmed text: it is part of every event of the message. */
const ORIGINAL_CHARS_MAX = 8_000
const CUT = '\n[…]'

/** Returns null for a mail without content. */
export function saidIn(
  mail: ParsedMail,
  thread: MailThreadProof | null,
  proof: SenderProof,
  hasFiles: boolean,
): Pick<InboundMessage, 'message' | 'systemMeta'> | null {
  const isAnswer = mail.isReply || thread !== null
  const { text, isTrimmed } = isAnswer ? trimQuotes(mail.text) : { text: mail.text, isTrimmed: false }
  const words = text || mail.subject
  if (!words && !hasFiles) return null
  const { address, name } = mail.from!
  return {
    message: { ...(words && { text: fitting(words) }), ...(mail.subject && { meta: { subject: mail.subject } }) },
    systemMeta: {
      _mail: headOf(mail),
      ...(isTrimmed && { _original: cut(mail.text, ORIGINAL_CHARS_MAX) }),
      // A reply address may have been forwarded: the conversation continues, and agents see the actual sender.
      ...(thread &&
        !thread.forwarding &&
        thread.email !== address && { _writtenBy: { email: address, ...(name && { name }) } }),
      // Agents are told that somebody else may have written it.
      ...(proof !== 'proven' && { _sender: { email: address, proof } }),
    },
  }
}

/** Returns the part of the mail's head that the message keeps: from whom, to whom, and where answers are wanted. */
export function headOf({ from, to, cc, replyTo }: ParsedMail): JsonObject {
  const lean = ({ address, name }: MailAddress): JsonObject => ({ address, ...(name && { name }) })
  const isElsewhere = replyTo !== null && replyTo.address !== from!.address
  return {
    from: lean(from!),
    to: to.map(lean),
    cc: cc.map(lean),
    ...(isElsewhere && { replyTo: lean(replyTo) }),
  }
}

/** Truncates to the maximum size of a message's text in bytes. */
function fitting(text: string): string {
  const bytes = Buffer.from(text)
  if (bytes.length <= MESSAGE_TEXT_BYTES_MAX) return text
  const room = MESSAGE_TEXT_BYTES_MAX - Buffer.byteLength(CUT) - 3
  return `${bytes
    .subarray(0, room)
    .toString('utf8')
    .replace(/\ufffd+$/, '')}${CUT}`
}

function cut(text: string, max: number): string {
  return text.length <= max
    ? text
    : `${text
        .slice(0, max)
        .toWellFormed()
        .replace(/\ufffd$/, '')}${CUT}`
}
