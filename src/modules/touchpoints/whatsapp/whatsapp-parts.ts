import type { ButtonPlace } from '../../conversations/api/buttons.js'
import type { Action } from '../../messages/actions.js'
import type { AttachmentLink } from '../adapter.js'
import { clickReference } from '../click-reference.js'
import { bodyInWords, consumerUri, plainText, type Spoken } from '../plain-text.js'
import type { RouteFormats } from '../../services/service-kinds.js'
import { shorten, splitText } from '../split-text.js'

/** One message of the API, without its recipient. */
export type WhatsappPart =
  | { type: 'text'; text: { body: string; preview_url: boolean } }
  | { type: 'image' | 'video' | 'audio'; [media: string]: unknown }
  | { type: 'document'; document: { link: string; filename?: string; caption?: string } }
  | { type: 'interactive'; interactive: Record<string, unknown> }
  | { type: 'template'; template: Record<string, unknown> }

const TEXT_CHARS_MAX = 4_096
const BODY_CHARS_MAX = 1_024
const BUTTONS_MAX = 3
const BUTTON_CHARS_MAX = 20
const ROWS_MAX = 10
const ROW_CHARS_MAX = 24
const ROW_WORDS_MAX = 72
const MEGABYTE = 1_048_576
const DOCUMENT_BYTES_MAX = 100 * MEGABYTE
/** Files that the platform shows in place, and up to which size; anything else is a document. */
const MEDIA: readonly [type: 'image' | 'video' | 'audio', fileTypes: RegExp, bytesMax: number][] = [
  ['image', /^image\/(?:jpeg|png)$/, 5 * MEGABYTE],
  ['video', /^video\/(?:mp4|3gpp)$/, 16 * MEGABYTE],
  ['audio', /^audio\/(?:aac|amr|mpeg|mp4|ogg)$/, 16 * MEGABYTE],
]
export const WHATSAPP_FORMATS: RouteFormats = {
  textCharsMax: TEXT_CHARS_MAX,
  splitsText: true,
  html: false,
  buttonsMax: ROWS_MAX,
  fileBytesMax: DOCUMENT_BYTES_MAX,
}
/** Label of the button that opens a list. */
const OPEN_LIST = '☰'
/** Placeholder where the platform requires a text and the message has none. */
const NO_WORDS = '…'

type Choice = Extract<Action, { type: 'reply' | 'postback' }>
interface Placed {
  action: Choice
  place: ButtonPlace
}

/**
 * Converts a message to what the platform can show (2.10), as messages to be sent in order: pictures and files, then the
 * text with up to three buttons or a list of up to ten, a link as a button, or a request for the location. Whatever has
 * no such form is text, with its choices numbered.
 * @param id id of the message, to which its buttons refer
 * @returns none for an empty message
 */
export function whatsappParts(id: string, message: Spoken, attachment: AttachmentLink | null): WhatsappPart[] {
  const isPicture = message.contentType.startsWith('image/') && message.text !== null
  const media = [
    ...(isPicture ? [{ type: 'image' as const, image: { link: message.text } }] : []),
    ...(attachment && attachment.size <= DOCUMENT_BYTES_MAX ? [fileOf(attachment)] : []),
  ]
  const said = isPicture ? { ...message, contentType: 'text/plain' as const, text: null } : message
  const tooLarge = attachment && attachment.size > DOCUMENT_BYTES_MAX ? attachment.url : null
  const interactive = tooLarge === null ? interactiveOf(id, said) : null
  if (interactive) return [...media, interactive]
  const texts = splitText(plainText(said, tooLarge), TEXT_CHARS_MAX)
  return [...media, ...texts.map((body) => ({ type: 'text' as const, text: { body, preview_url: false } }))]
}

/** Returns the message as one with buttons; null if it has none, or more than the platform shows. */
function interactiveOf(id: string, message: Spoken): WhatsappPart | null {
  const actions = message.actions ?? []
  const [first] = actions
  const words = plainText({ ...message, actions: null })
  if (!first || (message.items ?? []).length > 0 || words.length > BODY_CHARS_MAX) return null
  const body = { text: words || NO_WORDS }
  if (actions.length === 1 && first.type === 'locationRequest') {
    const asked = [bodyInWords(message), first.text].filter(Boolean).join('\n')
    if (asked.length > BODY_CHARS_MAX) return null
    return part({ type: 'location_request_message', body: { text: asked }, action: { name: 'send_location' } })
  }
  if (actions.length === 1 && (first.type === 'link' || first.type === 'webview')) return linkOf(first, body)
  const choices = actions.flatMap((action, index): Placed[] =>
    action.type === 'reply' || action.type === 'postback' ? [{ action, place: { action: index } }] : [],
  )
  if (choices.length !== actions.length || choices.length > ROWS_MAX) return null
  return choices.length <= BUTTONS_MAX ? buttonsOf(id, choices, body) : listOf(id, choices, body)
}

function buttonsOf(id: string, choices: Placed[], body: { text: string }): WhatsappPart | null {
  const titles = distinct(choices, BUTTON_CHARS_MAX)
  if (!titles) return null
  const buttons = choices.map(({ place }, index) => ({
    type: 'reply',
    reply: { id: clickReference({ message: id, ...place }), title: titles[index] },
  }))
  return part({ type: 'button', body, action: { buttons } })
}

function listOf(id: string, choices: Placed[], body: { text: string }): WhatsappPart | null {
  const titles = distinct(choices, ROW_CHARS_MAX)
  if (!titles) return null
  const rows = choices.map(({ action, place }, index) => ({
    id: clickReference({ message: id, ...place }),
    title: titles[index],
    ...(action.text.length > ROW_CHARS_MAX && { description: shorten(action.text, ROW_WORDS_MAX) }),
  }))
  return part({ type: 'list', body, action: { button: OPEN_LIST, sections: [{ rows }] } })
}

function linkOf(action: Extract<Action, { type: 'link' | 'webview' }>, body: { text: string }): WhatsappPart | null {
  const url = consumerUri(action.uri)
  if (!/^https?:/i.test(url) || action.text.length > BUTTON_CHARS_MAX) return null
  return part({
    type: 'cta_url',
    body,
    action: { name: 'cta_url', parameters: { display_text: action.text, url } },
  })
}

/** The platform refuses two buttons with one title, and shortened ones may become alike. */
function distinct(choices: Placed[], max: number): string[] | null {
  const titles = choices.map(({ action }) => shorten(action.text, max))
  return new Set(titles).size === titles.length ? titles : null
}

function part(interactive: Record<string, unknown>): WhatsappPart {
  return { type: 'interactive', interactive }
}

function fileOf({ url, fileName, fileType, size }: AttachmentLink): WhatsappPart {
  const shown = MEDIA.find(([, types, bytesMax]) => types.test(fileType) && size <= bytesMax)
  if (!shown) return { type: 'document', document: { link: url, filename: fileName } }
  return { type: shown[0], [shown[0]]: { link: url } }
}
