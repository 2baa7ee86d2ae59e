import type { Sql } from '../../../platform/db/sql.js'
import { recordNotFound } from '../../../platform/lists/fetch-record.js'
import { WritesRefused, type PendingWrite } from './pending-write.js'

/**
 * Keeps the attachments that messages name from being removed until these are stored: whoever removes one locks it, and then looks for
 * messages. @throws WritesRefused for those whose attachment went since it was read
 */
export async function keepFiles(sql: Sql, named: ReadonlyMap<PendingWrite, ReadonlySet<string>>): Promise<void> {
  const ids = [...new Set([...named.values()].flatMap((files) => [...files]))]
  if (ids.length === 0) return
  const rows = await sql.query<{ id: string }>(KEEP, [ids], 'keep-files')
  if (rows.length === ids.length) return
  const kept = new Set(rows.map(({ id }) => id))
  const refused = new Map<PendingWrite, ReturnType<typeof recordNotFound>>()
  for (const [write, files] of named) {
    const gone = [...files].find((id) => !kept.has(id))
    if (gone !== undefined) refused.set(write, recordNotFound('Attachment', gone, 'meta.fileId'))
  }
  throw new WritesRefused(refused)
}

const KEEP = 'select id from attachment where id = any($1::uuid[]) order by id for key share'
