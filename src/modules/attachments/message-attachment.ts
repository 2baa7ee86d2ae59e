import type { Context, LoaderDefinition } from '../../platform/context.js'
import { isId } from '../../platform/db/clock.js'
import { reading, type ReadSql } from '../../platform/db/sql.js'
import {
  isWithin,
  lineageSql,
  pathOf,
  tenantSql,
  pathOfIds,
  type OrganizationPath,
  type TenantColumns,
  type TenantScope,
} from '../../platform/db/tenancy.js'
import { BadUserInput, quoteValue } from '../../platform/errors.js'
import { isAbsent } from '../../platform/input.js'
import type { JsonObject } from '../../platform/json.js'
import { recordNotFound } from '../../platform/lists/fetch-record.js'
import { camelRow } from '../../platform/lists/rows.js'
import type { Attachment } from './attachment.js'

/** The sender of a message with an attachment. */
export interface MessageSender {
  /** Path of the organization that the user sees. */
  path: OrganizationPath
  /** The consumer, for a message without a user: may only use its own uploads. */
  contact: string | null
}

/**
 * Completes the metadata of a message from its `fileId` (2.12, file message): `fileName` and `fileType` default to the
 * attachment's. The id is in lower case, by which whoever deletes an attachment finds its messages.
 * @param path of the conversation: an attachment of a sibling organization cannot be used in it
 * @throws BadUserInput; NotFound naming `meta.fileId`
 */
export async function withAttachment(
  sql: ReadSql,
  meta: JsonObject,
  { path, sender }: { path: OrganizationPath; sender: MessageSender },
): Promise<JsonObject> {
  const { fileId } = meta
  if (isAbsent(fileId)) return meta
  if (!isId(fileId)) {
    throw new BadUserInput('meta.fileId', `meta.fileId must be the id of an attachment, not ${quoteValue(fileId)}`)
  }
  const values: unknown[] = [fileId]
  const conditions = [lineageSql(path, 't', values), tenantSql(sender, 't', values)]
  if (sender.contact !== null) conditions.push(`t.contact_id = $${values.push(sender.contact)}`)
  const [found] = await sql.query<{ fileName: string; fileType: string }>(
    reading(`select file_name as "fileName", file_type as "fileType" from attachment t
     where t.id = $1 and ${conditions.join(' and ')}`),
    values,
  )
  if (!found) throw recordNotFound('Attachment', fileId, 'meta.fileId')
  return { ...found, ...meta, fileId: fileId.toLowerCase() }
}

/** Columns of a message that determine its attachment. */
type ShowingMessage = TenantColumns & { meta: JsonObject | null; userId: string | null }

/** Returns the key of a message's attachment for {@link messageAttachmentLoader}; null when it has none. */
export function attachmentKeyOf(message: ShowingMessage): string | null {
  const fileId = message.meta?.fileId
  return isId(fileId) ? [fileId.toLowerCase(), message.userId ?? NOBODY, ...pathOf(message)].join(' ') : null
}

const NOBODY = '-'

/**
 * Loads attachments for everyone who sees the message: an agent of the contact center sends an upload of its own
 * organization to a consumer of a customer. Never one of a sibling organization of the conversation's, nor one above it
 * unless the message's user sees that: applies the rule of {@link withAttachment} again, whatever is stored.
 */
export const messageAttachmentLoader: LoaderDefinition<Attachment> = {
  async load(ctx, keys) {
    const wanted = keys.map((key) => {
      const [id, user, ...path] = key.split(' ')
      return { key, id: id!, user: user!, path: pathOfIds(path) }
    })
    const attachments = await ctx.reads.query<Record<string, unknown>>(
      'select * from attachment where id = any($1::uuid[])',
      [[...new Set(wanted.map(({ id }) => id))]],
    )
    const byId = new Map(attachments.map((row) => [row.id as string, camelRow<Attachment>(row)]))
    const senders = await readSenders(ctx, wanted)
    const found = wanted.flatMap(({ key, id, user, path }) => {
      const attachment = byId.get(id)
      if (!attachment) return []
      const isAbove = path.slice(0, -1).includes(attachment.organizationId) && user !== NOBODY
      // A deleted user cannot be checked; the rule held when the message was sent.
      const isSeen = isAbove ? isWithin(senders.get(user) ?? { path: [] }, attachment) : isWithin({ path }, attachment)
      return isSeen ? [[key, attachment] as const] : []
    })
    return new Map(found)
  },
}

async function readSenders(ctx: Context, wanted: readonly { user: string }[]): Promise<Map<string, TenantScope>> {
  const ids = new Set(wanted.map(({ user }) => user).filter(isId))
  if (ids.size === 0) return new Map()
  const rows = await ctx.reads.query<{ id: string } & TenantPlace>(
    'select id, org1, org2, org3 from app_user where id = any($1::uuid[])',
    [[...ids]],
    'senders-of-attachments',
  )
  return new Map(rows.map((row) => [row.id, { path: pathOf(row) }]))
}

type TenantPlace = Pick<TenantColumns, 'org1' | 'org2' | 'org3'>
