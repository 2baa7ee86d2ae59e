import { CONTACT_DELETED } from '../contacts/contact-jobs.js'
import type { Clock } from '../db/clock.js'
import type { Sql } from '../db/database.js'
import type { WriteTx } from '../events/transact.js'
import { addJobs } from '../jobs/job.js'
import { payloadText, type JobRunner } from '../jobs/job-runner.js'
import type { AttachmentStore } from './attachment-store.js'

/** Removes the bytes of attachments whose records are gone; payload `{attachments}`. */
const ATTACHMENT_REMOVE = 'attachment.remove'

/** Bytes go when the deletion is committed, and then surely: a store may be away for the moment. */
export function addRemoval(tx: Pick<WriteTx, 'addJob'>, attachments: string[]): void {
  tx.addJob({ kind: ATTACHMENT_REMOVE, payload: { attachments } })
}

/** Looks whether what was stored has a record by now, and removes the bytes if not; payload `{attachments}`. */
const ATTACHMENT_SWEEP = 'attachment.sweep'

/** No transaction that makes a record lasts nearly as long. */
const SWEEP_AFTER_MS = 3_600_000

/**
 * Call before bytes are stored, outside of any transaction: whatever becomes of this process, of the store's answer and
 * of the record's transaction, bytes that have no record an hour later are removed.
 */
export function expectRecord(sql: Sql, clock: Clock, attachment: string): Promise<void> {
  const runAt = new Date(clock.now().getTime() + SWEEP_AFTER_MS)
  return addJobs(sql, [{ kind: ATTACHMENT_SWEEP, runAt, payload: { attachments: [attachment] } }], clock)
}

export interface AttachmentJobsOptions {
  jobs: JobRunner
  sql: Sql
  store: AttachmentStore
}

/** What attachments do later. */
export function registerAttachmentJobs({ jobs, sql, store }: AttachmentJobsOptions): void {
  jobs.register(ATTACHMENT_REMOVE, {
    handler: async ({ payload }) => {
      for (const id of payload.attachments as string[]) await store.remove(id)
    },
  })
  jobs.register(ATTACHMENT_SWEEP, {
    handler: async ({ payload }) => {
      const ids = payload.attachments as string[]
      const rows = await sql.query<{ id: string }>('select id from attachment where id = any($1::uuid[])', [ids])
      const recorded = new Set(rows.map(({ id }) => id))
      for (const id of ids) if (!recorded.has(id)) await store.remove(id)
    },
  })
  // What a consumer has sent goes with the consumer, but for what the organization made a file of its own.
  jobs.register(CONTACT_DELETED, {
    handler: async ({ payload }) => {
      const rows = await sql.query<{ id: string }>(
        `select id from attachment a
         where contact_id = $1 and not exists (select 1 from file where attachment_id = a.id)`,
        [payloadText(payload, 'contact')],
      )
      for (const { id } of rows) {
        // Bytes first: a record without bytes can be tried again, bytes without a record are lost sight of.
        await store.remove(id)
        await sql.query('delete from attachment where id = $1', [id])
      }
    },
  })
}
