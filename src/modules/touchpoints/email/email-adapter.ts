import type { Config } from '../../../platform/config.js'
import type { Mailer } from '../../../platform/outbound/mailer.js'
import { MailFailure } from '../../../platform/outbound/smtp-session.js'
import {
  DeliveryFailed,
  DeliveryRefused,
  DeliveryUnknown,
  type DeliveryResult,
  type OutgoingMessage,
  type TouchpointAdapter,
} from '../adapter.js'
import { composeMail, isFirst, noteContext, type ComposeOptions, type NoteContextOptions } from './compose-mail.js'
import { copiesAfter, recipientsOf } from './mail-copies.js'
import { requireSender } from './require-sender.js'
import type { SmtpGrants } from './smtp-grants.js'

export interface EmailAdapterOptions extends ComposeOptions, NoteContextOptions {
  mailer: Mailer
  /** Senders allowed with the installation's mail server. */
  mailSenders: Config['mailSenders']
  grants: SmtpGrants
}

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
      const mail = await composeMail(this.options, outgoing, { address, replyTo: returnPath })
      const to = { name: contact.profile.name ?? '', address: recipient }
      const mayRelay = mailSenders === 'any'
      const recipients = recipientsOf(outgoing)
      const sending = { smtpUrl, accessToken, returnPath, signal, mayRelay, recipients }
      const copies = copiesAfter(outgoing, await mailer.send({ ...mail, to }, sending))
      if (isFirst(outgoing)) await noteContext(this.options, contact.id)
      return { providerId: mail.messageId!.slice(1, -1), status: 'sent', copies }
    } catch (error) {
      if (error instanceof MailFailure && error.isSignIn) await grants.forget(service)
      throw asDelivery(error)
    }
  }
}

export function asDelivery(error: unknown): Error {
  if (error instanceof DeliveryRefused) return error
  if (!(error instanceof MailFailure))
    return new DeliveryFailed(`failed to compose the mail: ${(error as Error).message}`)
  if (error.outcome === 'refused') return new DeliveryRefused(error.message)
  return error.outcome === 'failed' ? new DeliveryFailed(error.message) : new DeliveryUnknown(error.message)
}
