import { reading } from '../../../platform/db/sql.js'
import { Unprocessable } from '../../../platform/errors.js'
import { defineJob } from '../../../platform/jobs/job-type.js'
import type { DeliveryRow } from '../../messages/delivery.js'
import { forwardingOf } from '../../messages/forwarding.js'
import type { MessageRow } from '../../messages/message-row.js'
import type { ConversationChange } from '../state/conversation-change.js'
import { deliveryKey } from './deliver.js'

/** Shows the consumer what a message says after an edit, where the provider can; handled by the touchpoints. */
export const TOUCHPOINT_EDIT = defineJob<{
  delivery: string
  /** The message that was edited: of a merged conversation, a copy of the delivered one. */
  message: string
}>('touchpoint.edit', { delivery: 'string', message: 'string' })

/** Removes a deleted message from the consumer's sight, where the provider can; handled by the touchpoints. */
export const TOUCHPOINT_REMOVE = defineJob<{ service: string; recipient: string; providerIds: string[] }>(
  'touchpoint.remove',
  { service: 'string', recipient: 'string', providerIds: 'array' },
)

interface Made extends Pick<DeliveryRow, 'id' | 'touchpoint'> {
  conversation: string
  service: string
  recipient: string
  /** The provider's ids, as far as they are known. */
  providerIds: string[]
}

const MADE = `
select d.id, d.touchpoint, d.conversation_id as conversation, d.service_id as service, d.recipient,
  coalesce((select array_agg(p.provider_id order by p.part) from delivery_part p where p.delivery_id = d.id),
    array_remove(array[d.provider_id], null)) as "providerIds"
from delivery d where d.service_id is not null and d.recipient is not null`
/** Parts may have been sent before the delivery failed, or had to wait. */
const MADE_OF_MESSAGE = reading(`${MADE} and d.message_id = $1`)
/** One that waits may have been read by who sends it, before the edit. Of one that failed nobody knows what the consumer sees. */
const SHOWN_OF_MESSAGE = reading(`${MADE} and d.status <> 'failed' and d.message_id = $1`)
const SHOWN_OF_COPY = reading(
  `${MADE} and d.status <> 'failed' and d.message_id in (select id from message where id = $1 or original_id = $1)`,
)

/** Has the consumer shown what a message says now. The jobs come after those of its deliveries. */
export async function editDelivered(change: ConversationChange, message: MessageRow): Promise<void> {
  if (message.role === 'contact') return
  for (const { id: delivery, conversation, touchpoint, service: share } of await readShown(change, message)) {
    const key = deliveryKey(conversation, touchpoint)
    change.addJob(TOUCHPOINT_EDIT.create({ delivery, message: message.id }, { key, share }))
  }
}

function readShown({ sql }: ConversationChange, { id, originalId }: MessageRow): Promise<Made[]> {
  return originalId
    ? sql.query<Made>(SHOWN_OF_COPY, [originalId], 'deliveries-of-copy')
    : sql.query<Made>(SHOWN_OF_MESSAGE, [id], 'deliveries-shown')
}

/** Keeps a note by which a message was forwarded: answers of people outside lead to it, and would find nothing. @throws Unprocessable */
export async function refuseForwarded(change: ConversationChange, message: MessageRow): Promise<void> {
  if (!forwardingOf(message) || (await readShown(change, message)).length === 0) return
  throw new Unprocessable('the note forwarded a message by mail: answers lead to it, so it stays', {
    reason: 'FORWARDED',
    message: message.id,
  })
}

/** Has what was sent of a message removed, which is about to be deleted. */
export async function removeDelivered(change: ConversationChange, message: MessageRow): Promise<void> {
  if (message.role === 'contact') return
  for (const made of await change.sql.query<Made>(MADE_OF_MESSAGE, [message.id], 'deliveries-made')) {
    const { conversation, touchpoint, service, recipient, providerIds } = made
    if (providerIds.length === 0) continue
    const key = deliveryKey(conversation, touchpoint)
    change.addJob(TOUCHPOINT_REMOVE.create({ service, recipient, providerIds }, { key, share: service }))
  }
}
