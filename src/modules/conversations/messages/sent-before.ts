import { MESSAGE_COLUMNS } from '../../messages/message-columns.js'
import { selectList } from '../../../platform/db/columns.js'
import { reading } from '../../../platform/db/sql.js'
import { Unprocessable } from '../../../platform/errors.js'
import { camelRow } from '../../../platform/lists/rows.js'
import type { NewMessage } from '../../messages/message-content.js'
import type { MessageRow } from '../../messages/message-row.js'
import type { DelayedMessage } from './delayed-message.js'
import type { ConversationChange } from '../state/conversation-change.js'
import { mergedInto } from '../state/merged-conversation.js'
import { MessageDeleted, MessageDiffers } from './deleted-messages.js'
import type { Sender } from './members.js'

/**
 * Finds the message that the sender has already sent with this id to this conversation or to one merged into it: a
 * repeated send returns that message, or its copy if it was merged. The id of a message that waits for its delay is
 * reserved for it. Needs the conversation's row lock.
 * @param isDue true for the delayed message itself
 * @throws Unprocessable if the id belongs to another message; MessageDeleted; MessageDiffers
 */
export async function messageSentBefore(
  change: ConversationChange,
  newMessage: NewMessage,
  sender: Sender,
  { isDue = false } = {},
): Promise<MessageRow | null> {
  const { id, user, role } = newMessage
  if (id === null) return null
  const added = change.messages.find((each) => each.id === id)
  const { messages, isDeleted, isStreamed, delayed } = added
    ? { messages: [added], isDeleted: false, isStreamed: false, delayed: [] }
    : await readSent(change, id)
  const isHere = ({ conversationId }: MessageRow): boolean => conversationId === change.conversation.id
  const here = messages.find(isHere)
  if (!here && isDeleted) throw new MessageDeleted(id)
  const message = here ?? messages[0]
  if (!message) {
    // Whoever reads a stream knows its id, which is its message's to come.
    if (isStreamed) throw taken(id)
    if (!isDue) for (const waiting of delayed) await requireOwn(change, newMessage, sender, waiting)
    return null
  }
  const isOwn =
    message.role === role && (role === 'contact' || message.userId === (user ?? sender.member?.userId ?? null))
  // A message that was not copied (`_noCopy`) is still in the conversation that was merged.
  if (isOwn && (here || (await mergedInto(change.sql, message.conversationId)) === change.conversation.id)) {
    checkSame(message, newMessage)
    return message
  }
  throw taken(id)
}

function taken(id: string): Unprocessable {
  return new Unprocessable(`id ${id} is that of another message`, { reason: 'ID_TAKEN', field: 'id' })
}

/** Tells whether a message of the id, which the sender may send, waits for its delay: it was accepted. */
export async function waitsAlready({ sql }: ConversationChange, id: string): Promise<boolean> {
  return (await sql.query(WAITS, [id])).length > 0
}

/** Lets nobody take the id of a message that waits but who repeats sending it. @throws Unprocessable; MessageDiffers */
async function requireOwn(
  { sql, conversation }: ConversationChange,
  { id, role, type, text, user }: NewMessage,
  { member }: Sender,
  { newMessage: waiting, sender, conversation: named }: DelayedMessage,
): Promise<void> {
  const isOwn =
    waiting.role === role && (waiting.user ?? sender.member?.userId ?? null) === (user ?? member?.userId ?? null)
  if (!isOwn || (await mergedInto(sql, named)) !== conversation.id) throw taken(id!)
  if (waiting.type !== type || waiting.text !== text) throw new MessageDiffers(id!)
}

/**
 * A repeated send says the same. An edited message is not compared, nor a text that the server adds.
 * @throws MessageDiffers
 */
function checkSame(sent: MessageRow, { type, text }: NewMessage): void {
  const isSame = sent.type === type && (text === null || sent.text === text)
  if (!isSame && sent.editedAt == null) throw new MessageDiffers(sent.originalId ?? sent.id)
}

/**
 * Finds whether the id was deleted or cancelled in this conversation or in one merged into it: those are only looked for
 * if it was deleted anywhere.
 */
const DELETED = `
  exists (select 1 from deleted_message where id = $1 and (conversation_id = $2 or conversation_id is null))
  or exists (select 1 from deleted_message where id = $1) and exists (
    with recursive origin as (
      select $2::uuid as id union select m.origin_id from origin o join conversation_merge m on m.target_id = o.id
    )
    select 1 from deleted_message d where d.id = $1 and d.conversation_id in (select id from origin))`

/** The kind is a literal, see `cancel-message.ts`. */
const DELAYED = `
  select jsonb_agg(payload) from job where kind = 'message.process' and payload ->> 'id' = $1::uuid::text`

const WAITS = reading(`select 1 from job where kind = 'message.process' and payload ->> 'id' = $1::uuid::text limit 1`)

const FATE = reading(`select (${DELETED}) as "isDeleted", (${DELAYED}) as delayed,
  exists (select 1 from message_stream where id = $1) as "isStreamed"`)

const SENT = reading(`select ${selectList(MESSAGE_COLUMNS, 'm')} from message m
  where m.id = $1 or (m.original_id = $1 and m.conversation_id = $2)`)

/** Reads the message with this id, its copy in this conversation, whether one of them was deleted or is being written, and those that wait. */
async function readSent(
  { sql, conversation }: ConversationChange,
  id: string,
): Promise<{ messages: MessageRow[]; isDeleted: boolean; isStreamed: boolean; delayed: DelayedMessage[] }> {
  const [messages, [fate]] = await Promise.all([
    sql.query<Record<string, unknown>>(SENT, [id, conversation.id], 'message-of-id'),
    sql.query<{ isDeleted: boolean; isStreamed: boolean; delayed: DelayedMessage[] | null }>(
      FATE,
      [id, conversation.id],
      'fate-of-message',
    ),
  ])
  const { delayed, ...rest } = fate!
  return { ...rest, messages: messages.map((row) => camelRow<MessageRow>(row)), delayed: delayed ?? [] }
}
