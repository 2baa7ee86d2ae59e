import type { Sql } from '../../db/database.js'
import type { MessageRow } from '../../messages/message-row.js'
import { DeliveryRefused } from '../adapter.js'
import type { SendCall } from './graph-api.js'

const HOUR_MS = 3_600_000
/** The platform's standard messaging window. */
const RESPONSE_MS = 24 * HOUR_MS
/** The window of its tag HUMAN_AGENT, which automated messages may not use. */
const HUMAN_AGENT_MS = 7 * 24 * HOUR_MS

/**
 * Returns which kind of message a page may send to a person now: a response within 24 hours of that person's last
 * message, or a human agent's message within seven days.
 * @throws DeliveryRefused after that: the platform would refuse it and count it against the page
 */
export async function replyKind(
  sql: Sql,
  { message, contact, now }: { message: MessageRow; contact: string; now: Date },
): Promise<SendCall['kind']> {
  const [found] = await sql.query<{ at: Date | null; role: string | null }>(
    `select (select m.created_at from message m join conversation c on c.id = m.conversation_id
       where c.contact_id = $1 and m.role = 'contact' and m.touchpoint = 'messenger'
       order by m.created_at desc limit 1) as at,
       (select role from app_user where id = $2) as role`,
    [contact, message.userId],
  )
  const { at, role } = found!
  if (at === null) throw new DeliveryRefused('the consumer has not written by messenger: a page may not write first')
  const silentMs = now.getTime() - at.getTime()
  if (silentMs < RESPONSE_MS) return 'RESPONSE'
  const since = `the consumer last wrote at ${at.toISOString()}`
  if (silentMs >= HUMAN_AGENT_MS)
    throw new DeliveryRefused(`${since}, more than 7 days ago: the platform accepts no messages`)
  if (role === 'bot' || message.userId === null) {
    throw new DeliveryRefused(`${since}, more than 24 hours ago: the platform only accepts messages from a human agent`)
  }
  return 'HUMAN_AGENT'
}
