import { isAllowed } from '../../access/permissions.js'
import type { Context } from '../../context.js'
import { isId } from '../../db/clock.js'
import { BadUserInput, Forbidden, quoteValue, Unprocessable } from '../../errors.js'
import { reading } from '../../db/sql.js'
import { tenantSql } from '../../db/tenancy.js'
import type { ConversationDraft } from '../writing/conversation-draft.js'
import type { WritingDraft } from '../writing/writing-draft.js'
import type { ConversationWriter } from '../writing/conversation-writer.js'
import { deletionKey, MESSAGE_DELETED } from '../writing/deletion-jobs.js'
import { inMergedConversation, mergedInto } from '../writing/merged-conversation.js'
import { rememberDeleted } from '../messages/deleted-messages.js'
import { MESSAGE_PROCESS, type DelayedMessage } from './send-message.js'

/**
 * Cancels a message that waits for its delay: it is never sent. An id that the server does not know yet is refused from
 * then on in this conversation, so that a send whose answer was lost cannot arrive after its cancellation. Repeating it
 * changes nothing. Messages that the caller may not see count as unknown: the answer tells nothing of them.
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
  const cancel = async (draft: WritingDraft): Promise<void> => {
    const { status } = draft.conversation
    if (status === 'archived') throw new Unprocessable('the conversation is archived', { status })
    const delayed = await readDelayed(ctx, draft, id)
    for (const { sender } of delayed) {
      if (sender.member?.userId !== ctx.userCaller.user && !isAllowed(ctx.caller, 'message.delete'))
        throw new Forbidden(`message ${id} is another user's: only an administrator may cancel it`)
    }
    if (delayed.length === 0) await requireUnsent(ctx, draft, id)
    // Under the conversation's lock: what processes it at this moment finds its job gone and is rolled back.
    const conversations = delayed.map(({ conversation: each }) => each)
    dropJobs(draft, id, conversations)
    rememberDeleted(draft, id)
    if (delayed.length === 0) return
    const { conversation } = draft
    const deleted = { deleted: id, of: conversation.id }
    draft.addJob(MESSAGE_DELETED.create(deleted, deletionKey(conversation.organizationId)))
  }
  await inMergedConversation(ctx.reads, conversationId, (conversation) =>
    writer.runExclusive(ctx, conversation, cancel),
  )
  return id
}

/** The jobs of the message, more than one if it was accepted twice, that were sent to what is now this conversation. */
async function readDelayed(ctx: Context, draft: ConversationDraft, id: string): Promise<DelayedMessage[]> {
  const rows = await draft.sql.query<{ payload: DelayedMessage }>(
    reading(`select payload from job where kind = $1 and payload ->> 'id' = $2`),
    [MESSAGE_PROCESS.kind, id],
    'delayed-message',
  )
  const payloads = rows.map(({ payload }) => payload)
  const here = await keepHere(ctx, draft, payloads, ({ conversation }) => conversation)
  if (here.isElsewhere) throw new Unprocessable(`id ${id} is that of another message`, { field: 'id' })
  return here.kept
}

async function requireUnsent(ctx: Context, draft: ConversationDraft, id: string): Promise<void> {
  const sent = await draft.sql.query<{ conversation_id: string }>(
    reading('select conversation_id from message where id = $1 or original_id = $1'),
    [id],
    'message-was-sent',
  )
  const { kept, isElsewhere } = await keepHere(ctx, draft, sent, (message) => message.conversation_id)
  if (kept.length > 0 || isElsewhere)
    throw new Unprocessable(`message ${id} was sent already`, { field: 'id', reason: 'sent' })
}

/**
 * @returns those in what is now this conversation, and whether another one is in a conversation that the caller may see:
 *   whoever names the wrong conversation is told so
 */
async function keepHere<Each>(
  ctx: Context,
  { sql, conversation }: ConversationDraft,
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

async function isVisible(ctx: Context, sql: ConversationDraft['sql'], conversation: string): Promise<boolean> {
  if (ctx.seesAsConsumer) return false
  const values: unknown[] = [conversation]
  const text = `select 1 from conversation c where c.id = $1 and ${tenantSql(ctx.tenant, 'c', values)}`
  return (await sql.query(reading(text), values)).length > 0
}

/** Deletes the jobs when the operation commits; their partition, if they have one, is checked at once. */
function dropJobs(draft: WritingDraft, id: string, conversations: readonly string[]): void {
  draft.afterWrites(
    `with dropped as (delete from job where kind = $1 and payload ->> 'id' = $2 and payload ->> 'conversation' = any($4)
       returning key)
     update job_partition set due_at = least(due_at, $3) where key in (select key from dropped)`,
    [MESSAGE_PROCESS.kind, id, draft.now, conversations],
  )
}
