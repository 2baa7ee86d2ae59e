import type { Logger } from 'pino'
import type { Job } from '../jobs/job.js'
import { payloadText, type JobKind } from '../jobs/job-runner.js'
import type { Mailer } from '../outbound/mailer.js'
import type { Invitations } from './invitations.js'

export interface InvitationMailOptions {
  invitations: Invitations
  log: Logger
  /** Without a server nothing is sent, and the log says so. */
  mailer: Mailer
  /** Base of the link, without a trailing slash. */
  publicUrl: string
}

/**
 * Mails a link to each invited user; the handler of `user.invite` jobs. The token is made here, so that no job holds a
 * secret. At least once: a mail server that fails after taking the mail gets it again.
 */
export function createInvitationMailer(options: InvitationMailOptions): JobKind {
  const { invitations, log, mailer, publicUrl } = options
  return {
    isOutbound: true,
    async handler(job: Job) {
      const user = await invitations.find(payloadText(job.payload, 'user'))
      // Accepted, archived or deleted meanwhile.
      if (user?.status !== 'invited') return
      if (!mailer.isSet) {
        log.warn({ user: user.id }, 'SMTP_URL is not set: the invitation was not mailed; set it and invite again')
        return
      }
      // Behind #, so that no server's log gets the token.
      const link = `${publicUrl}/invitation#${invitations.tokenFor(user)}`
      await mailer.send({
        to: { name: '', address: user.email },
        subject: 'Your invitation to Switchboard',
        text: `You have been invited to Switchboard. Choose a password within 7 days:\n\n${link}\n`,
      })
    },
  }
}
