import { defineJob } from '../../jobs/job-type.js'
import type { DeliveryRow } from '../../messages/delivery.js'
import { isConsumerVisible, type MessageRow } from '../../messages/message-row.js'
import type { ConversationDraft } from '../writing/conversation-draft.js'
import { chooseDelivery } from './choose-delivery.js'

export interface DeliverPayload {
  delivery: string
  /** When it was first tried. */
  since: string
}

/** Hands a delivery over. The touchpoints do it. */
export const TOUCHPOINT_DELIVER = defineJob<DeliverPayload>('touchpoint.deliver', {
  delivery: 'string',
  since: 'string',
})

/**
 * Sends an agent's message on its way to the consumer (4.7, message delivery rules), in the transaction of the message.
 * What no way leads to is a failed delivery; the message stands either way. Nothing is to be done for the web: it is
 * there.
 */
export async function deliver(draft: ConversationDraft, message: MessageRow): Promise<void> {
  const { conversation } = draft
  if (conversation.type !== 'contact' || message.role !== 'agent' || !isConsumerVisible(message)) return
  const reach = await draft.reach()
  if (!reach) return
  const wish = { service: message.serviceId, touchpoint: message.touchpoint, conversation }
  const chosen = chooseDelivery(reach, wish)
  const isPossible = !('failure' in chosen)
  const delivery = draft.addDelivery(message, {
    touchpoint: chosen.touchpoint,
    serviceId: chosen.service,
    recipient: isPossible ? chosen.recipient : null,
    status: !isPossible ? 'failed' : chosen.touchpoint === 'web' ? 'sent' : 'queued',
    reason: isPossible ? null : chosen.failure,
  })
  if (delivery.status === 'queued') addDeliveryJob(draft, delivery)
}

/** Those of a conversation and touchpoint are handed over one after the other, in their order. */
export function addDeliveryJob(draft: ConversationDraft, delivery: DeliveryRow): void {
  const { id, touchpoint, serviceId } = delivery
  const key = `delivery:${draft.conversation.id}:${touchpoint}`
  const payload = { delivery: id, since: draft.now.toISOString() }
  draft.addJob(TOUCHPOINT_DELIVER.create(payload, { key, share: serviceId ?? touchpoint }))
}
