import type { Command } from './command.js'

/**
 * `/join` (4.8): a passive participant; the status does not change. In a team conversation, which nobody accepts, it is
 * what clears the inbox.
 */
export const join: Command<'join'> = {
  name: 'join',
  permission: 'conversation.command',
  run({ work, actor }) {
    const participant = work.join(actor)
    participant.active = true
    if (work.conversation.type !== 'contact') participant.inbox = false
  },
}
