import type { InstalledTouchpoint, TouchpointParts } from '../install.js'
import { EmailAdapter } from './email-adapter.js'
import { EmailKind } from './email-params.js'
import { createEmailTest } from './email-test.js'
import { emailRoute } from './email-route.js'
import { SmtpListener } from './smtp-listener.js'

/** Email (4.7): outbound by SMTP; inbound by SMTP and by `POST /inbound/email/<service>`. */
export async function installEmail(parts: TouchpointParts): Promise<InstalledTouchpoint> {
  const { attachments, config, database: sql, log, mail, mailer } = parts
  const { mailBytesMax: bytesMax, smtpListenHost: host, smtpListenPort: port, smtpTlsCert, smtpTlsKey } = config
  const { mailRelays: relays, mailSenders, webhookAllowPrivate } = config
  const { contextSent, grants, receiver, tokens } = mail
  const installed: InstalledTouchpoint = {
    adapter: new EmailAdapter({
      sql,
      log,
      mailer,
      tokens,
      attachments: attachments.store,
      mailSenders,
      contextSent,
      grants,
    }),
    routes: [emailRoute(receiver, bytesMax)],
    kind: new EmailKind(createEmailTest({ sql, mailer, mailSenders, grants }), { isPlainAllowed: webhookAllowPrivate }),
  }
  if (port === undefined) return installed
  const tls = smtpTlsCert && smtpTlsKey ? { certificate: smtpTlsCert, key: smtpTlsKey } : null
  const listener = new SmtpListener({ host, port, bytesMax, tls, relays, sql, log, receiver, tokens })
  return {
    ...installed,
    async start() {
      log.info({ host, port: await listener.start() }, 'listening for inbound mail by SMTP')
    },
    stop: () => listener.stop(),
  }
}
