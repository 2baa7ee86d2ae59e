import { ATTACHMENT_DELETED } from '../attachments/attachment-jobs.js'
import type { AccessChanges } from '../../platform/access/access-changes.js'
import type { AttachmentStore } from '../attachments/attachment-store.js'
import type { Context } from '../../platform/context.js'
import { CONTACT_NOTE_DELETED } from '../contacts/contact-jobs.js'
import type { ConversationWriter } from '../conversations/writer/conversation-writer.js'
import { CONVERSATION_DELETED, MESSAGE_DELETED, SECOND_LOOK_MS } from '../conversations/state/deletion-jobs.js'
import { conversationStream } from '../../platform/events/event.js'
import type { Transact } from '../../platform/events/transact.js'
import { addJobs, LeaseLost, type Job } from '../../platform/jobs/job.js'
import type { Database, Sql } from '../../platform/db/database.js'
import type { Clock } from '../../platform/db/clock.js'
import type { Logger } from 'pino'
import type { Metrics } from '../../platform/metrics.js'
import type { JobRunner } from '../../platform/jobs/job-runner.js'
import type { JobType } from '../../platform/jobs/job-type.js'
import type { Module } from '../../platform/module.js'
import { CONTACT_ERASE, eraseRequested, withdrawContact } from './erase-contact.js'
import { ContactErasuresResolver } from './contact-erasures-resolver.js'
import { emptyWebhooks, erase, type ErasureProgress } from './erase.js'
import { eraseMessage } from './erase-message.js'
import { endExportsWith } from './export/end-exports.js'
import { openExports, type ExportsDependencies } from './export/exports-module.js'
import { erasureGauges } from './erasure-gauges.js'
import { notePart, PRIVACY_ERASE } from './erasure-job.js'
import { HOLD_CHANGED } from '../holds/hold-jobs.js'
import type { FourEyesGuard } from '../four-eyes/four-eyes-guard.js'
import { holdChanged } from './hold-changed.js'
import { PrivacyResolver } from './privacy-resolver.js'
import { redactRecords } from './redact-log.js'

export interface PrivacyDependencies extends Pick<ExportsDependencies, 'config' | 'directory' | 'disk' | 'sealer'> {
  jobs: JobRunner
  transact: Transact
  writer: ConversationWriter
  store: AttachmentStore
  database: Database
  clock: Clock
  log: Logger
  metrics: Metrics
  accessChanges: AccessChanges
  /** Creates a context that sees every tenant. */
  systemContext: (requestId: string) => Context
  fourEyes: FourEyesGuard
}

/** Builds the deletion, erasure and export of consumers' data, and registers the jobs. */
export async function openPrivacyModule(dependencies: PrivacyDependencies): Promise<Module> {
  const { jobs, transact, systemContext, fourEyes, ...rest } = dependencies
  const { accessChanges, clock, database: sql, log, metrics, writer } = rest
  const remains = { ...rest, transact }
  const erasing = { database: sql, transact, writer, accessChanges }
  jobs.register(CONTACT_ERASE, {
    ...UNTIL_DONE,
    handler: ({ id, payload }) => withdrawContact(erasing, systemContext(id), payload),
  })
  jobs.register(HOLD_CHANGED, {
    ...UNTIL_DONE,
    handler: ({ id, payload }) => holdChanged(erasing, systemContext(id), payload.center),
  })
  jobs.register(PRIVACY_ERASE, {
    ...UNTIL_DONE,
    handler: async (job) => {
      const system = systemContext(job.id)
      await erase(remains, system, job.payload, progressOf(sql, job))
      await notePart(sql, job.payload, system.now())
    },
  })
  jobs.register(CONVERSATION_DELETED, {
    ...UNTIL_DONE,
    handler: async (job) => {
      const system = systemContext(job.id)
      const { conversations, path, attachments = [] } = job.payload
      const erasure = { contact: null, path, conversations, beside: [], attachments }
      const progress = progressOf(sql, job)
      const partitions = conversations.map(conversationStream)
      try {
        await erase(remains, system, erasure, progress)
      } catch (error) {
        // A file of one of them may wait for as long as a hold: the second look at the others' webhooks does not.
        if (progress.isDone('events') && !progress.isDone(LOOKED_AGAIN)) {
          await lookAgain(system, partitions, CONVERSATION_DELETED, { ...job.payload, attachments: [] })
          await progress.done(LOOKED_AGAIN)
        }
        throw error
      }
      if (!progress.isDone(LOOKED_AGAIN)) await lookAgain(system, partitions, CONVERSATION_DELETED, job.payload)
    },
  })
  jobs.register(MESSAGE_DELETED, {
    ...UNTIL_DONE,
    handler: async (job) => {
      const system = systemContext(job.id)
      await eraseMessage(system.database, job.payload)
      await endExportsWith(rest, [job.payload.of], job.payload.path[0])
      await lookAgain(system, [conversationStream(job.payload.of)], MESSAGE_DELETED, job.payload)
    },
  })
  jobs.register(CONTACT_NOTE_DELETED, {
    ...UNTIL_DONE,
    handler: async (job) => {
      const system = systemContext(job.id)
      const partitions = [`contactNote:${job.payload.deleted}`]
      await emptyWebhooks(system.database, partitions)
      await endExportsWith(rest, [job.payload.deleted])
      await lookAgain(system, partitions, CONTACT_NOTE_DELETED, job.payload)
    },
  })
  jobs.register(ATTACHMENT_DELETED, {
    ...UNTIL_DONE,
    handler: async (job) => {
      const system = systemContext(job.id)
      const { deleted } = job.payload
      const partitions = [`attachment:${deleted}`]
      // Bodies of webhooks are made of events.
      await redactRecords(system.database, [deleted])
      await emptyWebhooks(system.database, partitions)
      await endExportsWith(rest, [deleted])
      await lookAgain(system, partitions, ATTACHMENT_DELETED, job.payload)
    },
  })
  const exports = await openExports(dependencies)
  const gauges = erasureGauges({ sql, clock, log, metrics })
  return {
    resolvers: [new PrivacyResolver(fourEyes), new ContactErasuresResolver(erasing, fourEyes), exports.resolver],
    addRoutes: exports.addRoutes,
    stop: gauges.stop,
    async start() {
      await exports.start()
      await eraseRequested(erasing, systemContext('erasures-after-restore'))
      await gauges.start?.()
    },
  }
}

/** An erasure is owed: it is tried again every hour at the latest, and shown to operators and administrators until it is done. */
const UNTIL_DONE = { attemptsMax: Infinity }

/** The step of an erasure that has asked for its second look. */
const LOOKED_AGAIN = 'lookedAgain'

/** Keeps the steps that are done in the job itself. */
function progressOf(sql: Sql, job: Job<{ done?: readonly string[] }>): ErasureProgress {
  const known = new Set(job.payload.done)
  return {
    isDone: (step) => known.has(step),
    async done(step) {
      known.add(step)
      const rows = await sql.query(
        `update job set payload = jsonb_set(payload, '{done}', $3::jsonb)
         where id = $1 and attempts = $2 returning 1`,
        [job.id, job.attempts, JSON.stringify([...known])],
      )
      if (rows.length === 0) throw new LeaseLost(job)
    },
  }
}

async function lookAgain<Payload extends { isAgain?: boolean; done?: readonly string[] }>(
  system: Context,
  partitions: readonly string[],
  type: JobType<Payload>,
  payload: Payload,
): Promise<void> {
  if (payload.isAgain === true) return
  const { database, clock } = system
  const published = await database.query('select 1 from webhook_event where partition = any($1::text[]) limit 1', [
    partitions,
  ])
  if (published.length === 0) return
  const runAt = new Date(system.now().getTime() + SECOND_LOOK_MS)
  await addJobs(database, [type.create({ ...payload, done: [], isAgain: true }, { runAt })], clock)
}
