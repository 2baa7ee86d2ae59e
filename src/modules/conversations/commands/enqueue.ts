import { Unprocessable } from '../../../platform/errors.js'
import { reading } from '../../../platform/db/sql.js'
import type { MessageRow } from '../../messages/message-row.js'
import type { ConversationChange } from '../state/conversation-change.js'
import type { Member } from '../state/new-participant.js'
import { applyMove } from '../state/transitions.js'
import type { Command } from './command.js'

/** `/enqueue` (3.1, open points): a backend automation hands the conversation over to agents; workflows run. */
export const enqueue: Command = {
  name: 'enqueue',
  permission: 'conversation.enqueue',
  grant: 'handOver',
  async run({ change, router, actor }) {
    const { conversation } = change
    if (conversation.type !== 'contact') {
      // Queues are for consumers: in a team conversation nobody waits for an agent.
      throw new Unprocessable(`a conversation of type ${conversation.type} is not queued`, {
        reason: 'CONVERSATION_TYPE',
        type: conversation.type,
      })
    }
    applyMove(conversation, 'enqueue')
    conversation.handOverNoteId = (await noteBefore(change, actor)) ?? conversation.handOverNoteId
    // A requeued conversation must be accepted again.
    for (const participant of change.participants.values()) participant.accepted = false
    await router.queue(change, { trigger: '/enqueue' })
  },
}

/** Finds the note that the author left with it: in the same operation, or as the last message before it. */
async function noteBefore({ sql, earlier, messages }: ConversationChange, { userId }: Member): Promise<string | null> {
  const isNote = (message: NotePart): boolean =>
    message.isBackchannel && message.type !== 'command' && message.userId === userId && !message.ending
  const said = messages.findLast(isNote)
  if (said || !earlier?.lastMessageId) return said?.id ?? null
  return (await sql.query<NotePart>(LAST, [earlier.lastMessageId], 'note-before')).find(isNote)?.id ?? null
}

type NotePart = Pick<MessageRow, 'id' | 'type' | 'userId' | 'isBackchannel' | 'ending'>

const LAST = reading(
  'select id, type, user_id as "userId", is_backchannel as "isBackchannel", ending from message where id = $1',
)
