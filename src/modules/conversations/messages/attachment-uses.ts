import type { Sql } from '../../../platform/db/database.js'

/** Uses that may become a message, and messages that a hold keeps. */
const AWAITED = `
  select false as kept from held_message where meta ->> 'fileId' = $1::text and meta ? 'fileId'
  union all select false from proposal where status = 'pending' and expires_at > $2 and new_message #>> '{meta,fileId}' = $1::text
  union all select false from message_stream where ending is null and created_at > $2::timestamptz - interval '1 hour' and saying #>> '{newMessage,meta,fileId}' = $1::text
  union all select false from job where kind = 'message.process' and run_at < 'infinity' and payload #>> '{newMessage,meta,fileId}' = $1::text`

const USED = `
select bool_or(kept) as "isKept" from (
  select true as kept from file where attachment_id = $1::text::uuid
  union all select true from message where meta ->> 'fileId' = $1::text and meta ? 'fileId' and not id = any($3::uuid[])
  union all ${AWAITED}) used`

/**
 * Returns true for an attachment that a message or a file of the organization has, false for one that is only in what goes or comes:
 * messages that a hold keeps, proposals on which nobody has decided, streams, and messages that wait. Null: nobody needs it. What
 * is held in an archived contact center, or was given up, is no use once its time is over.
 * @param besides messages whose use does not count
 */
export async function readUse(
  sql: Sql,
  attachment: string,
  now: Date,
  besides: readonly string[] = [],
): Promise<boolean | null> {
  const [used] = await sql.query<{ isKept: boolean | null }>(USED, [attachment, now, besides])
  return used!.isKept
}

/** Tells whether an attachment is in what may become a message, or in what a hold keeps of one. */
export async function isAwaited(sql: Sql, attachment: string, now: Date): Promise<boolean> {
  const rows = await sql.query(`select from (${AWAITED}) awaited limit 1`, [attachment, now])
  return rows.length > 0
}
