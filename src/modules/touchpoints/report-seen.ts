import type { Sql } from '../../platform/db/database.js'
import type { DeliveryLog } from './delivery-log.js'
import type { HubEvent } from './hub-events.js'

/**
 * Records that a person has seen a message, and with it everything that was sent before. A part of a message that has more
 * parts only tells of what was before the message.
 */
export async function reportSeen(
  { sql, deliveries }: { sql: Sql; deliveries: DeliveryLog },
  service: string,
  { mid, sender }: Extract<HubEvent, { kind: 'seen' }>,
): Promise<void> {
  const [found] = await sql.query<{ id: string; status: string; isWhole: boolean; at: Date }>(
    FOUND,
    [service, mid, sender],
    'seen-delivery',
  )
  // What comes again is of an earlier time than the last change of the delivery.
  if (!found || found.status === 'read') return
  const before = new Date(found.at.getTime() - 1)
  // Of what may have been sent before, the echo would be the proof.
  await deliveries.reportUpTo({ service, recipient: sender, at: before, settles: false }, 'read')
  if (found.isWhole) await deliveries.report({ delivery: found.id }, { status: 'read' })
}

const FOUND = `
select d.id, d.status, d.provider_id = $2 as "isWhole", d.updated_at as at from delivery d
where d.service_id = $1 and d.recipient = $3 and d.id in (
  select id from delivery where service_id = $1 and provider_id = $2
  union all select delivery_id from delivery_part where provider_id = $2)
order by d.id limit 1`
