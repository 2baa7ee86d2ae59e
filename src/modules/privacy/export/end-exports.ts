import type { Clock } from '../../../platform/db/clock.js'
import type { Database } from '../../../platform/db/database.js'
import type { WriteTx } from '../../../platform/events/transact.js'
import { defineJob, type JobKind } from '../../../platform/jobs/job-type.js'
import type { AttachmentStore } from '../../attachments/attachment-store.js'
import type { ExportFolders } from './export-folders.js'

/** Removes the files of exports: those that expire, and those of contacts that go. */
export const EXPORT_END = defineJob<{ exports: string[] }>('contactExport.end', { exports: 'array' })

interface EndDependencies {
  database: Database
  clock: Pick<Clock, 'now'>
  store: AttachmentStore
  folders: ExportFolders
}

/** Handles `contactExport.end`. Bytes go before the record says so: a failure is tried again. */
export function endingExports({ clock, database, store, folders }: EndDependencies): JobKind<{ exports: string[] }> {
  return {
    // What is to be erased is owed.
    attemptsMax: Infinity,
    handler: async ({ payload: { exports } }) => {
      for (const id of exports) {
        await folders.of(id).clear()
        await store.remove(id)
      }
      await database.query(EXPIRE, [exports, clock.now()])
    },
  }
}

const EXPIRE = `
update contact_export set status = 'expired', records = '[]', updated_at = $2, version = version + 1
where id = any($1::uuid[]) and status in ('pending', 'ready')`

/** Deletes the exports of a locked contact that is being erased, with their files. One that is being written sees that it is gone. */
export async function deleteExports(tx: WriteTx, contact: string): Promise<void> {
  const gone = await tx.query<{ id: string }>('delete from contact_export where contact_id = $1 returning id', [
    contact,
  ])
  if (gone.length > 0) tx.addJob(EXPORT_END.create({ exports: gone.map(({ id }) => id) }))
}

/**
 * Ends the exports whose files have one of these records, which were deleted: conversations, notes or attachments. Those that
 * are being written learn of it, and begin anew. Can be repeated.
 * @param center the contact center of what was deleted; null if it is not known
 */
export async function endExportsWith(
  { clock, database, store }: Omit<EndDependencies, 'folders'>,
  records: readonly string[],
  center: string | null = null,
): Promise<void> {
  // Waits for one that is being finished, so that the next statement finds it.
  await database.query(
    `update contact_export set records = records || $1::jsonb where status = 'pending' and ($2::uuid is null or org1 = $2)`,
    [JSON.stringify(records), center],
  )
  const ready = await database.query<{ id: string }>(
    `select id from contact_export where id = any(array(
       select id from contact_export where status = 'ready' and ($2::uuid is null or org1 = $2) and records ?| $1::text[]))`,
    [records, center],
  )
  for (const { id } of ready) {
    await store.remove(id)
    await database.query(EXPIRE, [[id], clock.now()])
  }
}
