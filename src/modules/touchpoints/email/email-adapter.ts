import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import type { AttachmentStore } from '../../attachments/attachment-store.js'
import type { Logger } from 'pino'
import type { Config } from '../../../platform/config.js'
import type { Sql } from '../../../platform/db/database.js'
import type { Mail, Mailer } from '../../../platform/outbound/mailer.js'
import { MailFailure } from '../../../platform/outbound/smtp-session.js'
import {
  DeliveryFailed,
  DeliveryRefused,
  DeliveryUnknown,
  type DeliveryResult,
  type OutgoingMessage,
  type TouchpointAdapter,
} from '../adapter.js'
import type { EmailParams } from './email-params.js'
import { mailBody, type FirstContext } from './mail-body.js'
import { requireSender } from './require-sender.js'
import type { SmtpGrants } from './smtp-grants.js'
import { readSaid, readThread } from './mail-thread.js'
import type { MailTokens } from './mail-tokens.js'

export interface EmailAdapterOptions {
  sql: Sql
  log: Logger
  mailer: Mailer
  tokens: MailTokens
  attachments: Pick<AttachmentStore, 'read'>
  /** Senders allowed with the installation's mail server. */
  mailSenders: Config['mailSenders']
  /** Records that the contact has received its first mail (2.12, `_contextSent`). */
  contextSent(contact: string): Promise<void>
  grants: SmtpGrants
}

/** Larger files are sent as links: many mailboxes accept at most 10 MiB, and encoding adds a third. */
const ATTACHED_BYTES_MAX = 5 * 1_048_576
const SUBJECT_CHARS_MAX = 150

/**
 * Sends messages as mail (4.7). The Message-ID is derived from the delivery, so that a repeat can be recognized; but
 * mail servers guarantee nothing about repeats, so a mail without an answer is not repeated automatically.
 */
export class EmailAdapter implements TouchpointAdapter {
  readonly type = 'email'
  readonly deduplicates = false

  constructor(private readonly options: EmailAdapterOptions) {}

  async send(outgoing: OutgoingMessage): Promise<DeliveryResult> {
    const { grants, mailSenders, mailer, tokens } = this.options
    const { conversation, contact, recipient, service, signal } = outgoing
    const { address, smtpUrl, accessToken } = await requireSender(this.options, service)
    const returnPath = tokens.replyAddress(address, { service: service.id, conversation: conversation.id })
    try {
      const mail = await this.#compose(outgoing, address)
      const to = { name: contact.profile.name ?? '', address: recipient }
      const mayRelay = mailSenders === 'any'
      await mailer.send({ ...mail, to }, { smtpUrl, accessToken, returnPath, signal, mayRelay })
      if (isFirst(outgoing)) await this.#noteContext(contact.id)
      return { providerId: mail.messageId!.slice(1, -1), status: 'sent' }
    } catch (error) {
      if (error instanceof MailFailure && error.isSignIn) await grants.forget(service)
      throw asDelivery(error)
    }
  }

  /** The mail is sent: if this failed, the next one would only repeat the context. */
  async #noteContext(contact: string): Promise<void> {
    const { contextSent, log } = this.options
    await contextSent(contact).catch((error: unknown) =>
      log.warn({ err: error, contact }, "failed to record a contact's first mail"),
    )
  }

  async #compose(outgoing: OutgoingMessage, address: string): Promise<Omit<Mail, 'to'>> {
    const { sql, tokens } = this.options
    const { attachment, conversation, message, organization, senderName, service } = outgoing
    const fromName = (service.params as EmailParams).fromName ?? organization.name
    const thread = await readThread(sql, { conversation: conversation.id, service: service.id })
    const lines = isFirst(outgoing)
      ? await readSaid(sql, { conversation: conversation.id, position: message.position })
      : []
    const context: FirstContext | null = lines.length ? { organization: organization.name, lines } : null
    const attached = attachment && attachment.size <= ATTACHED_BYTES_MAX ? await this.#attached(attachment) : null
    const body = mailBody(outgoing, { attachmentUrl: attached ? null : (attachment?.url ?? null), context })
    const at = { service: service.id, conversation: conversation.id }
    const bracketed = thread.ids.map((id) => `<${id}>`)
    return {
      from: { name: senderName ? `${senderName}, ${fromName}` : fromName, address },
      replyTo: { name: fromName, address: tokens.replyAddress(address, at) },
      subject: subjectOf(thread.subject, fromName),
      ...body,
      // A file message may have no text.
      text: body.text || (attachment?.fileName ?? ''),
      messageId: tokens.messageId(outgoing.id, address.slice(address.lastIndexOf('@') + 1)),
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

  async #attached({ id, fileName, fileType, size }: NonNullable<OutgoingMessage['attachment']>) {
    const content: Readable = await this.options.attachments.read(id, size)
    return { filename: fileName, contentType: fileType, content: await buffer(content) }
  }
}

function isFirst({ contact }: OutgoingMessage): boolean {
  return contact.meta?._contextSent !== true
}

function subjectOf(subject: string | null, fromName: string): string {
  if (!subject) return `Message from ${fromName}`
  const short = subject.slice(0, SUBJECT_CHARS_MAX)
  return /^(?:re|aw|antw|rép?|sv)\s*:/i.test(short) ? short : `Re: ${short}`
}

export function asDelivery(error: unknown): Error {
  if (!(error instanceof MailFailure))
    return new DeliveryFailed(`failed to compose the mail: ${(error as Error).message}`)
  if (error.outcome === 'refused') return new DeliveryRefused(error.message)
  return error.outcome === 'failed' ? new DeliveryFailed(error.message) : new DeliveryUnknown(error.message)
}
