import { recordNotFound } from '../../../platform/lists/fetch-record.js'
import { columnName } from '../../../platform/db/columns.js'
import { DELIVERY_COLUMNS } from '../../messages/message-columns.js'
import type { Context } from '../../../platform/context.js'
import { isId } from '../../../platform/db/clock.js'
import { reading } from '../../../platform/db/sql.js'
import { NotFound, Unprocessable } from '../../../platform/errors.js'
import { conversationStream } from '../../../platform/events/event.js'
import { camelRow, rowsById } from '../../../platform/lists/rows.js'
import type { DeliveryRow } from '../../messages/delivery.js'
import type { Touchpoint } from '../../touchpoint-traits.js'
import { forwardingOf } from '../../messages/forwarding.js'
import type { MessageRow } from '../../messages/message-row.js'
import type { ConversationChange } from '../state/conversation-change.js'
import { inMergedConversation } from '../state/merged-conversation.js'
import type { ConversationWriter } from '../writer/conversation-writer.js'
import { addDeliveryJob, copiesTo, routeOf } from './deliver.js'
import { RETRIED, unavailable } from './retry-delivery.js'

/**
 * Delivers a message by another touchpoint after its last delivery failed or may not have arrived: once by each, so that
 * a repeated call gets the first answer.
 * @throws NotFound; Unprocessable for any other message, and if the contact cannot be reached there
 */
export async function resendMessage(
  writer: ConversationWriter,
  ctx: Context,
  id: string,
  touchpoint: Touchpoint,
): Promise<DeliveryRow> {
  const known = isId(id) ? (await rowsById<MessageRow>(ctx, 'message', [id])).get(id.toLowerCase()) : undefined
  if (!known || ctx.seesAsConsumer) throw notFound(id)
  const resend = async (change: ConversationChange): Promise<DeliveryRow> => {
    const message = await findMessageOrCopy(change, known)
    const deliveries = message ? await deliveriesOf(change, message.id) : []
    // Of a merged conversation, it is the copy that is delivered.
    if (!message || (deliveries.length === 0 && change.conversation.status === 'archived')) throw notFound(id)
    if (forwardingOf(message))
      throw new Unprocessable('what was forwarded goes by mail alone: retry its delivery', {
        reason: 'TOUCHPOINT_UNAVAILABLE',
        touchpoint,
      })
    const again = deliveries.find((each) => each.touchpoint === touchpoint)
    const last = deliveries.at(-1)
    if (again && again === last && deliveries.length > 1 && !RETRIED.includes(again.status)) return again
    if (!last || !RETRIED.includes(last.status))
      throw new Unprocessable('only a message whose delivery failed or may not have arrived can be sent again', {
        reason: 'DELIVERY_STATUS',
        status: last?.status ?? null,
      })
    if (again)
      throw new Unprocessable(`the message was sent by ${touchpoint} already: retry that`, {
        reason: 'ALREADY_SENT',
        touchpoint,
      })
    const chosen = await routeOf(change, message, { service: null, touchpoint })
    if (!chosen || 'failure' in chosen) throw unavailable(chosen, touchpoint)
    const { service: serviceId, recipient } = chosen
    const status = touchpoint === 'web' ? 'sent' : 'queued'
    // The new delivery counts now.
    change.countUndelivered(last.status, 'queued')
    const added = change.addDelivery(
      { ...message, deliveries },
      { touchpoint, serviceId, recipient, status, reason: null, code: null, copies: copiesTo(message, chosen) },
    )
    change.emit(conversationStream(change.conversation.id), 'message.delivery', { deliveries: [added] })
    if (status === 'queued') addDeliveryJob(change, added, message)
    return added
  }
  return inMergedConversation(ctx.reads, known.conversationId, (at) => writer.run(ctx, at, resend))
}

/** Returns a message that was found before, or its copy if the conversation was merged since; null if it is gone. */
export async function findMessageOrCopy(
  change: ConversationChange,
  { id, originalId }: MessageRow,
): Promise<MessageRow | null> {
  const message = await change.findMessage(id)
  if (message) return message
  const [copy] = await change.sql.query<{ id: string }>(COPY, [change.conversation.id, originalId ?? id], 'copy-here')
  return copy ? change.findMessage(copy.id) : null
}

/** The deliveries of a message, oldest first. */
async function deliveriesOf({ sql, conversation }: ConversationChange, message: string): Promise<DeliveryRow[]> {
  const rows = await sql.query<Record<string, unknown>>(DELIVERIES, [message, conversation.id], 'deliveries-of-message')
  return rows.map((row) => camelRow<DeliveryRow>(row))
}

function notFound(id: string): NotFound {
  return recordNotFound('Message', id)
}

const COPY = reading('select id from message where conversation_id = $1 and original_id = $2')
const DELIVERIES = reading(
  `select ${Object.keys(DELIVERY_COLUMNS).map(columnName).join(', ')} from delivery where message_id = $1 and conversation_id = $2 order by created_at, id`,
)
