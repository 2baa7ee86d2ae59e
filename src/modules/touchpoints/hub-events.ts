import { isWebUrl } from '../../platform/input.js'
import { isPlainObject, unstorable } from '../../platform/json.js'

/** A message, click or what else Meta's messengers tell of an account's conversation with one person. */
export type HubEvent = HubAbout &
  (
    | { kind: 'message'; mid: string; text: string | null; payload: string | null; attachments: HubAttachment[] }
    | { kind: 'postback'; mid: string; title: string; payload: string }
    /** A message of the account itself, `sender` being whom it went to: sent by this server, or written elsewhere. */
    | { kind: 'echo'; mid: string; text: string | null; payload: null; attachments: HubAttachment[] }
    /** The person took a message back. */
    | { kind: 'unsent'; mid: string }
    /** The person changed a message, for the `edits`th time. */
    | { kind: 'edited'; mid: string; edits: number; text: string }
    /** `id` is made of what it says: the platform gives it none. */
    | { kind: 'reaction'; id: string; target: string; emoji: string | null }
    | { kind: 'delivered'; mids: string[]; watermark: number }
    | { kind: 'read'; watermark: number }
    /** Read, with everything before it. */
    | { kind: 'seen'; mid: string }
  )

export interface HubAbout {
  /** The platform's id of the organization's page or account. */
  account: string
  /** The person's id, scoped to the account. */
  sender: string
  /** Time of the event, in milliseconds. */
  at: number
}

/** An event that has no use here, by the platform's name of it. */
export interface HubOther {
  kind: 'other'
  field: string
}

export interface HubAttachment {
  /** `image`, `file`, `audio`, `video`, `location`, `fallback`; the platform may add others. */
  type: string
  url: string | null
  title: string | null
  place: { latitude: number; longitude: number } | null
}

const EVENTS_MAX = 5_000
const ATTACHMENTS_MAX = 30
const ID_CHARS_MAX = 300
const TEXT_CHARS_MAX = 20_000
const NAME_CHARS_MAX = 60
/** Members of an event that say of whom it is. */
const ABOUT: ReadonlySet<string> = new Set(['sender', 'recipient', 'timestamp'])
/** Words before what a person has written about, or from. */
const STORIES: Readonly<Record<string, string>> = {
  story_mention: '[mention in a story]',
  ig_story: '[story]',
}

/**
 * Reads the events of a webhook's body, in order; what is not known is named, never dropped: the platform extends the
 * format without notice. Bounded by {@link EVENTS_MAX}.
 * @param object the platform's name of what the events are of
 */
export function hubEvents(body: unknown, object: string): (HubEvent | HubOther)[] {
  if (!isPlainObject(body) || body.object !== object) return []
  return listOf(body.entry).flatMap(eventsOf).slice(0, EVENTS_MAX)
}

function eventsOf(entry: Record<string, unknown>): (HubEvent | HubOther)[] {
  const account = idOf(entry.id)
  if (account === null) return [other('an entry without an account')]
  return [
    ...listOf(entry.messaging).map((each) => eventOf(account, each)),
    ...listOf(entry.standby).map(() => other('standby')),
    // Of the account's public side, such as comments.
    ...listOf(entry.changes).map(({ field }) => other(textOf(field) ?? '?')),
  ]
}

function eventOf(account: string, event: Record<string, unknown>): HubEvent | HubOther {
  const [sender, recipient] = [event.sender, event.recipient].map((each) =>
    isPlainObject(each) ? idOf(each.id) : null,
  )
  if (sender === null || sender === undefined) return other('an event without a sender')
  const { message, message_edit: edit, postback, delivery, read, reaction } = event
  const at = timeOf(event.timestamp) ?? 0
  if (sender === account) {
    if (!isPlainObject(message)) return other('an event of the account itself')
    // One to the account itself comes once as said and once as heard.
    if (recipient === null || recipient === undefined || recipient === account)
      return other('a message of the account to nobody else')
    return echoOf({ account, sender: recipient, at }, message)
  }
  const about = { account, sender, at }
  if (isPlainObject(message)) return messageOf(about, message)
  if (isPlainObject(edit)) return editOf(about, edit)
  if (isPlainObject(postback)) return postbackOf(about, postback)
  if (isPlainObject(reaction)) return reactionOf(about, reaction)
  if (isPlainObject(delivery)) {
    const mids = Array.isArray(delivery.mids) ? delivery.mids.flatMap((mid) => idOf(mid) ?? []) : []
    return { ...about, kind: 'delivered', mids, watermark: timeOf(delivery.watermark) ?? 0 }
  }
  const watermark = isPlainObject(read) ? timeOf(read.watermark) : null
  if (watermark !== null) return { ...about, kind: 'read', watermark }
  const mid = isPlainObject(read) ? idOf(read.mid) : null
  if (mid !== null) return { ...about, kind: 'seen', mid }
  return other(Object.keys(event).find((key) => !ABOUT.has(key)) ?? '?')
}

function messageOf(about: HubAbout, message: Record<string, unknown>): HubEvent | HubOther {
  const mid = idOf(message.mid)
  if (mid === null) return other('a message without an id')
  if (message.is_echo === true) return other('an echo by somebody else')
  // As text in the platform's own examples.
  if (message.is_deleted === true || message.is_deleted === 'true') return { ...about, kind: 'unsent', mid }
  const payload = isPlainObject(message.quick_reply) ? textOf(message.quick_reply.payload) : null
  const { text, attachments } = contentOf(message)
  if (text === null && payload === null && attachments.length === 0) return other('a message without content')
  return { ...about, kind: 'message', mid, text, payload, attachments }
}

function echoOf(about: HubAbout, message: Record<string, unknown>): HubEvent | HubOther {
  const mid = idOf(message.mid)
  if (mid === null) return other('an echo without an id')
  if (message.is_deleted === true || message.is_deleted === 'true') return other('an unsend by the account')
  const content = contentOf(message)
  if (content.text === null && content.attachments.length === 0) return other('an echo without content')
  return { ...about, kind: 'echo', mid, payload: null, ...content }
}

/** Content that has no form here is an attachment of its name, which becomes text. */
function contentOf(message: Record<string, unknown>): { text: string | null; attachments: HubAttachment[] } {
  const { reply_to: reply, is_unsupported: isUnsupported } = message
  const story = isPlainObject(reply) && isPlainObject(reply.story) ? reply.story : null
  const attachments = listOf(message.attachments).slice(0, ATTACHMENTS_MAX).map(attachmentOf)
  return {
    text: textOf(message.text),
    attachments: [
      ...attachments,
      ...(story ? [named('story', '[answer to a story]', urlOf(story.url))] : []),
      ...(isUnsupported === true && attachments.length === 0 ? [named('unsupported', null, null)] : []),
    ],
  }
}

function postbackOf(about: HubAbout, { mid, title, payload }: Record<string, unknown>): HubEvent | HubOther {
  const intent = textOf(payload) ?? textOf(title)
  if (intent === null) return other('a click without a payload')
  // Older API versions give clicks no id; a person clicks at most once per millisecond.
  const id = idOf(mid) ?? `postback:${about.sender}:${about.at}`
  return { ...about, kind: 'postback', mid: id, title: textOf(title) ?? intent, payload: intent }
}

function editOf(about: HubAbout, { mid: id, text, num_edit: edits }: Record<string, unknown>): HubEvent | HubOther {
  const [mid, said] = [idOf(id), textOf(text)]
  if (mid === null || said === null) return other('an edit without a text')
  return { ...about, kind: 'edited', mid, edits: Number.isSafeInteger(edits) ? (edits as number) : 1, text: said }
}

function reactionOf(about: HubAbout, { mid, action, emoji }: Record<string, unknown>): HubEvent | HubOther {
  const target = idOf(mid)
  const shown = action === 'react' ? textOf(emoji) : null
  if (target === null || (shown === null && action !== 'unreact')) return other('a reaction without an emoji')
  const id = `reaction:${about.at}:${target}`.slice(0, ID_CHARS_MAX)
  return { ...about, kind: 'reaction', id, target, emoji: shown }
}

function attachmentOf({ type: given, title, url, payload }: Record<string, unknown>): HubAttachment {
  const content = isPlainObject(payload) ? payload : {}
  const { lat, long } = isPlainObject(content.coordinates) ? content.coordinates : {}
  const type = textOf(given) ?? 'unknown'
  return {
    type,
    url: urlOf(content.url) ?? urlOf(url),
    title: (Object.hasOwn(STORIES, type) ? STORIES[type]! : null) ?? textOf(title) ?? textOf(content.title),
    place: isDegrees(lat, 90) && isDegrees(long, 180) ? { latitude: lat, longitude: long } : null,
  }
}

const named = (type: string, title: string | null, url: string | null): HubAttachment => ({
  type,
  url,
  title,
  place: null,
})

const other = (field: string): HubOther => ({ kind: 'other', field: field.slice(0, NAME_CHARS_MAX).toWellFormed() })

function listOf(value: unknown): Record<string, unknown>[] {
  return Array.isArray(value) ? value.filter(isPlainObject) : []
}

function idOf(value: unknown): string | null {
  // Older API versions give page ids as numbers.
  const id = typeof value === 'number' && Number.isSafeInteger(value) ? String(value) : value
  if (typeof id !== 'string' || id === '' || id.length > ID_CHARS_MAX) return null
  return unstorable(id) || /\p{Cc}/u.test(id) ? null : id
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
