import type { Config } from '../../../platform/config.js'
import type { Mailer } from '../../../platform/outbound/mailer.js'
import { MailFailure } from '../../../platform/outbound/smtp-session.js'
import { forwardingOf } from '../../messages/forwarding.js'
import {
  DeliveryFailed,
  DeliveryRefused,
  DeliveryUnknown,
  type DeliveryResult,
  type OutgoingMessage,
  type TouchpointAdapter,
} from '../adapter.js'
import { isGone } from './bounce.js'
import {
  answerAddress,
  composeMail,
  isFirst,
  noteContext,
  type ComposeOptions,
  type NoteContextOptions,
} from './compose-mail.js'
import { copiesAfter, recipientsOf } from './mail-copies.js'
import { signatureFor } from './mail-signature.js'
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

  signature(outgoing: Omit<OutgoingMessage, 'attempt' | 'signal'>): Promise<string | null> {
    return signatureFor(this.options.sql, outgoing)
  }

  async send(outgoing: OutgoingMessage): Promise<DeliveryResult> {
    const { grants, mailSenders, mailer, tokens } = this.options
    const { contact, service, signal } = outgoing
    const { address, smtpUrl, accessToken } = await requireSender(this.options, service)
    const returnPath = answerAddress(tokens, outgoing, address)
    try {
      const mail = await composeMail(this.options, outgoing, { address, replyTo: returnPath })
      const mayRelay = mailSenders === 'any'
      const recipients = recipientsOf(outgoing)
      const sending = { smtpUrl, accessToken, returnPath, signal, mayRelay, recipients }
      const copies = copiesAfter(outgoing, await mailer.send(mail, sending))
      if (isFirst(outgoing)) await noteContext(this.options, contact.id)
      return { providerId: mail.messageId!.slice(1, -1), status: 'sent', copies }
    } catch (error) {
      if (error instanceof MailFailure && error.isSignIn) await grants.forget(service)
      throw asDelivery(error, outgoing)
    }
  }
}

/** Returns what a failure means for a delivery; of several recipients, the words of a refusal do not tell which is gone. */
export function asDelivery(error: unknown, outgoing?: Pick<OutgoingMessage, 'copies' | 'message'>): Error {
  if (error instanceof DeliveryRefused) return error
  if (!(error instanceof MailFailure))
    return new DeliveryFailed(`failed to compose the mail: ${(error as Error).message}`)
  if (error.outcome === 'refused') {
    const isOfContact = outgoing?.copies.length === 0 && forwardingOf(outgoing.message) === null
    return new DeliveryRefused(error.message, isOfContact && isGone(error.message) ? 'blocked' : null)
  }
  return error.outcome === 'failed' ? new DeliveryFailed(error.message) : new DeliveryUnknown(error.message)
}
