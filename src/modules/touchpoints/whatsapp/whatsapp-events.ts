import { isPlainObject, unstorable } from '../../../platform/json.js'

/** A person at the platform: the id that is scoped to the business, and the telephone number where it is shown. */
export interface WhatsappPerson {
  /** Such as `NL.13491208655302741918`. */
  userId: string | null
  /** Digits of the telephone number, without `+`. */
  phone: string | null
  name: string | null
}

export interface WhatsappMedia {
  id: string
  mimeType: string | null
  /** In hexadecimal or base64, as the platform gives it. */
  sha256: string | null
  fileName: string | null
  caption: string | null
}

/** Content of a person's message. */
export type WhatsappContent =
  | { kind: 'text'; text: string }
  | { kind: 'media'; type: string; media: WhatsappMedia }
  | { kind: 'location'; name: string | null; latitude: number; longitude: number }
  | { kind: 'click'; reference: string; title: string }
  /** Anything that has no form of its own, in words. */
  | { kind: 'words'; text: string }
  /** No message: named, and nothing else. */
  | { kind: 'ignored'; why: string }

/** An event of a number, or of the account to which it belongs. */
export type WhatsappEvent =
  | { kind: 'message'; number: string; id: string; at: number; from: WhatsappPerson; content: WhatsappContent }
  /** A message of the organization, written with the app of a number that is used in both ways (coexistence). */
  | { kind: 'echo'; number: string; id: string; at: number; to: WhatsappPerson; content: WhatsappContent }
  /** @property target id of the message on which it is. @property emoji null where it is taken back */
  | {
      kind: 'reaction'
      number: string
      id: string
      at: number
      from: WhatsappPerson
      target: string
      emoji: string | null
    }
  | { kind: 'moved'; number: string; id: string; from: WhatsappPerson; to: WhatsappPerson }
  | { kind: 'status'; number: string; status: WhatsappStatus }
  | { kind: 'template'; account: string; name: string; language: string; status: string; reason: string | null }
  | { kind: 'other'; field: string }

export interface WhatsappStatus {
  id: string
  status: 'sent' | 'delivered' | 'read' | 'failed'
  /** The text that was sent with the message: `<delivery>:<part>/<parts>`. */
  callback: string | null
  code: number | null
  reason: string | null
}

const EVENTS_MAX = 5_000
const ID_CHARS_MAX = 400
const TEXT_CHARS_MAX = 20_000
const MEDIA: ReadonlySet<string> = new Set(['image', 'audio', 'video', 'document', 'sticker'])
/** Kinds of what is done in the app to an earlier message, which stays here as it was sent. */
const AMENDS: ReadonlySet<string> = new Set(['edit', 'revoke', 'reaction'])
const STATUSES: ReadonlySet<string> = new Set(['sent', 'delivered', 'read', 'failed'])

/** Reads the events of a body, in order; what is not known is named, never dropped. Bounded by {@link EVENTS_MAX}. */
export function whatsappEvents(body: unknown): WhatsappEvent[] {
  if (!isPlainObject(body) || body.object !== 'whatsapp_business_account') return []
  const events: WhatsappEvent[] = []
  for (const entry of listOf(body.entry)) {
    for (const { field, value } of listOf(entry.changes)) {
      const given = isPlainObject(value) ? value : {}
      const isOfNumber = field === 'messages' || field === 'smb_message_echoes'
      const found = isOfNumber ? eventsOfNumber(given) : eventOfAccount(idOf(entry.id) ?? '', field, given)
      for (const event of found) {
        if (events.length >= EVENTS_MAX) return events
        events.push(event)
      }
    }
  }
  return events
}

function eventsOfNumber(value: Record<string, unknown>): WhatsappEvent[] {
  const number = isPlainObject(value.metadata) ? idOf(value.metadata.phone_number_id) : null
  if (number === null) return [{ kind: 'other', field: 'messages without a number' }]
  const contacts = listOf(value.contacts).map(personOf)
  const messages = listOf(value.messages).map((message) => messageEvent(number, message, contacts))
  const echoes = listOf(value.message_echoes).map((message) => echoEvent(number, message, contacts))
  const statuses = listOf(value.statuses).map((status) => statusEvent(number, status))
  const events = [...messages, ...echoes, ...statuses]
  return events.length > 0 ? events : [{ kind: 'other', field: 'messages with nothing known' }]
}

function messageEvent(number: string, message: Record<string, unknown>, contacts: WhatsappPerson[]): WhatsappEvent {
  const id = idOf(message.id)
  const system = message.type === 'system' && isPlainObject(message.system) ? message.system : null
  // A changed id is told without a sender, whom the id before names.
  const userId = userIdOf(message.from_user_id) ?? userIdOf(system?.previous_user_id)
  const from = personIn(contacts, phoneOf(message.from), userId)
  if (id === null || from === null) return { kind: 'other', field: 'a message without a sender' }
  const to = system && { userId: userIdOf(system.user_id), phone: phoneOf(system.wa_id), name: null }
  if (to && (to.userId ?? to.phone) !== null) return { kind: 'moved', number, id, from, to }
  const at = secondsOf(message.timestamp)
  const reaction = message.type === 'reaction' && isPlainObject(message.reaction) ? message.reaction : null
  const target = reaction && idOf(reaction.message_id)
  if (reaction && target !== null)
    return { kind: 'reaction', number, id, at, from, target, emoji: textOf(reaction.emoji) }
  return { kind: 'message', number, id, at, from, content: contentOf(message) }
}

function echoEvent(number: string, message: Record<string, unknown>, contacts: WhatsappPerson[]): WhatsappEvent {
  const id = idOf(message.id)
  const to = personIn(contacts, phoneOf(message.to), userIdOf(message.to_user_id))
  if (id === null || to === null) return { kind: 'other', field: 'an echo without a recipient' }
  const type = textOf(message.type) ?? 'unknown'
  const content: WhatsappContent = AMENDS.has(type)
    ? { kind: 'ignored', why: `it is of the app: ${type}` }
    : contentOf(message)
  return { kind: 'echo', number, id, at: secondsOf(message.timestamp), to, content }
}

/** Completes a person by what the event tells of its contacts; null where neither an id nor a number is known. */
function personIn(contacts: WhatsappPerson[], phone: string | null, userId: string | null): WhatsappPerson | null {
  if (phone === null && userId === null) return null
  const named = contacts.find(
    (each) => (userId !== null && each.userId === userId) || (phone !== null && each.phone === phone),
  )
  return {
    userId: userId ?? named?.userId ?? null,
    phone: phone ?? named?.phone ?? null,
    name: named?.name ?? null,
  }
}

function contentOf(message: Record<string, unknown>): WhatsappContent {
  const type = textOf(message.type) ?? 'unknown'
  const part = isPlainObject(message[type]) ? message[type] : {}
  if (type === 'text') {
    const text = textOf(part.body)
    return text === null ? { kind: 'ignored', why: 'the message is empty' } : { kind: 'text', text }
  }
  if (MEDIA.has(type)) return mediaOf(type, part)
  if (type === 'location') return locationOf(part)
  if (type === 'interactive') return clickOf(part)
  if (type === 'button') {
    const title = textOf(part.text) ?? '…'
    return { kind: 'click', reference: textOf(part.payload) ?? title, title }
  }
  if (type === 'contacts') return { kind: 'words', text: contactsInWords(message.contacts) }
  if (type === 'reaction') return { kind: 'ignored', why: 'it is a reaction' }
  // Unknown kinds, and those that the platform itself does not hand over: agents see that something came.
  return { kind: 'words', text: `[${type}]` }
}

function mediaOf(
  type: string,
  { id, mime_type: mimeType, sha256, filename, caption }: Record<string, unknown>,
): WhatsappContent {
  const media = idOf(id)
  if (media === null || !/^[\w-]+$/.test(media)) return { kind: 'words', text: `[${type}]` }
  return {
    kind: 'media',
    type,
    media: {
      id: media,
      mimeType: textOf(mimeType),
      sha256: textOf(sha256),
      fileName: textOf(filename),
      caption: textOf(caption),
    },
  }
}

function locationOf({ latitude, longitude, name, address }: Record<string, unknown>): WhatsappContent {
  if (!isDegrees(latitude, 90) || !isDegrees(longitude, 180)) return { kind: 'words', text: '[location]' }
  const words = [textOf(name), textOf(address)].filter(Boolean).join(', ')
  return { kind: 'location', name: words || null, latitude, longitude }
}

function clickOf(part: Record<string, unknown>): WhatsappContent {
  const reply = [part.button_reply, part.list_reply].find(isPlainObject)
  const reference = reply && textOf(reply.id)
  if (!reply || !reference) return { kind: 'words', text: `[${textOf(part.type) ?? 'interactive'}]` }
  return { kind: 'click', reference, title: textOf(reply.title) ?? reference }
}

function contactsInWords(cards: unknown): string {
  const lines = listOf(cards)
    .slice(0, 20)
    .map(({ name, phones, emails }) => {
      const given = isPlainObject(name) ? textOf(name.formatted_name) : null
      const numbers = listOf(phones).map(({ phone }) => textOf(phone))
      const mails = listOf(emails).map(({ email }) => textOf(email))
      return [given, ...numbers, ...mails].filter(Boolean).join(', ')
    })
  return lines.filter(Boolean).join('\n') || '[contacts]'
}

function statusEvent(number: string, given: Record<string, unknown>): WhatsappEvent {
  const [id, status] = [idOf(given.id), textOf(given.status)]
  if (id === null || status === null || !STATUSES.has(status))
    return { kind: 'other', field: `status ${status ?? '?'}` }
  const [error] = listOf(given.errors)
  const data = error && isPlainObject(error.error_data) ? textOf(error.error_data.details) : null
  return {
    kind: 'status',
    number,
    status: {
      id,
      status: status as WhatsappStatus['status'],
      callback: textOf(given.biz_opaque_callback_data),
      code: error && typeof error.code === 'number' ? error.code : null,
      reason: error ? [textOf(error.title), data].filter(Boolean).join(': ') || null : null,
    },
  }
}

function eventOfAccount(account: string, field: unknown, value: Record<string, unknown>): WhatsappEvent[] {
  const name = textOf(value.message_template_name)
  const language = textOf(value.message_template_language)
  const status = textOf(value.event)
  if (field === 'message_template_status_update' && name && language && status) {
    return [{ kind: 'template', account, name, language, status, reason: textOf(value.reason) }]
  }
  return [{ kind: 'other', field: (textOf(field) ?? '?').slice(0, 100) }]
}

function personOf({ wa_id: phone, user_id: userId, profile }: Record<string, unknown>): WhatsappPerson {
  return { userId: userIdOf(userId), phone: phoneOf(phone), name: isPlainObject(profile) ? textOf(profile.name) : null }
}

function phoneOf(value: unknown): string | null {
  return typeof value === 'string' && /^[1-9]\d{5,14}$/.test(value) ? value : null
}

function userIdOf(value: unknown): string | null {
  return typeof value === 'string' && /^[A-Z]{2}(?:\.[A-Za-z0-9]{1,128}){1,2}$/.test(value) ? value : null
}

function listOf(value: unknown): Record<string, unknown>[] {
  return Array.isArray(value) ? value.filter(isPlainObject) : []
}

function idOf(value: unknown): string | null {
  if (typeof value !== 'string' || value === '' || value.length > ID_CHARS_MAX || /\p{Cc}/u.test(value)) return null
  return unstorable(value) ? null : value
}

function textOf(value: unknown): string | null {
  if (typeof value !== 'string') return null
  return value.toWellFormed().replaceAll('\0', '').slice(0, TEXT_CHARS_MAX).toWellFormed() || null
}

/** Milliseconds of a time in seconds, which the platform writes as text; 0 for none. */
function secondsOf(value: unknown): number {
  const seconds = typeof value === 'string' && /^\d{1,11}$/.test(value) ? Number(value) : 0
  return seconds * 1_000
}

function isDegrees(value: unknown, max: number): value is number {
  return typeof value === 'number' && Math.abs(value) <= max
}
