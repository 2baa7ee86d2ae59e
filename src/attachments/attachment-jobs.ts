import { CONTACT_DELETED } from '../contacts/contact-jobs.js'
import type { Sql } from '../db/database.js'
import type { WriteTx } from '../events/transact.js'
import { payloadText, type JobRunner } from '../jobs/job-runner.js'
import type { AttachmentStore } from './attachment-store.js'

/** Removes the bytes of attachments whose records are gone; payload `{attachments}`. */
const ATTACHMENT_REMOVE = 'attachment.remove'

/** Bytes go when the deletion is committed, and then surely: a store may be away for the moment. */
export function addRemoval(tx: Pick<WriteTx, 'addJob'>, attachments: string[]): void {
  tx.addJob({ kind: ATTACHMENT_REMOVE, payload: { attachments } })
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
