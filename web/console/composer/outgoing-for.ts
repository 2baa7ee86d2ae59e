import type { MessageInput } from '../../shared/graphql/conversations.js'

interface Given {
  isNote: boolean
  /** '' for the one that the server takes. */
  touchpoint: string
  colleagues: readonly { id: string; displayName: string }[]
}

/** What was typed as a message: a command, a word to the bot, a mention of a colleague, a note or a reply (2.9, 4.8). */
export function outgoingFor(text: string, { isNote, touchpoint, colleagues }: Given): MessageInput {
  if (/^\/\S/.test(text) || /^>\S/.test(text)) return { type: 'COMMAND', text }
  const mentioned = colleagues.find(({ displayName }) => text.includes(`@${displayName}`))
  if (isNote && mentioned) {
    return { type: 'MENTION', role: 'AGENT', text, isBackchannel: true, meta: { targetUser: mentioned.id } }
  }
  if (isNote) return { type: 'CHAT', role: 'AGENT', text, isBackchannel: true }
  return {
    type: 'CHAT',
    role: 'AGENT',
    text,
    ...(touchpoint && { touchpoint: touchpoint as MessageInput['touchpoint'] }),
  }
}

/** A file that was uploaded (2.12, file message). */
export function fileMessage(
  { attachment, name }: { attachment: string; name: string },
  { isNote, touchpoint }: Given,
): MessageInput {
  return {
    type: 'CHAT',
    role: 'AGENT',
    meta: { fileId: attachment, title: name },
    ...(isNote && { isBackchannel: true }),
    ...(touchpoint && !isNote && { touchpoint: touchpoint as MessageInput['touchpoint'] }),
  }
}
