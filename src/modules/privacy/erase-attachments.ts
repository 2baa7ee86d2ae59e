import type { AttachmentStore } from '../attachments/attachment-store.js'
import type { Sql } from '../../platform/db/database.js'
import { RetryLater } from '../../platform/jobs/job.js'

/** Proposals end within a day, streams within minutes; a delayed message waits for up to 24 days. */
const LOOK_AGAIN_MS = 3_600_000

/**
 * Deletes attachments with their bytes, except those that a file of the organization or somebody else's message has.
 * @throws RetryLater while one is only in what is to come, which may end without becoming a message
 */
export async function eraseAttachments(
  sql: Sql,
  store: AttachmentStore,
  attachments: readonly string[],
  now: Date,
): Promise<void> {
  let awaited = 0
  for (const id of attachments) {
    const [used] = await sql.query<{ isKept: boolean | null }>(USED, [id, now])
    if (used!.isKept === false) awaited += 1
    if (used!.isKept !== null) continue
    // Bytes first: if it fails, the record remains for a retry; orphaned bytes would never be found.
    await store.remove(id)
    await sql.query('delete from attachment where id = $1', [id])
  }
  if (awaited > 0)
    throw new RetryLater(`${awaited} attachments are in what others propose or have not sent yet`, LOOK_AGAIN_MS)
}

/**
 * True for messages and records, false for what goes or comes: messages that a hold keeps, proposals on which nobody has decided,
 * streams, and messages that wait. What is held in an archived contact center, or was given up, holds up no erasure once its time is over.
 */
const USED = `
select bool_or(kept) as "isKept" from (
  select true as kept from file where attachment_id = $1::text::uuid
  union all select true from message where meta ->> 'fileId' = $1::text and meta ? 'fileId'
  union all select false from held_message where meta ->> 'fileId' = $1::text and meta ? 'fileId'
  union all select false from proposal where status = 'pending' and expires_at > $2 and new_message #>> '{meta,fileId}' = $1::text
  union all select false from message_stream where ending is null and created_at > $2::timestamptz - interval '1 hour' and saying #>> '{newMessage,meta,fileId}' = $1::text
  union all select false from job where kind = 'message.process' and run_at < 'infinity' and payload #>> '{newMessage,meta,fileId}' = $1::text
) used`
