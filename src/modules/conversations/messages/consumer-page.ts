import { pathOf } from '../../../platform/db/tenancy.js'
import { reading } from '../../../platform/db/sql.js'
import { conversationStream } from '../../../platform/events/event.js'
import { isWebAddress } from '../../../platform/input.js'
import type { JsonObject } from '../../../platform/json.js'
import { camelRow } from '../../../platform/lists/rows.js'
import { messageData } from '../../messages/message-columns.js'
import { isConsumerVisible, type MessageRow } from '../../messages/message-row.js'
import type { ConversationChange } from '../state/conversation-change.js'
import type { WritingChange } from '../state/writing-change.js'
import { deletionKey, MESSAGE_DELETED } from '../state/deletion-jobs.js'
import { deleteMessages } from './deleted-messages.js'
import { emptyMessage } from './unplaced-message.js'

/** The page that a consumer was on, as stored in the conversation's metadata. */
export type Page = Readonly<Partial<Record<'_title' | '_url', string>>>

/** Limits on the stored page: events and metadata with it are sent to every agent's screen. */
const TITLE_CHARS_MAX = 300
const URL_CHARS_MAX = 2_000

/** Returns the page from which a consumer message was sent, according to its metadata. */
export function pageOf(meta: JsonObject | null): Page {
  return {
    ...(typeof meta?.title === 'string' && { _title: shortened(meta.title) }),
    ...(isPage(meta?.url) && { _url: meta.url }),
  }
}

/** Copies `title` and `url` of a consumer message to the conversation; a system message records a change (2.12). */
export function copyPage(change: ConversationChange, { meta }: MessageRow): void {
  const { conversation } = change
  const changes = valuesOf(pageOf(meta)).filter(([key, value]) => conversation.meta[key] !== value)
  if (changes.length === 0) return
  const page = Object.fromEntries(changes)
  conversation.meta = { ...conversation.meta, ...page }
  const { _title: title, _url: url } = conversation.meta
  change.addMessage({
    ...emptyMessage(change.clock.newId()),
    role: 'system',
    isBackchannel: true,
    text: [title, url].filter(Boolean).join(' '),
    meta: page,
  })
}

/**
 * Reverts {@link copyPage} for a message that is deleted or whose page changed: deletes the system messages, and shows
 * the page of the newest remaining message. Values that another message has as well stay.
 * @param left the message after the change; null if it is deleted
 */
export async function forgetPage(change: WritingChange, before: MessageRow, left: MessageRow | null): Promise<void> {
  if (before.role !== 'contact') return
  const { conversation, sql } = change
  const rows = await sql.query<{ meta: JsonObject | null }>(
    reading(`select meta from message where conversation_id = $1 and id <> $2 and role = 'contact' and not is_backchannel
       and meta ?| array['title', 'url'] order by position desc`),
    [conversation.id, before.id],
  )
  const others = rows.map(({ meta }) => pageOf(meta))
  const pages = left ? [pageOf(left.meta), ...others] : others
  const gone = valuesOf(pageOf(before.meta)).filter(([key, value]) => !pages.some((page) => page[key] === value))
  if (gone.length === 0) return
  const meta = { ...conversation.meta }
  for (const [key, value] of gone) {
    if (meta[key] !== value) continue
    const earlier = others.find((page) => page[key] !== undefined)?.[key]
    if (earlier === undefined) delete meta[key]
    else meta[key] = earlier
  }
  conversation.meta = meta
  const recorded = await sql.query<Record<string, unknown>>(
    reading(`select m.* from message m, jsonb_each_text($2::jsonb) gone where m.conversation_id = $1 and m.role = 'system'
       and m.is_backchannel and (m.meta ->> gone.key = gone.value or strpos(m.text, gone.value) > 0 and m.meta ?| array['_title', '_url'])`),
    [conversation.id, JSON.stringify(Object.fromEntries(gone))],
  )
  const messages = new Map(recorded.map((row) => [row.id as string, camelRow<MessageRow>(row)]))
  for (const message of messages.values()) await removeMessage(change, message)
}

/** Deletes a message; a job erases its text. */
export async function removeMessage(change: WritingChange, message: MessageRow): Promise<void> {
  const { conversation } = change
  change.emit(conversationStream(conversation.id), 'message.deleted', {
    id: message.id,
    isConsumerVisible: isConsumerVisible(message),
    // For subscribers whose access is checked after the message is gone.
    message: messageData(message),
  })
  await deleteMessages(change, [message.id])
  const deleted = { deleted: message.id, of: conversation.id, path: pathOf(conversation) }
  change.addJob(MESSAGE_DELETED.create(deleted, deletionKey(conversation.id)))
}

export function valuesOf(page: Page): [keyof Page, string][] {
  return Object.entries(page) as [keyof Page, string][]
}

/** Tells whether a message's `url` is an address to which consoles can link; it may have any type and length. */
function isPage(url: unknown): url is string {
  return typeof url === 'string' && url.length <= URL_CHARS_MAX && isWebAddress(url)
}

/** Truncates a title without splitting a surrogate pair. */
function shortened(title: string): string {
  return title.length <= TITLE_CHARS_MAX ? title : title.slice(0, TITLE_CHARS_MAX).replace(/[\ud800-\udbff]$/, '')
}
