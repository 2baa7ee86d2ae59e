import { isAllowed } from '../../../platform/access/permissions.js'
import type { Context } from '../../../platform/context.js'
import { isId } from '../../../platform/db/clock.js'
import { BadUserInput, Forbidden, quoteValue, Unprocessable } from '../../../platform/errors.js'
import { reading } from '../../../platform/db/sql.js'
import { pathOf, tenantSql } from '../../../platform/db/tenancy.js'
import { KEEP_CANCELLED, shareHolds } from '../../holds/held.js'
import type { ConversationChange } from '../state/conversation-change.js'
import type { WritingChange } from '../state/writing-change.js'
import type { ConversationWriter } from '../writer/conversation-writer.js'
import { deletionKey, MESSAGE_DELETED } from '../state/deletion-jobs.js'
import { inMergedConversation, mergedInto } from '../state/merged-conversation.js'
import { rememberDeleted } from '../messages/deleted-messages.js'
import type { DelayedMessage } from '../messages/delayed-message.js'
import { MESSAGE_PROCESS } from './send-message.js'

/**
 * Cancels a message that waits for its delay: it is never sent. An id that the server does not know yet is refused from
 * then on in this conversation, so that a send whose answer was lost cannot arrive after its cancellation. Repeating it
 * changes nothing. In a held conversation, what it said is kept. Messages that the caller may not see count as unknown: the answer tells nothing of them.
 * @throws Unprocessable if the message was sent; Forbidden for another user's; NotFound for the conversation
 */
export async function cancelMessage(
  writer: ConversationWriter,
  ctx: Context,
  conversationId: string,
  given: string,
): Promise<string> {
  if (!isId(given)) throw new BadUserInput('id', `id ${quoteValue(given)} is not the id of a message`)
  const id = given.toLowerCase()
  const cancel = async (change: WritingChange): Promise<void> => {
    const { status } = change.conversation
    if (status === 'archived')
      throw new Unprocessable('the conversation is archived', { reason: 'CONVERSATION_STATUS', status })
    const delayed = await readDelayed(ctx, change, id)
    for (const { sender } of delayed) {
      if (sender.member?.userId !== ctx.userCaller.user && !isAllowed(ctx.caller, 'message.delete'))
        throw new Forbidden(`message ${id} is another user's: only an administrator may cancel it`)
    }
    if (delayed.length === 0) await requireUnsent(ctx, change, id)
    // Under the conversation's lock: what processes it at this moment finds its job gone and is rolled back.
    const conversations = delayed.map(({ conversation: each }) => each)
    dropJobs(change, id, conversations)
    rememberDeleted(change, id)
    if (delayed.length === 0) return
    const { conversation } = change
    await shareHolds(change.sql, conversation.org1)
    for (const { sender, newMessage } of delayed)
      change.afterWrites(KEEP_CANCELLED, [conversation.id, id, change.now, ctx.userCaller.user, sender, newMessage])
    const deleted = { deleted: id, of: conversation.id, path: pathOf(conversation) }
    change.addJob(MESSAGE_DELETED.create(deleted, deletionKey(conversation.id)))
  }
  await inMergedConversation(ctx.reads, conversationId, (conversation) =>
    writer.runExclusive(ctx, conversation, cancel),
  )
  return id
}

/** The kind is a literal: a plan for any kind could not use the index `job_delayed_message`, and would look through all jobs. */
const IS_DELAYED = `kind = '${MESSAGE_PROCESS.kind}' and payload ->> 'id' = $1`

/** The jobs of the message, more than one if it was accepted twice, that were sent to what is now this conversation. */
async function readDelayed(ctx: Context, change: ConversationChange, id: string): Promise<DelayedMessage[]> {
  const rows = await change.sql.query<{ payload: DelayedMessage }>(
    reading(`select payload from job where ${IS_DELAYED}`),
    [id],
    'delayed-message',
  )
  const payloads = rows.map(({ payload }) => payload)
  const here = await keepHere(ctx, change, payloads, ({ conversation }) => conversation)
  if (here.isElsewhere)
    throw new Unprocessable(`id ${id} is that of another message`, { reason: 'ID_TAKEN', field: 'id' })
  return here.kept
}

async function requireUnsent(ctx: Context, change: ConversationChange, id: string): Promise<void> {
  const sent = await change.sql.query<{ conversation_id: string }>(
    reading('select conversation_id from message where id = $1 or original_id = $1'),
    [id],
    'message-was-sent',
  )
  const { kept, isElsewhere } = await keepHere(ctx, change, sent, (message) => message.conversation_id)
  if (kept.length > 0 || isElsewhere)
    throw new Unprocessable(`message ${id} was sent already`, { field: 'id', reason: 'ALREADY_SENT' })
}

/**
 * @returns those in what is now this conversation, and whether another one is in a conversation that the caller may see:
 *   whoever names the wrong conversation is told so
 */
async function keepHere<Each>(
  ctx: Context,
  { sql, conversation }: ConversationChange,
  all: readonly Each[],
  conversationOf: (each: Each) => string,
): Promise<{ kept: Each[]; isElsewhere: boolean }> {
  const kept: Each[] = []
  let isElsewhere = false
  for (const each of all) {
    const given = conversationOf(each)
    if ((await mergedInto(sql, given)) === conversation.id) kept.push(each)
    else isElsewhere ||= await isVisible(ctx, sql, given)
  }
  return { kept, isElsewhere }
}

async function isVisible(ctx: Context, sql: ConversationChange['sql'], conversation: string): Promise<boolean> {
  if (ctx.seesAsConsumer) return false
  const values: unknown[] = [conversation]
  const text = `select 1 from conversation c where c.id = $1 and ${tenantSql(ctx.tenant, 'c', values)}`
  return (await sql.query(reading(text), values)).length > 0
}

/** Deletes the jobs when the operation commits; their partition, if they have one, is checked at once. */
function dropJobs(change: WritingChange, id: string, conversations: readonly string[]): void {
  change.afterWrites(
    `with dropped as (delete from job where ${IS_DELAYED} and payload ->> 'conversation' = any($3) returning key)
     update job_partition set due_at = least(due_at, $2) where key in (select key from dropped)`,
    [id, change.now, conversations],
  )
}
