import type { Logger } from 'pino'
import { defineJob, type JobKind } from '../../platform/jobs/job-type.js'
import type { Mailer } from '../../platform/outbound/mailer.js'
import type { LinkPurpose, LinkUser, PasswordLinks } from './password-links.js'

/** Mails a link for a new password to whoever has the email. */
export const PASSWORD_RESET = defineJob<{ email: string }>('user.passwordReset', { email: 'string' })

export interface PasswordMailOptions {
  links: PasswordLinks
  log: Logger
  /** Without a server nothing is sent, and the log says so. */
  mailer: Mailer
}

const TEXTS: Readonly<Record<LinkPurpose | 'byProvider', { subject: string; text: string }>> = {
  byProvider: {
    subject: 'Your invitation to Switchboard',
    text: 'You have been invited to Switchboard. Sign in there by the provider of your organization:',
  },
  invitation: {
    subject: 'Your invitation to Switchboard',
    text: 'You have been invited to Switchboard. Choose a password within 7 days:',
  },
  reset: {
    subject: 'Your new password for Switchboard',
    text:
      'Somebody asked for a new password for this address. Choose one within an hour, or do nothing if it was not ' +
      'you: your present one stays.',
  },
}

/**
 * Mails a link to each invited user; the handler of `user.invite` jobs. The token is made here, so that no job holds a
 * secret. At least once: a mail server that fails after taking the mail gets it again.
 */
export function createInvitationMailer(options: PasswordMailOptions): JobKind<{ user: string }> {
  return {
    isOutbound: true,
    async handler({ payload }) {
      const user = await options.links.find(payload.user)
      // Accepted, archived or deleted meanwhile.
      if (user && options.links.purposeFor(user) === 'invitation') await mailLink(options, user, 'invitation')
    },
  }
}

/** Mails whoever has the email a link; an invited user gets the invitation again, and an unknown email nothing. */
export function createResetMailer(options: PasswordMailOptions): JobKind<{ email: string }> {
  return {
    isOutbound: true,
    async handler({ payload }) {
      const user = await options.links.findByEmail(payload.email)
      const purpose = user && options.links.purposeFor(user)
      // Where people sign in by a provider only, there is no password to be chosen anew.
      const isNone = user?.is_password_off && purpose === 'reset'
      if (user && purpose && !isNone) await mailLink(options, user, purpose)
    },
  }
}

async function mailLink(
  { links, log, mailer }: PasswordMailOptions,
  user: LinkUser,
  purpose: LinkPurpose,
): Promise<void> {
  if (!mailer.isSet) {
    const advice = 'set it and ask again, or hand over a link of createSignInLink'
    log.warn({ user: user.id }, `SMTP_URL is not set: the ${purpose} was not mailed; ${advice}`)
    return
  }
  const { subject, text } = TEXTS[user.is_password_off ? 'byProvider' : purpose]
  const url = user.is_password_off ? links.signInUrl : links.linkFor(user, purpose).url
  await mailer.send({ to: { name: '', address: user.email }, subject, text: `${text}\n\n${url}\n` })
}
