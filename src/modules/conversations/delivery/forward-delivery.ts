import { Unprocessable } from '../../../platform/errors.js'
import type { MessageRow } from '../../messages/message-row.js'
import type { ConversationChange } from '../state/conversation-change.js'

/**
 * Returns the service by which mail about a message is sent to people outside: the one that it came by, else the one that the
 * consumer uses, or the nearest. @throws Unprocessable without one
 */
export async function mailServiceOf(
  change: ConversationChange,
  { serviceId }: Pick<MessageRow, 'serviceId'>,
): Promise<string> {
  const reach = await change.reach()
  if (!reach) throw new Unprocessable('the conversation has no contact', { reason: 'NO_CONTACT', field: 'message' })
  const services = reach.services.filter(({ touchpoint }) => touchpoint === 'email')
  const service = services.find(({ id }) => id === serviceId) ?? services[0]
  if (service) return service.id
  throw new Unprocessable('the organization has no active service that sends mail', {
    reason: 'TOUCHPOINT_UNAVAILABLE',
    touchpoint: 'email',
  })
}
