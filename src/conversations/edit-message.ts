import { Field, InputType } from 'type-graphql'
import { withAttachment } from '../attachments/message-attachment.js'
import type { Context } from '../context.js'
import { pathOf } from '../db/tenancy.js'
import { NotFound, shown } from '../errors.js'
import { conversationStream } from '../events/event.js'
import { isAbsent } from '../input.js'
import { parseJsonObject, replaceMeta, type JsonObject } from '../json.js'
import { camelRow, rowsById } from '../lists/rows.js'
import { JsonObject as JsonObjectScalar } from '../lists/scalars.js'
import { parseMessage } from '../messages/message-content.js'
import { ActionInput, draftOf, ItemInput, MessageInput } from '../messages/message-input.js'
import { isConsumerVisible, type MessageRow } from '../messages/message-row.js'
import type { ConversationWork } from './conversation-work.js'
import type { ConversationWriter } from './conversation-writer.js'
import { previewOf } from './preview.js'

@InputType({ description: 'Only the given keys change; `meta` is replaced as a whole (section 1, PATCH).' })
export class UpdateMessageInput {
  @Field(() => String, { nullable: true }) text?: string | null
  @Field(() => [ActionInput], { nullable: true }) actions?: ActionInput[] | null
  @Field(() => [ItemInput], { nullable: true }) items?: ItemInput[] | null
  @Field(() => JsonObjectScalar, { nullable: true }) meta?: JsonObject | null
}

/**
 * Changes what a message says; its kind, role and place stay. Checked as a new message is.
 * @throws BadUserInput, NotFound
 */
export async function updateMessage(
  writer: ConversationWriter,
  ctx: Context,
  id: string,
  patch: UpdateMessageInput,
): Promise<MessageRow> {
  const { conversationId } = await findMessage(ctx, id)
  return writer.run(ctx, conversationId, async (work) => {
    const stored = await readMessage(work, id)
    const { conversation } = work
    const meta = patch.meta === undefined ? stored.meta : await metaAfter(ctx, work, stored, patch.meta)
    const draft = checkedDraft(stored, patch)
    const changed: MessageRow = {
      ...stored,
      text: patch.text === undefined ? stored.text : draft.text,
      actions: patch.actions === undefined ? stored.actions : draft.actions,
      items: patch.items === undefined ? stored.items : draft.items,
      meta: isAbsent(meta) ? null : parseJsonObject(meta, 'meta'),
    }
    // Queues and inboxes show the beginning of what was said last, which may be this.
    if (conversation.preview === previewOf(stored)) conversation.preview = previewOf(changed)
    return work.changeMessage(changed)
  })
}

/**
 * A file message says what its attachment is, and shows only one that whoever changes it sees (2.12). One that was shown
 * before may stay: a deleted attachment must not keep a message from being changed.
 */
async function metaAfter(
  ctx: Context,
  { sql, conversation }: ConversationWork,
  stored: MessageRow,
  given: JsonObject | null,
): Promise<JsonObject> {
  const meta = replaceMeta(stored.meta, given, 'meta')
  if (meta.fileId === stored.meta?.fileId) return meta
  const sender = { path: ctx.caller.path, contact: null }
  return withAttachment(sql, meta, { path: pathOf(conversation), sender })
}

/** The message as if it were sent with the changes: the same rules hold for it. */
function checkedDraft(stored: MessageRow, patch: UpdateMessageInput): ReturnType<typeof parseMessage> {
  const { type, role, contentType } = stored
  const input: MessageInput = Object.assign(new MessageInput(), {
    type,
    role,
    contentType,
    text: patch.text === undefined ? stored.text : patch.text,
    actions: patch.actions === undefined ? stored.actions : patch.actions,
    items: patch.items === undefined ? stored.items : patch.items,
    // The kind's rules for metadata were held at the send; `replaceMeta` keeps the system's keys.
    meta: type === 'mention' ? stored.meta : undefined,
  })
  return draftOf(input, '')
}

export async function deleteMessage(writer: ConversationWriter, ctx: Context, id: string): Promise<boolean> {
  const { conversationId } = await findMessage(ctx, id)
  await writer.run(
    ctx,
    conversationId,
    async (work) => {
      const message = await readMessage(work, id)
      work.emit(conversationStream(conversationId), 'message.deleted', {
        id: message.id,
        isConsumerVisible: isConsumerVisible(message),
        // For those who are told after it has gone.
        message: message as unknown as JsonObject,
      })
      const { conversation } = work
      if (conversation.preview === previewOf(message)) conversation.preview = await previewWithout(work, message)
      work.afterWrites('delete from message where id = $1', [message.id])
    },
    { isAlone: true },
  )
  return true
}

/** What was said last before a message that goes. */
async function previewWithout({ sql, conversation }: ConversationWork, gone: MessageRow): Promise<string | null> {
  const rows = await sql.query<Record<string, unknown>>(
    `select * from message where conversation_id = $1 and id <> $2 and not is_backchannel and role <> 'system'
       and type not in ('command', 'mention') and text is not null order by position desc limit 1`,
    [conversation.id, gone.id],
  )
  return rows[0] ? previewOf(camelRow<MessageRow>(rows[0])) : null
}

async function findMessage(ctx: Context, id: string): Promise<MessageRow> {
  const [message] = (await rowsById<MessageRow>(ctx, 'message', [id])).values()
  if (!message) throw messageNotFound(id)
  return message
}

async function readMessage(work: ConversationWork, id: string): Promise<MessageRow> {
  const message = await work.findMessage(id)
  if (!message) throw messageNotFound(id)
  return message
}

const messageNotFound = (id: string): NotFound => new NotFound(`Message ${shown(id)} not found`)
