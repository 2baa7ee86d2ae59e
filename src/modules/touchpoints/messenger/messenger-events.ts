import { isWebUrl } from '../../../platform/input.js'
import { isPlainObject, unstorable } from '../../../platform/json.js'

/** An event of a page's conversation with one person. */
export type MessengerEvent = { page: string; sender: string; at: number } & (
  | { kind: 'message'; mid: string; text: string | null; payload: string | null; attachments: MessengerAttachment[] }
  | { kind: 'postback'; mid: string; title: string; payload: string }
  | { kind: 'delivered'; mids: string[]; watermark: number }
  | { kind: 'read'; watermark: number }
)

export interface MessengerAttachment {
  /** `image`, `file`, `audio`, `video`, `location`, `fallback`; the platform may add others. */
  type: string
  url: string | null
  title: string | null
  place: { latitude: number; longitude: number } | null
}

const EVENTS_MAX = 1_000
const ATTACHMENTS_MAX = 30
const ID_CHARS_MAX = 300
const TEXT_CHARS_MAX = 20_000

/**
 * Extracts the relevant events of a webhook's body. Skips the page's own messages (echoes), unsupported kinds, and
 * malformed entries: the platform extends the format without notice.
 */
export function messengerEvents(body: unknown): MessengerEvent[] {
  if (!isPlainObject(body) || body.object !== 'page') return []
  return listOf(body.entry)
    .flatMap((entry) => {
      const page = idOf(entry.id)
      return page === null ? [] : listOf(entry.messaging).flatMap((each) => eventOf(page, each) ?? [])
    })
    .slice(0, EVENTS_MAX)
}

function eventOf(page: string, event: Record<string, unknown>): MessengerEvent | null {
  const sender = isPlainObject(event.sender) ? idOf(event.sender.id) : null
  // Messages of the page are echoes, including those sent by this product.
  if (sender === null || sender === page) return null
  const about = { page, sender, at: timeOf(event.timestamp) ?? 0 }
  const { message, postback, delivery, read } = event
  if (isPlainObject(message)) return messageOf(about, message)
  if (isPlainObject(postback)) return postbackOf(about, postback)
  if (isPlainObject(delivery)) {
    const mids = Array.isArray(delivery.mids) ? delivery.mids.flatMap((mid) => idOf(mid) ?? []) : []
    return { ...about, kind: 'delivered', mids, watermark: timeOf(delivery.watermark) ?? 0 }
  }
  const watermark = isPlainObject(read) ? timeOf(read.watermark) : null
  return watermark === null ? null : { ...about, kind: 'read', watermark }
}

type About = Pick<MessengerEvent, 'page' | 'sender' | 'at'>

function messageOf(about: About, message: Record<string, unknown>): MessengerEvent | null {
  const mid = idOf(message.mid)
  if (mid === null || message.is_echo === true || message.is_deleted === true) return null
  const text = textOf(message.text)
  const payload = isPlainObject(message.quick_reply) ? textOf(message.quick_reply.payload) : null
  const attachments = listOf(message.attachments).slice(0, ATTACHMENTS_MAX).map(attachmentOf)
  if (text === null && payload === null && attachments.length === 0) return null
  return { ...about, kind: 'message', mid, text, payload, attachments }
}

function postbackOf(about: About, { mid, title, payload }: Record<string, unknown>): MessengerEvent | null {
  const intent = textOf(payload) ?? textOf(title)
  if (intent === null) return null
  // Older API versions give clicks no id; a person clicks at most once per millisecond.
  const id = idOf(mid) ?? `postback:${about.sender}:${about.at}`
  return { ...about, kind: 'postback', mid: id, title: textOf(title) ?? intent, payload: intent }
}

function attachmentOf({ type, title, url, payload }: Record<string, unknown>): MessengerAttachment {
  const content = isPlainObject(payload) ? payload : {}
  const { lat, long } = isPlainObject(content.coordinates) ? content.coordinates : {}
  return {
    type: textOf(type) ?? 'unknown',
    url: urlOf(content.url) ?? urlOf(url),
    title: textOf(title) ?? textOf(content.title),
    place: isDegrees(lat, 90) && isDegrees(long, 180) ? { latitude: lat, longitude: long } : null,
  }
}

function listOf(value: unknown): Record<string, unknown>[] {
  return Array.isArray(value) ? value.filter(isPlainObject) : []
}

function idOf(value: unknown): string | null {
  // Older API versions give page ids as numbers.
  const id = typeof value === 'number' && Number.isSafeInteger(value) ? String(value) : value
  if (typeof id !== 'string' || id === '' || id.length > ID_CHARS_MAX) return null
  return unstorable(id) ? null : id
}

/** Removes characters that the database refuses in texts. */
function textOf(value: unknown): string | null {
  if (typeof value !== 'string') return null
  return value.toWellFormed().replaceAll('\0', '').slice(0, TEXT_CHARS_MAX).toWellFormed() || null
}

function urlOf(value: unknown): string | null {
  const url = textOf(value)
  return url !== null && isWebUrl(url) ? url : null
}

function timeOf(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 && value < 8.64e15 ? Math.floor(value) : null
}

function isDegrees(value: unknown, max: number): value is number {
  return typeof value === 'number' && Math.abs(value) <= max
}
