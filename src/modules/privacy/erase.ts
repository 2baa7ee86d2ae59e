import { NIL } from 'uuid'
import type { AttachmentStore } from '../attachments/attachment-store.js'
import type { Context } from '../../platform/context.js'
import { deleteMessages } from '../conversations/messages/deleted-messages.js'
import { previewWithout } from '../conversations/messages/edit-message.js'
import type { WritingChange } from '../conversations/state/writing-change.js'
import type { ConversationWriter } from '../conversations/writer/conversation-writer.js'
import { slicesOf } from '../conversations/writer/slices.js'
import type { Database, Sql } from '../../platform/db/database.js'
import { ifThere } from '../../platform/if-there.js'
import { conversationStream } from '../../platform/events/event.js'
import type { Transact } from '../../platform/events/transact.js'
import { LeaseLost, RetryLater } from '../../platform/jobs/job.js'
import type { JsonObject } from '../../platform/json.js'
import { camelRow } from '../../platform/lists/rows.js'
import { messageData } from '../messages/message-columns.js'
import { isConsumerVisible, type MessageRow } from '../messages/message-row.js'
import type { Erasure } from './erasure-job.js'
import { addressesOfJobSql, addressNameSql } from './job-data.js'
import { eraseAttachments } from './erase-attachments.js'
import { endExportsWith } from './export/end-exports.js'
import { eraseNamed } from './named-in-mails.js'
import { copiesIn, redactEvents } from './redact-log.js'
import { redactEvent } from './redact-event.js'
import { redactDeliveries } from './redact-deliveries.js'

export interface EraseDependencies {
  transact: Transact
  writer: ConversationWriter
  store: AttachmentStore
}

/** The steps that an erasure has done, kept with its job: a later attempt goes on with the others. */
export interface ErasureProgress {
  isDone(step: string): boolean
  /** @throws LeaseLost if another runner has the job */
  done(step: string): Promise<void>
}

/** A step can be repeated. It is not done before those that it needs are: what they change is among what it erases. */
interface Step {
  name: string
  needs?: readonly string[]
  run: () => Promise<void>
}

/**
 * Erases the remaining data of a deleted contact or conversation in steps that can be repeated, of statements that are
 * bounded: see `PERSONAL_DATA` for the places. A step that fails does not hold up the others, which erase what they can;
 * those that need it are repeated with it.
 * @throws the error of the first step that failed, once all have been tried; RetryLater if one only waits
 */
export async function erase(
  dependencies: EraseDependencies,
  system: Context,
  erasure: Erasure,
  progress: ErasureProgress,
): Promise<void> {
  const failures: unknown[] = []
  const waits: RetryLater[] = []
  for (const { name, needs = [], run } of stepsOf(dependencies, system, erasure)) {
    if (progress.isDone(name)) continue
    try {
      await run()
      if (needs.every((step) => progress.isDone(step))) await progress.done(name)
    } catch (error) {
      if (error instanceof LeaseLost) throw error
      if (error instanceof RetryLater) waits.push(error)
      else {
        system.log.warn({ err: error, step: name }, 'a step of an erasure failed: it is tried again')
        failures.push(error)
      }
    }
  }
  const [first] = [...failures, ...waits]
  if (first) throw first
}

function stepsOf(dependencies: EraseDependencies, system: Context, erasure: Erasure): readonly Step[] {
  const { writer, store } = dependencies
  const { database: sql } = system
  // While a copy is there, others are told of it, answers and decisions are made of it, and its file is in use.
  const needs = ['beside']
  return [
    { name: 'beside', run: () => eraseBesideAll(writer, system, erasure) },
    { name: 'named', run: () => eraseNamedAll(writer, system, erasure) },
    { name: 'jobs', run: () => dropJobs(sql, erasure) },
    { name: 'events', needs, run: () => redactLog(sql, erasure) },
    { name: 'answers', needs, run: () => redactAnswers(sql, erasure) },
    { name: 'decisions', needs, run: () => redactDecisions(sql, erasure) },
    { name: 'exports', run: () => endExports(store, system, erasure) },
    { name: 'viewers', run: () => deleteViewers(sql, erasure) },
    // Nor while the conversations' own messages wait.
    {
      name: 'attachments',
      needs: [...needs, 'jobs'],
      run: () => eraseAttachments(dependencies, system, erasure),
    },
  ]
}

function eraseBesideAll(writer: ConversationWriter, system: Context, erasure: Erasure): Promise<void> {
  return eachOf(erasure.beside, (id) => eraseBeside(writer, system, id, erasure.conversations))
}

function eraseNamedAll(writer: ConversationWriter, system: Context, { named }: Erasure): Promise<void> {
  return eachOf(named?.conversations ?? [], (conversation) =>
    eraseNamed(writer, system, { conversation, names: named!.addresses }),
  )
}

/** Tries all, so that one that fails holds up no other. @throws the error of the first that failed */
async function eachOf(ids: readonly string[], run: (id: string) => Promise<void>): Promise<void> {
  const failures: unknown[] = []
  for (const id of ids) await run(id).catch((error: unknown) => void failures.push(error))
  if (failures.length > 0) throw failures[0]
}

/** Bodies of webhooks are made of events: they are emptied once these are redacted. */
async function redactLog(sql: Database, erasure: Erasure): Promise<void> {
  await redactEvents(sql, erasure)
  await redactWebhooks(sql, erasure)
}

/** Removes copies of erased messages, and cards that name an erased conversation, from another conversation. */
async function eraseBeside(writer: ConversationWriter, system: Context, id: string, erased: string[]): Promise<void> {
  const run = async (change: WritingChange): Promise<void> => {
    const { sql, conversation } = change
    const rows = await sql.query<Record<string, unknown>>(
      `select * from message where conversation_id = $1 and (origin_id = any($2::uuid[])
         or (type = 'card' and (meta ->> '_origin' = any($2::text[]) or meta -> '_origins' ?| $2::text[])))`,
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
      change.addEvents([{ stream: conversationStream(conversation.id), type: 'message.deleted', data: redacted }])
    }
    const ids = gone.map((message) => message.id)
    conversation.preview = await previewWithout(change, ids)
    await deleteMessages(change, ids)
  }
  await ifThere(writer.runExclusive(system, id, run))
}

/** Empties the facts of routing decisions that copied messages of the contact may have led to. */
async function redactDecisions(sql: Sql, { beside, contact }: Erasure): Promise<void> {
  if (contact === null) return
  for (const id of beside) {
    await sql.query(
      'update routing_decision set facts = null, workflows = null where conversation_id = $1 and facts is not null',
      [id],
    )
  }
}

/**
 * Deletes pending jobs of the erased conversations and the contact, such as a delayed message with its text, see `JOB_DATA`. Reads all
 * jobs, a page at a time: they are few, and an index of what each holds would be written with every job.
 */
async function dropJobs(sql: Sql, { contact, conversations, addresses = [], erasure }: Erasure): Promise<void> {
  for (let after: string | null = NIL; after !== null;) {
    const [page]: { last: string | null }[] = await sql.query<{ last: string | null }>(DROP_JOBS, [
      conversations,
      contact,
      after,
      addresses,
      erasure ?? null,
    ])
    after = page!.last
  }
}

const JOBS_PAGE = 20_000
/** Records that one statement empties. */
const AT_ONCE = 100

/**
 * Their keys, one of which may be an address, are checked at once and deleted when they have no jobs. What an address has sent since the
 * erasure was demanded is of another contact.
 */
const DROP_JOBS = `
with page as materialized (
  select id, kind, payload, created_at from job where id > $3 order by id limit ${JOBS_PAGE}
), demanded as materialized (
  select created_at as at from erasure where id = $5
), dropped as (
  delete from job where id in (
    select id from page where kind not in ('privacy.erase', 'contact.erase')
      and (payload ->> 'conversation' = any($1::text[]) or payload ->> 'contact' = $2 or payload ->> 'other' = $2
        or cardinality($4::text[]) > 0 and created_at <= coalesce((select at from demanded), 'infinity') and exists (
          select 1 from (${addressesOfJobSql('page')}) held
          where ${addressNameSql("page.payload ->> 'service'", 'held.address')} = any($4::text[]))))
  returning key
), partitions as (
  update job_partition set due_at = least(due_at, now()) where key in (select key from dropped)
)
select case when count(*) = ${JOBS_PAGE} then max(id::text) end as last from page`

/** Redacts waiting webhook deliveries: they are still made, with a body derived from the redacted event. */
async function redactWebhooks(
  sql: Database,
  { contact, conversations, beside, attachments, notes = [] }: Erasure,
): Promise<void> {
  const partitions = [
    ...(contact === null ? [] : [`contact:${contact}`]),
    ...conversations.map((id) => `conversation:${id}`),
    ...attachments.map((id) => `attachment:${id}`),
    ...notes.map((id) => `contactNote:${id}`),
  ]
  // Ratings stay; the consumer's words go.
  const ratings = await sql.query<{ partition: string }>(
    `select 'rating:' || id as partition from rating
     where conversation_id = any($1::uuid[]) or case_conversation_id = any($1::uuid[])`,
    [conversations],
  )
  await emptyWebhooks(sql, [...partitions, ...ratings.map(({ partition }) => partition)])
  // In other conversations: events of copied messages, and previews of one.
  for (const id of beside) {
    const partition = `conversation:${id}`
    await sql.query(
      `update webhook_event set context = context #- '{conversation,preview}', redactions = redactions + 1
       where partition = $1 and context is not null`,
      [partition],
    )
    const copies = `select w.id from webhook_event w join event e on e.stream = w.stream and e.number = w.number
      where w.partition = $1 and (e.data #>> '{message,originId}' = any($2::text[]) or e.data #>> '{message,type}' = 'card'
        or (e.type = 'message.delivery' and exists (select from jsonb_array_elements(e.data -> 'deliveries') d
          where d ->> 'messageId' = any($3::text[]))))`
    const values = [partition, conversations, await copiesIn(sql, id, conversations)]
    await redactDeliveries(sql, { text: copies, values }, 'body = null')
  }
}

/** Empties the webhook events of records, named by their partitions, with what was delivered of them. */
export async function emptyWebhooks(sql: Database, partitions: readonly string[]): Promise<void> {
  for (const some of slicesOf(partitions, AT_ONCE))
    await redactDeliveries(sql, { text: OF_RECORDS, values: [some] }, EMPTY)
}

/** By the index, however many: see `eventsSql`. */
const OF_RECORDS = `select e.id from unnest($1::text[]) as x (name)
  cross join lateral (select id from webhook_event where partition = x.name offset 0) e`

/** Keeps who of the staff did it, for deliveries that come later: that is nothing of the consumer's. */
const EMPTY = `body = null,
  context = case when context #>> '{actor,kind}' = 'user' then jsonb_build_object('actor', context -> 'actor') end`

/**
 * Empties the answers that are of the contact, its conversations or attachments, those given to the contact itself, and those
 * of other conversations that name one of these. The keys stay, so that no retry creates anything again.
 */
async function redactAnswers(
  sql: Sql,
  { contact, conversations, beside, attachments, notes = [] }: Erasure,
): Promise<void> {
  const gone = [...(contact === null ? [] : [contact]), ...conversations, ...attachments, ...notes]
  for (const about of slicesOf(gone, AT_ONCE)) {
    await sql.query(
      'update idempotency_key set response = null where about = any($1::uuid[]) and response is not null',
      [about],
    )
  }
  if (contact !== null) {
    await sql.query('update idempotency_key set response = null where caller = $1 and response is not null', [
      `guest:${contact}`,
    ])
  }
  for (const id of beside) await sql.query(REDACT_NAMING, [id, gone])
}

const REDACT_NAMING = `
update idempotency_key set response = null where about = $1 and response is not null and exists (
  select 1 from regexp_matches(response::text, '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}', 'g') as m
  where m[1] = any($2::text[]))`

/** Ends the exports of others, whose conversations had copies, and its own of a conversation that was deleted. */
function endExports(
  store: AttachmentStore,
  { clock, database }: Context,
  { conversations, beside, attachments, notes = [], path }: Erasure,
): Promise<void> {
  return endExportsWith({ clock, database, store }, [...conversations, ...beside, ...attachments, ...notes], path[0])
}

async function deleteViewers(sql: Sql, { contact, conversations }: Erasure): Promise<void> {
  await sql.query('delete from conversation_viewer where conversation_id = any($1::uuid[]) or contact_id = $2', [
    conversations,
    contact,
  ])
}
