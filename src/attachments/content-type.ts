/** What may be attached: images that browsers show, and documents that nothing runs in here (2.12, file message). */
export const ATTACHMENT_TYPES = ['image/png', 'image/gif', 'image/jpeg', 'image/webp', 'application/pdf'] as const
export type AttachmentType = (typeof ATTACHMENT_TYPES)[number]

/** Bytes of a content's beginning that tell its type. */
export const HEAD_BYTES = 12

/**
 * The type of a content by its first bytes, whatever its sender calls it: what a browser would take it for.
 * @returns null for any other type
 */
export function typeOfContent(head: Buffer): AttachmentType | null {
  const text = head.toString('latin1')
  if (text.startsWith('\x89PNG\r\n\x1a\n')) return 'image/png'
  if (text.startsWith('GIF87a') || text.startsWith('GIF89a')) return 'image/gif'
  if (text.startsWith('\xff\xd8\xff')) return 'image/jpeg'
  if (text.startsWith('RIFF') && text.startsWith('WEBP', 8)) return 'image/webp'
  if (text.startsWith('%PDF-')) return 'application/pdf'
  return null
}
