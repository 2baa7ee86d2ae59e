import type { DeletedMessage } from '../conversations/state/deletion-jobs.js'
import type { Database, Sql } from '../../platform/db/database.js'
import { conversationStream } from '../../platform/events/event.js'
import { redactDeliveries } from './redact-deliveries.js'
import { readMessageWords, redactAroundMessage, redactMessageEvents, type MessageWords } from './redact-log.js'

/**
 * Erases what the deletion of a message leaves of its words, in repeatable steps: facts of routing decisions, kept
 * answers, webhooks and events. Copies that a merge made in another conversation are messages of their
 * own, and stay.
 */
export async function eraseMessage(sql: Database, deletion: DeletedMessage): Promise<void> {
  const left = await readMessageWords(sql, deletion)
  // As they are written in JSON, whole: parts of other texts are not meant.
  const inJson = (texts: ReadonlySet<string>): string[] => [...texts].map((text) => JSON.stringify(text))
  const written = inJson(left.words)
  await sql.query(
    `update routing_decision set facts = null, workflows = null where conversation_id = $1 and facts is not null
       and ${holdsSql('facts::text')}`,
    [deletion.of, written],
  )
  await sql.query(REDACT_FACTS, [deletion.of, conversationStream(deletion.of), deletion.deleted])
  await redactAnswers(sql, deletion, left)
  // Before webhooks, whose bodies are made of events too.
  await redactAroundMessage(sql, deletion, left)
  await redactWebhooks(sql, deletion, written, left)
  // Last: the words are known from the events.
  await redactMessageEvents(sql, deletion)
}

/**
 * Empties decisions whose facts are of a consumer's message, such as a member of its metadata: those since it came until the
 * consumer's next. A copy comes when it is merged. A message is never older than the last one, also if the clock of its node,
 * which the decision has its time of, is behind.
 */
const REDACT_FACTS = `
with came as (
  select number, case when at < (data #>> '{message,updatedAt}')::timestamptz then at - interval '1 minute'
    else (data #>> '{message,updatedAt}')::timestamptz end as at
  from event
  where stream = $2 and type = 'message.added' and data #>> '{message,id}' = $3 and data #>> '{message,role}' = 'contact'
), until as (
  select min((e.data #>> '{message,updatedAt}')::timestamptz) as at from event e join came on e.number > came.number
  where e.stream = $2 and e.type = 'message.added' and e.data #>> '{message,role}' = 'contact'
    and e.data #>> '{message,type}' <> 'command'
)
update routing_decision d set facts = null, workflows = null from came, until
where d.conversation_id = $1 and d.facts is not null and d.created_at >= came.at
  and (d.created_at = came.at or until.at is null or d.created_at < until.at)
  and exists (select from jsonb_object_keys(d.facts) as path where path = 'message' or starts_with(path, 'message.'))`

/** SQL that tells whether a text contains one of the words in `$2`. */
const holdsSql = (text: string): string => `exists (select 1 from unnest($2::text[]) w where strpos(${text}, w) > 0)`

/**
 * Empties answers of the conversation that have the message, or its words as preview or page; others that say the same
 * stay.
 */
async function redactAnswers(
  sql: Sql,
  { deleted, of }: DeletedMessage,
  { previews, pages }: MessageWords,
): Promise<void> {
  const removed = { previews: [...previews], titles: [...pages._title], urls: [...pages._url] }
  await sql.query(
    `update idempotency_key set response = null where about = $1 and response is not null
       and (strpos(response::text, $3) > 0
         or jsonb_path_exists(response, '$.**.preview ? (@ == $previews[*])', $2::jsonb)
         or jsonb_path_exists(response, '$.**._title ? (@ == $titles[*])', $2::jsonb)
         or jsonb_path_exists(response, '$.**._url ? (@ == $urls[*])', $2::jsonb))`,
    [of, JSON.stringify(removed), deleted],
  )
}

/**
 * Bodies with the words go, and so does the context that they would be made of again. A body that is being made of what an
 * event said before is not stored: it began with an older number of redactions.
 */
async function redactWebhooks(
  sql: Database,
  { deleted, of }: DeletedMessage,
  words: readonly string[],
  { previews, pages }: MessageWords,
): Promise<void> {
  const places: [path: string, values: ReadonlySet<string>][] = [
    ['{conversation,preview}', previews],
    ['{conversation,meta,_title}', pages._title],
    ['{conversation,meta,_url}', pages._url],
  ]
  for (const [path, values] of places) {
    if (values.size === 0) continue
    await sql.query(
      `update webhook_event set context = context #- $3::text[], redactions = redactions + 1 where partition = $1 and context #>> $3::text[] = any($2::text[])`,
      [`conversation:${of}`, [...values], path],
    )
  }
  await redactDeliveries(
    sql,
    {
      text: `select id from webhook_event w where partition = $1 and (${holdsSql('body')} or (body is null and context is not null) or exists (
        select 1 from event e where e.stream = w.stream and e.number = w.number and e.data #>> '{message,id}' = $3))`,
      values: [`conversation:${of}`, words, deleted],
    },
    'body = null',
  )
}
