import { createHash } from 'node:crypto'
import type { Address, Attachment, Email } from 'postal-mime'
import { sanitiseHtml } from '../../content/sanitise-html.js'
import { textOfHtml } from '../../content/html-text.js'
import { storableText } from '../../json.js'

/** The relevant parts of an inbound mail. Texts can be stored: no U+0000, no lone surrogates. */
export interface ParsedMail {
  /** Message-ID without brackets, else a hash of the bytes, so that the same mail has the same id. */
  id: string
  from: { address: string; name: string } | null
  /** From all recipient headers, in lower case. */
  recipients: string[]
  subject: string
  /** Plain text; converted for an HTML mail. */
  text: string
  /** Whether it claims to answer another mail. */
  isReply: boolean
  attachments: MailAttachment[]
  /** Returns the last header with the name, given in lower case. */
  header(name: string): string | null
  /** Delivery status parts (RFC 3464), and the returned mail or its headers as text. */
  report: { status: string; original: string } | null
}

export interface MailAttachment {
  fileName: string
  content: Buffer
}

const ATTACHMENTS_MAX = 20
/** Smaller inline images are a signature's logo or a tracking pixel. */
const INLINE_BYTES_MIN = 8_192
const SUBJECT_CHARS_MAX = 250
const NAME_CHARS_MAX = 250
/** Characters read from a body: more than a message can hold. */
const BODY_CHARS_MAX = 200_000
const RECIPIENTS_MAX = 200
const REPORT_CHARS_MAX = 20_000
const FORWARD = /^\s*(?:fwd?|wg|tr|doorst|rv|enc|vs)\s*:/i

/**
 * Extracts the relevant parts of a parsed mail. @param bytes the raw mail, hashed for its id if it has no Message-ID
 */
export function readMail(email: Email, bytes: Buffer): ParsedMail {
  const headers = new Map(email.headers.map(({ key, value }) => [key, storableText(value)]))
  const sender = mailboxes(email.from)[0]
  const subject = oneLine(email.subject ?? '').slice(0, SUBJECT_CHARS_MAX)
  const isReply = Boolean(headers.get('in-reply-to') || headers.get('references')) && !FORWARD.test(subject)
  return {
    id: idOf(email, bytes),
    from: sender ? { address: sender.address, name: oneLine(sender.name).slice(0, NAME_CHARS_MAX) } : null,
    recipients: recipientsOf(email, headers),
    subject,
    text: textOf(email),
    isReply,
    attachments: attachmentsOf(email),
    header: (name) => headers.get(name) ?? null,
    report: reportOf(email, headers),
  }
}

function idOf({ messageId }: Email, bytes: Buffer): string {
  const id = storableText(messageId ?? '')
    .trim()
    .replace(/^<|>$/g, '')
  const isUsable = id.length > 0 && id.length <= 400 && !/[\s\p{Cc}]/u.test(id)
  return isUsable ? id : `sha256:${createHash('sha256').update(bytes).digest('hex')}`
}

function recipientsOf(email: Email, headers: ReadonlyMap<string, string>): string[] {
  const listed = [...(email.to ?? []), ...(email.cc ?? [])].flatMap(mailboxes).map(({ address }) => address)
  const delivered = ['delivered-to', 'x-original-to', 'envelope-to'].map((name) => headers.get(name) ?? '')
  const all = [...delivered, ...listed.slice(0, RECIPIENTS_MAX)].map((each) => each.trim().toLowerCase())
  return [...new Set(all.filter(Boolean))]
}

function mailboxes(address: Address | undefined): { address: string; name: string }[] {
  if (!address) return []
  const listed = address.group ?? [{ address: address.address, name: address.name }]
  return listed
    .filter((each) => Boolean(each.address))
    .map((each) => ({ address: storableText(each.address!).trim().toLowerCase(), name: storableText(each.name ?? '') }))
}

/** Prefers plain text: it is closer to what the sender saw than our conversion. */
function textOf({ text, html }: Email): string {
  if (text?.trim()) return tidy(text.slice(0, BODY_CHARS_MAX))
  return html ? tidy(textOfHtml(sanitiseHtml(html.slice(0, BODY_CHARS_MAX)))) : ''
}

function tidy(text: string): string {
  return storableText(text)
    .replace(/\r\n?/g, '\n')
    .replace(/[\u200b\ufeff]/g, '')
    .trim()
}

function attachmentsOf({ attachments, html }: Email): MailAttachment[] {
  return attachments
    .filter((each) => !isPartOfReport(each) && !(isWithinText(each, html) && sizeOf(each) < INLINE_BYTES_MIN))
    .slice(0, ATTACHMENTS_MAX)
    .map((each, index) => ({
      fileName: oneLine(storableText(each.filename ?? '')) || `attachment-${index + 1}`,
      content: bytesOf(each),
    }))
}

function isWithinText({ related, disposition, contentId }: Attachment, html: string | undefined): boolean {
  return Boolean(html && contentId && (related || disposition === 'inline'))
}

function isPartOfReport({ mimeType }: Attachment): boolean {
  return mimeType.startsWith('message/') || mimeType === 'text/rfc822-headers'
}

function reportOf({ attachments }: Email, headers: ReadonlyMap<string, string>): ParsedMail['report'] {
  const isReport = /^multipart\/report\b/i.test(headers.get('content-type') ?? '')
  const status = attachments.find(({ mimeType }) => mimeType === 'message/delivery-status')
  const original = attachments.find(
    ({ mimeType }) => mimeType === 'message/rfc822' || mimeType === 'text/rfc822-headers',
  )
  if (!status && !isReport) return null
  return { status: status ? wordsOf(status) : '', original: original ? wordsOf(original) : '' }
}

function wordsOf(attachment: Attachment): string {
  return storableText(bytesOf(attachment).subarray(0, REPORT_CHARS_MAX).toString('utf8'))
}

function bytesOf({ content }: Attachment): Buffer {
  return typeof content === 'string' ? Buffer.from(content) : Buffer.from(content as ArrayBuffer)
}

function sizeOf({ content }: Attachment): number {
  return typeof content === 'string' ? content.length : content.byteLength
}

function oneLine(text: string): string {
  return storableText(text)
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim()
}
