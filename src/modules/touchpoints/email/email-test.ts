import { BadUserInput } from '../../../platform/errors.js'
import type { Mailer } from '../../../platform/outbound/mailer.js'
import { MailFailure } from '../../../platform/outbound/smtp-session.js'
import type { ServiceKind } from '../../services/service-kinds.js'
import { asTestFailure } from '../provider-test.js'
import { asDelivery } from './email-adapter.js'
import type { EmailParams } from './email-params.js'
import { requireSender, type SenderOptions } from './require-sender.js'

/** Mails to the caller: nobody else's mailbox is for tests. */
export function createEmailTest(options: SenderOptions & { mailer: Mailer }): NonNullable<ServiceKind['test']> {
  const { grants, mailer, mailSenders } = options
  return async ({ service, to, email, signal }) => {
    if (to !== null) throw new BadUserInput('to', 'to is for services of type sms: a test mail goes to the caller')
    return asTestFailure(async () => {
      const { address, smtpUrl, accessToken } = await requireSender(options, service)
      const name = (service.params as EmailParams).fromName ?? service.name ?? address
      const mail = {
        from: { name, address },
        to: { name: '', address: email },
        subject: `A test of ${name}`,
        text: 'Mail of this service arrives.',
        headers: { 'X-Auto-Response-Suppress': 'All', 'Auto-Submitted': 'auto-generated' },
      }
      const sending = { smtpUrl, accessToken, returnPath: address, signal, mayRelay: mailSenders === 'any' }
      await mailer.send(mail, sending).catch(async (error: unknown) => {
        if (error instanceof MailFailure && error.isSignIn) await grants.forget(service)
        throw asDelivery(error)
      })
      return `the mail server took a mail for ${email}`
    })
  }
}
