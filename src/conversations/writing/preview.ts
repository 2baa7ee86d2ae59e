import type { MessageRow } from '../../messages/message-row.js'

const PREVIEW_CHARS_MAX = 140

/** Said to or by the consumer, or by a bot: what queues and inboxes show the beginning of. */
export function isSaid({ type, role, isBackchannel }: Pick<MessageRow, 'type' | 'role' | 'isBackchannel'>): boolean {
  return !isBackchannel && role !== 'system' && type !== 'mention'
}

/** The beginning of what a message says, on one line, for queue and inbox; null when it says nothing in words. */
export function previewOf({ text, contentType, meta, type }: MessageRow): string | null {
  // Not in words, but in signs for a program: +Name, .key value.
  if (type === 'command' || type === 'form' || type === 'field') return null
  const words = contentType === 'text/html' ? (text ?? '').replace(/<[^>]*>/g, ' ') : text
  const title = typeof meta?.title === 'string' ? meta.title : ''
  const line = (words || title).replace(/\s+/g, ' ').trim()
  if (!line) return null
  return line.length > PREVIEW_CHARS_MAX ? `${line.slice(0, PREVIEW_CHARS_MAX - 1).trimEnd()}…`.toWellFormed() : line
}
