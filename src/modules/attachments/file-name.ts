import { RAW_MAIL, ZIP, type AttachmentType } from './content-type.js'

const NAME_CHARS_MAX = 150

const EXTENSIONS: Readonly<Record<AttachmentType, readonly [string, ...string[]]>> = {
  'image/png': ['png'],
  'image/gif': ['gif'],
  'image/jpeg': ['jpg', 'jpeg'],
  'image/webp': ['webp'],
  'application/pdf': ['pdf'],
  [RAW_MAIL]: ['eml'],
  [ZIP]: ['zip'],
}

/**
 * Returns a safe name for saving the file: no path, no control or bidirectional characters (which could disguise the
 * extension), and an extension of its type, so that no image is saved as `invoice.html`.
 */
export function safeFileName(given: string | undefined, type: AttachmentType): string {
  const [extension] = EXTENSIONS[type]
  const base = (given ?? '').toWellFormed().split(/[\\/]/).at(-1)!
  const clean = base
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\ufffd]/gu, '')
    .replace(/[<>:"|?*]/g, '_')
    .replace(/^[\s.]+|[\s.]+$/g, '')
  const named = clean || 'attachment'
  const isFitting = EXTENSIONS[type].some((each) => named.toLowerCase().endsWith(`.${each}`))
  if (isFitting && named.length <= NAME_CHARS_MAX) return named
  return `${[...named].slice(0, NAME_CHARS_MAX - extension.length - 1).join('')}.${extension}`
}

/**
 * Builds `Content-Disposition` with the name in UTF-8 and, for old clients, in ASCII (RFC 6266). Images are shown;
 * documents are saved, since they may contain active content.
 */
export function contentDisposition(fileName: string, fileType: string): string {
  const ascii = fileName.replace(/[^\x20-\x7e]|["\\%]/g, '_')
  const encoded = encodeURIComponent(fileName).replace(/['()*]/g, percent)
  const kind = fileType.startsWith('image/') ? 'inline' : 'attachment'
  return `${kind}; filename="${ascii}"; filename*=UTF-8''${encoded}`
}

function percent(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`
}
