import { el } from '../chat/dom.js'
import type { View } from '../chat/view.js'
import type { TalkMessage } from '../talk/thread.js'
import { createButtons } from './buttons.js'
import { createForm } from './form.js'
import { htmlOf } from './html.js'
import { lineIcon } from './line-icon.js'
import type { Part } from './part.js'
import { pictureOf } from './picture.js'
import { safeLink } from './safe-link.js'

/** A message that is more than a text: HTML, an image, a page, a card, a file, a form, with its buttons. */
export function contentOf(view: View, message: TalkMessage): { elements: HTMLElement[]; update(): void } {
  const form = message.type === 'FORM' && message.form ? createForm(view, message, message.form) : null
  const buttons = createButtons(view, message)
  const body = form?.element ?? bodyOf(view, message, buttons?.element ?? null)
  const itemButtons = (message.items ?? []).map((_, index) => createButtons(view, message, index))
  const items = (message.items ?? []).map(({ title, description, mediaUrl, mediaType }, index) =>
    el(
      'div',
      { class: 'card' },
      mediaUrl && mediaType?.startsWith('image/') !== false && pictureOf(view, mediaUrl, title ?? ''),
      el(
        'div',
        { class: 'in-card' },
        title && el('p', { class: 'b', dir: 'auto' }, title),
        description && el('p', { class: 'mute text', dir: 'auto' }, description),
        itemButtons[index]?.element,
      ),
    ),
  )
  const rating = textOf(message.meta?._rating) ? ratingOf(view, message) : null
  const parts = [form, rating, buttons, ...itemButtons].filter((part) => part !== null)
  return {
    elements: [
      body,
      sourcesOf(view, message),
      rating?.element ?? null,
      ...items,
      isCard(message) ? null : (buttons?.element ?? null),
    ].filter((part) => part !== null),
    update: () => parts.forEach((part) => part.update()),
  }
}

/** Lists what a bot refers to. */
function sourcesOf({ words }: View, { provenance }: TalkMessage): HTMLElement | null {
  if (!provenance) return null
  const lines = provenance.sources.map(({ title, url }) => {
    const href = url === null ? null : safeLink(url)
    const name = el('bdi', {}, title)
    return el('li', {}, href ? el('a', { href, target: '_blank', rel: 'noreferrer' }, name) : name)
  })
  return el('div', { class: 'sources rich' }, el('p', {}, words.sources), el('ol', {}, ...lines))
}

/** A card holds its buttons. */
function isCard({ type, attachment, meta }: TalkMessage): boolean {
  return type === 'CARD' && !attachment && !textOf(meta?.fileId)
}

function bodyOf(view: View, message: TalkMessage, buttons: HTMLElement | null): HTMLElement | null {
  const { contentType, text, attachment, meta } = message
  const title = textOf(meta?.title)
  if (attachment) return fileOf(view, attachment, title ?? attachment.fileName)
  if (textOf(meta?.fileId)) return el('p', { class: 'bub' }, view.words.fileGone)
  if (isCard(message)) {
    const said = text && contentType !== 'TEXT_HTML' ? el('p', { class: 'text', dir: 'auto' }, text) : null
    const heading = title && el('p', { class: 'b', dir: 'auto' }, title)
    return card(heading, said, text && !said && htmlOf(view, text), buttons)
  }
  if (!text) return null
  if (contentType === 'TEXT_HTML') return el('div', { class: 'bub html' }, htmlOf(view, text))
  if (contentType === 'TEXT_URL') return pageOf(view, text)
  if (contentType !== 'TEXT_PLAIN') return pictureOf(view, text, title ?? '')
  return el('div', { class: 'bub', dir: 'auto' }, text)
}

function card(...children: Parameters<typeof el>[2][]): HTMLElement {
  return el('div', { class: 'card' }, el('div', { class: 'in-card' }, ...children))
}

/** The agents' console frames it; here it is a link, since a page seldom allows frames of others. */
function pageOf({ words }: View, address: string): HTMLElement {
  const href = safeLink(address)
  if (!href?.startsWith('http')) return el('p', { class: 'bub', dir: 'auto' }, address)
  return card(
    el('p', { class: 'mute', dir: 'ltr' }, new URL(href).host),
    el('a', { class: 'choice', href, target: '_blank', rel: 'noreferrer' }, words.openPage),
  )
}

function fileOf(view: View, { url, fileName, fileType, size }: NonNullable<TalkMessage['attachment']>, name: string) {
  return el(
    'div',
    { class: 'card' },
    fileType.startsWith('image/') && pictureOf(view, url, name),
    el(
      'a',
      { class: 'file in-card', href: safeLink(url), target: '_blank', rel: 'noreferrer', download: fileName },
      lineIcon('file'),
      el(
        'span',
        { class: 'grow' },
        el('span', { class: 'b' }, el('bdi', {}, name)),
        el('br'),
        el('span', { class: 'mute' }, sizeOf(size)),
      ),
    ),
  )
}

function sizeOf(bytes: number): string {
  return bytes < 1_000_000 ? `${Math.max(1, Math.round(bytes / 1_000))} kB` : `${Math.round(bytes / 100_000) / 10} MB`
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null
}

/** Loaded for those who are asked: most conversations are not rated in the chat. */
function ratingOf(view: View, message: TalkMessage): Part {
  const element = el('div')
  let part: Part | null = null
  void import('./rating.js').then(
    ({ createRating }) => {
      part = createRating(view, message, el)
      element.append(part.element)
    },
    () => undefined,
  )
  return { element, update: () => part?.update() }
}
