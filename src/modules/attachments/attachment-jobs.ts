import { defineJob } from '../../platform/jobs/job-type.js'
import type { Clock } from '../../platform/db/clock.js'
import type { Sql } from '../../platform/db/database.js'
import type { WriteTx } from '../../platform/events/transact.js'
import { addJobs } from '../../platform/jobs/job.js'
import type { JobRunner } from '../../platform/jobs/job-runner.js'
import type { AttachmentStore } from './attachment-store.js'

/** Removes the bytes of deleted attachments. */
const ATTACHMENT_REMOVE = defineJob<{ attachments: string[] }>('attachment.remove', { attachments: 'array' })

/** An attachment was deleted. Handled by `privacy/`, which erases its name and links from events and webhooks. */
export const ATTACHMENT_DELETED = defineJob<{ deleted: string; isAgain?: boolean }>('attachment.deleted', {
  deleted: 'string',
})

/** Adds a job that removes the bytes once the deletion is committed, and retries while the store is unavailable. */
export function addRemoval(tx: Pick<WriteTx, 'addJob'>, attachments: string[]): void {
  tx.addJob(ATTACHMENT_REMOVE.create({ attachments }))
}

/** Removes bytes that still have no record. */
const ATTACHMENT_SWEEP = defineJob<{ attachments: string[] }>('attachment.sweep', { attachments: 'array' })

/** Far longer than any transaction that creates a record. */
const SWEEP_AFTER_MS = 3_600_000

/**
 * Schedules a check; call it before bytes are stored, outside of any transaction: bytes without a record an hour later
 * are removed, whatever happens to this process, the store's answer and the transaction.
 */
export function expectRecord(sql: Sql, clock: Clock, attachment: string): Promise<void> {
  const runAt = new Date(clock.now().getTime() + SWEEP_AFTER_MS)
  return addJobs(sql, [ATTACHMENT_SWEEP.create({ attachments: [attachment] }, { runAt })], clock)
}

export interface AttachmentJobsOptions {
  jobs: JobRunner
  sql: Sql
  store: AttachmentStore
}

/** Registers the jobs of attachments. */
export function registerAttachmentJobs({ jobs, sql, store }: AttachmentJobsOptions): void {
  jobs.register(ATTACHMENT_REMOVE, {
    handler: async ({ payload }) => {
      for (const id of payload.attachments) await store.remove(id)
    },
  })
  jobs.register(ATTACHMENT_SWEEP, {
    handler: async ({ payload }) => {
      const ids = payload.attachments
      const rows = await sql.query<{ id: string }>('select id from attachment where id = any($1::uuid[])', [ids])
      const recorded = new Set(rows.map(({ id }) => id))
      for (const id of ids) if (!recorded.has(id)) await store.remove(id)
    },
  })
}
