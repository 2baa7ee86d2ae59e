import type { Sql } from '../db/database.js'
import type { StoredEvent } from './event.js'

/**
 * Keeps what must be told outside of events, from the transaction that appends them. Whether anybody listens to an
 * organization is read from `event_listener`, by every appending transaction before it commits ({@link hasWebhookListenersSql},
 * {@link hasListeners}). Reading it also takes the gate, a lock on an empty table that is held until the commit:
 * whoever begins to listen closes the gate for a moment, and so waits for those that have read that nobody does.
 */
export interface Outbox {
  /** Call after `appendEvents`, in its transaction, if there may be listeners. Finds by itself who hears of what. */
  record(sql: Sql, events: readonly StoredEvent[]): Promise<void>
  /** Call after the commit of a transaction that recorded. */
  committed(): void
}

/** Never true. A statement has its locks before its snapshot, so what it reads is as new as the gate. */
const GATE = 'exists (select 1 from event_gate for key share)'

/** Whether events of the row at `alias` (its columns `org1` to `org3`) have a listener. */
export const hasWebhookListenersSql = (alias: string): string => `(${GATE} or exists (
  select 1 from event_listener l where l.organization_id in (${alias}.org1, ${alias}.org2, ${alias}.org3)))`

/** Whether anybody listens to anything. */
export async function hasListeners(sql: Sql): Promise<boolean> {
  const rows = await sql.query<{ some: boolean }>(
    `select (${GATE} or exists (select 1 from event_listener)) as some`,
    [],
    'has-listeners',
  )
  return rows[0]!.some
}
