/** Allowed types: images that browsers show, and documents in which nothing is executed (2.12, file message). */
export const ATTACHMENT_TYPES = ['image/png', 'image/gif', 'image/jpeg', 'image/webp', 'application/pdf'] as const
/** A mail as it came, which could not be read. Nobody uploads such a file. */
export const RAW_MAIL = 'message/rfc822'
/** The export of a contact, which is no attachment but is stored as they are. */
export const ZIP = 'application/zip'
export type AttachmentType = (typeof ATTACHMENT_TYPES)[number] | typeof RAW_MAIL | typeof ZIP

/** Number of leading bytes that identify a type. */
export const HEAD_BYTES = 12

/**
 * Detects the type from the first bytes, as a browser would, whatever its sender claims.
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
