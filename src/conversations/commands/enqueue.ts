import { applyMove } from '../transitions.js'
import type { Command } from './command.js'
import { requireConsumer } from './notify.js'

/** `/enqueue` (3.1, open points): a backend automation hands the conversation to agents; workflows run. */
export const enqueue: Command<'enqueue'> = {
  name: 'enqueue',
  permission: 'conversation.enqueue',
  async run({ work, router }) {
    requireConsumer(work)
    applyMove(work.conversation, 'enqueue')
    // Queued again, it waits for an agent to accept it anew.
    for (const participant of work.participants.values()) participant.accepted = false
    await router.queue(work, { trigger: '/enqueue' })
  },
}
