import { textOfHtml } from '../../../platform/content/html-text.js'
import { sanitiseHtml } from '../../../platform/content/sanitise-html.js'
import type { Action } from '../../messages/actions.js'
import type { OutgoingMessage } from '../adapter.js'
import { choicesOf, consumerUri, plainText } from '../plain-text.js'

/** The consumer's messages before the first mail to them, so that the mail can be understood by itself. */
export interface FirstContext {
  /** Name of the organization. */
  organization: string
  /** Oldest first. */
  lines: string[]
}

export interface MailBody {
  text: string
  html: string
}

interface BodyParts {
  attachmentUrl: string | null
  context: FirstContext | null
  /** HTML between the text and what was said before. */
  signature?: string | null
}

const SAID_CHARS_MAX = 500

/** Renders a mail as plain text, and as HTML with the tags that 2.10 allows and links for buttons. */
export function mailBody(
  { message, attachment }: Pick<OutgoingMessage, 'message' | 'attachment'>,
  { attachmentUrl, context, signature = null }: BodyParts,
): MailBody {
  const before = context ? contextOf(context) : null
  const text = plainText(message, attachmentUrl)
  const file =
    attachmentUrl && attachment ? `<p><a href="${escape(attachmentUrl)}">${escape(attachment.fileName)}</a></p>` : ''
  return {
    // The delimiter by which readers' programs, and this one, know a signature.
    text: [text, signature === null ? null : `-- \n${textOfHtml(signature)}`, before?.text]
      .filter(Boolean)
      .join('\n\n'),
    // Sanitized again: stored HTML already is, but it is combined with HTML generated here.
    html: sanitiseHtml(
      [htmlOf(message), file, signature === null ? null : `<div>${signature}</div>`, before?.html]
        .filter(Boolean)
        .join('\n'),
    ),
  }
}

function contextOf({ organization, lines }: FirstContext): MailBody {
  const intro = `You wrote to ${organization}:`
  const quoted = lines.map((each) => each.slice(0, SAID_CHARS_MAX))
  return {
    text: [intro, ...quoted.map((each) => each.replace(/^/gm, '> '))].join('\n\n'),
    html: `<p>${escape(intro)}</p>${quoted.map((each) => `<blockquote>${paragraphs(each)}</blockquote>`).join('')}`,
  }
}

function htmlOf(message: OutgoingMessage['message']): string {
  const { actions, items, meta } = message
  const title = typeof meta?.title === 'string' ? `<h4>${escape(meta.title)}</h4>` : ''
  const numbers = new Map(choicesOf(message).map(({ action, number }) => [action as Action, number]))
  const buttons = (listed: readonly Action[] | null | undefined): string =>
    (listed ?? []).map((action) => `<p>${buttonOf(action, numbers.get(action))}</p>`).join('')
  const listed = (items ?? []).map(({ title: name, description, mediaUrl, actions: own }) =>
    [
      name ? `<p><b>${escape(name)}</b></p>` : '',
      description ? `<p>${escape(description)}</p>` : '',
      mediaUrl ? `<p><img src="${escape(mediaUrl)}"></p>` : '',
      buttons(own),
    ].join(''),
  )
  return [title, bodyOf(message), ...listed, buttons(actions)].join('')
}

function bodyOf({ contentType, text }: OutgoingMessage['message']): string {
  if (text === null) return ''
  if (contentType === 'text/html') return text
  if (contentType === 'text/plain') return paragraphs(text)
  const url = escape(text)
  return contentType === 'text/url' ? `<p><a href="${url}">${url}</a></p>` : `<p><img src="${url}"></p>`
}

/** Like `plainText`, but with links that can be followed. */
function buttonOf(action: Action, number: number | undefined): string {
  switch (action.type) {
    case 'link':
      return `<a href="${escape(consumerUri(action.uri))}">${escape(action.text)}</a>`
    case 'webview':
      return `<a href="${escape(action.fallback ?? action.uri)}">${escape(action.text)}</a>`
    case 'reply':
    case 'postback':
      return `${number}. ${escape(action.text)}`
    case 'locationRequest':
      return escape(action.text)
  }
}

/** Writes a text as HTML. */
export function paragraphs(text: string): string {
  return text
    .split(/\n{2,}/)
    .map((each) => `<p>${escape(each).replaceAll('\n', '<br>')}</p>`)
    .join('')
}

function escape(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}
