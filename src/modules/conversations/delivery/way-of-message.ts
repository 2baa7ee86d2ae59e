import { reading } from '../../../platform/db/sql.js'
import type { NewMessage } from '../../messages/message-content.js'
import type { Touchpoint } from '../../touchpoint-traits.js'
import type { ConversationChange } from '../state/conversation-change.js'

/**
 * Returns the touchpoint that a message takes as far as it is known before it is delivered: its own, its service's, and
 * for a consumer's message that names neither the one by which the consumer writes. Never what `/set @touchpoint` chose,
 * which is for answers (4.6; open points).
 */
export async function wayOf(change: ConversationChange, newMessage: NewMessage): Promise<Touchpoint | null> {
  const { role, service, touchpoint } = newMessage
  if (touchpoint !== null) return touchpoint
  // An agent's message takes the touchpoint of its delivery.
  if (role === 'agent') return null
  if (service !== null) return touchpointOfService(change, service)
  if (role !== 'contact' || change.conversation.type !== 'contact') return null
  const { touchpoint: held, touchpointChosen: isChosen } = change.conversation
  return isChosen ? lastWayOfConsumer(change) : held
}

async function touchpointOfService({ sql }: ConversationChange, service: string): Promise<Touchpoint | null> {
  const [row] = await sql.query<{ touchpoint: Touchpoint | null }>(SERVICE, [service], 'touchpoint-of-service')
  return row?.touchpoint ?? null
}

const SERVICE = reading('select touchpoint from service where id = $1')

async function lastWayOfConsumer({ sql, messages, conversation }: ConversationChange): Promise<Touchpoint | null> {
  const added = messages.findLast(({ role, touchpoint }) => role === 'contact' && touchpoint !== null)
  if (added) return added.touchpoint
  const [row] = await sql.query<{ touchpoint: Touchpoint }>(LAST, [conversation.id], 'last-way-of-consumer')
  return row?.touchpoint ?? null
}

const LAST = reading(`select touchpoint from message where conversation_id = $1 and role = 'contact'
  and touchpoint is not null order by position desc limit 1`)
