import type { DeletedMessage } from '../conversations/state/deletion-jobs.js'
import { pageOf, type Page } from '../conversations/messages/consumer-page.js'
import { previewOf } from '../conversations/state/preview.js'
import type { Sql } from '../../platform/db/database.js'
import { conversationStream } from '../../platform/events/event.js'
import type { JsonObject } from '../../platform/json.js'
import { slicesOf } from '../conversations/writer/slices.js'
import type { MessageRow } from '../messages/message-row.js'
import type { Erasure } from './erasure-job.js'
import { redactEvent, STATE_MEMBERS } from './redact-event.js'
import { LOGGED, readNamed, rewriteEvents, type LoggedEvent, type Redact } from './rewrite-events.js'

const PAGE = 500
/** Ids that are looked for with one statement. */
const IDS = 200

/**
 * Redacts the events with data of the contact in place: their numbers stay. In conversations of others, redacts copied
 * messages and the previews that queues and inboxes show.
 */
export async function redactEvents(sql: Sql, { contact, conversations, beside, attachments }: Erasure): Promise<void> {
  const whole: Redact = ({ type, data }) => redactEvent(type, data)
  const erased = new Set(conversations)
  await redactStreams(sql, conversations.map(conversationStream), whole)
  for (const id of beside) {
    const copied = new Set(await copiesIn(sql, id, conversations))
    const isTheirs: (event: LoggedEvent) => boolean = (event) => isCopy(event, erased) || isDelivered(event, copied)
    await redactStream(sql, `conversation:${id}`, (event) => (isTheirs(event) ? whole(event) : withoutPreview(event)))
  }
  await redactFound(sql, ENTRIES, conversations, whole)
  await redactFound(sql, ENTRIES, beside, (event) => withoutPreview(event))
  await redactRecords(sql, [...(contact === null ? [] : [contact]), ...attachments])
}

/** Redacts the events of contacts and attachments. */
export function redactRecords(sql: Sql, ids: readonly string[]): Promise<void> {
  return redactFound(sql, RECORDS, ids, ({ type, data }) => redactEvent(type, data))
}

/** Remains of a deleted message in the log. */
export interface MessageWords {
  /** Its texts and previews, of all its versions; none once they are redacted. */
  words: ReadonlySet<string>
  /** Those of them that are not the conversation's preview now: another message may say the same, and is shown. */
  previews: ReadonlySet<string>
  /** Pages that a consumer said it was on, and no other message says. */
  pages: Readonly<Record<keyof Page, ReadonlySet<string>>>
  /** Time at which it was deleted; null when that event has expired. */
  deletedAt: Date | null
}

export async function readMessageWords(sql: Sql, { deleted, of }: DeletedMessage): Promise<MessageWords> {
  const versions = await sql.query<{ message: MessageRow }>(
    `select data -> 'message' as message from event where stream = $1 and data #>> '{message,id}' = $2`,
    [conversationStream(of), deleted],
  )
  const [now] = await sql.query<{ preview: string | null; deletedAt: Date | null }>(
    `select (select preview from conversation where id = $2) as preview,
       (select at from event where stream = $1 and type = 'message.deleted' and data ->> 'id' = $3 limit 1) as "deletedAt"`,
    [conversationStream(of), of, deleted],
  )
  const pages = await readPages(sql, of, versions)
  const texts = versions.flatMap(({ message }) => [previewOf(message), message.text])
  const words = new Set([...texts.filter((text): text is string => !!text), ...pages._title, ...pages._url])
  const { preview, deletedAt } = now!
  return { words, previews: new Set([...words].filter((text) => text !== preview)), pages, deletedAt }
}

async function readPages(
  sql: Sql,
  conversation: string,
  versions: readonly { message: MessageRow }[],
): Promise<MessageWords['pages']> {
  const consumerPages = versions
    .filter(({ message }) => message.role === 'contact')
    .map(({ message }) => pageOf(message.meta))
  const left = await sql.query<{ meta: JsonObject | null }>(
    `select meta from message where conversation_id = $1 and role = 'contact' and meta ?| array['title', 'url']`,
    [conversation],
  )
  const kept = left.map(({ meta }) => pageOf(meta))
  const goneOf = (key: keyof Page): Set<string> => {
    const values = consumerPages.map((page) => page[key]).filter((value) => value !== undefined)
    return new Set(values.filter((value) => !kept.some((page) => page[key] === value)))
  }
  return { _title: goneOf('_title'), _url: goneOf('_url') }
}

/**
 * Redacts the previews and pages of a deleted message in other events of its conversation, queues and inboxes. Later ones
 * show what others said, in the same words perhaps.
 */
export async function redactAroundMessage(
  sql: Sql,
  { deleted, of }: DeletedMessage,
  { previews, pages, deletedAt }: MessageWords,
): Promise<void> {
  const redactPreview: Redact = (event) =>
    deletedAt !== null && event.at > deletedAt ? event.data : withoutPreview(event, previews)
  await redactFound(sql, ENTRIES, [of], redactPreview)
  await redactStream(sql, conversationStream(of), (event) =>
    isOf(deleted, event) ? event.data : withoutPages(redactPreview(event), pages),
  )
}

/** Redacts the events of a deleted message itself. */
export async function redactMessageEvents(sql: Sql, { deleted, of }: DeletedMessage): Promise<void> {
  await redactStream(sql, conversationStream(of), (event) =>
    isOf(deleted, event) ? redactEvent(event.type, event.data) : event.data,
  )
}

const isOf = (deleted: string, { data }: LoggedEvent): boolean =>
  (data.message as JsonObject | undefined)?.id === deleted

/** The metadata of the conversation without pages that nobody says any more. */
function withoutPages(data: JsonObject, pages: MessageWords['pages']): JsonObject {
  const redacted = { ...data }
  for (const key of STATE_MEMBERS) {
    const state = data[key] as JsonObject | undefined
    const meta = state?.meta as JsonObject | null | undefined
    if (!meta) continue
    const kept = Object.entries(meta).filter(
      ([name, value]) => !((name === '_title' || name === '_url') && pages[name].has(String(value))),
    )
    redacted[key] = { ...state, meta: Object.fromEntries(kept) }
  }
  return redacted
}

/** SQL: the events of each of the names `$1`, by an index: of many names at once the planner would read the whole log. */
const eventsSql = (ofName: string): string => `select e.stream, e.number from unnest($1::text[]) as x (name)
  cross join lateral (select stream, number from event where ${ofName} offset 0) e`

const STREAMS = eventsSql('stream = x.name')
const ENTRIES = eventsSql(`data #>> '{entry,conversation}' = x.name and data ? 'entry'`)
const RECORDS = eventsSql(`data ->> 'id' = x.name and (type like 'contact.%' or type like 'attachment.%')`)

/** @param previews those that are removed; absent: any */
function withoutPreview({ data }: LoggedEvent, previews?: ReadonlySet<string>): JsonObject {
  const redacted = { ...data }
  for (const key of STATE_MEMBERS) {
    const shown = data[key]
    if (typeof shown === 'object' && shown !== null && !Array.isArray(shown) && 'preview' in shown) {
      if (previews && !previews.has(String(shown.preview))) continue
      redacted[key] = { ...shown, preview: '' }
    }
  }
  return redacted
}

/** Tells whether the event is of a copied message, or of a card that names an erased conversation. */
function isCopy({ data }: LoggedEvent, erased: ReadonlySet<string>): boolean {
  const message = data.message as JsonObject | undefined
  const meta = message?.meta as JsonObject | null | undefined
  const named = [message?.originId, meta?._origin, ...(Array.isArray(meta?._origins) ? meta._origins : [])]
  return named.some((id) => erased.has(String(id)))
}

/** Returns the ids of the messages in a conversation that were copied from erased ones: they are gone, and events name them. */
export async function copiesIn(sql: Sql, conversation: string, erased: readonly string[]): Promise<string[]> {
  const rows = await sql.query<{ id: string }>(
    `select distinct data #>> '{message,id}' as id from event
     where stream = $1 and data #>> '{message,originId}' = any($2::text[])`,
    [conversationStream(conversation), erased],
  )
  return rows.map(({ id }) => id)
}

/** Tells whether the event is of a delivery of one of these messages, with the address to which it went. */
function isDelivered({ type, data }: LoggedEvent, messages: ReadonlySet<string>): boolean {
  const deliveries = type === 'message.delivery' ? (data.deliveries as JsonObject[]) : []
  return deliveries.some(({ messageId }) => messages.has(String(messageId)))
}

/** Redacts many short streams with a few statements, and each long one by pages. */
async function redactStreams(sql: Sql, streams: readonly string[], redact: Redact): Promise<void> {
  for (const some of slicesOf(streams, IDS)) {
    const lengths = await sql.query<{ stream: string; isLong: boolean }>(LENGTHS, [some])
    const { long = [], brief = [] } = Object.groupBy(lengths, ({ isLong }) => (isLong ? 'long' : 'brief'))
    const names = brief.map(({ stream }) => stream)
    await redactFound(sql, STREAMS, names, redact)
    for (const { stream } of long) await redactStream(sql, stream, redact)
  }
}

const LENGTHS = `select x.name as stream, n.count = ${PAGE} as "isLong" from unnest($1::text[]) as x (name)
  cross join lateral (select count(*) as count from (select from event where stream = x.name limit ${PAGE}) e) n where n.count > 0`

async function redactStream(sql: Sql, stream: string, redact: Redact): Promise<void> {
  for (let after = 0; ;) {
    const events: LoggedEvent[] = await sql.query<LoggedEvent>(
      `select ${LOGGED} from event e where e.stream = $1 and e.number > $2 order by e.number limit $3`,
      [stream, after, PAGE],
    )
    await rewriteEvents(sql, events, redact)
    if (events.length < PAGE) return
    after = events.at(-1)!.number
  }
}

/** @param text SQL by {@link eventsSql} */
async function redactFound(sql: Sql, text: string, names: readonly string[], redact: Redact): Promise<void> {
  for (const some of slicesOf(names, IDS)) {
    const found = await sql.query<Pick<LoggedEvent, 'stream' | 'number'>>(text, [some])
    for (let from = 0; from < found.length; from += PAGE) {
      const page = found.slice(from, from + PAGE)
      const events = await readNamed(sql, page)
      await rewriteEvents(sql, events, redact)
    }
  }
}
