import { setTimeout as sleep } from 'node:timers/promises'
import type { Clock } from '../../../platform/db/clock.js'
import { addJobs } from '../../../platform/jobs/job.js'
import type { Mailer } from '../../../platform/outbound/mailer.js'
import { MailFailure } from '../../../platform/outbound/smtp-session.js'
import { DeliveryRefused, type DeliveryResult, type OutgoingMessage, type TouchpointAdapter } from '../adapter.js'
import {
  composeMail,
  isFirst,
  messageIdOf,
  noteContext,
  type ComposeOptions,
  type NoteContextOptions,
} from '../email/compose-mail.js'
import { asDelivery } from '../email/email-adapter.js'
import { copiesAfter, recipientsOf } from '../email/mail-copies.js'
import { signatureFor } from '../email/mail-signature.js'
import type { SmtpGrants } from '../email/smtp-grants.js'
import { settingsOfMailbox, type MailboxSettings } from './mailbox-settings.js'
import { MAILBOX } from './mailbox-params.js'
import { isInSent, type SentFolderOptions } from './sent-folder.js'
import { MAILBOX_FILE } from './file-sent-job.js'

export interface MailboxAdapterOptions extends ComposeOptions, NoteContextOptions, SentFolderOptions {
  mailer: Mailer
  grants: SmtpGrants
  clock: Clock
  wakeJobs(): void
}

/** A provider files what it takes within seconds. */
const LOOKS_MS = [1_000, 3_000, 6_000]

/**
 * Sends by the mail server of the mailbox's account. Answers come to the mailbox itself, and show what they answer by our
 * Message-ID: not every server knows addresses with tokens.
 */
export class MailboxAdapter implements TouchpointAdapter {
  readonly type = MAILBOX
  readonly deduplicates = false
  /** It is reading that tells whether a mailbox is in order. */
  readonly provesService = false

  constructor(private readonly options: MailboxAdapterOptions) {}

  signature(outgoing: Omit<OutgoingMessage, 'attempt' | 'signal'>): Promise<string | null> {
    return signatureFor(this.options.sql, outgoing)
  }

  async send(outgoing: OutgoingMessage): Promise<DeliveryResult> {
    const { grants, mailer } = this.options
    const { contact, service, signal } = outgoing
    const settings = settingsOfMailbox(service.params)
    if (!settings) throw new DeliveryRefused('the service has no settings of a mailbox')
    const { address, smtpUrl } = settings
    const accessToken = await grants.tokenFor({ id: service.id, params: { ...settings.tokens } })
    try {
      const mail = await composeMail(this.options, outgoing, { address, replyTo: address })
      const sending = { smtpUrl, accessToken, returnPath: address, signal, recipients: recipientsOf(outgoing) }
      const refused = await mailer.send(mail, sending)
      if (settings.filesSent) await this.#file(outgoing)
      if (isFirst(outgoing)) await noteContext(this.options, contact.id)
      return { ...sent(mail.messageId!), copies: copiesAfter(outgoing, refused) }
    } catch (error) {
      if (error instanceof MailFailure && error.isSignIn) await grants.forget(service)
      throw asDelivery(error, outgoing)
    }
  }

  /** The mail is sent: without a copy of it nothing is wrong but that. */
  async #file({ id, service }: OutgoingMessage): Promise<void> {
    const { clock, log, sql, wakeJobs } = this.options
    try {
      await addJobs(sql, [MAILBOX_FILE.create({ delivery: id }, fileKey(service.id))], clock)
      wakeJobs()
    } catch (error) {
      log.warn({ err: error, delivery: id }, 'a sent mail is not filed')
    }
  }

  /** Looks for the mail among those that were sent: providers file what they take. */
  async settle(outgoing: Omit<OutgoingMessage, 'attempt'>): Promise<DeliveryResult | null> {
    const { service, signal } = outgoing
    const settings = settingsOfMailbox(service.params)
    if (!settings) return null
    const messageId = messageIdOf(this.options.tokens, outgoing, settings.address)
    for (const waitMs of looksOf(settings)) {
      await sleep(waitMs, undefined, { signal })
      if (await isInSent(this.options, { service, settings, messageId, signal })) return sent(messageId)
    }
    return null
  }
}

/** Jobs of one mailbox run one after the other, and have a share of their own: a mail that waits to be sent is more urgent. */
const fileKey = (service: string) => ({ key: `mailbox.file:${service}`, share: `mailbox.file:${service}` })

const looksOf = ({ filesSent }: MailboxSettings): readonly number[] => (filesSent ? [0] : LOOKS_MS)

const sent = (messageId: string): DeliveryResult => ({ providerId: messageId.slice(1, -1), status: 'sent' })
