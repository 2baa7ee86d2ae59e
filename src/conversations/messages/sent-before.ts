import { Unprocessable } from '../../errors.js'
import { camelRow } from '../../lists/rows.js'
import type { MessageDraft } from '../../messages/message-content.js'
import type { MessageRow } from '../../messages/message-row.js'
import type { ConversationDraft } from '../writing/conversation-draft.js'
import type { Sender } from './members.js'

/**
 * Finds the message that the sender has sent to this conversation with this id: sending it again gives it again. Needs
 * the conversation's row lock.
 * @throws Unprocessable when the id is another message's
 */
export async function messageSentBefore(
  draft: ConversationDraft,
  { id, user, role }: Pick<MessageDraft, 'id' | 'user' | 'role'>,
  sender: Sender,
): Promise<MessageRow | null> {
  if (id === null) return null
  const message = draft.messages.find((each) => each.id === id) ?? (await storedMessage(draft, id))
  if (!message) return null
  const isOwn =
    message.role === role && (role === 'contact' || message.userId === (user ?? sender.member?.userId ?? null))
  if (message.conversationId === draft.conversation.id && isOwn) return message
  throw new Unprocessable(`id ${id} is that of another message`, { field: 'id' })
}

async function storedMessage(draft: ConversationDraft, id: string): Promise<MessageRow | null> {
  const rows = await draft.sql.query<Record<string, unknown>>(
    'select * from message where id = $1',
    [id],
    'message-of-id',
  )
  return rows[0] ? camelRow<MessageRow>(rows[0]) : null
}
