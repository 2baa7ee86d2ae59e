import type { Context } from '../../platform/context.js'
import { camelRow } from '../../platform/lists/rows.js'
import type { AttachmentLinks } from '../attachments/attachment-links.js'
import { attachmentKeyOf, messageAttachmentLoader } from '../attachments/message-attachment.js'
import type { MessageRow } from '../messages/message-row.js'
import { displayNameOf, type Named } from '../users/user.js'
import type { OutgoingMessage } from './adapter.js'

/** Converts a row that was read as JSON. */
export function timed<Row extends { createdAt: Date; updatedAt: Date }>(json: Record<string, unknown>): Row {
  const row = camelRow<Row>(json)
  return { ...row, createdAt: new Date(row.createdAt), updatedAt: new Date(row.updatedAt) }
}

/** Reads the file of a message; null if it has none. */
export async function attachmentOf(
  system: Context,
  links: AttachmentLinks,
  message: MessageRow,
): Promise<OutgoingMessage['attachment']> {
  const key = attachmentKeyOf(message)
  const attachment = key === null ? null : await system.loader(messageAttachmentLoader).load(key)
  if (!attachment) return null
  const { id, fileName, fileType, size } = attachment
  return { id, fileName, fileType, size, url: links.urlOf(id, fileName) }
}

/** Returns the name by which the consumer knows who wrote: the conversation's alias, else that of the user; null for nobody. */
export function senderNameOf(alias: unknown, sender: Record<string, unknown> | null): string | null {
  if (typeof alias === 'string' && alias !== '') return alias
  return sender ? displayNameOf(camelRow<Named>(sender)) : null
}
