import type { Logger } from 'pino'
import type { AttachmentParts } from '../attachments/attachments-module.js'
import type { Config } from '../../platform/config.js'
import type { Context } from '../../platform/context.js'
import type { TokenSigner } from '../auth/tokens.js'
import type { SendDependencies } from '../conversations/sending/send-message.js'
import type { TypingSigns } from '../conversations/live/typing-signs.js'
import type { Clock } from '../../platform/db/clock.js'
import type { Database } from '../../platform/db/database.js'
import type { Transact } from '../../platform/events/transact.js'
import type { JobRunner } from '../../platform/jobs/job-runner.js'
import type { Pulse } from '../../platform/jobs/pulse.js'
import type { RunnerSessions } from '../../platform/jobs/runner-session.js'
import type { MaintenanceTask } from '../../platform/maintenance/maintenance.js'
import type { Metrics } from '../../platform/metrics.js'
import type { RedisClient } from '../../platform/redis.js'
import type { Sealer } from '../../platform/sealing/sealer.js'
import type { Mailer } from '../../platform/outbound/mailer.js'
import type { ServiceKind } from '../services/service-kinds.js'
import type { TouchpointAdapter } from './adapter.js'
import type { DeliveryLog } from './delivery-log.js'
import type { MailParts } from './email/mail-parts.js'
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
  sessions: RunnerSessions
  pulse: Pulse
  metrics: Metrics
  sealer: Sealer
  signer: TokenSigner
  transact: Transact
  attachments: AttachmentParts
  mailer: Mailer
  typing: TypingSigns
  /** Creates a context that sees every tenant. */
  systemContext: (requestId: string) => Context
}

/** Dependencies of each touchpoint: those of the module, and the shared parts for inbound messages and deliveries. */
export interface TouchpointParts extends TouchpointsDependencies {
  inbox: InboundMessageReceiver
  deliveries: DeliveryLog
  mail: MailParts
}

/** One touchpoint: its adapter, its provider's endpoints, its services' kind. */
export interface InstalledTouchpoint {
  adapter?: TouchpointAdapter
  routes?: InboundRoute[]
  kind?: ServiceKind
  /** Instances of its resolver classes. */
  resolvers?: object[]
  /** Tasks that are done from time to time. */
  maintenance?: MaintenanceTask[]
  /** Starts listeners or connections of its own. */
  start?(): Promise<void>
  stop?(): Promise<void>
}

export type Install = (parts: TouchpointParts) => InstalledTouchpoint | Promise<InstalledTouchpoint>
