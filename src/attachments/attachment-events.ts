import { organizationStream } from '../events/event.js'
import type { WriteTx } from '../events/transact.js'
import type { Attachment } from './attachment.js'

/** Emits an event of an attachment to the organization's stream: its ids and public values, no link to its bytes. */
export function emitAttachment(
  tx: Pick<WriteTx, 'emit'>,
  attachment: Omit<Attachment, 'createdAt' | 'updatedAt'>,
  what: 'created' | 'updated' | 'deleted',
): void {
  const { id, organizationId, fileName, fileType, size, tags } = attachment
  tx.emit(organizationStream(organizationId), `attachment.${what}`, {
    id,
    organization: organizationId,
    fileName,
    fileType,
    size,
    tags,
  })
}
