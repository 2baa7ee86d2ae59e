import { serverSecret } from '../../auth/server-secret.js'
import type { InstalledTouchpoint, TouchpointParts } from '../install.js'
import { contextNoter } from './context-sent.js'
import { EmailAdapter } from './email-adapter.js'
import { EmailKind } from './email-params.js'
import { createEmailTest } from './email-test.js'
import { emailRoute } from './email-route.js'
import { MailParser } from './mail-parser.js'
import { MailReceiver } from './mail-receiver.js'
import { MailTokens } from './mail-tokens.js'
import { SmtpListener } from './smtp-listener.js'

/** Email (4.7): outbound by SMTP; inbound by SMTP and by `POST /inbound/email/<service>`. */
export async function installEmail(parts: TouchpointParts): Promise<InstalledTouchpoint> {
  const { attachments, config, database: sql, deliveries, inbox, log, mailer, redis, systemContext, transact } = parts
  const { mailBytesMax: bytesMax, smtpListenHost: host, smtpListenPort: port, smtpTlsCert, smtpTlsKey } = config
  const { mailSenders } = config
  const tokens = new MailTokens(await serverSecret(sql, 'mail'))
  const parser = new MailParser()
  const receiver = new MailReceiver({ sql, inbox, deliveries, tokens, parser, redis })
  const contextSent = contextNoter(transact, systemContext)
  const installed: InstalledTouchpoint = {
    adapter: new EmailAdapter({ sql, log, mailer, tokens, attachments: attachments.store, mailSenders, contextSent }),
    routes: [emailRoute(receiver, bytesMax)],
    kind: new EmailKind(createEmailTest({ sql, mailer, mailSenders })),
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
