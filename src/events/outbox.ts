import type { Sql } from '../db/database.js'
import type { StoredEvent } from './event.js'

/**
 * Keeps what must be told outside of events, from the transaction that appends them. Whether anybody listens to an
 * organization is read from `event_listener`, by every appending transaction before it commits: whoever begins to listen
 * waits for those that have read that nobody does.
 */
export interface Outbox {
  /** Call right after `appendEvents`, in its transaction. Finds by itself what has listeners. */
  record(sql: Sql, events: readonly StoredEvent[]): Promise<void>
  /** Call after the commit of a transaction that recorded. */
  committed(): void
}

/** Whether events of the row at `alias` (its columns `org1` to `org3`) have a listener. */
export const isHeardSql = (alias: string): string =>
  `exists (select 1 from event_listener l where l.organization_id in (${alias}.org1, ${alias}.org2, ${alias}.org3))`
