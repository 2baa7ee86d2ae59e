import type { MessageRow } from '../../messages/message-row.js'

const PREVIEW_CHARS_MAX = 140

/**
 * Tells whether a message is content of the conversation, sent to or by the consumer or by a bot, which queues and
 * inboxes preview.
 */
export function isSaid({ type, role, isBackchannel }: Pick<MessageRow, 'type' | 'role' | 'isBackchannel'>): boolean {
  return !isBackchannel && role !== 'system' && type !== 'mention'
}

/** Returns the beginning of a message's text on one line, for queue and inbox; null if it has no readable text. */
export function previewOf({ text, contentType, meta, type, actions }: MessageRow): string | null {
  // Syntax for a program, not text to read: +Name, .key value.
  if (type === 'command' || type === 'form' || type === 'field') return null
  // A click: what stood on the button; its text is the payload (2.10).
  const said = (type === 'postback' && actions?.[0]?.text) || text
  const words = contentType === 'text/html' ? (said ?? '').replace(/<[^>]*>/g, ' ') : said
  const title = typeof meta?.title === 'string' ? meta.title : ''
  const line = (words || title).replace(/\s+/g, ' ').trim()
  if (!line) return null
  return line.length > PREVIEW_CHARS_MAX ? `${line.slice(0, PREVIEW_CHARS_MAX - 1).trimEnd()}…`.toWellFormed() : line
}
