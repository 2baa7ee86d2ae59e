import type { Sql } from '../../../platform/db/database.js'

interface Blocking {
  service: string
  address: string
  isBlocked: boolean
  /** Milliseconds. */
  at: number
}

/**
 * Notes that a person has blocked the bot, or lets it write again: routing takes another touchpoint meanwhile. One that is older
 * than the person's last message says nothing.
 */
export async function noteBlocking(sql: Sql, { service, address, isBlocked, at }: Blocking): Promise<void> {
  await sql.query(
    `update contact_handle set blocked_at = case when $3 then $4::timestamptz end
     where service_id = $1 and address = $2 and last_inbound_at <= $4`,
    [service, address, isBlocked, new Date(at)],
    'note-blocking',
  )
}
