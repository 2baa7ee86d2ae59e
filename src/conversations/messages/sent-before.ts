import { reading } from '../../db/sql.js'
import { Unprocessable } from '../../errors.js'
import { camelRow } from '../../lists/rows.js'
import type { MessageDraft } from '../../messages/message-content.js'
import type { MessageRow } from '../../messages/message-row.js'
import type { ConversationDraft } from '../writing/conversation-draft.js'
import { mergedInto } from '../writing/merged-conversation.js'
import { MessageDeleted, MessageDiffers } from './deleted-messages.js'
import type { Sender } from './members.js'

/**
 * Finds the message that the sender has already sent with this id to this conversation or to one merged into it: a
 * repeated send returns that message, or its copy if it was merged. Needs the conversation's row lock.
 * @throws Unprocessable if the id belongs to another message; MessageDeleted; MessageDiffers
 */
export async function messageSentBefore(
  draft: ConversationDraft,
  messageDraft: MessageDraft,
  sender: Sender,
): Promise<MessageRow | null> {
  const { id, user, role } = messageDraft
  if (id === null) return null
  const added = draft.messages.find((each) => each.id === id)
  const { messages, isDeleted } = added ? { messages: [added], isDeleted: false } : await readSent(draft, id)
  const isHere = ({ conversationId }: MessageRow): boolean => conversationId === draft.conversation.id
  const here = messages.find(isHere)
  if (!here && isDeleted) throw new MessageDeleted(id)
  const message = here ?? messages[0]
  if (!message) return null
  const isOwn =
    message.role === role && (role === 'contact' || message.userId === (user ?? sender.member?.userId ?? null))
  // A message that was not copied (`_noCopy`) is still in the conversation that was merged.
  if (isOwn && (here || (await mergedInto(draft.sql, message.conversationId)) === draft.conversation.id)) {
    checkSame(message, messageDraft)
    return message
  }
  throw new Unprocessable(`id ${id} is that of another message`, { field: 'id' })
}

/**
 * A repeated send says the same. An edited message is not compared, nor a text that the server adds.
 * @throws MessageDiffers
 */
function checkSame(sent: MessageRow, { type, text }: MessageDraft): void {
  const isSame = sent.type === type && (text === null || sent.text === text)
  if (!isSame && sent.editedAt == null) throw new MessageDiffers(sent.originalId ?? sent.id)
}

/**
 * Finds whether the id was deleted or cancelled in this conversation or in one merged into it: those are only looked for
 * if it was deleted anywhere.
 */
const DELETED = `select 1 where
  exists (select 1 from deleted_message where id = $1 and (conversation_id = $2 or conversation_id is null))
  or exists (select 1 from deleted_message where id = $1) and exists (
    with recursive origin as (
      select $2::uuid as id union select m.origin_id from origin o join conversation_merge m on m.target_id = o.id
    )
    select 1 from deleted_message d where d.id = $1 and d.conversation_id in (select id from origin))`

/** Reads the message with this id, its copy in this conversation, and whether one of them was deleted. */
async function readSent(
  { sql, conversation }: ConversationDraft,
  id: string,
): Promise<{ messages: MessageRow[]; isDeleted: boolean }> {
  const [messages, deleted] = await Promise.all([
    sql.query<Record<string, unknown>>(
      reading('select * from message where id = $1 or (original_id = $1 and conversation_id = $2)'),
      [id, conversation.id],
      'message-of-id',
    ),
    sql.query(reading(DELETED), [id, conversation.id], 'deleted-message'),
  ])
  return { messages: messages.map((row) => camelRow<MessageRow>(row)), isDeleted: deleted.length > 0 }
}
