import { escapeHtml } from '../../platform/content/escape-html.js'
import type { MessageRow } from '../messages/message-row.js'

/** Opens the message with a bot's words that it is one; what has an address as its text is titled with them. */
export function disclosed(message: MessageRow): MessageRow {
  const { disclosure, contentType, text, meta } = message
  if (!disclosure) return message
  if (contentType === 'text/plain') return { ...message, text: [disclosure, text].filter(Boolean).join('\n\n') }
  if (contentType === 'text/html') return { ...message, text: `<p>${escapeHtml(disclosure)}</p>${text ?? ''}` }
  const title = [disclosure, meta?.title].filter((each) => typeof each === 'string').join('\n')
  return { ...message, meta: { ...meta, title } }
}
