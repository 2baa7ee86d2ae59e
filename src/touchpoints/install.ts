import type { Logger } from 'pino'
import type { AttachmentParts } from '../attachments/attachments-module.js'
import type { Config } from '../config.js'
import type { Context } from '../context.js'
import type { TokenSigner } from '../auth/tokens.js'
import type { SendDependencies } from '../conversations/sending/send-message.js'
import type { Clock } from '../db/clock.js'
import type { Database } from '../db/database.js'
import type { Transact } from '../events/transact.js'
import type { JobRunner } from '../jobs/job-runner.js'
import type { RedisClient } from '../redis.js'
import type { Mailer } from '../outbound/mailer.js'
import type { ServiceKind } from '../services/service-kinds.js'
import type { TouchpointAdapter } from './adapter.js'
import type { DeliveryLog } from './delivery-log.js'
import type { InboundRoute } from './inbound-routes.js'
import type { InboundMessageReceiver } from './inbound-message-receiver.js'

/** Dependencies of the module. */
export interface TouchpointsDependencies extends SendDependencies {
  config: Config
  clock: Clock
  log: Logger
  database: Database
  redis: RedisClient | undefined
  jobs: JobRunner
  signer: TokenSigner
  transact: Transact
  attachments: AttachmentParts
  mailer: Mailer
  /** Creates a context that sees every tenant. */
  systemContext: (requestId: string) => Context
}

/** Dependencies of each touchpoint: those of the module, and the shared parts for inbound messages and deliveries. */
export interface TouchpointParts extends TouchpointsDependencies {
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
