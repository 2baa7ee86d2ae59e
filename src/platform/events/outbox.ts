import type { Sql } from '../db/database.js'
import type { ReadSql } from '../db/sql.js'
import type { OrganizationPath } from '../db/tenancy.js'
import type { StoredEvent } from './event.js'

/**
 * Records webhook deliveries in the transaction that appends the events. Every appending transaction reads from
 * `event_listener` before it commits whether an organization has listeners ({@link hasWebhookListenersSql},
 * {@link hasListeners}). The read also takes the gate, a lock on an empty table that is held until the commit: a new
 * listener closes the gate for a moment, and so waits for transactions that saw no listener.
 */
export interface Outbox {
  /**
   * Must be called after `appendEvents`, in its transaction, if there may be listeners. Determines the recipients
   * itself.
   * @returns the number of recorded deliveries by conversation
   */
  record(sql: Sql, events: readonly StoredEvent[]): Promise<ReadonlyMap<string, number>>
  /** Must be called after the commit of the events of one or more transactions; null if it is unknown which they were. */
  committed(events: readonly StoredEvent[] | null): void
  /** Tells whether somebody is told of events of this name, in an organization with this path. A bot that is paused hears nothing. */
  isHeard(sql: ReadSql, event: string, path: OrganizationPath): Promise<boolean>
}

/** Always false. A statement takes its locks before its snapshot, so its reads are as new as the gate. */
const GATE = 'exists (select 1 from event_gate for key share)'

/** SQL: whether events of the row at `alias` (its columns `org1` to `org3`) have a listener. */
export const hasWebhookListenersSql = (alias: string): string => `(${GATE} or exists (
  select 1 from event_listener l where l.organization_id in (${alias}.org1, ${alias}.org2, ${alias}.org3)))`

/** Tells whether there are any listeners at all. */
export async function hasListeners(sql: Sql): Promise<boolean> {
  const rows = await sql.query<{ some: boolean }>(
    `select (${GATE} or exists (select 1 from event_listener)) as some`,
    [],
    'has-listeners',
  )
  return rows[0]!.some
}
