import { WHOLE_MESSAGE } from '../../messages/message-columns.js'
import { isDeepStrictEqual } from 'node:util'
import { Field, InputType } from 'type-graphql'
import { withAttachment } from '../../attachments/message-attachment.js'
import type { Context } from '../../../platform/context.js'
import { reading } from '../../../platform/db/sql.js'
import { pathOf } from '../../../platform/db/tenancy.js'
import { NotFound } from '../../../platform/errors.js'
import { isAbsent } from '../../../platform/input.js'
import { parseJsonObject, replaceMeta, type JsonObject } from '../../../platform/json.js'
import { recordNotFound } from '../../../platform/lists/fetch-record.js'
import { camelRow, rowsById } from '../../../platform/lists/rows.js'
import { JsonObject as JsonObjectScalar } from '../../../platform/lists/scalars.js'
import { parseMessage } from '../../messages/message-content.js'
import { ActionInput, newMessageOf, ItemInput, MessageInput } from '../../messages/message-input.js'
import { holdsOn, refuseHeld } from '../../holds/held.js'
import { checkMetaOfKind } from '../../messages/meta-of-kind.js'
import type { MessageRow } from '../../messages/message-row.js'
import { editDelivered, refuseForwarded, removeDelivered } from '../delivery/amend.js'
import type { ConversationChange } from '../state/conversation-change.js'
import { COPY_DELETED } from '../state/deletion-jobs.js'
import type { ConversationWriter } from '../writer/conversation-writer.js'
import { previewOf } from '../state/preview.js'
import { forgetPage, removeMessage } from './consumer-page.js'

@InputType({
  description: 'Changes of a message. Only the given keys change; `meta` is replaced completely (section 1, PATCH).',
})
export class UpdateMessageInput {
  @Field(() => String, { nullable: true }) text?: string | null
  @Field(() => [ActionInput], { nullable: true }) actions?: ActionInput[] | null
  @Field(() => [ItemInput], { nullable: true }) items?: ItemInput[] | null
  @Field(() => JsonObjectScalar, { nullable: true }) meta?: JsonObject | null
}

/** Fields that readers see; a like or a comment changes a message as well, but does not edit it. */
const CONTENT = ['text', 'actions', 'items'] as const

/**
 * Changes the content of a message; its type, role and position stay. Validated like a new message. Changed
 * content sets `editedAt`, by which readers' screens mark the message.
 * @throws BadUserInput, NotFound
 */
export async function updateMessage(
  writer: ConversationWriter,
  ctx: Context,
  id: string,
  patch: UpdateMessageInput,
): Promise<MessageRow> {
  const { conversationId } = await findMessage(ctx, id)
  const edit = async (change: ConversationChange): Promise<Record<'stored' | 'changed', MessageRow>> => {
    const stored = await readMessage(change, id)
    const { conversation } = change
    const meta = patch.meta === undefined ? stored.meta : await metaAfter(ctx, change, stored, patch.meta)
    const newMessage = checkedMessage(stored, patch)
    const changed: MessageRow = {
      ...stored,
      text: patch.text === undefined ? stored.text : newMessage.text,
      actions: patch.actions === undefined ? stored.actions : newMessage.actions,
      items: patch.items === undefined ? stored.items : newMessage.items,
      meta: isAbsent(meta) ? null : parseJsonObject(meta, 'meta'),
    }
    if (CONTENT.some((key) => !isDeepStrictEqual(changed[key], stored[key]))) {
      changed.editedAt = change.now
      await editDelivered(change, changed)
    }
    // Queues and inboxes preview the last message, which may be this one.
    if (conversation.preview === previewOf(stored)) conversation.preview = previewOf(changed)
    return { stored, changed }
  }
  if (patch.meta === undefined) {
    return writer.run(ctx, conversationId, async (change) => change.changeMessage((await edit(change)).changed))
  }
  return writer.runExclusive(ctx, conversationId, async (change) => {
    const { stored, changed } = await edit(change)
    await forgetPage(change, stored, changed)
    return change.changeMessage(changed)
  })
}

/**
 * Returns the metadata after the change. A file message describes its attachment, which must be visible to the caller
 * (2.12). An unchanged attachment may remain: a deleted one must not prevent the message from being changed.
 */
async function metaAfter(
  ctx: Context,
  { sql, conversation, files }: ConversationChange,
  stored: MessageRow,
  given: JsonObject | null,
): Promise<JsonObject> {
  const meta = { ...replaceMeta(stored.meta, given, 'meta'), ...targetOf(stored) }
  if (stored.type !== 'mention') checkMetaOfKind({ type: stored.type, meta }, 'meta')
  if (meta.fileId === stored.meta?.fileId) return meta
  const sender = { path: ctx.caller.path, contact: null }
  const after = await withAttachment(sql, meta, { path: pathOf(conversation), sender })
  if (typeof after.fileId === 'string') files.add(after.fileId)
  return after
}

/** Keeps the target of a mention: changing the text notifies nobody else. */
function targetOf({ type, meta }: MessageRow): JsonObject {
  const keys = ['targetUser', 'targetOrganization', 'targetName']
  return type === 'mention' ? Object.fromEntries(Object.entries(meta ?? {}).filter(([key]) => keys.includes(key))) : {}
}

/** Builds the message as if it were sent with the changes, since the same rules apply. */
function checkedMessage(stored: MessageRow, patch: UpdateMessageInput): ReturnType<typeof parseMessage> {
  const { type, role, contentType } = stored
  const input: MessageInput = Object.assign(new MessageInput(), {
    type,
    role,
    contentType,
    text: patch.text === undefined ? stored.text : patch.text,
    actions: patch.actions === undefined ? stored.actions : patch.actions,
    items: patch.items === undefined ? stored.items : patch.items,
    // `metaAfter` applies the type's rules to changed metadata; `replaceMeta` keeps the system's keys.
    meta: type === 'mention' ? stored.meta : undefined,
  })
  return newMessageOf(input, '')
}

/**
 * Deletes a message. Jobs erase its text from events, webhooks, stored responses and routing decisions, and delete the
 * messages in archived conversations of which a merge made it. What the server deletes itself is kept where it is held.
 * @throws NotFound; OnHold; Unprocessable for a note that forwarded a message
 */
export async function deleteMessage(writer: ConversationWriter, ctx: Context, id: string): Promise<boolean> {
  const { conversationId } = await findMessage(ctx, id)
  await writer.runExclusive(ctx, conversationId, async (change) => {
    const message = await readMessage(change, id)
    const { conversation } = change
    if (ctx.maybeCaller) {
      refuseHeld(await holdsOn(change.sql, conversation.org1, [conversation.id]), `message ${message.id}`)
      await refuseForwarded(change, message)
    }
    await removeDelivered(change, message)
    await removeMessage(change, message)
    if (message.originalId)
      change.addJob(COPY_DELETED.create({ original: message.originalId, version: message.version }))
    await forgetPage(change, message, null)
    if (conversation.preview === previewOf(message)) conversation.preview = await previewWithout(change, [message.id])
  })
  return true
}

/** Returns the preview of the last message other than the given ones, which are about to be deleted. */
export async function previewWithout(
  { sql, conversation }: ConversationChange,
  gone: readonly string[],
): Promise<string | null> {
  const rows = await sql.query<Record<string, unknown>>(
    reading(`select * from message where conversation_id = $1 and id <> all($2::uuid[]) and not is_backchannel and role <> 'system'
       and type not in ('command', 'mention') and text is not null order by position desc limit 1`),
    [conversation.id, gone],
  )
  return rows[0] ? previewOf(camelRow<MessageRow>(rows[0])) : null
}

/** Deletes the earlier versions of a message that was sent with this id. */
export async function deleteEarlier(
  writer: ConversationWriter,
  system: Context,
  { original, version }: { original: string; version: number },
): Promise<void> {
  const rows = await system.reads.query<{ id: string }>(
    'select id from message where (id = $1 or original_id = $1) and version < $2 order by version desc',
    [original, version],
  )
  for (const { id } of rows) await deleteMessage(writer, system, id)
}

async function findMessage(ctx: Context, id: string): Promise<MessageRow> {
  const [message] = (await rowsById<MessageRow>(ctx, 'message', [id], WHOLE_MESSAGE)).values()
  if (!message) throw messageNotFound(id)
  return message
}

async function readMessage(change: ConversationChange, id: string): Promise<MessageRow> {
  const message = await change.findMessage(id)
  if (!message) throw messageNotFound(id)
  return message
}

const messageNotFound = (id: string): NotFound => recordNotFound('Message', id)
