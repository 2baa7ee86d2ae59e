import { isAllowed } from '../../access/permissions.js'
import type { Context } from '../../context.js'
import { isId } from '../../db/clock.js'
import { BadUserInput, Forbidden, quoteValue, Unprocessable } from '../../errors.js'
import { reading } from '../../db/sql.js'
import type { ConversationDraft } from '../writing/conversation-draft.js'
import type { WritingDraft } from '../writing/writing-draft.js'
import type { ConversationWriter } from '../writing/conversation-writer.js'
import { deletionKey, MESSAGE_DELETED } from '../writing/deletion-jobs.js'
import { inMergedConversation, mergedInto } from '../writing/merged-conversation.js'
import { rememberDeleted } from '../messages/deleted-messages.js'
import { MESSAGE_PROCESS, type DelayedMessage } from './send-message.js'

/**
 * Cancels a message that waits for its delay: it is never sent. An id that the server does not know yet is refused from
 * then on, so that a send whose answer was lost cannot arrive after its cancellation. Repeating it changes nothing.
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
    const delayed = await readDelayed(draft, id)
    for (const { sender } of delayed) {
      if (sender.member?.userId !== ctx.userCaller.user && !isAllowed(ctx.caller, 'message.delete'))
        throw new Forbidden(`message ${id} is another user's: only an administrator may cancel it`)
    }
    if (delayed.length === 0) await requireUnsent(draft, id)
    // Under the conversation's lock: what processes it at this moment finds its job gone and is rolled back.
    dropJobs(draft, id)
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
async function readDelayed({ sql, conversation }: ConversationDraft, id: string): Promise<DelayedMessage[]> {
  const rows = await sql.query<{ payload: DelayedMessage }>(
    reading(`select payload from job where kind = $1 and payload ->> 'id' = $2`),
    [MESSAGE_PROCESS.kind, id],
    'delayed-message',
  )
  const here: DelayedMessage[] = []
  for (const { payload } of rows) {
    if ((await mergedInto(sql, payload.conversation)) === conversation.id) here.push(payload)
  }
  if (here.length < rows.length) throw new Unprocessable(`id ${id} is that of another message`, { field: 'id' })
  return here
}

async function requireUnsent({ sql }: ConversationDraft, id: string): Promise<void> {
  const sent = await sql.query(
    reading('select 1 from message where id = $1 or original_id = $1'),
    [id],
    'message-was-sent',
  )
  if (sent.length > 0) throw new Unprocessable(`message ${id} was sent already`, { field: 'id', reason: 'sent' })
}

/** Deletes the jobs when the operation commits; their partition, if they have one, is checked at once. */
function dropJobs(draft: WritingDraft, id: string): void {
  draft.afterWrites(
    `with dropped as (delete from job where kind = $1 and payload ->> 'id' = $2 returning key)
     update job_partition set due_at = least(due_at, $3) where key in (select key from dropped)`,
    [MESSAGE_PROCESS.kind, id, draft.now],
  )
}
