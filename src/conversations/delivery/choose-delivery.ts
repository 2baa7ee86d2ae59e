import type { Touchpoint } from '../../messages/message-enums.js'
import type { ContactRoutes } from '../writing/contact-routes.js'

/** Where a message goes, or why it can go nowhere. */
export type ChosenDelivery =
  | { touchpoint: Touchpoint; service: string | null; recipient: string | null }
  | { touchpoint: Touchpoint; service: string | null; failure: string }

export interface DeliveryWish {
  /** The message's own target (4.7, delivery rule 2). */
  service: string | null
  touchpoint: Touchpoint | null
  /** The conversation's target. */
  conversation: { touchpoint: Touchpoint | null; touchpointChosen: boolean }
}

/**
 * Which way a message to the consumer takes (4.7, message delivery rules):
 * - the message's `service` or `touchpoint`, and no other (rule 2);
 * - what was chosen by `/set @touchpoint`, then the web, the messenger, email, sms (rule 4);
 * - else the web while the contact is online there, the way by which the conversation is held, the messenger, and as
 *   fallback email and sms (rule 1).
 * The web is available while the contact is likely to be online, or chosen by somebody who knows that it was there. A
 * message that no way leads out for waits on the web if the contact was ever there: it is read when it comes back.
 */
export function chooseDelivery(reach: ContactRoutes, wish: DeliveryWish): ChosenDelivery {
  const { service, touchpoint, conversation } = wish
  if (service !== null) return byService(reach, service, touchpoint)
  if (touchpoint !== null) return routeVia(reach, touchpoint)
  const { touchpoint: held, touchpointChosen: isChosen } = conversation
  const isOnWeb = reach.isOnline || (isChosen && held === 'web' && reach.isKnownOnWeb)
  const order: readonly (Touchpoint | null)[] = isChosen
    ? [held, ...FALLBACK]
    : [isOnWeb ? 'web' : null, held, ...FALLBACK]
  for (const each of order) {
    if (each === null || (each === 'web' && !isOnWeb)) continue
    const way = routeVia(reach, each)
    if (!('failure' in way)) return way
  }
  if (held === 'web' || reach.isKnownOnWeb) return routeVia(reach, 'web')
  if (held !== null) return routeVia(reach, held)
  return { touchpoint: 'web', service: null, failure: 'no touchpoint leads to the contact' }
}

/** Rule 4. */
const FALLBACK: readonly Touchpoint[] = ['web', 'messenger', 'email', 'sms']

function byService(reach: ContactRoutes, id: string, touchpoint: Touchpoint | null): ChosenDelivery {
  const service = reach.services.find((each) => each.id === id)
  if (!service) {
    return {
      touchpoint: touchpoint ?? 'web',
      service: id,
      failure: 'the service is not active, or carries no messages',
    }
  }
  if (touchpoint !== null && touchpoint !== service.type) {
    return { touchpoint, service: id, failure: `the service is of type ${service.type}, not ${touchpoint}` }
  }
  return routeVia(reach, service.type, id)
}

/** @param wanted the service, when there may be no other */
function routeVia(reach: ContactRoutes, touchpoint: Touchpoint, wanted?: string): ChosenDelivery {
  const services = reach.services.filter(({ id, type }) => type === touchpoint && (!wanted || id === wanted))
  const [nearest] = services
  // Whoever has a guest token sees it, with a service or without one.
  if (touchpoint === 'web') return { touchpoint, service: nearest?.id ?? null, recipient: null }
  if (!nearest) {
    return { touchpoint, service: null, failure: `the organization has no active service of type ${touchpoint}` }
  }
  if (touchpoint === 'messenger') {
    for (const { id } of services) {
      const handle = reach.handles.find(({ service }) => service === id)
      if (handle) return { touchpoint, service: id, recipient: handle.address }
    }
    return { touchpoint, service: nearest.id, failure: 'the contact is not known at the messenger' }
  }
  const recipient = touchpoint === 'email' ? reach.email : reach.telephone
  if (recipient) return { touchpoint, service: nearest.id, recipient }
  const missing = touchpoint === 'email' ? 'email address' : 'telephone number'
  return { touchpoint, service: nearest.id, failure: `the contact has no ${missing}` }
}
