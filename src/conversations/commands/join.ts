import type { Command } from './command.js'

/**
 * `/join` (4.8): adds a passive participant; the status does not change. In a team conversation, which cannot be
 * accepted, the command also clears the inbox.
 */
export const join: Command = {
  name: 'join',
  permission: 'conversation.command',
  takesUser: true,
  run({ draft, actor }) {
    const participant = draft.join(actor)
    participant.active = true
    if (draft.conversation.type !== 'contact') participant.inbox = false
  },
}
