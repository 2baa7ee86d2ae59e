import type { Logger } from 'pino'
import type { Context } from '../../../platform/context.js'
import { defineJob, type JobKind } from '../../../platform/jobs/job-type.js'
import type { Mailer } from '../../../platform/outbound/mailer.js'
import type { Sealer } from '../../../platform/sealing/sealer.js'
import type { AttachmentLinks } from '../../attachments/attachment-links.js'
import { composeMail, messageIdOf, type ComposeOptions } from '../email/compose-mail.js'
import { readOutgoing } from '../outgoing-message.js'
import { settingsOfMailbox } from './mailbox-settings.js'
import { MAILBOX } from './mailbox-params.js'
import { MailboxFailure } from './mailbox-failure.js'
import { fileSent, type SentFolderOptions } from './sent-folder.js'

/** Files a mail that was sent among the mailbox's sent mail, where the provider does not. */
export const MAILBOX_FILE = defineJob<{ delivery: string }>('mailbox.file', { delivery: 'string' })

export interface FileSentOptions extends ComposeOptions, SentFolderOptions {
  log: Logger
  mailer: Pick<Mailer, 'build'>
  links: AttachmentLinks
  sealer: Sealer
  /** Aborted when the node stops. */
  stopped: AbortSignal
  /** Creates a context that sees every tenant. */
  systemContext: (requestId: string) => Context
}

const FILE_MS_MAX = 60_000
/** A copy that cannot be filed for some hours is left out: the mail itself has arrived. */
const ATTEMPTS_MAX = 12

export function fileSentJob(options: FileSentOptions): JobKind<{ delivery: string }> {
  const { log, mailer, stopped, systemContext, tokens } = options
  return {
    isOutbound: true,
    async handler(job) {
      const { delivery: id } = job.payload
      // The message, its contact or the service may be gone.
      const found = await readOutgoing(systemContext(job.id), options, id)
      if (!found?.outgoing || found.outgoing.service.type !== MAILBOX) return
      const { delivery, outgoing } = found
      const { service } = outgoing
      const settings = settingsOfMailbox(service.params)
      if (!settings?.filesSent) return
      const { address } = settings
      const sentAt = delivery.updatedAt
      const mail = async (): Promise<Buffer> => {
        const composed = await composeMail(options, { ...outgoing, id }, { address, replyTo: address })
        return (await mailer.build({ ...composed, date: sentAt })).bytes
      }
      const messageId = messageIdOf(tokens, { ...outgoing, id }, address)
      const signal = AbortSignal.any([stopped, AbortSignal.timeout(FILE_MS_MAX)])
      try {
        await fileSent(options, { service, settings, messageId, signal }, { mail, sentAt })
      } catch (error) {
        if (!(error instanceof MailboxFailure) || job.failures < ATTEMPTS_MAX) throw error
        log.warn({ service: service.id, delivery: id, reason: error.message }, 'a sent mail was not filed')
      }
    },
  }
}
