import type { AttachmentStore } from '../attachments/attachment-store.js'
import type { Context } from '../context.js'
import { deleteMessages } from '../conversations/messages/deleted-messages.js'
import { previewWithout } from '../conversations/messages/edit-message.js'
import type { WritingDraft } from '../conversations/writing/writing-draft.js'
import type { ConversationWriter } from '../conversations/writing/conversation-writer.js'
import type { Database, Sql } from '../db/database.js'
import { NotFound } from '../errors.js'
import { conversationStream } from '../events/event.js'
import type { JsonObject } from '../json.js'
import { camelRow } from '../lists/rows.js'
import { messageData } from '../messages/message-columns.js'
import { isConsumerVisible, type MessageRow } from '../messages/message-row.js'
import type { Erasure } from './erasure-job.js'
import { redactEvents } from './redact-log.js'
import { redactEvent } from './redact-event.js'
import { redactDeliveries } from './redact-deliveries.js'

export interface EraseDependencies {
  writer: ConversationWriter
  store: AttachmentStore
}

/** Erases the remaining data of a deleted contact or conversation in repeatable steps. See `PERSONAL_DATA` for the places. */
export async function erase({ writer, store }: EraseDependencies, system: Context, erasure: Erasure): Promise<void> {
  const { database: sql } = system
  for (const id of erasure.beside) await eraseBeside(writer, system, id, erasure.conversations)
  await dropJobs(sql, erasure)
  await redactEvents(sql, erasure)
  await redactWebhooks(sql, erasure)
  await redactAnswers(sql, erasure)
  if (erasure.contact !== null) await redactDecisions(sql, erasure)
  await sql.query('delete from conversation_viewer where conversation_id = any($1::uuid[]) or contact_id = $2', [
    erasure.conversations,
    erasure.contact,
  ])
  for (const id of erasure.attachments) await eraseAttachment(sql, store, id)
}

/** Removes copies of erased messages, and cards that name an erased conversation, from another conversation. */
async function eraseBeside(writer: ConversationWriter, system: Context, id: string, erased: string[]): Promise<void> {
  const run = async (draft: WritingDraft): Promise<void> => {
    const { sql, conversation } = draft
    const rows = await sql.query<Record<string, unknown>>(
      `select * from message where conversation_id = $1 and (origin_id = any($2::uuid[])
         or (type = 'card' and meta ->> '_origin' = any($2::text[])))`,
      [conversation.id, erased],
    )
    if (rows.length === 0) return
    const gone = rows.map((row) => camelRow<MessageRow>(row))
    for (const message of gone) {
      const data = {
        id: message.id,
        isConsumerVisible: isConsumerVisible(message),
        message: messageData(message),
      }
      const redacted = redactEvent('message.deleted', JSON.parse(JSON.stringify(data)) as JsonObject)
      draft.addEvents([{ stream: conversationStream(conversation.id), type: 'message.deleted', data: redacted }])
    }
    const ids = gone.map((message) => message.id)
    conversation.preview = await previewWithout(draft, ids)
    deleteMessages(draft, ids)
  }
  await writer.runExclusive(system, id, run).catch((error: unknown) => {
    if (!(error instanceof NotFound)) throw error
  })
}

/** Empties the facts of routing decisions that copied messages of the contact may have led to. */
async function redactDecisions(sql: Sql, { beside }: Erasure): Promise<void> {
  await sql.query(
    `update routing_decision set facts = null, workflows = null
     where conversation_id = any($1::uuid[]) and facts is not null`,
    [beside],
  )
}

/** Deletes pending jobs of the erased conversations and the contact, such as a delayed message with its text. */
async function dropJobs(sql: Sql, { contact, conversations }: Erasure): Promise<void> {
  await sql.query(
    // Their keys, one of which may be an address, are checked at once and deleted when they have no jobs.
    `with dropped as (
       delete from job where kind not in ('privacy.erase', 'contact.deleted')
         and (payload ->> 'conversation' = any($1::text[]) or payload ->> 'contact' = $2 or payload ->> 'other' = $2)
       returning key)
     update job_partition set due_at = least(due_at, now()) where key in (select key from dropped)`,
    [conversations, contact],
  )
}

/** Redacts waiting webhook deliveries: they are still made, with a body derived from the redacted event. */
async function redactWebhooks(sql: Database, { contact, conversations, beside, attachments }: Erasure): Promise<void> {
  const lanes = [
    ...(contact === null ? [] : [`contact:${contact}`]),
    ...conversations.map((id) => `conversation:${id}`),
    ...attachments.map((id) => `attachment:${id}`),
  ]
  await redactDeliveries(
    sql,
    `update webhook_event w set context = null, body = null, redactions = redactions + 1
     where lane = any($1::text[])`,
    [lanes],
  )
  // In other conversations: events of copied messages, and previews of one.
  const others = beside.map((id) => `conversation:${id}`)
  await sql.query(
    `update webhook_event set context = context #- '{conversation,preview}', redactions = redactions + 1
     where lane = any($1::text[]) and context is not null`,
    [others],
  )
  await redactDeliveries(
    sql,
    `update webhook_event w set body = null, redactions = redactions + 1 from event e
     where w.lane = any($1::text[]) and e.stream = w.stream and e.number = w.number
       and (e.data #>> '{message,originId}' = any($2::text[]) or e.data #>> '{message,type}' = 'card')`,
    [others, conversations],
  )
}

/**
 * Redacts the answers of creates that name the contact or a conversation. The keys stay, so that no retry creates
 * anything again.
 */
async function redactAnswers(sql: Sql, { contact, conversations, attachments }: Erasure): Promise<void> {
  await sql.query(
    `update idempotency_key k set response = null where response is not null and (caller = $1 or exists (
       select 1 from regexp_matches(response::text, '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}', 'g') as m
       where m[1] = any($2::text[])))`,
    [contact && `guest:${contact}`, [contact, ...conversations, ...attachments]],
  )
}

/** Bytes first: if it fails, the record remains for a retry; orphaned bytes would never be found. */
async function eraseAttachment(sql: Sql, store: AttachmentStore, id: string): Promise<void> {
  const [used] = await sql.query(
    `select 1 from file where attachment_id = $1::text::uuid
     union all select 1 from message where meta ->> 'fileId' = $1::text and meta ? 'fileId' limit 1`,
    [id],
  )
  if (used) return
  await store.remove(id)
  await sql.query('delete from attachment where id = $1', [id])
}
