import { defineJob } from '../../jobs/job-type.js'
import type { DeliveryRow } from '../../messages/delivery.js'
import { isConsumerVisible, type MessageRow } from '../../messages/message-row.js'
import type { ConversationDraft } from '../writing/conversation-draft.js'
import { chooseDelivery, type ChosenDelivery, type DeliveryWish } from './choose-delivery.js'

export interface DeliverPayload {
  delivery: string
  /** Time of the first attempt. */
  since: string
}

/** Delivers a message by a touchpoint; handled by the touchpoints. */
export const TOUCHPOINT_DELIVER = defineJob<DeliverPayload>('touchpoint.deliver', {
  delivery: 'string',
  since: 'string',
})

/** Chooses how a message reaches the consumer; null without a contact. */
export async function routeOf(
  draft: ConversationDraft,
  wish: Pick<DeliveryWish, 'service' | 'touchpoint'>,
): Promise<ChosenDelivery | null> {
  const reach = await draft.reach()
  return reach && chooseDelivery(reach, { ...wish, conversation: draft.conversation })
}

/**
 * Starts the delivery of a message to the consumer (4.7, message delivery rules), in the message's
 * transaction. If no touchpoint can reach the contact, the delivery is stored as failed; the message is stored in any
 * case. The web needs no job: the stored message is already there.
 */
export async function deliver(draft: ConversationDraft, message: MessageRow): Promise<void> {
  const { conversation } = draft
  if (conversation.type !== 'contact' || message.role === 'contact' || !isConsumerVisible(message)) return
  const chosen = await routeOf(draft, { service: message.serviceId, touchpoint: message.touchpoint })
  if (!chosen) return
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

/** Adds the job of a delivery. Deliveries of one conversation and touchpoint run one at a time, in order. */
export function addDeliveryJob(draft: ConversationDraft, delivery: DeliveryRow): void {
  const { id, touchpoint, serviceId } = delivery
  const key = `delivery:${draft.conversation.id}:${touchpoint}`
  const payload = { delivery: id, since: draft.now.toISOString() }
  draft.addJob(TOUCHPOINT_DELIVER.create(payload, { key, share: serviceId ?? touchpoint }))
}
