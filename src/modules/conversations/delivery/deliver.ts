import { defineJob } from '../../../platform/jobs/job-type.js'
import type { DeliveryRow } from '../../messages/delivery.js'
import { forwardingOf } from '../../messages/forwarding.js'
import { isConsumerVisible, type MessageRow } from '../../messages/message-row.js'
import { copiesOf, outgoingMailOf } from '../../messages/outgoing-mail.js'
import type { ConversationChange } from '../state/conversation-change.js'
import { sentTemplateOf } from '../../services/template-message.js'
import { reading } from '../../../platform/db/sql.js'
import type { Touchpoint } from '../../touchpoint-traits.js'
import type { ContactRoutes } from '../state/contact-routes.js'
import { chooseDelivery, isOpen, type ChosenDelivery, type DeliveryWish } from './choose-delivery.js'

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
  change: ConversationChange,
  message: Pick<MessageRow, 'userId' | 'meta'>,
  wish: Pick<DeliveryWish, 'service' | 'touchpoint' | 'evenIfGone'>,
): Promise<ChosenDelivery | null> {
  const reach = await change.reach()
  if (!reach) return null
  const sender = await windowOf(change, reach, message)
  return chooseDelivery(reach, { ...wish, sender, now: change.now, conversation: change.conversation })
}

/** Tells which window holds for a message; who wrote it is asked only where that makes a difference. */
async function windowOf(
  { sql, now }: ConversationChange,
  reach: ContactRoutes,
  { userId, meta }: Pick<MessageRow, 'userId' | 'meta'>,
): Promise<DeliveryWish['sender']> {
  if (sentTemplateOf({ meta })) return 'template'
  const isAlike = reach.handles.every(({ openUntil, machinesUntil }) => {
    return isOpen(openUntil, now) === isOpen(machinesUntil, now)
  })
  if (isAlike) return 'person'
  if (userId === null) return 'machine'
  const [user] = await sql.query<{ role: string }>(ROLE, [userId], 'role-of-sender')
  return user?.role === 'bot' ? 'machine' : 'person'
}

const ROLE = reading('select role from app_user where id = $1')

/**
 * Starts the delivery of a message to the consumer (4.7, message delivery rules), in the message's
 * transaction. If no touchpoint can reach the contact, the delivery is stored as failed; the message is stored in any
 * case. The web needs no job: the stored message is already there.
 */
export async function deliver(change: ConversationChange, message: MessageRow): Promise<void> {
  const { conversation } = change
  if (conversation.type !== 'contact' || message.role === 'contact' || !isConsumerVisible(message)) return
  const chosen = await routeOf(change, message, { service: message.serviceId, touchpoint: message.touchpoint })
  if (!chosen) return
  const isPossible = !('failure' in chosen)
  message.touchpoint = chosen.touchpoint
  const delivery = change.addDelivery(message, {
    touchpoint: chosen.touchpoint,
    serviceId: chosen.service,
    recipient: isPossible ? chosen.recipient : null,
    status: !isPossible ? 'failed' : chosen.touchpoint === 'web' ? 'sent' : 'queued',
    reason: isPossible ? null : chosen.failure,
    code: isPossible ? null : (chosen.code ?? null),
    copies: copiesTo(message, chosen),
  })
  if (delivery.status === 'queued') addDeliveryJob(change, delivery, message)
}

/** The recipients of a mail beside the contact; nobody gets it twice. */
export function copiesTo(message: Pick<MessageRow, 'role' | 'meta'>, chosen: ChosenDelivery): DeliveryRow['copies'] {
  const mail = chosen.touchpoint === 'email' ? outgoingMailOf(message) : null
  if (!mail) return []
  const [contact, failure] = 'failure' in chosen ? [null, chosen.failure] : [chosen.recipient, null]
  const status = failure === null ? 'queued' : 'failed'
  return copiesOf(mail)
    .filter((address) => address !== contact)
    .map((address) => ({ address, status, ...(failure !== null && { reason: failure }) }))
}

/** Key of the jobs of a conversation's deliveries by one touchpoint. */
export const deliveryKey = (conversation: string, touchpoint: Touchpoint): string =>
  `delivery:${conversation}:${touchpoint}`

/**
 * Adds the job of a delivery. Deliveries of one conversation and touchpoint run one at a time, in order; those of forwarded
 * messages apart, whose recipients have servers of their own that may keep them waiting.
 */
export function addDeliveryJob(
  change: ConversationChange,
  delivery: DeliveryRow,
  message: Pick<MessageRow, 'role' | 'meta'>,
): void {
  const { id, touchpoint, serviceId } = delivery
  const isForwarded = forwardingOf(message) !== null
  const key = isForwarded ? `delivery:${id}` : deliveryKey(change.conversation.id, touchpoint)
  const payload = { delivery: id, since: change.now.toISOString() }
  change.addJob(TOUCHPOINT_DELIVER.create(payload, { key, share: serviceId ?? touchpoint }))
}
