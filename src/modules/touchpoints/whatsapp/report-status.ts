import { isId } from '../../../platform/db/clock.js'
import type { Sql } from '../../../platform/db/database.js'
import type { DeliveryLog, DeliveryName } from '../delivery-log.js'
import { isWindowClosed } from './whatsapp-errors.js'
import type { WhatsappStatus } from './whatsapp-events.js'

/** `<delivery>:<part>/<parts>`, as it was sent with the message. */
const CALLBACK = /^([0-9a-f-]{36}):(\d{1,4})\/(\d{1,4})$/

/**
 * Records a status, which may come in any order and repeatedly. It names the delivery itself, so that it also settles one
 * whose send had no answer. Of a message in several parts the last one counts; any that failed is a failure.
 */
export async function reportStatus(
  { sql, deliveries }: { sql: Sql; deliveries: DeliveryLog },
  service: string,
  { id, status, callback, code, reason }: WhatsappStatus,
): Promise<void> {
  const [, delivery, part, parts] = CALLBACK.exec(callback ?? '') ?? []
  if (part !== parts && status !== 'failed') return
  const named = await nameOf(sql, service, delivery, id)
  if (status === 'failed') {
    const words = [code, reason].filter((each) => each !== null).join(' ')
    const why = `the platform did not deliver it: ${words || 'it gives no reason'}`
    await deliveries.report(named, { status, reason: why, code: isWindowClosed(code) ? 'windowClosed' : null })
    return
  }
  await deliveries.report(named, { status, ...(part !== undefined && { providerId: id }) })
}

/** By the delivery's own id, if it is one of this service. */
async function nameOf(sql: Sql, service: string, delivery: string | undefined, id: string): Promise<DeliveryName> {
  if (!isId(delivery)) return { service, providerId: id }
  const [own] = await sql.query(
    'select 1 from delivery where id = $1 and service_id = $2',
    [delivery, service],
    'delivery-of-service',
  )
  return own ? { delivery } : { service, providerId: id }
}
