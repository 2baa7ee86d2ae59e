import type { Context } from '../../platform/context.js'
import { Unprocessable } from '../../platform/errors.js'
import type { Transact, WriteTx } from '../../platform/events/transact.js'
import { parseText, refuseCleared } from '../../platform/input.js'
import { fetchRecord } from '../../platform/lists/fetch-record.js'
import { markChanged } from '../../platform/lists/record-version.js'
import { holdsOnAttachment, refuseHeld } from '../holds/held.js'
import { parseTags } from '../sharing/tags.js'
import { emitAttachment } from './attachment-events.js'
import { addRemoval, ATTACHMENT_DELETED } from './attachment-jobs.js'
import { Attachment, type UpdateAttachmentInput } from './attachment.js'
import { safeFileName } from './file-name.js'

/** Changes the given fields. @throws NotFound, BadUserInput; OnHold for the name of what was sent in a held conversation */
export function updateAttachment(
  ctx: Context,
  transact: Transact,
  { id, patch }: { id: string; patch: UpdateAttachmentInput },
): Promise<Attachment> {
  refuseCleared(patch, 'fileName')
  return transact(ctx, async (tx) => {
    const attachment = await fetchRecord(ctx, Attachment, id, { em: tx.em, lock: true, ifVersion: patch.ifVersion })
    if (patch.fileName !== undefined) {
      const given = parseText(patch.fileName, 'fileName', { min: 1, max: 250 })
      const fileName = safeFileName(given, attachment.fileType)
      if (fileName !== attachment.fileName)
        refuseHeld(await holdsOnAttachment(tx, attachment), `the name of attachment ${attachment.id}`, 'fileName')
      attachment.fileName = fileName
    }
    if (patch.tags !== undefined) attachment.tags = parseTags(patch.tags)
    markChanged(attachment, ctx.now())
    emitAttachment(tx, attachment, 'updated')
    return attachment
  })
}

/**
 * Deletes an attachment with its bytes, and the answers about it, which hold its name and links; a job erases what events
 * and webhooks keep of it. Messages keep its id, which then leads nowhere. A file that uses it as content must be deleted
 * first.
 * @throws NotFound; Unprocessable naming the file; OnHold if it was sent in a held conversation
 */
export function deleteAttachment(ctx: Context, transact: Transact, id: string): Promise<boolean> {
  return transact(ctx, async (tx) => {
    const attachment = await fetchRecord(ctx, Attachment, id, { em: tx.em, lock: true })
    const [file] = await tx.query<{ id: string }>('select id from file where attachment_id = $1 order by id limit 1', [
      attachment.id,
    ])
    if (file) {
      const message = `attachment ${id} is the content of file ${file.id}: delete that file first`
      throw new Unprocessable(message, { reason: 'IN_USE', file: file.id })
    }
    refuseHeld(await holdsOnAttachment(tx, attachment), `attachment ${attachment.id}`)
    await removeAttachment(tx, attachment)
    return true
  })
}

/** Removes a locked attachment that no file and no hold keeps. */
export async function removeAttachment(tx: WriteTx, attachment: Attachment): Promise<void> {
  const { id: deleted } = attachment
  await tx.query('delete from attachment where id = $1', [deleted])
  addRemoval(tx, [deleted])
  await tx.query('update idempotency_key set response = null where about = $1 and response is not null', [deleted])
  // Later nothing leads to it: an erasure of its contact knows the attachments that are left.
  tx.addJob(ATTACHMENT_DELETED.create({ deleted }, { key: `erase:${deleted}` }))
  emitAttachment(tx, { ...attachment, fileName: '' } as Attachment, 'deleted')
}
