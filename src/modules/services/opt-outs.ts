import type { Sql } from '../../platform/db/database.js'

/** A consumer at one of an organization's senders. */
export interface OptOutKey {
  service: string
  /** In E.164. */
  address: string
}

/*
 * Addresses are stored as pseudonyms: a request to stop outlives the contact, and is found by its address alone.
 */

/** SQL: when an address asked a service for no more messages; null when it did not. */
export const optedOutAtSql = (service: string, address: string): string =>
  `(select o.opted_out_at from opt_out o where o.service_id = ${service} and o.address = erased_name(${address}))`

/** Returns when the consumer opted out; null when it did not. */
export async function optedOutAt(sql: Sql, { service, address }: OptOutKey): Promise<Date | null> {
  const rows = await sql.query<{ at: Date | null }>(`select ${optedOutAtSql('$1', '$2')} as at`, [service, address])
  return rows[0]!.at
}

/**
 * Stores the consumer's last request; repeated STOPs keep the first one's time.
 * @returns whether it changed anything
 */
export async function setOptOut(
  sql: Sql,
  { service, address }: OptOutKey,
  word: 'stop' | 'start',
  at: Date,
): Promise<boolean> {
  const rows = await (word === 'start'
    ? sql.query('delete from opt_out where service_id = $1 and address = erased_name($2) returning 1', [
        service,
        address,
      ])
    : sql.query(
        `insert into opt_out (service_id, address, opted_out_at) values ($1, erased_name($2), $3)
         on conflict do nothing returning 1`,
        [service, address, at],
      ))
  return rows.length > 0
}
