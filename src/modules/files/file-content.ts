import { Attachment } from '../attachments/attachment.js'
import type { Context } from '../../platform/context.js'
import type { OrganizationPath } from '../../platform/db/tenancy.js'
import { BadUserInput, quoteValue } from '../../platform/errors.js'
import type { WriteTx } from '../../platform/events/transact.js'
import { isAbsent, parseInteger, parseText, parseUrl } from '../../platform/input.js'
import { fetchRecord } from '../../platform/lists/fetch-record.js'
import { requireVisible } from '../../platform/lists/visible-ids.js'
import type { File, UpdateFileInput } from './file.js'

export type FileContent = Pick<File, 'url' | 'attachmentId' | 'fileType' | 'size'>

const MEDIA_TYPE = /^[\w!#$&^.+-]{1,100}\/[\w!#$&^.+-]{1,100}$/
const SIZE_MAX = 2_147_483_647

/**
 * Determines a file's content after a write. New content replaces the old; type and size are the attachment's, or given
 * by the client for an address.
 * @param stored null in a create
 * @throws BadUserInput without content or with two; NotFound naming `attachment`
 */
export async function contentOf(
  ctx: Context,
  tx: WriteTx,
  input: UpdateFileInput,
  { path, stored }: { path: OrganizationPath; stored: FileContent | null },
): Promise<FileContent> {
  const url = isAbsent(input.url) ? null : parseUrl(input.url, 'url', ['http', 'https'])
  const attachment = isAbsent(input.attachment) ? null : input.attachment
  if (url !== null && attachment !== null) throw new BadUserInput('attachment', 'give url or attachment, not both')
  if (attachment !== null) return contentOfAttachment(ctx, tx, attachment, path)
  if (url !== null) return { ...readFacts(input, null), url, attachmentId: null }
  const keepsContent = stored && !(stored.url ? input.url === null : input.attachment === null)
  if (!keepsContent) throw new BadUserInput('url', 'a file needs a url or an attachment')
  return stored.attachmentId ? stored : { ...readFacts(input, stored), url: stored.url, attachmentId: null }
}

/**
 * Requires an attachment of the file's own organization or of its ancestors or descendants: a customer's file cannot
 * use another customer's upload.
 */
async function contentOfAttachment(
  ctx: Context,
  tx: WriteTx,
  id: string,
  path: OrganizationPath,
): Promise<FileContent> {
  await requireVisible(ctx, tx, [{ id, field: 'attachment' }], { name: 'Attachment', table: 'attachment', path })
  // Locked, so that it is not deleted in the meantime.
  const attachment = await fetchRecord(ctx, Attachment, id, { em: tx.em, field: 'attachment', lock: true })
  return { url: null, attachmentId: attachment.id, fileType: attachment.fileType, size: attachment.size }
}

function readFacts(input: UpdateFileInput, stored: FileContent | null): Pick<FileContent, 'fileType' | 'size'> {
  const { fileType, size } = input
  return {
    fileType: fileType === undefined ? (stored?.fileType ?? null) : fileType === null ? null : parseMediaType(fileType),
    size: size === undefined ? (stored?.size ?? null) : size === null ? null : parseInteger(size, 'size', 0, SIZE_MAX),
  }
}

function parseMediaType(value: unknown): string {
  const type = parseText(value, 'fileType').toLowerCase()
  if (MEDIA_TYPE.test(type)) return type
  throw new BadUserInput('fileType', `fileType ${quoteValue(type)} is not a media type such as application/zip`)
}
