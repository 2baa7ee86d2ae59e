import { isConsumerVisible, type MessageRow } from '../../messages/message-row.js'
import type { ConversationWork } from '../conversation-work.js'
import { chooseDelivery } from './choose-delivery.js'

/** The job that hands a delivery over; payload `{delivery, since}`. The touchpoints do it. */
export const TOUCHPOINT_DELIVER = 'touchpoint.deliver'

/**
 * Sends an agent's message on its way to the consumer (4.7, message delivery rules), in the transaction of the message.
 * What no way leads to is a failed delivery; the message stands either way. Nothing is to be done for the web: it is
 * there.
 */
export async function deliver(work: ConversationWork, message: MessageRow): Promise<void> {
  const { conversation } = work
  if (conversation.type !== 'contact' || message.role !== 'agent' || !isConsumerVisible(message)) return
  const reach = await work.reach()
  if (!reach) return
  const wish = { service: message.serviceId, touchpoint: message.touchpoint, conversation }
  const chosen = chooseDelivery(reach, wish)
  const isPossible = !('failure' in chosen)
  const delivery = work.addDelivery(message, {
    touchpoint: chosen.touchpoint,
    serviceId: chosen.service,
    recipient: isPossible ? chosen.recipient : null,
    status: !isPossible ? 'failed' : chosen.touchpoint === 'web' ? 'sent' : 'queued',
    reason: isPossible ? null : chosen.failure,
  })
  if (delivery.status === 'queued') addDeliveryJob(work, delivery)
}

/** Those of a conversation and touchpoint are handed over one after the other, in their order. */
export function addDeliveryJob(
  work: ConversationWork,
  { id, touchpoint }: { id: string; touchpoint: string },
): void {
  work.addJob({
    kind: TOUCHPOINT_DELIVER,
    key: `delivery:${work.conversation.id}:${touchpoint}`,
    payload: { delivery: id, since: work.now.toISOString() },
  })
}
