import { organizationStream, type RecordChange, type ResourceEvents } from '../../platform/events/event.js'
import type { WriteTx } from '../../platform/events/transact.js'
import type { Attachment } from './attachment.js'

/** The values of an attachment. */
type AttachmentData = Pick<Attachment, 'fileName' | 'fileType' | 'size' | 'tags'>

declare module '../../platform/events/event.js' {
  interface EventTypes extends ResourceEvents<'attachment', AttachmentData> {}
}

/** Emits an event of an attachment to the organization's stream: its ids and public values, no link to its bytes. */
export function emitAttachment(
  tx: Pick<WriteTx, 'emit'>,
  attachment: Omit<Attachment, 'createdAt' | 'updatedAt' | 'version'>,
  what: RecordChange,
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
