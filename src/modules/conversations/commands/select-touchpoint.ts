import { Unprocessable } from '../../../platform/errors.js'
import type { JsonObject } from '../../../platform/json.js'
import type { Touchpoint } from '../../touchpoint-traits.js'
import { routeVia } from '../delivery/choose-delivery.js'
import type { ConversationChange } from '../state/conversation-change.js'

/**
 * Makes the touchpoint the one for messages to the consumer (4.7, delivery rule 4), and marks it as selected in
 * `touchpoints`; null clears it.
 * @param field path of the touchpoint in the input
 * @throws Unprocessable for one that the conversation neither has nor could have now (4.8; open points)
 */
export async function selectTouchpoint(
  change: ConversationChange,
  selected: Touchpoint | null,
  field: string,
): Promise<void> {
  const { conversation } = change
  if (selected !== null) await requireUsable(change, selected, field)
  conversation.touchpoint = selected
  conversation.touchpointChosen = selected !== null
  const known = { ...(selected && { [selected]: { services: [] } }), ...conversation.touchpoints }
  conversation.touchpoints = Object.fromEntries(
    Object.entries(known).map(([name, value]) => [name, { ...(value as JsonObject), selected: name === selected }]),
  )
}

async function requireUsable(change: ConversationChange, touchpoint: Touchpoint, field: string): Promise<void> {
  if (Object.hasOwn(change.conversation.touchpoints, touchpoint)) return
  const refused = (reason: string): Unprocessable =>
    new Unprocessable(`${field} sets the touchpoint ${touchpoint}, which the conversation cannot use: ${reason}`, {
      reason: 'TOUCHPOINT_UNAVAILABLE',
      field,
      touchpoint,
    })
  const reach = await change.reach()
  if (!reach) throw refused('it has no contact')
  const route = routeVia(reach, touchpoint, { sender: 'person', now: change.now })
  // A window that is closed now opens when the contact writes.
  if ('failure' in route && route.code !== 'windowClosed') throw refused(route.failure)
  if (route.service === null && !reach.isKnownOnWeb) {
    throw refused('the contact has never been on the web, and the organization has no active service for it')
  }
}
