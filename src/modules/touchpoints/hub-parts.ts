import type { Action } from '../messages/actions.js'
import type { Item } from '../messages/items.js'
import {
  hubButton,
  quickReply,
  TITLE_CHARS_MAX,
  type HubButton,
  type LinkButton,
  type QuickReply,
} from './hub-buttons.js'
import { bodyInWords, plainText, type Spoken } from './plain-text.js'
import { shorten, splitText, type TextMeasure } from './split-text.js'

type HubMedia = 'image' | 'video' | 'audio' | 'file'

/** One `message` of a send call of Meta's messengers. */
export interface HubPart {
  text?: string
  attachment?: { type: HubMedia | 'template'; payload: Record<string, unknown> }
  quick_replies?: QuickReply[]
}

/** A file as it is named to a platform; of a picture that is only an address the size is not known. */
export interface FileLink {
  url: string
  fileType: string
  size?: number
}

/** The forms in which one of the platforms shows messages. */
export interface HubForms {
  measure: TextMeasure
  textMax: number
  /** Longest text above buttons. */
  templateTextMax: number
  linkButton: LinkButton
  quickReplyPictures: boolean
  /** False if quick replies stand below a text alone. */
  quickRepliesBelowAll: boolean
  /** The form of a file; null for one that becomes its address. */
  fileOf(file: FileLink): HubMedia | null
}

interface Said {
  /** Id of the message, to which its buttons refer. */
  id: string
  message: Spoken
  attachment: FileLink | null
}

const BUTTONS_MAX = 3
export const QUICK_REPLIES_MAX = 13
const ELEMENTS_MAX = 10
const ELEMENT_CHARS_MAX = 80
/** Placeholder where the platform requires a text and the message has none. */
const NO_WORDS = '…'

/**
 * Converts a message to what the platform can show (2.10), as calls to be made in order: text, images and files, items
 * as a carousel, links and postbacks as buttons below the text, replies as quick replies below the last part.
 * Unsupported or truncated content is added as text.
 * @returns no calls for an empty message
 */
export function hubParts(forms: HubForms, said: Said): HubPart[] {
  const { id, message } = said
  const { measure, linkButton } = forms
  const actions = (message.actions ?? []).map((action, index) => ({ action, place: { action: index } }))
  const replies = actions.filter(({ action }) => action.type === 'reply')
  const quick = replies.slice(0, QUICK_REPLIES_MAX)
  const others = actions.filter((each) => !quick.includes(each))
  const buttons = others.flatMap(({ action, place }) => hubButton(id, action, place, linkButton) ?? [])
  const items = (message.items ?? []).map((item, index) => ({
    item,
    elements: elementsOf(id, item, index, linkButton),
  }))
  const files = filesOf(said)
  const media = files.flatMap((file) => mediaOf(forms, file) ?? [])
  const addresses = files.flatMap((file) => (forms.fileOf(file) === null ? [file.url] : []))
  const words = wordsOf(message, {
    items,
    addresses,
    isButton: (action, index) => hubButton(id, action, { action: index }, linkButton) !== null,
  })
  const elements = items.flatMap((each) => each.elements)
  const templateText = buttons.length > 0 && media.length + elements.length === 0
  const texts = splitText(words, templateText ? forms.templateTextMax : forms.textMax, measure)
  const lastText = templateText ? texts.pop() : undefined
  const parts: HubPart[] = [
    ...texts.map((text) => ({ text })),
    ...media,
    ...inGroups(elements, ELEMENTS_MAX).map((group) => template({ template_type: 'generic', elements: group })),
    ...inGroups(buttons, BUTTONS_MAX).map((group, index) =>
      template({ template_type: 'button', text: (index === 0 && lastText) || NO_WORDS, buttons: group }),
    ),
  ]
  if (quick.length === 0) return parts
  const isBelowLast = parts.length > 0 && (forms.quickRepliesBelowAll || parts.at(-1)!.text !== undefined)
  const last = (isBelowLast && parts.pop()) || { text: NO_WORDS }
  const choices = quick.map(({ action, place }) =>
    quickReply(id, action as Action & { type: 'reply' }, place, forms.quickReplyPictures),
  )
  return [...parts, { ...last, quick_replies: choices }]
}

interface WordsOf {
  items: readonly { item: Item; elements: unknown[] }[]
  /** Addresses of files that have no other form. */
  addresses: readonly string[]
  isButton(action: Action, index: number): boolean
}

/** Returns everything that no other part contains, as text. */
function wordsOf(message: Spoken, { items, addresses, isButton }: WordsOf): string {
  const { title } = message.meta ?? {}
  const isShown = message.contentType.startsWith('image/')
  const body = isShown ? null : bodyInWords(message)
  const plain = (actions: Action[]): string =>
    plainText({ contentType: 'text/plain', text: null, meta: null, items: null, actions })
  const text = [typeof title === 'string' ? title : null, body, ...addresses].filter(Boolean).join('\n')
  const saidItems = items
    .filter(({ item, elements }) => elements.length === 0 || isCut(item) || isOtherMedia(item))
    .map(({ item }) => [item.title, item.description, isOtherMedia(item) && item.mediaUrl].filter(Boolean).join('\n'))
  const wordless = [
    ...(message.actions ?? []).filter((action, index) => action.type !== 'reply' && !isButton(action, index)),
    ...items.flatMap(({ item }) => (item.actions ?? []).filter((action, index) => !isButton(action, index))),
  ]
  const cutTitles = [...(message.actions ?? []), ...items.flatMap(({ item }) => item.actions ?? [])]
    .filter((action) => !wordless.includes(action) && action.text.length > TITLE_CHARS_MAX)
    .map(({ text }) => `• ${text}`)
  return [text, ...saidItems, plain(wordless), cutTitles.join('\n')].filter(Boolean).join('\n\n')
}

/** An item without a picture or button becomes text: a carousel refuses elements that only have a title. */
function elementsOf(id: string, item: Item, index: number, linkButton: LinkButton): object[] {
  const buttons = (item.actions ?? []).flatMap(
    (action, at) => hubButton(id, action, { item: index, action: at }, linkButton) ?? [],
  )
  const image = isOtherMedia(item) ? item.iconUrl : (item.mediaUrl ?? item.iconUrl)
  if (buttons.length === 0 && image === undefined) return []
  const title = shorten(item.title || item.description || NO_WORDS, ELEMENT_CHARS_MAX)
  const subtitle = item.title && item.description ? shorten(item.description, ELEMENT_CHARS_MAX) : undefined
  const groups: (HubButton[] | undefined)[] = buttons.length > 0 ? inGroups(buttons, BUTTONS_MAX) : [undefined]
  return groups.map((group, at) => ({
    title,
    ...(subtitle !== undefined && { subtitle }),
    ...(image !== undefined && at === 0 && { image_url: image }),
    ...(group && { buttons: group }),
  }))
}

/** Tells whether the media cannot be shown in a carousel, such as a video or document. */
function isOtherMedia({ mediaUrl, mediaType = 'image/' }: Item): boolean {
  return mediaUrl !== undefined && !mediaType.startsWith('image/')
}

function isCut({ title, description }: Item): boolean {
  return (title ?? '').length > ELEMENT_CHARS_MAX || (description ?? '').length > ELEMENT_CHARS_MAX
}

function filesOf({ message: { contentType, text }, attachment }: Said): FileLink[] {
  const image = contentType.startsWith('image/') && text !== null ? [{ url: text, fileType: contentType }] : []
  return [...image, ...(attachment ? [attachment] : [])]
}

function mediaOf(forms: HubForms, file: FileLink): HubPart | null {
  const type = forms.fileOf(file)
  return type && { attachment: { type, payload: { url: file.url } } }
}

function template(payload: Record<string, unknown>): HubPart {
  return { attachment: { type: 'template', payload } }
}

function inGroups<T>(list: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(list.length / size) }, (_, at) => list.slice(at * size, (at + 1) * size))
}
