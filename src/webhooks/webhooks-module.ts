import type { Logger } from 'pino'
import type { Authenticator } from '../access/authenticator.js'
import type { Context } from '../context.js'
import type { SendDependencies } from '../conversations/sending/send-message.js'
import type { Clock } from '../db/clock.js'
import type { Database } from '../db/database.js'
import type { Transact } from '../events/transact.js'
import type { JobRunner } from '../jobs/job-runner.js'
import type { RunnerSessions } from '../jobs/runner-session.js'
import { createAnswerMessages } from './answers.js'
import { DeliveryRunner } from './delivery-runner.js'
import { OutboundHttp } from '../outbound/outbound-http.js'
import type { WebhookOutbox } from './record-events.js'
import { takeReplayStep, WEBHOOK_REPLAY } from './replay.js'

export interface WebhooksOptions {
  database: Database
  clock: Clock
  log: Logger
  jobs: JobRunner
  sessions: RunnerSessions
  transact: Transact
  outbox: WebhookOutbox
  send: SendDependencies
  authenticator: Authenticator
  systemContext: (requestId: string) => Context
  epoch: number
  publicUrl: string
  /** Allows addresses that are not public. */
  allowPrivate: boolean
}

/** Builds the delivery of events, and registers its job. @returns the runner, to be started and stopped */
export function createWebhooks(options: WebhooksOptions): DeliveryRunner {
  const { allowPrivate, clock, database, epoch, jobs, log, outbox, publicUrl, send, sessions } = options
  const { systemContext, transact } = options
  const runner = new DeliveryRunner({
    database,
    sessions,
    clock,
    log,
    transact,
    systemContext,
    isServerBehind: () => jobs.isBehind,
    publicUrl,
    http: new OutboundHttp({ allowPrivate, userAgent: 'Switchboard-Webhooks/2', keepAlive: true }),
    answerMessages: createAnswerMessages(send, options.authenticator),
  })
  const wake = (): void => runner.wake()
  outbox.onCommitted(wake)
  const takeStep = takeReplayStep({ epoch, wake })
  jobs.register(WEBHOOK_REPLAY, { handler: (job) => takeStep(systemContext(job.id), job) })
  return runner
}
