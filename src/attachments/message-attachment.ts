import type { LoaderDefinition } from '../context.js'
import { isId } from '../db/clock.js'
import type { Sql } from '../db/database.js'
import { isWithin, lineageSql, pathOf, tenantSql, type OrganizationPath, type TenantColumns } from '../db/tenancy.js'
import { BadUserInput, NotFound, shown } from '../errors.js'
import { isAbsent } from '../input.js'
import type { JsonObject } from '../json.js'
import { camelRow } from '../lists/rows.js'
import type { Attachment } from './attachment.js'

/** Whose message it is that shows an attachment. */
export interface MessageSender {
  /** What a user sees. */
  path: OrganizationPath
  /** The consumer, for a message that no user sends: who shows its own uploads only. */
  contact: string | null
}

/**
 * Metadata of a message with what `fileId` says (2.12, file message): `fileName` and `fileType` are the attachment's
 * where they are not given.
 * @param path of the conversation: an attachment of an organization beside it is not shown in it
 * @throws BadUserInput; NotFound naming `meta.fileId`
 */
export async function withAttachment(
  sql: Sql,
  meta: JsonObject,
  { path, sender }: { path: OrganizationPath; sender: MessageSender },
): Promise<JsonObject> {
  const { fileId } = meta
  if (isAbsent(fileId)) return meta
  if (!isId(fileId)) {
    throw new BadUserInput('meta.fileId', `meta.fileId must be the id of an attachment, not ${shown(fileId)}`)
  }
  const values: unknown[] = [fileId]
  const conditions = [lineageSql(path, 't', values), tenantSql(sender, 't', values)]
  if (sender.contact !== null) conditions.push(`t.contact_id = $${values.push(sender.contact)}`)
  const [found] = await sql.query<{ fileName: string; fileType: string }>(
    `select file_name as "fileName", file_type as "fileType" from attachment t
     where t.id = $1 and ${conditions.join(' and ')}`,
    values,
  )
  if (!found) throw new NotFound(`meta.fileId: Attachment ${shown(fileId)} not found`, { field: 'meta.fileId' })
  return { ...found, ...meta }
}

/** The key of a message's attachment for {@link messageAttachmentLoader}; null when it has none. */
export function attachmentKeyOf(message: TenantColumns & { meta: JsonObject | null }): string | null {
  const fileId = message.meta?.fileId
  return isId(fileId) ? [fileId.toLowerCase(), ...pathOf(message)].join(' ') : null
}

/**
 * Attachments as messages show them, to whoever sees the message: an agent of the contact center sends its own
 * organization's upload to a consumer of a customer. Never one of an organization beside the conversation's.
 */
export const messageAttachmentLoader: LoaderDefinition<Attachment> = {
  async load(ctx, keys) {
    const wanted = keys.map((key) => {
      const [id, ...path] = key.split(' ')
      return { key, id: id!, path: path as unknown as OrganizationPath }
    })
    const rows = await ctx.database.query<Record<string, unknown>>(
      'select * from attachment where id = any($1::uuid[])',
      [[...new Set(wanted.map(({ id }) => id))]],
    )
    const byId = new Map(rows.map((row) => [row.id as string, camelRow<Attachment>(row)]))
    const found = wanted.flatMap(({ key, id, path }) => {
      const attachment = byId.get(id)
      const isNear = attachment && (path.includes(attachment.organizationId) || isWithin({ path }, attachment))
      return isNear ? [[key, attachment] as const] : []
    })
    return new Map(found)
  },
}
