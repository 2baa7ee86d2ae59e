import { serverSecret } from '../../auth/server-secret.js'
import type { TouchpointsDependencies } from '../install.js'
import { DnsTexts } from '../../../platform/outbound/dns-texts.js'
import { MailSendersResolver } from './mail-senders-resolver.js'
import { createSenderMailer, SENDER_MAIL } from './sender-mail.js'
import { SenderProofs } from './sender-proofs.js'
import { SenderVerification } from './verify-sender.js'

/** Builds the verification of sender addresses: part of the schema, whatever is installed for email. */
export async function openMailSenders({
  clock,
  config,
  database: sql,
  jobs,
  log,
  mailer,
  redis,
  sealer,
  transact,
}: TouchpointsDependencies): Promise<MailSendersResolver> {
  const { dnsServers, mailSenders } = config
  const proofs = new SenderProofs({ secret: await serverSecret(sql, sealer, 'mail-senders'), now: () => clock.now() })
  const verification = new SenderVerification({ transact, proofs, mailer, redis, dns: new DnsTexts(dnsServers) })
  jobs.register(SENDER_MAIL, createSenderMailer({ sql, log, mailer, proofs }))
  return new MailSendersResolver({ verification, proofs, mailSenders })
}
