import { OutboundHttp } from '../../../platform/outbound/outbound-http.js'
import { serverSecret } from '../../auth/server-secret.js'
import type { InstalledTouchpoint, TouchpointParts } from '../install.js'
import { contextNoter } from './context-sent.js'
import { EmailAdapter } from './email-adapter.js'
import { EmailKind } from './email-params.js'
import { createEmailTest } from './email-test.js'
import { emailRoute } from './email-route.js'
import { MailChecker } from './mail-checker.js'
import { MailParser } from './mail-parser.js'
import { MailReceiver } from './mail-receiver.js'
import { MailTokens } from './mail-tokens.js'
import { SmtpGrants } from './smtp-grants.js'
import { SmtpListener } from './smtp-listener.js'

/** Email (4.7): outbound by SMTP; inbound by SMTP and by `POST /inbound/email/<service>`. */
export async function installEmail(parts: TouchpointParts): Promise<InstalledTouchpoint> {
  const {
    attachments,
    clock,
    config,
    database: sql,
    deliveries,
    inbox,
    log,
    mailer,
    redis,
    sealer,
    systemContext,
    transact,
  } = parts
  const { mailBytesMax: bytesMax, smtpListenHost: host, smtpListenPort: port, smtpTlsCert, smtpTlsKey } = config
  const { dnsServers, mailAuthHosts: authHosts, mailRelays: relays, mailSenders } = config
  const { webhookAllowPrivate: allowPrivate } = config
  const http = new OutboundHttp({ allowPrivate, userAgent: 'Switchboard-Mail/2', keepAlive: false })
  const grants = new SmtpGrants({ sql, sealer, clock, http })
  const tokens = new MailTokens(await serverSecret(sql, sealer, 'mail'))
  const parser = new MailParser()
  const checker = new MailChecker({ dnsServers, log })
  const receiver = new MailReceiver({ sql, inbox, deliveries, tokens, parser, checker, authHosts, redis })
  const close = async (): Promise<void> => {
    await Promise.all([parser.close(), checker.close()])
    http.close()
  }
  const contextSent = contextNoter(transact, systemContext)
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
    kind: new EmailKind(createEmailTest({ sql, mailer, mailSenders, grants }), { isPlainAllowed: allowPrivate }),
    stop: close,
  }
  if (port === undefined) return installed
  const tls = smtpTlsCert && smtpTlsKey ? { certificate: smtpTlsCert, key: smtpTlsKey } : null
  const listener = new SmtpListener({ host, port, bytesMax, tls, relays, sql, log, receiver, tokens })
  return {
    ...installed,
    async start() {
      log.info({ host, port: await listener.start() }, 'listening for inbound mail by SMTP')
    },
    async stop() {
      await listener.stop()
      await close()
    },
  }
}
