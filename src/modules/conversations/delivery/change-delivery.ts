import { DELIVERY_COLUMNS } from '../../messages/message-columns.js'
import { selectList } from '../../../platform/db/columns.js'
import { reading } from '../../../platform/db/sql.js'
import { camelRow } from '../../../platform/lists/rows.js'
import type { DeliveryCode, DeliveryRow, DeliveryStatus } from '../../messages/delivery.js'
import type { ConversationChange } from '../state/conversation-change.js'

/** Progress of each status: a late report of less progress does not override more. */
const RANK: Readonly<Record<DeliveryStatus, number>> = {
  queued: 0,
  sending: 1,
  failed: 2,
  maybeSent: 2,
  sent: 3,
  delivered: 4,
  read: 5,
}

/** A report on a delivery, from a provider or from the server itself. */
export interface DeliveryReport {
  status: DeliveryStatus
  /** Reason for a failure, a delay or an uncertain outcome; cleared by a report of success. */
  reason?: string | null
  /** Meaning of a failure; cleared by any other report. */
  code?: DeliveryCode | null
  providerId?: string | null
  segments?: number | null
  /** Outcome of each copy of a mail; default: that of the delivery for those that are not sent. */
  copies?: DeliveryRow['copies']
  /** Address that a mail server says did not get it: of a copy, only that has failed. */
  bounced?: string | null
}

/**
 * Applies a report to a delivery, in the conversation's transaction. Late and repeated reports change nothing: a status
 * only moves forward, except that a provider may report the failure of a message that it had accepted.
 * @returns the current delivery; null if it is not in the conversation
 */
export async function changeDelivery(
  change: ConversationChange,
  id: string,
  report: DeliveryReport,
): Promise<DeliveryRow | null> {
  const delivery = await findDelivery(change, id)
  if (!delivery) return null
  const bounced = delivery.copies.find(({ address }) => address === report.bounced)
  if (bounced && bounced.address !== delivery.recipient) return failCopy(change, delivery, { bounced, report })
  if (isNews(delivery.status, report.status)) return applyReport(change, delivery, report)
  // The status callback arrived before the response to the send, which still provides the provider's message id.
  const isNamed = delivery.providerId === null && report.providerId != null
  return isNamed
    ? applyReport(change, delivery, {
        ...report,
        status: delivery.status,
        reason: delivery.reason,
        code: delivery.code,
      })
    : delivery
}

const DELIVERY = reading(
  `select ${selectList(DELIVERY_COLUMNS, 'd')} from delivery d where d.id = $1 and d.conversation_id = $2`,
)

/**
 * Reads a delivery of the conversation; null if there is none. The conversation's row lock orders the writes of
 * deliveries.
 */
export async function findDelivery(change: ConversationChange, id: string): Promise<DeliveryRow | null> {
  const [row] = await change.sql.query<Record<string, unknown>>(
    DELIVERY,
    [id, change.conversation.id],
    'delivery-of-conversation',
  )
  return row ? camelRow<DeliveryRow>(row) : null
}

/** Applies a report to a delivery, whatever its status. */
export function applyReport(change: ConversationChange, delivery: DeliveryRow, report: DeliveryReport): DeliveryRow {
  const { status, reason = null, code = null } = report
  const { providerId = delivery.providerId, segments = delivery.segments } = report
  change.countUndelivered(delivery.status, status)
  const copies = report.copies ?? delivery.copies.map((copy) => followed(copy, report))
  return change.changeDelivery({ ...delivery, status, reason, code, providerId, segments, copies })
}

type Copy = DeliveryRow['copies'][number]

/** A copy is sent with the mail: once it was not, the next attempt tries it again. */
function followed(copy: Copy, { status, reason = null }: DeliveryReport): Copy {
  if (copy.status === 'sent') return copy
  const { address } = copy
  if (status === 'queued') return { address, status }
  if (copy.status !== 'queued') return copy
  if (status === 'failed' || status === 'maybeSent') return { address, status, ...(reason !== null && { reason }) }
  return status === 'sent' ? { address, status } : copy
}

function failCopy(
  change: ConversationChange,
  delivery: DeliveryRow,
  { bounced, report }: { bounced: Copy; report: DeliveryReport },
): DeliveryRow {
  if (bounced.status === 'failed') return delivery
  const { reason } = report
  const failed: Copy = { address: bounced.address, status: 'failed', ...(reason && { reason }) }
  return change.changeDelivery({
    ...delivery,
    copies: delivery.copies.map((copy) => (copy === bounced ? failed : copy)),
  })
}

function isNews(now: DeliveryStatus, reported: DeliveryStatus): boolean {
  // An accepted message may still bounce; a delivered one cannot.
  if (reported === 'failed') return now !== 'failed' && RANK[now] <= RANK.sent
  // A late report: the message was sent before it failed.
  if (reported === 'sent' && now === 'failed') return false
  // Set by the server only, for retries and uncertain outcomes.
  if (reported === 'queued' || reported === 'maybeSent')
    return now === 'sending' || (now === 'queued' && reported === 'queued')
  return RANK[reported] > RANK[now]
}
