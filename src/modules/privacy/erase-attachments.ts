import { LockMode } from '@mikro-orm/core'
import type { AttachmentStore } from '../attachments/attachment-store.js'
import { removeAttachment } from '../attachments/attachment-writes.js'
import { Attachment } from '../attachments/attachment.js'
import type { Context } from '../../platform/context.js'
import type { Sql } from '../../platform/db/database.js'
import type { Transact, WriteTx } from '../../platform/events/transact.js'
import { RetryLater } from '../../platform/jobs/job.js'
import type { Erasure } from './erasure-job.js'

/** Proposals end within a day, streams within minutes; a delayed message waits for up to 24 days. */
const LOOK_AGAIN_MS = 3_600_000

/**
 * Deletes attachments with their bytes, except those that a file of the organization or somebody else's message has, and what
 * others uploaded and gave tags, as for sending it again. Whoever makes a file of one meanwhile waits, and then finds it gone.
 * @throws RetryLater while one is only in what is to come, which may end without becoming a message
 */
export async function eraseAttachments(
  { store, transact }: { store: AttachmentStore; transact: Transact },
  system: Context,
  { attachments, contact }: Erasure,
): Promise<void> {
  let awaited = 0
  for (const id of attachments) {
    const isAwaitedYet = await transact(system, async (tx) => {
      const attachment = await tx.em.findOne(Attachment, { id }, { lockMode: LockMode.PESSIMISTIC_WRITE })
      if (!attachment) return false
      const isOwn = attachment.contactId !== null && attachment.contactId === contact
      if (attachment.tags.length > 0 && !isOwn) return false
      const isKept = await readUse(system, tx, id)
      if (isKept !== null) return !isKept
      // Bytes first: the erasure is not done before they are gone, and the job that the removal adds is given up some day.
      await store.remove(id)
      await removeAttachment(tx, attachment)
      return false
    })
    if (isAwaitedYet) awaited += 1
  }
  if (awaited > 0)
    throw new RetryLater(`${awaited} attachments are in what others propose or have not sent yet`, LOOK_AGAIN_MS)
}

/** True for an attachment in use, false for one that is awaited, null for one that nobody needs. */
async function readUse(system: Context, tx: WriteTx, id: string): Promise<boolean | null> {
  const [used] = await tx.query<{ isKept: boolean | null }>(USED, [id, system.now()])
  return used!.isKept
}

/** Uses that may become a message, and messages that a hold keeps. */
const AWAITED = `
  select false as kept from held_message where meta ->> 'fileId' = $1::text and meta ? 'fileId'
  union all select false from proposal where status = 'pending' and expires_at > $2 and new_message #>> '{meta,fileId}' = $1::text
  union all select false from message_stream where ending is null and created_at > $2::timestamptz - interval '1 hour' and saying #>> '{newMessage,meta,fileId}' = $1::text
  union all select false from job where kind = 'message.process' and run_at < 'infinity' and payload #>> '{newMessage,meta,fileId}' = $1::text`

/**
 * True for messages and records, false for what goes or comes: messages that a hold keeps, proposals on which nobody has decided,
 * streams, and messages that wait. What is held in an archived contact center, or was given up, holds up no erasure once its time is over.
 */
const USED = `
select bool_or(kept) as "isKept" from (
  select true as kept from file where attachment_id = $1::text::uuid
  union all select true from message where meta ->> 'fileId' = $1::text and meta ? 'fileId'
  union all ${AWAITED}) used`

/** Tells whether an attachment is in what may become a message, or in what a hold keeps of one. */
export async function isAwaited(sql: Sql, attachment: string, now: Date): Promise<boolean> {
  const rows = await sql.query(`select from (${AWAITED}) awaited limit 1`, [attachment, now])
  return rows.length > 0
}
