import type { Sql } from '../../platform/db/database.js'
import type { MessageRow } from '../messages/message-row.js'
import type { ReplyWindow } from '../services/service-kinds.js'
import { DeliveryRefused } from './adapter.js'

const HOUR_MS = 3_600_000

/** Meta's standard messaging window, and that of its tag HUMAN_AGENT, which automated messages may not use. */
export const HUMAN_WINDOW: ReplyWindow = { machinesMs: 24 * HOUR_MS, peopleMs: 7 * 24 * HOUR_MS }

/** An answer within 24 hours, or a human agent's answer within seven days. */
export type ReplyKind = 'RESPONSE' | 'HUMAN_AGENT'

/** Returns how a message of this kind is declared. */
export const declared = (kind: ReplyKind): Record<string, string> =>
  kind === 'RESPONSE' ? { messaging_type: kind } : { messaging_type: 'MESSAGE_TAG', tag: kind }

interface Reply {
  message: MessageRow
  service: string
  recipient: string
  now: Date
  /** The sender's kind, such as `a page`. */
  from: string
}

/**
 * Returns which kind of message may be sent to a person now: a response within 24 hours of that person's last message,
 * or a human agent's message within seven days. Routing has chosen an open window; it may have closed since.
 * @throws DeliveryRefused after that: the platform would refuse it and count it against the sender
 */
export async function replyKind(sql: Sql, { message, service, recipient, now, from }: Reply): Promise<ReplyKind> {
  const [found] = await sql.query<{ at: Date | null; role: string | null }>(
    `select (select last_inbound_at from contact_handle where service_id = $1 and address = $2) as at,
       (select role from app_user where id = $3) as role`,
    [service, recipient, message.userId],
    'reply-window',
  )
  const { at, role } = found!
  if (at === null) throw closed(`the consumer has not written by messenger: ${from} may not write first`)
  const silentMs = now.getTime() - at.getTime()
  if (silentMs < HUMAN_WINDOW.machinesMs) return 'RESPONSE'
  const since = `the consumer last wrote at ${at.toISOString()}`
  if (silentMs >= HUMAN_WINDOW.peopleMs)
    throw closed(`${since}, more than 7 days ago: the platform accepts no messages`)
  if (role === 'bot' || message.userId === null) {
    throw closed(`${since}, more than 24 hours ago: the platform only accepts messages from a human agent`)
  }
  return 'HUMAN_AGENT'
}

function closed(reason: string): DeliveryRefused {
  return new DeliveryRefused(reason, 'windowClosed')
}
