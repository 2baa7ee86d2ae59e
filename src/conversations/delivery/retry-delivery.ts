import type { Context } from '../../context.js'
import { NotFound, quoteValue, Unprocessable } from '../../errors.js'
import { rowsById } from '../../lists/rows.js'
import type { DeliveryRow } from '../../messages/delivery.js'
import type { ConversationWriter } from '../writing/conversation-writer.js'
import { applyReport, findDelivery } from './change-delivery.js'
import { chooseDelivery } from './choose-delivery.js'
import { addDeliveryJob } from './deliver.js'

const RETRIED: readonly DeliveryRow['status'][] = ['failed', 'maybeSent']

/**
 * Sends a delivery again that failed or whose outcome is unknown: by the same touchpoint, to the contact's current
 * address.
 * @throws NotFound; Unprocessable for any other delivery, and if the contact cannot be reached
 */
export async function retryDelivery(writer: ConversationWriter, ctx: Context, id: string): Promise<DeliveryRow> {
  const known = (await rowsById<DeliveryRow>(ctx, 'delivery', [id])).get(id.toLowerCase())
  if (!known) throw notFound(id)
  return writer.run(ctx, known.conversationId, async (draft) => {
    const delivery = await findDelivery(draft, known.id)
    if (!delivery) throw notFound(id)
    const { status, touchpoint } = delivery
    if (!RETRIED.includes(status)) {
      throw new Unprocessable(
        `the delivery is ${status}: only a delivery that failed or may not have arrived can be retried`,
        {
          status,
        },
      )
    }
    const reach = await draft.reach()
    const message = await draft.findMessage(delivery.messageId)
    if (!reach || !message) throw notFound(id)
    const wish = { service: message.serviceId, touchpoint, conversation: draft.conversation }
    const chosen = chooseDelivery(reach, wish)
    if ('failure' in chosen) throw new Unprocessable(chosen.failure, { touchpoint })
    const { service: serviceId, recipient } = chosen
    const retried = applyReport(draft, { ...delivery, serviceId, recipient }, { status: 'queued' })
    addDeliveryJob(draft, retried)
    return retried
  })
}

function notFound(id: string): NotFound {
  return new NotFound(`Delivery ${quoteValue(id)} not found`)
}
