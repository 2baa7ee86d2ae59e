import { recordNotFound } from '../../../platform/lists/fetch-record.js'
import type { Context } from '../../../platform/context.js'
import { NotFound, Unprocessable } from '../../../platform/errors.js'
import { rowsById } from '../../../platform/lists/rows.js'
import type { DeliveryRow } from '../../messages/delivery.js'
import { forwardingOf } from '../../messages/forwarding.js'
import type { MessageRow } from '../../messages/message-row.js'
import type { Touchpoint } from '../../touchpoint-traits.js'
import type { ConversationChange } from '../state/conversation-change.js'
import { inMergedConversation } from '../state/merged-conversation.js'
import type { ConversationWriter } from '../writer/conversation-writer.js'
import { applyReport, findDelivery } from './change-delivery.js'
import type { ChosenDelivery } from './choose-delivery.js'
import { addDeliveryJob, routeOf } from './deliver.js'
import { mailServiceOf } from './forward-delivery.js'

/** Outcomes after which a delivery may be tried again. */
export const RETRIED: readonly DeliveryRow['status'][] = ['failed', 'maybeSent']

/**
 * Sends a delivery again that failed or whose outcome is unknown: by the same touchpoint, to the contact's current
 * address; what was forwarded, to where it was.
 * @throws NotFound; Unprocessable for any other delivery, and if the contact cannot be reached
 */
export async function retryDelivery(writer: ConversationWriter, ctx: Context, id: string): Promise<DeliveryRow> {
  const known = (await rowsById<DeliveryRow>(ctx, 'delivery', [id])).get(id.toLowerCase())
  if (!known) throw notFound(id)
  const retry = async (change: ConversationChange): Promise<DeliveryRow> => {
    const delivery = await findDelivery(change, known.id)
    if (!delivery) throw notFound(id)
    const { status } = delivery
    if (!RETRIED.includes(status)) {
      throw new Unprocessable(
        `the delivery is ${status}: only a delivery that failed or may not have arrived can be retried`,
        { reason: 'DELIVERY_STATUS', status },
      )
    }
    const message = await change.findMessage(delivery.messageId)
    if (!message) throw notFound(id)
    const way = forwardingOf(message)
      ? await wayOutside(change, delivery)
      : await wayToContact(change, delivery, message)
    const retried = applyReport(change, { ...delivery, ...way }, { status: 'queued' })
    addDeliveryJob(change, retried, message)
    return retried
  }
  return inMergedConversation(ctx.reads, known.conversationId, (at) => writer.run(ctx, at, retry))
}

type Way = Pick<DeliveryRow, 'serviceId' | 'recipient'>

async function wayToContact(
  change: ConversationChange,
  { touchpoint }: DeliveryRow,
  message: MessageRow,
): Promise<Way> {
  // Somebody knows better than the mail that came back: that one mail is tried.
  const chosen = await routeOf(change, message, { service: message.serviceId, touchpoint, evenIfGone: true })
  if (!chosen || 'failure' in chosen) throw unavailable(chosen, touchpoint)
  return { serviceId: chosen.service, recipient: chosen.recipient }
}

/** @throws Unprocessable also if the address was erased */
async function wayOutside(change: ConversationChange, { serviceId, recipient }: DeliveryRow): Promise<Way> {
  if (recipient !== null) return { serviceId: await mailServiceOf(change, { serviceId }), recipient }
  throw new Unprocessable('the address was erased', { reason: 'TOUCHPOINT_UNAVAILABLE', touchpoint: 'email' })
}

/** Words the refusal of a way that cannot be taken now. */
export function unavailable(chosen: ChosenDelivery | null, touchpoint: Touchpoint): Unprocessable {
  const { failure, code } = chosen && 'failure' in chosen ? chosen : { failure: 'the conversation has no contact' }
  const reason = code === 'windowClosed' ? 'WINDOW_CLOSED' : 'TOUCHPOINT_UNAVAILABLE'
  return new Unprocessable(failure, { reason, touchpoint })
}

function notFound(id: string): NotFound {
  return recordNotFound('Delivery', id)
}
