import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import type { Logger } from 'pino'
import type { AttachmentStore } from '../../attachments/attachment-store.js'
import type { Sql } from '../../../platform/db/database.js'
import type { Mail } from '../../../platform/outbound/mailer.js'
import type { OutgoingMessage } from '../adapter.js'
import type { EmailParams } from './email-params.js'
import { outgoingMailOf } from '../../messages/outgoing-mail.js'
import { chosenHead } from './mail-copies.js'
import { mailBody, type FirstContext } from './mail-body.js'
import { readSaid, readThread } from './mail-thread.js'
import type { MailTokens } from './mail-tokens.js'

export interface ComposeOptions {
  sql: Sql
  tokens: MailTokens
  attachments: Pick<AttachmentStore, 'read'>
}

/** Larger files are sent as links: many mailboxes accept at most 10 MiB, and encoding adds a third. */
const ATTACHED_BYTES_MAX = 5 * 1_048_576
const SUBJECT_CHARS_MAX = 150

/** Makes the mail of a delivery. Its Message-ID is the same each time. @param replyTo where answers are wanted */
export async function composeMail(
  { attachments, sql, tokens }: ComposeOptions,
  outgoing: Omit<OutgoingMessage, 'attempt' | 'signal'>,
  { address, replyTo }: { address: string; replyTo: string },
): Promise<Omit<Mail, 'to'>> {
  const { attachment, conversation, message, organization, senderName, service } = outgoing
  const fromName = (service.params as EmailParams).fromName ?? organization.name
  const thread = await readThread(sql, { conversation: conversation.id, service: service.id })
  const lines = isFirst(outgoing)
    ? await readSaid(sql, { conversation: conversation.id, position: message.position })
    : []
  const context: FirstContext | null = lines.length ? { organization: organization.name, lines } : null
  const attached =
    attachment && attachment.size <= ATTACHED_BYTES_MAX ? await attachedFile(attachments, attachment) : null
  const body = mailBody(outgoing, { attachmentUrl: attached ? null : (attachment?.url ?? null), context })
  const answersTo = outgoingMailOf(message)?.replyTo ?? null
  const bracketed = thread.ids.map((id) => `<${id}>`)
  return {
    from: { name: senderName ? `${senderName}, ${fromName}` : fromName, address },
    replyTo: answersTo ? { name: '', address: answersTo } : { name: fromName, address: replyTo },
    subject: subjectOf(thread.subject, fromName),
    ...chosenHead(outgoing),
    ...body,
    // A file message may have no text.
    text: body.text || (attachment?.fileName ?? ''),
    messageId: messageIdOf(tokens, outgoing.id, address),
    ...(bracketed.length > 0 && { inReplyTo: bracketed.at(-1)!, references: bracketed }),
    headers: {
      // Prevents automatic answers, which would be ignored: see automatic-mail.ts.
      'X-Auto-Response-Suppress': 'OOF, AutoReply',
      // RFC 3834: what nobody wrote is not answered by machines.
      ...((message.role === 'system' || message.isAutomated) && { 'Auto-Submitted': 'auto-replied' }),
    },
    ...(attached && { attachments: [attached] }),
  }
}

/** The Message-ID of a delivery's mail, in brackets. */
export const messageIdOf = (tokens: MailTokens, delivery: string, address: string): string =>
  tokens.messageId(delivery, address.slice(address.lastIndexOf('@') + 1))

/** Tells whether the contact has not got a mail yet. */
export function isFirst({ contact }: Pick<OutgoingMessage, 'contact'>): boolean {
  return contact.meta?._contextSent !== true
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
