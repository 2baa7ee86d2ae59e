import { isPlainObject } from '../../../platform/json.js'

export interface TelegramPerson {
  name: string | null
  /** The language of the person's app, such as `de` or `pt-br`. */
  language: string | null
}

/** Content of a person's message. */
export type TelegramContent =
  | { kind: 'text'; text: string }
  | { kind: 'media'; type: string; file: string; fileName: string | null; bytes: number; caption: string | null }
  | { kind: 'location'; name: string | null; latitude: number; longitude: number }
  /** Anything that has no form of its own, in words. */
  | { kind: 'words'; text: string }
  /** No message: named, and nothing else. */
  | { kind: 'ignored'; why: string }

/** An update of the bot; all but `other` are of one chat. */
export type TelegramEvent =
  | { kind: 'message'; chat: string; id: string; at: number; from: TelegramPerson; content: TelegramContent }
  | { kind: 'edited'; chat: string; id: string; update: string; text: string }
  | { kind: 'click'; chat: string; id: string; from: TelegramPerson; reference: string; title: string }
  | { kind: 'blocking'; chat: string; at: number; isBlocked: boolean }
  | { kind: 'group'; chat: string; language: string | null }
  | { kind: 'other'; field: string }

/** Kinds of updates that the platform is asked for. */
export const ALLOWED_UPDATES = ['message', 'edited_message', 'callback_query', 'my_chat_member']

const ID_CHARS_MAX = 400
const TEXT_CHARS_MAX = 20_000
const MEDIA = ['animation', 'audio', 'document', 'sticker', 'video', 'video_note', 'voice'] as const
/** Members of a chat whose messages the bot gets. */
const MEMBERS: ReadonlySet<string> = new Set(['member', 'administrator', 'restricted'])
/** Notes of the platform within a chat. */
const NOTES = ['pinned_message', 'message_auto_delete_timer_changed', 'chat_background_set', 'write_access_allowed']

/** Reads an update; what is not known is named, never dropped. */
export function telegramEvent(update: unknown): TelegramEvent {
  if (!isPlainObject(update)) return { kind: 'other', field: 'no update' }
  const number = idOf(update.update_id)
  if (number === null) return { kind: 'other', field: 'an update without a number' }
  const { message, edited_message: edited, callback_query: click, my_chat_member: membership } = update
  if (isPlainObject(message)) return messageEvent(message)
  if (isPlainObject(edited)) return editedEvent(number, edited)
  if (isPlainObject(click)) return clickEvent(click)
  if (isPlainObject(membership)) return membershipEvent(membership)
  const field = Object.keys(update).find((key) => key !== 'update_id') ?? '?'
  return { kind: 'other', field: field.slice(0, 100) }
}

function messageEvent(message: Record<string, unknown>): TelegramEvent {
  const chat = chatOf(message.chat)
  const id = idOf(message.message_id)
  if (chat === null || id === null) return { kind: 'other', field: 'a message without a chat' }
  const from = personOf(message.from)
  if (!chat.isPrivate) return { kind: 'group', chat: chat.id, language: from.language }
  return { kind: 'message', chat: chat.id, id, at: secondsOf(message.date), from, content: contentOf(message) }
}

function editedEvent(update: string, message: Record<string, unknown>): TelegramEvent {
  const chat = chatOf(message.chat)
  const id = idOf(message.message_id)
  const text = textOf(message.text) ?? textOf(message.caption)
  if (!chat?.isPrivate || id === null || text === null) return { kind: 'other', field: 'an edit without a text' }
  return { kind: 'edited', chat: chat.id, id, update, text }
}

function clickEvent(click: Record<string, unknown>): TelegramEvent {
  const message = isPlainObject(click.message) ? click.message : {}
  const chat = chatOf(message.chat)
  const [id, reference] = [idOf(click.id), textOf(click.data)]
  if (!chat?.isPrivate || id === null || reference === null) return { kind: 'other', field: 'a click without a chat' }
  const title = labelOf(message.reply_markup, reference) ?? reference
  return { kind: 'click', chat: chat.id, id, from: personOf(click.from), reference, title }
}

function membershipEvent(change: Record<string, unknown>): TelegramEvent {
  const chat = chatOf(change.chat)
  const status = isPlainObject(change.new_chat_member) ? textOf(change.new_chat_member.status) : null
  if (chat === null || status === null) return { kind: 'other', field: 'a membership without a chat' }
  if (chat.isPrivate)
    return { kind: 'blocking', chat: chat.id, at: secondsOf(change.date), isBlocked: !MEMBERS.has(status) }
  const { language } = personOf(change.from)
  return MEMBERS.has(status)
    ? { kind: 'group', chat: chat.id, language }
    : { kind: 'other', field: 'a group that is left already' }
}

function contentOf(message: Record<string, unknown>): TelegramContent {
  const text = textOf(message.text)
  if (text !== null) return { kind: 'text', text }
  const caption = textOf(message.caption)
  // The largest of the sizes comes last.
  const photo = Array.isArray(message.photo) ? message.photo.findLast(isPlainObject) : undefined
  if (photo) return mediaOf('photo', photo, caption)
  const type = MEDIA.find((each) => isPlainObject(message[each]))
  if (type) return mediaOf(type, message[type] as Record<string, unknown>, caption)
  const venue = isPlainObject(message.venue) ? message.venue : null
  const place = venue?.location ?? message.location
  if (isPlainObject(place)) return locationOf(place, venue)
  if (isPlainObject(message.contact)) return { kind: 'words', text: cardOf(message.contact) }
  const note = NOTES.find((key) => message[key] !== undefined)
  if (note) return { kind: 'ignored', why: `it is a note of the platform: ${note}` }
  // Unknown kinds: agents see that something came.
  const known = new Set(['message_id', 'from', 'chat', 'date'])
  const kind = Object.keys(message).find((key) => !known.has(key) && isPlainObject(message[key])) ?? 'message'
  return { kind: 'words', text: `[${textOf(kind)?.slice(0, 50)}]` }
}

function mediaOf(type: string, media: Record<string, unknown>, caption: string | null): TelegramContent {
  const file = idOf(media.file_id)
  if (file === null) return { kind: 'words', text: [caption, `[${type}]`].filter(Boolean).join('\n') }
  const bytes = typeof media.file_size === 'number' ? media.file_size : 0
  return { kind: 'media', type, file, fileName: textOf(media.file_name), bytes, caption }
}

function locationOf(
  { latitude, longitude }: Record<string, unknown>,
  venue: Record<string, unknown> | null,
): TelegramContent {
  if (!isDegrees(latitude, 90) || !isDegrees(longitude, 180)) return { kind: 'words', text: '[location]' }
  const name = venue && [textOf(venue.title), textOf(venue.address)].filter(Boolean).join(', ')
  return { kind: 'location', name: name || null, latitude, longitude }
}

function cardOf({ first_name, last_name, phone_number }: Record<string, unknown>): string {
  const name = [textOf(first_name), textOf(last_name)].filter(Boolean).join(' ')
  return [name, textOf(phone_number)].filter(Boolean).join(', ') || '[contact]'
}

/** Label of the button with these data. */
function labelOf(markup: unknown, data: string): string | null {
  const rows = isPlainObject(markup) && Array.isArray(markup.inline_keyboard) ? markup.inline_keyboard : []
  const button = rows.flat().find((each) => isPlainObject(each) && each.callback_data === data)
  return isPlainObject(button) ? textOf(button.text) : null
}

function chatOf(chat: unknown): { id: string; isPrivate: boolean } | null {
  const id = isPlainObject(chat) ? idOf(chat.id) : null
  return id === null ? null : { id, isPrivate: isPlainObject(chat) && chat.type === 'private' }
}

function personOf(from: unknown): TelegramPerson {
  if (!isPlainObject(from)) return { name: null, language: null }
  const name = [textOf(from.first_name), textOf(from.last_name)].filter(Boolean).join(' ')
  return { name: name || textOf(from.username), language: textOf(from.language_code) }
}

/** Ids are numbers, or texts of the platform's own. */
function idOf(value: unknown): string | null {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? String(value) : null
  return typeof value === 'string' && value.length <= ID_CHARS_MAX && /^[\w-]+$/.test(value) ? value : null
}

function textOf(value: unknown): string | null {
  if (typeof value !== 'string') return null
  return value.toWellFormed().replaceAll('\0', '').slice(0, TEXT_CHARS_MAX).toWellFormed() || null
}

/** Milliseconds of a time in seconds; 0 for none. */
function secondsOf(value: unknown): number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0 && value < 1e11 ? value * 1_000 : 0
}

function isDegrees(value: unknown, max: number): value is number {
  return typeof value === 'number' && Math.abs(value) <= max
}
