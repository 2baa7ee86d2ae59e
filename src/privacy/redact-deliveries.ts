import type { Database } from '../db/database.js'

/**
 * Redacts webhook events, and empties what their deliveries and attempts store of them and of the receivers' answers. An
 * attempt under way whose answer comes later stores none of it: it began with an older number of redactions.
 * @param update SQL that redacts the events, named `w`, and counts the redaction in each
 */
export async function redactDeliveries(sql: Database, update: string, values: readonly unknown[]): Promise<void> {
  await sql.sqlTransaction(async (tx) => {
    const deliveries = await tx.query<{ id: string }>(
      `with gone as (${update} returning w.id)
       update webhook_delivery d set selected_body = null, reply = null, error = null, redactions = redactions + 1
       from gone g where d.event_id = g.id returning d.id`,
      values,
    )
    // A statement of its own, with a later snapshot: an attempt that the first one waited for is visible to this one.
    await tx.query('update webhook_attempt set response = null, error = null where delivery_id = any($1::uuid[])', [
      deliveries.map(({ id }) => id),
    ])
  })
}
