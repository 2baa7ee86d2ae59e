import type { Logger } from 'pino'
import type { Sealer } from '../../platform/sealing/sealer.js'
import { serverSecret } from '../auth/server-secret.js'
import type { Config } from '../../platform/config.js'
import type { Clock } from '../../platform/db/clock.js'
import type { Database, Sql } from '../../platform/db/database.js'
import type { Dispatcher } from '../../platform/events/dispatcher.js'
import type { Transact } from '../../platform/events/transact.js'
import type { JobRunner } from '../../platform/jobs/job-runner.js'
import { Maintenance } from '../../platform/maintenance/maintenance.js'
import type { Metrics } from '../../platform/metrics.js'
import type { Module } from '../../platform/module.js'
import { OutboundHttp } from '../../platform/outbound/outbound-http.js'
import { DuePushes } from './due-pushes.js'
import { PushResolver } from './push-resolver.js'
import { pruneSubscriptions } from './push-subscription.js'
import { createPushSender, PUSH_SEND } from './send-push.js'
import { contactOf, Vapid } from './vapid.js'

export interface PushDependencies {
  config: Pick<Config, 'publicUrl' | 'mailFrom' | 'webhookAllowPrivate'>
  clock: Clock
  database: Database
  dispatcher: Dispatcher
  jobs: JobRunner
  log: Logger
  metrics: Pick<Metrics, 'pushes'>
  sealer: Sealer
  transact: Transact
  wakeJobs: () => void
}

const ROUND_EVERY_MS = 2_000
/** An arbitrary constant: the node that looks for due notifications holds this advisory lock. */
const PUSH_LOCK = 7_301_960_445

/**
 * Builds the notifications of closed browsers (Web Push), and registers the job that sends one. Without a contact, which
 * push services demand, none are offered.
 */
export async function openPushModule(dependencies: PushDependencies): Promise<Module> {
  const { clock, config, database, dispatcher, jobs, log, metrics, sealer, transact, wakeJobs } = dependencies
  const { webhookAllowPrivate: allowPrivate } = config
  const maintenance = [{ name: 'push subscriptions', run: pruneSubscriptions }]
  const contact = contactOf(config)
  if (contact === null) {
    log.warn(
      {},
      'browsers are not notified: push services demand a contact, PUBLIC_URL with https or an address in MAIL_FROM',
    )
    return { resolvers: [new PushResolver({ transact, sealer, publicKey: null, allowPrivate })], maintenance }
  }
  const vapid = new Vapid(await serverSecret(database, sealer, 'push'), contact)
  const http = new OutboundHttp({ allowPrivate, userAgent: 'Switchboard-Push/1', keepAlive: false })
  const observe = (status: string): void => metrics.pushes.inc({ status })
  jobs.register(PUSH_SEND, createPushSender({ database, clock, http, vapid, sealer, log, observe }))
  const pushes = new DuePushes({ database, clock, log })
  dispatcher.onPublish((events) => pushes.hear(events))
  const tasks = [
    {
      name: 'due notifications',
      async run(sql: Sql): Promise<void> {
        if (await pushes.round(sql)) setImmediate(wakeJobs)
      },
    },
  ]
  const options = { everyMs: ROUND_EVERY_MS, lock: PUSH_LOCK, isNeeded: () => pushes.isNeeded }
  const rounds = new Maintenance({ database, clock, log, tasks, ...options })
  return {
    resolvers: [new PushResolver({ transact, sealer, publicKey: vapid.publicKey, allowPrivate })],
    maintenance,
    start: () => rounds.start(),
    async stop() {
      await rounds.stop()
      http.close()
    },
  }
}
