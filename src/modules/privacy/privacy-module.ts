import { ATTACHMENT_DELETED } from '../attachments/attachment-jobs.js'
import type { AccessChanges } from '../../platform/access/access-changes.js'
import type { AttachmentStore } from '../attachments/attachment-store.js'
import type { Context } from '../../platform/context.js'
import { CONTACT_NOTE_DELETED } from '../contacts/contact-jobs.js'
import type { ConversationWriter } from '../conversations/writer/conversation-writer.js'
import { CONVERSATION_DELETED, MESSAGE_DELETED, SECOND_LOOK_MS } from '../conversations/state/deletion-jobs.js'
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
}

/** Builds the deletion, erasure and export of consumers' data, and registers the jobs. */
export async function openPrivacyModule(dependencies: PrivacyDependencies): Promise<Module> {
  const { jobs, transact, systemContext, ...rest } = dependencies
  const { accessChanges, clock, database: sql, log, metrics, writer } = rest
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
      await erase(rest, system, job.payload, progressOf(sql, job))
      await notePart(sql, job.payload, system.now())
    },
  })
  jobs.register(CONVERSATION_DELETED, {
    ...UNTIL_DONE,
    handler: async (job) => {
      const system = systemContext(job.id)
      const { deleted: conversation, path } = job.payload
      const erasure = { contact: null, path, conversations: [conversation], beside: [], attachments: [] }
      await erase(rest, system, erasure, progressOf(sql, job))
      await lookAgain(system, `conversation:${conversation}`, CONVERSATION_DELETED, job.payload)
    },
  })
  jobs.register(MESSAGE_DELETED, {
    ...UNTIL_DONE,
    handler: async (job) => {
      const system = systemContext(job.id)
      await eraseMessage(system.database, job.payload)
      await endExportsWith(rest, [job.payload.of], job.payload.path[0])
      await lookAgain(system, `conversation:${job.payload.of}`, MESSAGE_DELETED, job.payload)
    },
  })
  jobs.register(CONTACT_NOTE_DELETED, {
    ...UNTIL_DONE,
    handler: async (job) => {
      const system = systemContext(job.id)
      const partition = `contactNote:${job.payload.deleted}`
      await emptyWebhooks(system.database, partition)
      await endExportsWith(rest, [job.payload.deleted])
      await lookAgain(system, partition, CONTACT_NOTE_DELETED, job.payload)
    },
  })
  jobs.register(ATTACHMENT_DELETED, {
    ...UNTIL_DONE,
    handler: async (job) => {
      const system = systemContext(job.id)
      const { deleted } = job.payload
      const partition = `attachment:${deleted}`
      // Bodies of webhooks are made of events.
      await redactRecords(system.database, [deleted])
      await emptyWebhooks(system.database, partition)
      await endExportsWith(rest, [deleted])
      await lookAgain(system, partition, ATTACHMENT_DELETED, job.payload)
    },
  })
  const exports = await openExports(dependencies)
  const gauges = erasureGauges({ sql, clock, log, metrics })
  return {
    resolvers: [new PrivacyResolver(transact), new ContactErasuresResolver(erasing), exports.resolver],
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
  partition: string,
  type: JobType<Payload>,
  payload: Payload,
): Promise<void> {
  if (payload.isAgain === true) return
  const { database, clock } = system
  const published = await database.query('select 1 from webhook_event where partition = $1 limit 1', [partition])
  if (published.length === 0) return
  const runAt = new Date(system.now().getTime() + SECOND_LOOK_MS)
  await addJobs(database, [type.create({ ...payload, done: [], isAgain: true }, { runAt })], clock)
}
