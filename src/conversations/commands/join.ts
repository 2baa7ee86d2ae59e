import type { Command } from './command.js'

/** `/join` (4.8): a passive participant; the status does not change. */
export const join: Command<'join'> = {
  name: 'join',
  permission: 'conversation.command',
  run({ work, actor }) {
    work.join(actor).active = true
  },
}
