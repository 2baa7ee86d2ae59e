import type { Config } from '../../config.js'
import type { Sql } from '../../db/database.js'
import type { Mailer } from '../../outbound/mailer.js'
import type { Service } from '../../services/service.js'
import { DeliveryRefused } from '../adapter.js'
import { sendsByInstallation, smtpUrlOf, type EmailParams } from './email-params.js'
import { isVerifiedSender } from './mail-sender.js'

export interface SenderOptions {
  sql: Sql
  mailer: Pick<Mailer, 'isSet'>
  /** Senders allowed with the installation's mail server. */
  mailSenders: Config['mailSenders']
}

/**
 * The address that an email service sends from, and by which server; undefined: by the installation's. Refused without
 * retries: an administrator sees the reason, and it is sent again.
 * @throws DeliveryRefused
 */
export async function requireSender(
  { sql, mailer, mailSenders }: SenderOptions,
  service: Pick<Service, 'id' | 'params'>,
): Promise<{ address: string; smtpUrl: string | undefined }> {
  const params = service.params as EmailParams
  const { address } = params
  if (address === undefined) throw new DeliveryRefused('the service lacks params.address')
  const smtpUrl = smtpUrlOf(params)
  if (smtpUrl === undefined && !mailer.isSet) {
    throw new DeliveryRefused('neither SMTP_URL nor params.smtpUrl of the service is set')
  }
  const isFree = mailSenders === 'any' || !sendsByInstallation(params)
  if (isFree || (await isVerifiedSender(sql, { service: service.id, address }))) return { address, smtpUrl }
  throw new DeliveryRefused(`${address} is not verified as a sender: an administrator does that at the service`)
}
