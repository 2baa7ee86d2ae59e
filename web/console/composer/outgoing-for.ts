import type { MessageInput } from '../../generated/conversations.js'
import type { Touchpoint } from '../../generated/live.js'
import type { Outgoing } from '../../shared/outbox/outgoing.js'
import { TOUCHPOINT_TRAITS } from '../../shared/touchpoint-traits.js'
import type { Target } from './via.js'

/** A delivery that cannot be called back once it is out waits this long on the server, in which it can be taken back. */
const UNDO_MS = 5_000

interface Given {
  isNote: boolean
  to: Target
  /** State of the conversation that the agent has on the screen: a reply is held if others have done something since. */
  mark: string | null
  colleagues: readonly { id: string; displayName: string }[]
  /** Suggestion of a bot of which the text was made. */
  proposal?: string | undefined
  /** Recipients of a mail, beside the contact. */
  mail: Pick<MessageInput, 'mail' | 'touchpoint'>
}

/** Tells whether a typed text is a command, or a word to the bot. */
export const isCommand = (text: string): boolean => /^[/>]\S/.test(text)

/** Makes a message of a typed text: a command, a word to the bot, a mention of a colleague, a note or a reply (2.9, 4.8). */
export function outgoingFor(text: string, { isNote, to, mark, colleagues, proposal, mail }: Given): MessageInput {
  if (isCommand(text)) return { type: 'COMMAND', text }
  const mentioned = colleagues.find(({ displayName }) => text.includes(`@${displayName}`))
  if (isNote && mentioned) {
    return { type: 'MENTION', role: 'AGENT', text, isBackchannel: true, meta: { targetUser: mentioned.id } }
  }
  const said = { type: 'CHAT', role: 'AGENT', text, ...(proposal && { proposal }) } as const
  if (isNote) return { ...said, isBackchannel: true }
  return {
    ...said,
    ...(mark !== null && { mark }),
    ...to,
    ...mail,
  }
}

/** A file that was uploaded (2.12, file message). */
export function fileMessage(
  { attachment, name }: { attachment: string; name: string },
  { isNote, to, mark, mail }: Given,
): MessageInput {
  return {
    type: 'CHAT',
    role: 'AGENT',
    meta: { fileId: attachment, title: name },
    ...(isNote ? { isBackchannel: true } : mark !== null && { mark }),
    ...(!isNote && { ...to, ...mail }),
  }
}

/** Returns the time in which a message to the consumer can be taken back. @param touchpoint its way */
export function undoFor(
  { role, isBackchannel }: MessageInput,
  touchpoint: Touchpoint | undefined,
): Pick<Outgoing, 'undoMs'> {
  const isFinal = role === 'AGENT' && !isBackchannel && touchpoint && TOUCHPOINT_TRAITS[touchpoint].isFinal
  return isFinal ? { undoMs: UNDO_MS } : {}
}
