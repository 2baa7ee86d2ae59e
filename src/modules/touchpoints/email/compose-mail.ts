import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import type { Logger } from 'pino'
import type { AttachmentStore } from '../../attachments/attachment-store.js'
import type { Sql } from '../../../platform/db/database.js'
import type { Mail } from '../../../platform/outbound/mailer.js'
import { DeliveryRefused, type OutgoingMessage } from '../adapter.js'
import type { EmailParams } from './email-params.js'
import { forwardingOf } from '../../messages/forwarding.js'
import { outgoingMailOf } from '../../messages/outgoing-mail.js'
import { forwardedContent } from './forwarded-mail.js'
import { chosenHead } from './mail-copies.js'
import { ATTACHED_BYTES_MAX } from './mail-formats.js'
import { mailBody, type FirstContext } from './mail-body.js'
import { readSaid, readThread } from './mail-thread.js'
import { DELIVERY_PROOF_HEADER, type MailTokens } from './mail-tokens.js'

export interface ComposeOptions {
  sql: Sql
  tokens: MailTokens
  attachments: Pick<AttachmentStore, 'read'>
}

const SUBJECT_CHARS_MAX = 150

/** Makes the mail of a delivery. Its Message-ID is the same each time. @param replyTo where answers are wanted */
export async function composeMail(
  options: ComposeOptions,
  outgoing: Omit<OutgoingMessage, 'attempt' | 'signal'>,
  addresses: { address: string; replyTo: string },
): Promise<Mail> {
  const { message, recipient, contact } = outgoing
  const { address, replyTo } = addresses
  const fromName = fromNameOf(outgoing)
  const said = forwardingOf(message)
    ? await forwardedMail(options, outgoing)
    : await answerMail(options, outgoing, fromName)
  const answersTo = outgoingMailOf(message)?.replyTo ?? null
  return {
    from: { name: outgoing.senderName ? `${outgoing.senderName}, ${fromName}` : fromName, address },
    to: { name: forwardingOf(message) ? '' : (contact.profile.name ?? ''), address: recipient },
    replyTo: answersTo ? { name: '', address: answersTo } : { name: fromName, address: replyTo },
    ...said,
    ...chosenHead(outgoing),
    messageId: messageIdOf(options.tokens, outgoing, address),
    headers: {
      // Prevents automatic answers, which would be ignored: see automatic-mail.ts.
      'X-Auto-Response-Suppress': 'OOF, AutoReply',
      // Mail servers return it with a mail that they cannot deliver: see bounce.ts.
      [DELIVERY_PROOF_HEADER]: options.tokens.deliveryProof(outgoing.id),
      // RFC 3834: what nobody wrote is not answered by machines.
      ...((message.role === 'system' || message.isAutomated) && { 'Auto-Submitted': 'auto-replied' }),
    },
  }
}

type Composed = Omit<OutgoingMessage, 'attempt' | 'signal'>
type Content = Pick<Mail, 'subject' | 'text' | 'html' | 'inReplyTo' | 'references' | 'attachments'>

async function answerMail(
  { attachments, sql }: ComposeOptions,
  outgoing: Composed,
  fromName: string,
): Promise<Content> {
  const { attachment, conversation, message, organization, service, signature } = outgoing
  const thread = await readThread(sql, { conversation: conversation.id, service: service.id })
  const lines = isFirst(outgoing)
    ? await readSaid(sql, { conversation: conversation.id, position: message.position })
    : []
  const context: FirstContext | null = lines.length ? { organization: organization.name, lines } : null
  const attached =
    attachment && attachment.size <= ATTACHED_BYTES_MAX ? await attachedFile(attachments, attachment) : null
  const body = mailBody(outgoing, { attachmentUrl: attached ? null : (attachment?.url ?? null), context, signature })
  const bracketed = thread.ids.map((id) => `<${id}>`)
  return {
    subject: subjectOf(thread.subject, fromName),
    ...body,
    // A file message may have no text.
    text: body.text || (attachment?.fileName ?? ''),
    ...(bracketed.length > 0 && { inReplyTo: bracketed.at(-1)!, references: bracketed }),
    ...(attached && { attachments: [attached] }),
  }
}

/** A mail to people outside begins a thread of its own: answers to it must not name mails of the consumer. */
async function forwardedMail({ attachments, sql }: ComposeOptions, outgoing: Composed): Promise<Content> {
  const { conversation, forwarded, service } = outgoing
  if (!forwarded) throw new DeliveryRefused('the message that it forwards was deleted')
  const { subject } = await readThread(sql, { conversation: conversation.id, service: service.id })
  const { attached, ...content } = forwardedContent(outgoing, forwarded, subject)
  const files = await Promise.all(attached.map((file) => attachedFile(attachments, file)))
  return { ...content, ...(files.length > 0 && { attachments: files }) }
}

const fromNameOf = ({ organization, service }: Composed): string =>
  (service.params as EmailParams).fromName ?? organization.name

/** The Message-ID of a delivery's mail, in brackets. */
export const messageIdOf = (
  tokens: MailTokens,
  { id, message }: Pick<OutgoingMessage, 'id' | 'message'>,
  address: string,
): string => tokens.messageId(id, address.slice(address.lastIndexOf('@') + 1), forwardingOf(message) !== null)

/** The address with a token to which answers are wanted. */
export function answerAddress(
  tokens: MailTokens,
  { id, conversation, message, service }: Pick<OutgoingMessage, 'id' | 'conversation' | 'message' | 'service'>,
  address: string,
): string {
  return forwardingOf(message)
    ? tokens.forwardAddress(address, { service: service.id, delivery: id })
    : tokens.replyAddress(address, { service: service.id, conversation: conversation.id })
}

/** Tells whether it is the first mail to the contact. */
export function isFirst({ contact, message }: Pick<OutgoingMessage, 'contact' | 'message'>): boolean {
  return contact.meta?._contextSent !== true && forwardingOf(message) === null
}

export interface NoteContextOptions {
  log: Logger
  /** Records that the contact has received its first mail (2.12, `_contextSent`). */
  contextSent(contact: string): Promise<void>
}

/** The mail is sent: if this failed, the next one would only repeat the context. */
export async function noteContext({ contextSent, log }: NoteContextOptions, contact: string): Promise<void> {
  await contextSent(contact).catch((error: unknown) =>
    log.warn({ err: error, contact }, "failed to record a contact's first mail"),
  )
}

function subjectOf(subject: string | null, fromName: string): string {
  if (!subject) return `Message from ${fromName}`
  const short = subject.slice(0, SUBJECT_CHARS_MAX)
  return /^(?:re|aw|antw|rép?|sv)\s*:/i.test(short) ? short : `Re: ${short}`
}

async function attachedFile(
  attachments: ComposeOptions['attachments'],
  { id, fileName, fileType, size }: NonNullable<OutgoingMessage['attachment']>,
) {
  const content: Readable = await attachments.read(id, size)
  return { filename: fileName, contentType: fileType, content: await buffer(content) }
}
