import { recordNotFound } from '../../../platform/lists/fetch-record.js'
import type { Context } from '../../../platform/context.js'
import { NotFound, Unprocessable } from '../../../platform/errors.js'
import { rowsById } from '../../../platform/lists/rows.js'
import type { DeliveryRow } from '../../messages/delivery.js'
import type { Touchpoint } from '../../touchpoint-traits.js'
import type { ConversationChange } from '../state/conversation-change.js'
import { inMergedConversation } from '../state/merged-conversation.js'
import type { ConversationWriter } from '../writer/conversation-writer.js'
import { applyReport, findDelivery } from './change-delivery.js'
import type { ChosenDelivery } from './choose-delivery.js'
import { addDeliveryJob, routeOf } from './deliver.js'

/** Outcomes after which a delivery may be tried again. */
export const RETRIED: readonly DeliveryRow['status'][] = ['failed', 'maybeSent']

/**
 * Sends a delivery again that failed or whose outcome is unknown: by the same touchpoint, to the contact's current
 * address.
 * @throws NotFound; Unprocessable for any other delivery, and if the contact cannot be reached
 */
export async function retryDelivery(writer: ConversationWriter, ctx: Context, id: string): Promise<DeliveryRow> {
  const known = (await rowsById<DeliveryRow>(ctx, 'delivery', [id])).get(id.toLowerCase())
  if (!known) throw notFound(id)
  const retry = async (change: ConversationChange): Promise<DeliveryRow> => {
    const delivery = await findDelivery(change, known.id)
    if (!delivery) throw notFound(id)
    const { status, touchpoint } = delivery
    if (!RETRIED.includes(status)) {
      throw new Unprocessable(
        `the delivery is ${status}: only a delivery that failed or may not have arrived can be retried`,
        { reason: 'DELIVERY_STATUS', status },
      )
    }
    const message = await change.findMessage(delivery.messageId)
    if (!message) throw notFound(id)
    const chosen = await routeOf(change, message, { service: message.serviceId, touchpoint })
    if (!chosen || 'failure' in chosen) throw unavailable(chosen, touchpoint)
    const { service: serviceId, recipient } = chosen
    const retried = applyReport(change, { ...delivery, serviceId, recipient }, { status: 'queued' })
    addDeliveryJob(change, retried)
    return retried
  }
  return inMergedConversation(ctx.reads, known.conversationId, (at) => writer.run(ctx, at, retry))
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
