import type { Database } from '../../platform/db/database.js'

/** Bound of one transaction. */
const EVENTS_MAX = 500

/**
 * Redacts webhook events, and empties what their deliveries and attempts store of them and of the receivers' answers. An
 * attempt under way whose answer comes later stores none of it: it began with an older number of redactions.
 * @param find SQL that selects the ids of the events; @param set SQL that redacts each
 */
export async function redactDeliveries(
  sql: Database,
  find: { text: string; values: readonly unknown[] },
  set: string,
): Promise<void> {
  const found = (await sql.query<{ id: string }>(find.text, find.values)).map(({ id }) => id)
  for (let from = 0; from < found.length; from += EVENTS_MAX)
    await redact(sql, found.slice(from, from + EVENTS_MAX), set)
}

async function redact(sql: Database, events: readonly string[], set: string): Promise<void> {
  await sql.sqlTransaction(async (tx) => {
    const deliveries = await tx.query<{ id: string }>(
      `with gone as (update webhook_event set ${set}, redactions = redactions + 1 where id = any($1::uuid[]) returning id)
       update webhook_delivery d set selected_body = null, reply = null, error = null, redactions = redactions + 1
       from gone g where d.event_id = g.id returning d.id`,
      [events],
    )
    // A statement of its own, with a later snapshot: an attempt that the first one waited for is visible to this one.
    await tx.query('update webhook_attempt set response = null, error = null where delivery_id = any($1::uuid[])', [
      deliveries.map(({ id }) => id),
    ])
  })
}
