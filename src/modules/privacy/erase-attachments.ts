import { LockMode } from '@mikro-orm/core'
import type { AttachmentStore } from '../attachments/attachment-store.js'
import { removeAttachment } from '../attachments/attachment-writes.js'
import { Attachment } from '../attachments/attachment.js'
import { readUse } from '../conversations/messages/attachment-uses.js'
import type { Context } from '../../platform/context.js'
import type { Transact } from '../../platform/events/transact.js'
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
      const isKept = await readUse(tx, id, system.now())
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
