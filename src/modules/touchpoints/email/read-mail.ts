import { createHash, type Hash } from 'node:crypto'
import type { Address, Attachment, Email } from 'postal-mime'
import { sanitiseHtml } from '../../../platform/content/sanitise-html.js'
import { textOfHtml } from '../../../platform/content/html-text.js'
import { storableText } from '../../../platform/json.js'
import type { Header } from './auth-results.js'

/** The relevant parts of an inbound mail. Texts can be stored: no U+0000, no lone surrogates. */
export interface ParsedMail {
  /** Message-ID without brackets; null for a mail without a usable one. Anybody may write anybody's. */
  messageId: string | null
  /** The same for each copy of a mail, on whichever path it arrives, and another for any other mail. */
  identity: string
  from: MailAddress | null
  /** The identity of a mail that anybody may have written; see {@link identityUnproved}. */
  identityUnproved: string
  /** From all recipient headers, in lower case. */
  recipients: string[]
  /** Recipients as it names them itself; at most {@link SHOWN_MAX} of each. */
  to: MailAddress[]
  cc: MailAddress[]
  /** Address for answers, if it is another. */
  replyTo: MailAddress | null
  subject: string
  /** Plain text; converted for an HTML mail. */
  text: string
  /** True if it claims to answer another mail. */
  isReply: boolean
  attachments: MailAttachment[]
  /** The type of what holds the words of a mail that has no other: only a program of its own reads it. Null for any other mail. */
  sealedIn: string | null
  /** Returns the last header with the name, given in lower case. */
  header(name: string): string | null
  /** All of them, topmost first. */
  headers: readonly Header[]
  /** Delivery status parts (RFC 3464), and the returned mail or its headers as text. */
  report: { status: string; original: string } | null
}

export interface MailAddress {
  address: string
  name: string
}

export interface MailAttachment {
  fileName: string
  content: Buffer
}

type Said = Omit<ParsedMail, 'identity' | 'identityUnproved'>

const ATTACHMENTS_MAX = 20
/** Smaller inline images are a signature's logo or a tracking pixel. */
const INLINE_BYTES_MIN = 8_192
const SUBJECT_CHARS_MAX = 250
const NAME_CHARS_MAX = 250
const ADDRESS_CHARS_MAX = 320
/** Characters read from a body: more than a message can hold. */
const BODY_CHARS_MAX = 200_000
const MESSAGE_ID_CHARS_MAX = 400
const RECIPIENTS_MAX = 200
/** Recipients that a message keeps: more are a mailing list. */
const SHOWN_MAX = 50
const REPORT_CHARS_MAX = 20_000
const FORWARD = /^\s*(?:fwd?|wg|tr|doorst|rv|enc|vs)\s*:/i

/**
 * Extracts the relevant parts of a parsed mail.
 * @param bytes the raw mail, of which its identity is made if it has neither Message-ID nor Date
 * @param distinction what belongs to its identity beside what was parsed, which is not all of it
 */
export function readMail(email: Email, bytes: Buffer, distinction = ''): ParsedMail {
  const headers = new Map(email.headers.map(({ key, value }) => [key, storableText(value)]))
  const sender = mailboxes(email.from)[0]
  const subject = oneLine(email.subject ?? '').slice(0, SUBJECT_CHARS_MAX)
  const isReply = Boolean(headers.get('in-reply-to') || headers.get('references')) && !FORWARD.test(subject)
  const mail = {
    messageId: messageIdOf(email),
    from: sender ? shown(sender) : null,
    recipients: recipientsOf(email, headers),
    to: (email.to ?? []).flatMap(mailboxes).slice(0, SHOWN_MAX).map(shown),
    cc: (email.cc ?? []).flatMap(mailboxes).slice(0, SHOWN_MAX).map(shown),
    replyTo: (email.replyTo ?? []).flatMap(mailboxes).map(shown)[0] ?? null,
    subject,
    text: textOf(email),
    isReply,
    attachments: attachmentsOf(email),
    sealedIn: sealedIn(email),
    header: (name: string) => headers.get(name) ?? null,
    headers: email.headers,
    report: reportOf(email, headers),
  }
  const identity = identityOf(mail, bytes)
  return { ...mail, identity, identityUnproved: identityUnproved(identity, mail, distinction) }
}

function messageIdOf({ messageId }: Email): string | null {
  const id = storableText(messageId ?? '')
    .trim()
    .replace(/^<|>$/g, '')
  const isUsable = id.length > 0 && id.length <= MESSAGE_ID_CHARS_MAX && !/[\s\p{Cc}]/u.test(id)
  return isUsable ? id : null
}

/**
 * Message-ID, From and Date identify a mail: programs that send mail give the same Message-ID twice, and forge them.
 * What was said stands for a missing one of Message-ID and Date, since headers of the way differ between copies; the
 * bytes stand for both, since two mails may say the same. A Message-ID is legible in it, see {@link messageIdIn}.
 */
function identityOf(mail: Said, bytes: Buffer): string {
  const date = mail.header('date')?.replace(/\s+/g, ' ').trim()
  const hash = createHash('sha256')
  if (mail.messageId === null && !date) return `sha256:${hash.update(bytes).digest('hex')}`
  hash.update(JSON.stringify([mail.from?.address ?? null, date || null]))
  if (mail.messageId === null || !date) {
    hashSaid(hash, mail)
  }
  if (mail.messageId === null) return `sha256:${hash.digest('hex')}`
  return `${mail.messageId} ${hash.digest('base64url')}`
}

/**
 * Adds what was said to the identity of a mail whose sender nothing proves: one that is forged with the Message-ID
 * of another must not stand for it, whichever arrives first.
 */
function identityUnproved(identity: string, mail: Said, distinction: string): string {
  return `${identity}.${hashSaid(createHash('sha256').update(distinction), mail).digest('base64url')}`
}

function hashSaid(hash: Hash, { subject, text, attachments }: Said): Hash {
  hash.update(JSON.stringify([subject, text]))
  for (const { fileName, content } of attachments) hash.update(JSON.stringify(fileName)).update(content)
  return hash
}

/** SQL for the Message-ID in an {@link ParsedMail.identity}; null where it has none. */
export const messageIdIn = (column: string): string =>
  `case when ${column} like 'sha256:%' then null else split_part(${column}, ' ', 1) end`

function recipientsOf(email: Email, headers: ReadonlyMap<string, string>): string[] {
  const listed = [...(email.to ?? []), ...(email.cc ?? [])].flatMap(mailboxes).map(({ address }) => address)
  const delivered = ['delivered-to', 'x-original-to', 'envelope-to'].map((name) => headers.get(name) ?? '')
  const all = [...delivered, ...listed.slice(0, RECIPIENTS_MAX)].map((each) => each.trim().toLowerCase())
  return [...new Set(all.filter(Boolean))]
}

function shown({ address, name }: MailAddress): MailAddress {
  return { address: address.slice(0, ADDRESS_CHARS_MAX), name: oneLine(name).slice(0, NAME_CHARS_MAX) }
}

function mailboxes(address: Address | undefined): MailAddress[] {
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

/** S/MIME and OpenPGP that hide the words, and the format of Outlook. */
const SEALED = /^application\/(?:(?:x-)?pkcs7-mime|pgp-encrypted|(?:vnd\.)?ms-tnef)$/i

function sealedIn(email: Email): string | null {
  if (textOf(email).trim() !== '') return null
  return email.attachments.find(({ mimeType }) => SEALED.test(mimeType))?.mimeType.toLowerCase() ?? null
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
