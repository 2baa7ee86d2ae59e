import { camelRow } from '../../lists/rows.js'
import type { DeliveryRow, DeliveryStatus } from '../../messages/delivery.js'
import type { ConversationDraft } from '../writing/conversation-draft.js'

/** How far each status is; what is further is not overridden by what is less far and comes late. */
const RANK: Readonly<Record<DeliveryStatus, number>> = {
  queued: 0,
  sending: 1,
  failed: 2,
  maybeSent: 2,
  sent: 3,
  delivered: 4,
  read: 5,
}

/** What is learned of a delivery. */
export interface DeliveryReport {
  status: DeliveryStatus
  /** Of a failure, a delay or a doubt; none is kept of what went well. */
  reason?: string | null
  providerId?: string | null
  segments?: number | null
}

/**
 * Notes what was learned of a delivery, in the transaction of the conversation. Late and repeated reports change
 * nothing: a status moves up only, but that a far side which had taken a message may say that it failed after all.
 * @returns the delivery as it is now; null when there is none in the conversation
 */
export async function changeDelivery(
  draft: ConversationDraft,
  id: string,
  report: DeliveryReport,
): Promise<DeliveryRow | null> {
  const delivery = await findDelivery(draft, id)
  if (!delivery) return null
  if (isNews(delivery.status, report.status)) return applyReport(draft, delivery, report)
  // A status callback was faster than the answer to the send, which still tells the far side's name for it.
  const isNamed = delivery.providerId === null && report.providerId != null
  return isNamed
    ? applyReport(draft, delivery, { ...report, status: delivery.status, reason: delivery.reason })
    : delivery
}

/** A delivery of the conversation; null when there is none. Its writes are ordered by the conversation's lock. */
export async function findDelivery(draft: ConversationDraft, id: string): Promise<DeliveryRow | null> {
  const [row] = await draft.sql.query<Record<string, unknown>>(
    'select * from delivery where id = $1 and conversation_id = $2',
    [id, draft.conversation.id],
    'delivery-of-conversation',
  )
  return row ? camelRow<DeliveryRow>(row) : null
}

/** Sets what a delivery is, whatever it was. */
export function applyReport(draft: ConversationDraft, delivery: DeliveryRow, report: DeliveryReport): DeliveryRow {
  const { status, reason = null, providerId = delivery.providerId, segments = delivery.segments } = report
  return draft.changeDelivery({ ...delivery, status, reason, providerId, segments })
}

function isNews(now: DeliveryStatus, reported: DeliveryStatus): boolean {
  // A message that had been handed over may bounce; one that arrived did.
  if (reported === 'failed') return now !== 'failed' && RANK[now] <= RANK.sent
  // It was, before it failed: said late.
  if (reported === 'sent' && now === 'failed') return false
  // The server's own doubts and retries.
  if (reported === 'queued' || reported === 'maybeSent')
    return now === 'sending' || (now === 'queued' && reported === 'queued')
  return RANK[reported] > RANK[now]
}
