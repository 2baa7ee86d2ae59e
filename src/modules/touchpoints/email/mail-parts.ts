import type { Logger } from 'pino'
import type { Config } from '../../../platform/config.js'
import type { Context } from '../../../platform/context.js'
import type { Clock } from '../../../platform/db/clock.js'
import type { Sql } from '../../../platform/db/database.js'
import type { Transact } from '../../../platform/events/transact.js'
import type { RedisClient } from '../../../platform/redis.js'
import type { Sealer } from '../../../platform/sealing/sealer.js'
import { OutboundHttp } from '../../../platform/outbound/outbound-http.js'
import { serverSecret } from '../../auth/server-secret.js'
import type { DeliveryLog } from '../delivery-log.js'
import type { InboundMessageReceiver } from '../inbound-message-receiver.js'
import { contextNoter } from './context-sent.js'
import { MailChecker } from './mail-checker.js'
import { MailParser } from './mail-parser.js'
import { MailReceiver } from './mail-receiver.js'
import { MailTokens } from './mail-tokens.js'
import { SmtpGrants } from './smtp-grants.js'

/** The parts that all types of services share which are mail: tokens that prove, threads that parse, the limit for each sender. */
export interface MailParts {
  tokens: MailTokens
  receiver: MailReceiver
  grants: SmtpGrants
  /** Asks servers of tokens; without keep-alive. */
  http: OutboundHttp
  /** Records that the contact has received its first mail (2.12, `_contextSent`). */
  contextSent(contact: string): Promise<void>
  close(): Promise<void>
}

export interface MailPartsOptions {
  config: Pick<Config, 'dnsServers' | 'mailAuthHosts' | 'webhookAllowPrivate'>
  clock: Clock
  log: Logger
  database: Sql
  redis: RedisClient | undefined
  sealer: Sealer
  transact: Transact
  /** Creates a context that sees every tenant. */
  systemContext: (requestId: string) => Context
  inbox: InboundMessageReceiver
  deliveries: DeliveryLog
}

export async function openMailParts(options: MailPartsOptions): Promise<MailParts> {
  const { clock, config, database: sql, deliveries, inbox, log, redis, sealer, systemContext, transact } = options
  const { dnsServers, mailAuthHosts: authHosts, webhookAllowPrivate: allowPrivate } = config
  const http = new OutboundHttp({ allowPrivate, userAgent: 'Switchboard-Mail/2', keepAlive: false })
  const tokens = new MailTokens(await serverSecret(sql, sealer, 'mail'))
  const parser = new MailParser()
  const checker = new MailChecker({ dnsServers, log })
  return {
    tokens,
    receiver: new MailReceiver({ sql, inbox, deliveries, tokens, parser, checker, authHosts, redis }),
    grants: new SmtpGrants({ sql, sealer, clock, http }),
    http,
    contextSent: contextNoter(transact, systemContext),
    async close() {
      await Promise.all([parser.close(), checker.close()])
      http.close()
    },
  }
}
