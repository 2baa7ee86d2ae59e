import type { Logger } from 'pino'
import type { Job } from '../jobs/job.js'
import { payloadText, type JobKind } from '../jobs/job-runner.js'
import type { Mailer } from '../outbound/mailer.js'
import type { Invitations } from './invitations.js'

export interface InvitationMailOptions {
  invitations: Invitations
  log: Logger
  /** Without a mail server nothing is sent, and a warning is logged. */
  mailer: Mailer
  /** Base of the link, without a trailing slash. */
  publicUrl: string
}

/**
 * Handles `user.invite` jobs: mails a link to each invited user. The token is created here, so that no job contains a
 * secret. At least once: a mail server that fails after accepting the mail gets it again.
 */
export function createInvitationMailer(options: InvitationMailOptions): JobKind {
  const { invitations, log, mailer, publicUrl } = options
  return {
    isOutbound: true,
    async handler(job: Job) {
      const user = await invitations.find(payloadText(job.payload, 'user'))
      // Accepted, archived or deleted in the meantime.
      if (user?.status !== 'invited') return
      if (!mailer.isSet) {
        log.warn({ user: user.id }, 'SMTP_URL is not set: the invitation was not mailed; set it and invite again')
        return
      }
      // Behind #, so that the token is in no server's log.
      const link = `${publicUrl}/invitation#${invitations.tokenFor(user)}`
      await mailer.send({
        to: { name: '', address: user.email },
        subject: 'Your invitation to Switchboard',
        text: `You have been invited to Switchboard. Choose a password within 7 days:\n\n${link}\n`,
      })
    },
  }
}
