import type { Action } from '../../messages/actions.js'
import type { Item } from '../../messages/items.js'
import type { AttachmentLink } from '../adapter.js'
import { clickReference } from '../click-reference.js'
import { bodyInWords, consumerUri, plainText, type Spoken } from '../plain-text.js'
import type { RouteFormats } from '../../services/service-kinds.js'
import { shorten, splitText } from '../split-text.js'

/** One call of the Bot API, without its chat. */
export interface TelegramPart {
  method: 'sendMessage' | 'sendPhoto' | 'sendVideo' | 'sendAudio' | 'sendAnimation' | 'sendDocument'
  body: Record<string, unknown>
  /** Name of the field in which the message's file is uploaded. */
  file?: string
  /** Takes its place if the platform refuses it. */
  instead?: TelegramPart
}

const TEXT_CHARS_MAX = 4_096
const CAPTION_CHARS_MAX = 1_024
/** Longer ones are cut by the apps; they stand in the text too. */
const BUTTON_CHARS_MAX = 64
const MEGABYTE = 1_048_576
const FILE_BYTES_MAX = 50 * MEGABYTE
/** Files that the platform shows in place, and up to which size; anything else is a document. */
const MEDIA: readonly [method: TelegramPart['method'], field: string, fileTypes: RegExp, bytesMax: number][] = [
  ['sendPhoto', 'photo', /^image\/(?:jpeg|png|webp)$/, 10 * MEGABYTE],
  ['sendAnimation', 'animation', /^image\/gif$/, FILE_BYTES_MAX],
  ['sendVideo', 'video', /^video\/mp4$/, FILE_BYTES_MAX],
  ['sendAudio', 'audio', /^audio\/(?:mpeg|mp4)$/, FILE_BYTES_MAX],
]
export const TELEGRAM_FORMATS: RouteFormats = {
  textCharsMax: TEXT_CHARS_MAX,
  splitsText: true,
  html: false,
  buttonsMax: null,
  fileBytesMax: FILE_BYTES_MAX,
}
/** Placeholder where the platform requires a text and the message has none. */
const NO_WORDS = '…'

type Button = { text: string; callback_data: string } | { text: string; url: string }

/**
 * Converts a message to what the platform can show (2.10), as calls to be made in order: pictures and files, the text, and each
 * item, with their buttons below them. Whatever has no such form is text.
 * @param id id of the message, to which its buttons refer
 * @returns none for an empty message
 */
export function telegramParts(id: string, message: Spoken, attachment: AttachmentLink | null): TelegramPart[] {
  const isPicture = message.contentType.startsWith('image/') && message.text !== null
  const isTooLarge = attachment !== null && attachment.size > FILE_BYTES_MAX
  const media = [
    ...(isPicture ? [pictureOf(message.text!, '')] : []),
    ...(attachment && !isTooLarge ? [fileOf(attachment)] : []),
  ]
  const items = (message.items ?? []).map((item, index) => itemOf(id, item, index))
  const said: Spoken = { ...message, ...(isPicture && { contentType: 'text/plain', text: null }), items: null }
  const link = isTooLarge ? attachment.url : null
  return [...media, ...wordsOf(id, said, link), ...items.flat()]
}

/** Returns the text with the message's own buttons below its last part. */
function wordsOf(id: string, message: Spoken, link: string | null): TelegramPart[] {
  const actions = message.actions ?? []
  const [only] = actions
  if (actions.length === 1 && only!.type === 'locationRequest') return [locationRequestOf(message, only!.text, link)]
  const { buttons, others } = buttonsOf(id, actions, null)
  const text = [plainText({ ...message, actions: others }, link), cutLabels(actions)].filter(Boolean).join('\n\n')
  return textsOf(text, buttons)
}

function itemOf(id: string, item: Item, index: number): TelegramPart[] {
  const { title, description, mediaUrl, mediaType = 'image/', iconUrl, actions } = item
  const { buttons, others } = buttonsOf(id, actions ?? [], index)
  const isShown = mediaUrl === undefined || mediaType.startsWith('image/')
  const picture = isShown ? (mediaUrl ?? iconUrl) : iconUrl
  const words = [
    [title, description, isShown ? null : mediaUrl].filter(Boolean).join('\n'),
    plainText({ contentType: 'text/plain', text: null, meta: null, items: null, actions: others }),
    cutLabels(actions ?? []),
  ]
    .filter(Boolean)
    .join('\n\n')
  if (picture === undefined) return textsOf(words, buttons)
  if (words.length > CAPTION_CHARS_MAX) return [pictureOf(picture, ''), ...textsOf(words, buttons)]
  return [pictureOf(picture, words, buttons)]
}

function textsOf(words: string, buttons: Button[]): TelegramPart[] {
  const texts = splitText(words, TEXT_CHARS_MAX)
  if (texts.length === 0 && buttons.length > 0) texts.push(NO_WORDS)
  return texts.map((text, at) => textOf(text, at === texts.length - 1 ? buttons : []))
}

function textOf(text: string, buttons: Button[]): TelegramPart {
  return { method: 'sendMessage', body: { text, link_preview_options: { is_disabled: true }, ...keyboardOf(buttons) } }
}

/** A picture by its address; the address itself if the platform does not get it. */
function pictureOf(photo: string, caption: string, buttons: Button[] = []): TelegramPart {
  return {
    method: 'sendPhoto',
    body: { photo, ...(caption && { caption }), ...keyboardOf(buttons) },
    instead: textOf([caption, photo].filter(Boolean).join('\n'), buttons),
  }
}

/** A picture that is too wide to be shown becomes a document. */
function fileOf({ fileType, size }: AttachmentLink): TelegramPart {
  const document: TelegramPart = { method: 'sendDocument', body: {}, file: 'document' }
  const shown = MEDIA.find(([, , types, bytesMax]) => types.test(fileType) && size <= bytesMax)
  return shown ? { method: shown[0], body: {}, file: shown[1], instead: document } : document
}

function locationRequestOf(message: Spoken, text: string, link: string | null): TelegramPart {
  const words = plainText({ ...message, actions: null }, link) || bodyInWords(message) || text
  const keyboard = [[{ text, request_location: true }]]
  const reply_markup = { keyboard, one_time_keyboard: true, resize_keyboard: true }
  return { method: 'sendMessage', body: { text: words.slice(0, TEXT_CHARS_MAX).toWellFormed(), reply_markup } }
}

function keyboardOf(buttons: Button[]): object {
  return buttons.length === 0 ? {} : { reply_markup: { inline_keyboard: buttons.map((button) => [button]) } }
}

/** Separates what can be a button from what becomes text. */
function buttonsOf(
  id: string,
  actions: readonly Action[],
  item: number | null,
): { buttons: Button[]; others: Action[] } {
  const placed = actions.map((action, index) => ({ action, button: buttonOf(id, action, { action: index, item }) }))
  return {
    buttons: placed.flatMap(({ button }) => button ?? []),
    others: placed.flatMap(({ action, button }) => (button ? [] : action)),
  }
}

/** The whole texts of buttons that cannot show them. */
function cutLabels(actions: readonly Action[]): string {
  const cut = actions.filter(({ text, type }) => type !== 'locationRequest' && text.length > BUTTON_CHARS_MAX)
  return cut.map(({ text }) => `• ${text}`).join('\n')
}

function buttonOf(id: string, action: Action, place: { action: number; item: number | null }): Button | null {
  const text = shorten(action.text, BUTTON_CHARS_MAX)
  if (action.type === 'reply' || action.type === 'postback') {
    return { text, callback_data: clickReference({ message: id, ...place }) }
  }
  if (action.type === 'locationRequest') return null
  const url = consumerUri(action.type === 'webview' ? (action.fallback ?? action.uri) : action.uri)
  return /^https?:\/\/[^/?#]*\.[^/?#]/i.test(url) ? { text, url } : null
}
