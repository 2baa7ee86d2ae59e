import type { Logger } from 'pino'
import type { AttachmentsModule } from '../attachments/attachments-module.js'
import type { Config } from '../config.js'
import type { Context } from '../context.js'
import type { TokenSigner } from '../auth/tokens.js'
import { TOUCHPOINT_DELIVER } from '../conversations/delivery/deliver.js'
import type { SendDependencies } from '../conversations/sending/send-message.js'
import type { Clock } from '../db/clock.js'
import type { Database } from '../db/database.js'
import type { Transact } from '../events/transact.js'
import type { JobRunner } from '../jobs/job-runner.js'
import type { RedisClient } from '../redis.js'
import type { Mailer } from '../outbound/mailer.js'
import type { ServiceKind } from '../services/service-kinds.js'
import type { TouchpointAdapter } from './adapter.js'
import { createDeliverer, giveUpDelivery } from './deliver-job.js'
import { DeliveryLog } from './delivery-log.js'
import type { InboundRoute } from './inbound-routes.js'
import { InboundMessageReceiver } from './inbound-message-receiver.js'
import { installEmail } from './email/install-email.js'
import { openMailSenders } from './email/mail-senders-module.js'
import { installMessenger } from './messenger/messenger.js'
import { installSms } from './sms/sms.js'
import { installWeb } from './web/web.js'

/** Dependencies of the module. */
export interface TouchpointsGround extends SendDependencies {
  config: Config
  clock: Clock
  log: Logger
  database: Database
  redis: RedisClient | undefined
  jobs: JobRunner
  signer: TokenSigner
  transact: Transact
  attachments: AttachmentsModule
  mailer: Mailer
  /** Creates a context that sees every tenant. */
  systemContext: (requestId: string) => Context
}

/** Dependencies of each touchpoint: those of the module, and the shared parts for inbound messages and deliveries. */
export interface TouchpointParts extends TouchpointsGround {
  inbox: InboundMessageReceiver
  deliveries: DeliveryLog
}

/** One touchpoint: its adapter, its provider's endpoints, its services' kind. */
export interface InstalledTouchpoint {
  adapter?: TouchpointAdapter
  routes?: InboundRoute[]
  kind?: ServiceKind
  /** Instances of its resolver classes. */
  resolvers?: object[]
  /** Starts listeners or connections of its own. */
  start?(): Promise<void>
  stop?(): Promise<void>
}

export type Install = (parts: TouchpointParts) => InstalledTouchpoint | Promise<InstalledTouchpoint>

/** By service type. A new touchpoint is added here. */
const INSTALLED: Readonly<Record<string, Install>> = {
  web: installWeb,
  email: installEmail,
  sms: installSms,
  messenger: installMessenger,
}

export interface TouchpointsModule {
  inbox: InboundMessageReceiver
  deliveries: DeliveryLog
  routes: InboundRoute[]
  resolvers: object[]
  kinds: [type: string, kind: ServiceKind][]
  start(): Promise<void>
  stop(): Promise<void>
}

/**
 * Builds the touchpoints and registers the delivery job.
 * @param others replaces the installed touchpoints
 */
export async function openTouchpointsModule(
  dependencies: TouchpointsGround,
  others: Readonly<Record<string, Install>> = {},
): Promise<TouchpointsModule> {
  const { attachments, clock, database, jobs, log, router, systemContext, writer } = dependencies
  const deliveries = new DeliveryLog({ database, writer, systemContext })
  const inbox = new InboundMessageReceiver({ database, clock, log, attachments, systemContext, writer, router })
  const parts = { ...dependencies, inbox, deliveries }
  const installed: [string, InstalledTouchpoint][] = []
  for (const [type, install] of Object.entries({ ...INSTALLED, ...others })) {
    installed.push([type, await install(parts)])
  }
  const mailSenders = await openMailSenders(dependencies)
  const touchpoints = installed.map(([, touchpoint]) => touchpoint)
  const adapters = touchpoints.flatMap(({ adapter }) => adapter ?? [])
  const { links } = attachments
  jobs.register(TOUCHPOINT_DELIVER, {
    handler: createDeliverer({ sql: database, clock, log, deliveries, links, adapters, systemContext }),
    isOutbound: true,
    // Provider failures end by a time limit; this handles failures on our side.
    givenUp: (job, error) => giveUpDelivery(deliveries, job.payload.delivery, error),
  })
  return {
    inbox,
    deliveries,
    routes: touchpoints.flatMap(({ routes }) => routes ?? []),
    resolvers: [mailSenders, ...touchpoints.flatMap(({ resolvers }) => resolvers ?? [])],
    kinds: installed.flatMap(([type, { kind }]) => (kind ? [[type, kind] as [string, ServiceKind]] : [])),
    async start() {
      for (const { start } of touchpoints) await start?.()
    },
    async stop() {
      for (const { stop } of touchpoints) await stop?.()
    },
  }
}
