import { serverSecret } from '../../auth/server-secret.js'
import type { InstalledTouchpoint, TouchpointParts } from '../touchpoints-module.js'
import { contextNoter } from './context-sent.js'
import { DnsTexts } from './dns-texts.js'
import { EmailAdapter } from './email-adapter.js'
import { EmailKind } from './email-params.js'
import { emailRoute } from './email-route.js'
import { MailParser } from './mail-parser.js'
import { MailReceiver } from './mail-receiver.js'
import { MailSendersResolver } from './mail-senders-resolver.js'
import { MailTokens } from './mail-tokens.js'
import { createSenderMailer, SENDER_MAIL } from './sender-mail.js'
import { SenderProofs } from './sender-proofs.js'
import { SmtpListener } from './smtp-listener.js'
import { SenderVerification } from './verify-sender.js'

/** Email (4.7): outbound by SMTP; inbound by SMTP and by `POST /inbound/email/<service>`. */
export async function installEmail(parts: TouchpointParts): Promise<InstalledTouchpoint> {
  const { attachments, clock, config, database: sql, deliveries, inbox, jobs, log, mailer, redis } = parts
  const { systemContext, transact } = parts
  const { mailBytesMax: bytesMax, smtpListenHost: host, smtpListenPort: port, smtpTlsCert, smtpTlsKey } = config
  const { mailSenders } = config
  const tokens = new MailTokens(await serverSecret(sql, 'mail'))
  const parser = new MailParser()
  const receiver = new MailReceiver({ sql, inbox, deliveries, tokens, parser, redis })
  const proofs = new SenderProofs({ secret: await serverSecret(sql, 'mail-senders'), now: () => clock.now() })
  const verification = new SenderVerification({ transact, proofs, mailer, redis, dns: new DnsTexts(config.dnsServers) })
  jobs.register(SENDER_MAIL, createSenderMailer({ sql, log, mailer, proofs }))
  const contextSent = contextNoter(transact, systemContext)
  const installed: InstalledTouchpoint = {
    adapter: new EmailAdapter({ sql, log, mailer, tokens, attachments: attachments.store, mailSenders, contextSent }),
    routes: [emailRoute(receiver, bytesMax)],
    kind: new EmailKind(),
    resolvers: [new MailSendersResolver({ verification, proofs, mailSenders })],
    stop: () => parser.close(),
  }
  if (port === undefined) return installed
  const tls = smtpTlsCert && smtpTlsKey ? { certificate: smtpTlsCert, key: smtpTlsKey } : null
  const listener = new SmtpListener({ host, port, bytesMax, tls, sql, log, receiver, tokens })
  return {
    ...installed,
    async start() {
      log.info({ host, port: await listener.start() }, 'listening for inbound mail by SMTP')
    },
    async stop() {
      await listener.stop()
      await parser.close()
    },
  }
}
