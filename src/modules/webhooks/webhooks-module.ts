import type { Logger } from 'pino'
import type { Authenticator } from '../../platform/access/authenticator.js'
import type { Config } from '../../platform/config.js'
import type { Context } from '../../platform/context.js'
import type { SendDependencies } from '../conversations/sending/send-message.js'
import type { Clock } from '../../platform/db/clock.js'
import type { Database, Sql } from '../../platform/db/database.js'
import type { Dispatcher } from '../../platform/events/dispatcher.js'
import type { Transact } from '../../platform/events/transact.js'
import { openDeliveryPlaces, openShares, TAKE_LIMITS } from '../../platform/fairness/shares.js'
import type { WritingAccounts } from '../../platform/fairness/writing-accounts.js'
import type { JobRunner } from '../../platform/jobs/job-runner.js'
import type { Pulse } from '../../platform/jobs/pulse.js'
import type { RunnerSessions } from '../../platform/jobs/runner-session.js'
import type { Metrics } from '../../platform/metrics.js'
import type { Module } from '../../platform/module.js'
import { OutboundHttp } from '../../platform/outbound/outbound-http.js'
import type { Sealer } from '../../platform/sealing/sealer.js'
import type { ServiceKinds } from '../services/service-kinds.js'
import { createAnswerMessages } from './answers.js'
import { WEBHOOK_AGENT } from './handshake.js'
import type { AttachmentLinks } from '../attachments/attachment-links.js'
import { DeliveryRunner } from './delivery-runner.js'
import type { WebhookOutbox } from './record-events.js'
import { takeReplayStep, WEBHOOK_REPLAY } from './replay.js'
import { expireEvents, pruneWebhooks } from './retention.js'
import { EventFeeds } from './feed/event-feeds.js'
import { FeedResolver } from './feed/feed-resolver.js'
import { pruneFeeds } from './feed/feed-upkeep.js'
import { EventTakes } from './taking/event-takes.js'
import { ServiceHints } from './taking/service-hints.js'
import { TakesResolver } from './taking/takes-resolver.js'
import { WebhookDeliveriesResolver, WebhooksResolver } from './webhooks-resolver.js'

export interface WebhooksDependencies {
  config: Pick<Config, 'publicUrl' | 'webhookAllowPrivate' | 'eventRetentionDays' | 'poolSize' | 'readPoolSize'>
  database: Database
  clock: Clock
  log: Logger
  metrics: Metrics
  writingAccounts: WritingAccounts
  dispatcher: Dispatcher
  jobs: JobRunner
  sessions: RunnerSessions
  pulse: Pulse
  transact: Transact
  outbox: WebhookOutbox
  send: SendDependencies
  /** Authenticates tokens in webhooks' answers. */
  authenticator: Authenticator
  systemContext: (requestId: string) => Context
  /** Epoch of the database's history. */
  epoch: number
  /** Addresses of attachments. */
  links: AttachmentLinks
  sealer: Sealer
  /** All types of services. */
  kinds: ServiceKinds
}

/** Builds the delivery of events to webhooks and its resolvers, and registers the job that replays. */
export function openWebhooksModule(dependencies: WebhooksDependencies): Module {
  const { clock, config, database, dispatcher, epoch, jobs, kinds, links, log, metrics, outbox, pulse } = dependencies
  const { authenticator, sealer, send, sessions, systemContext, transact } = dependencies
  const { publicUrl, webhookAllowPrivate: allowPrivate, eventRetentionDays } = config
  const runner = new DeliveryRunner({
    database,
    places: openDeliveryPlaces(config.poolSize - config.readPoolSize, metrics, dependencies.writingAccounts),
    sessions,
    pulse,
    clock,
    log,
    transact,
    systemContext,
    isServerBehind: () => jobs.isBehind,
    publicUrl,
    links,
    sealer,
    http: new OutboundHttp({ allowPrivate, userAgent: WEBHOOK_AGENT, keepAlive: true }),
    answerMessages: createAnswerMessages(send, authenticator),
  })
  const hints = new ServiceHints(dispatcher)
  const feeds = new EventFeeds({ database, clock, hints, pulse, publicUrl, links, eventRetentionDays })
  const takes = new EventTakes({
    ...{ database, hints, clock, pulse, publicUrl, links },
    shares: openShares('takes', TAKE_LIMITS, metrics),
  })
  metrics.gauge('event_takes_waiting', 'Takes of events that wait on this node.', () => takes.waiting)
  metrics.gauge('event_feed_reads_waiting', 'Reads of event feeds that wait on this node.', () => feeds.waiting)
  const wake = (pulled: readonly string[]): void => {
    runner.wake()
    hints.tell(pulled)
  }
  outbox.onCommitted(wake)
  const takeStep = takeReplayStep({ epoch, wake: (service) => wake([service]) })
  jobs.register(WEBHOOK_REPLAY, { handler: (job) => takeStep(systemContext(job.id), job) })
  return {
    resolvers: [
      new WebhooksResolver({ transact, kinds, sealer, isChecking: false, wake: (service) => wake([service]) }),
      new WebhookDeliveriesResolver(),
      new TakesResolver(takes),
      new FeedResolver(feeds),
    ],
    maintenance: [
      {
        name: 'webhooks',
        run: async (sql: Sql, now: Date) => {
          metrics.eventsExpired.inc(await expireEvents(sql, now, eventRetentionDays))
          await pruneWebhooks(sql, now, eventRetentionDays)
        },
      },
      { name: 'event feeds', run: (sql, now) => pruneFeeds(sql, now, eventRetentionDays) },
    ],
    drain() {
      takes.drain()
      feeds.drain()
    },
    start: () => runner.start(),
    stop: () => runner.stop(),
  }
}
