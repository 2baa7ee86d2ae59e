import { Unprocessable } from '../../../platform/errors.js'
import { applyMove } from '../state/transitions.js'
import type { Command } from './command.js'

/** `/enqueue` (3.1, open points): a backend automation hands the conversation over to agents; workflows run. */
export const enqueue: Command = {
  name: 'enqueue',
  permission: 'conversation.enqueue',
  grant: 'handOver',
  async run({ change, router }) {
    const { conversation } = change
    if (conversation.type !== 'contact') {
      // Queues are for consumers: in a team conversation nobody waits for an agent.
      throw new Unprocessable(`a conversation of type ${conversation.type} is not queued`, {
        reason: 'CONVERSATION_TYPE',
        type: conversation.type,
      })
    }
    applyMove(conversation, 'enqueue')
    // A requeued conversation must be accepted again.
    for (const participant of change.participants.values()) participant.accepted = false
    await router.queue(change, { trigger: '/enqueue' })
  },
}
