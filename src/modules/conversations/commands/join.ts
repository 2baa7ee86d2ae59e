import type { Command } from './command.js'

/**
 * `/join` (4.8): adds a passive participant; the status does not change. In a team conversation, which cannot be
 * accepted, the command also clears the inbox.
 */
export const join: Command = {
  name: 'join',
  permission: 'conversation.command',
  grant: 'accept',
  takesUser: true,
  run({ change, actor }) {
    const participant = change.join(actor)
    participant.active = true
    if (change.conversation.type !== 'contact') participant.inbox = false
  },
}
