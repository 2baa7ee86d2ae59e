import type { Config } from '../../../platform/config.js'
import type { Sql } from '../../../platform/db/database.js'
import type { Mailer } from '../../../platform/outbound/mailer.js'
import type { Service } from '../../services/service.js'
import { DeliveryRefused } from '../adapter.js'
import { sendsByInstallation, smtpUrlOf, type EmailParams } from './email-params.js'
import type { SmtpGrants } from './smtp-grants.js'
import { isVerifiedSender } from './mail-sender.js'

export interface SenderOptions {
  sql: Sql
  mailer: Pick<Mailer, 'isSet'>
  /** Senders allowed with the installation's mail server. */
  mailSenders: Config['mailSenders']
  grants: SmtpGrants
}

export interface MailRoute {
  address: string
  /** Undefined: by the installation's server. */
  smtpUrl: string | undefined
  /** Token for a server that takes tokens in place of passwords. */
  accessToken: string | undefined
}

/**
 * The address that an email service sends from, and by which server; undefined: by the installation's. Refused without
 * retries: an administrator sees the reason, and it is sent again.
 * @throws DeliveryRefused; DeliveryFailed without a token
 */
export async function requireSender(
  { sql, mailer, mailSenders, grants }: SenderOptions,
  service: Pick<Service, 'id' | 'params'>,
): Promise<MailRoute> {
  const params = service.params as EmailParams
  const { address } = params
  if (address === undefined) throw new DeliveryRefused('the service lacks params.address')
  const smtpUrl = smtpUrlOf(params)
  if (smtpUrl === undefined && !mailer.isSet) {
    throw new DeliveryRefused('neither SMTP_URL nor params.smtpUrl of the service is set')
  }
  const isFree = mailSenders === 'any' || !sendsByInstallation(params)
  if (isFree || (await isVerifiedSender(sql, { service: service.id, address }))) {
    return { address, smtpUrl, accessToken: await grants.tokenFor(service) }
  }
  throw new DeliveryRefused(`${address} is not verified as a sender: an administrator does that at the service`)
}
