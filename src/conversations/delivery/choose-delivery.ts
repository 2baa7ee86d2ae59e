import type { Touchpoint } from '../../messages/message-enums.js'
import type { ContactRoutes } from '../writing/contact-routes.js'

/** The chosen touchpoint of a message, or why it cannot be delivered. */
export type ChosenDelivery =
  | { touchpoint: Touchpoint; service: string | null; recipient: string | null }
  | { touchpoint: Touchpoint; service: string | null; failure: string }

export interface DeliveryWish {
  /** The message's own target (4.7, delivery rule 2). */
  service: string | null
  touchpoint: Touchpoint | null
  /** The conversation's touchpoint. */
  conversation: { touchpoint: Touchpoint | null; touchpointChosen: boolean }
}

/**
 * Chooses the touchpoint of a message to the consumer (4.7, message delivery rules):
 * - the message's `service` or `touchpoint`, and no other (rule 2);
 * - the touchpoint chosen by `/set @touchpoint`, then the web, the messenger, email, SMS (rule 4);
 * - otherwise the web while the contact is online there, the conversation's own touchpoint, the messenger, and as
 *   fallback email and SMS (rule 1). The web is available while the contact is likely to be online, or if a user who
 *   knew that the contact had been there chose it. If no touchpoint is available, the message waits on the web if the
 *   contact has ever been there, and is read when the contact returns.
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
  return { touchpoint: 'web', service: null, failure: 'no touchpoint can reach the contact' }
}

/** Rule 4. */
const FALLBACK: readonly Touchpoint[] = ['web', 'messenger', 'email', 'sms']

function byService(reach: ContactRoutes, id: string, touchpoint: Touchpoint | null): ChosenDelivery {
  const service = reach.services.find((each) => each.id === id)
  if (!service) {
    return {
      touchpoint: touchpoint ?? 'web',
      service: id,
      failure: 'the service is not active, or does not deliver messages',
    }
  }
  if (touchpoint !== null && touchpoint !== service.type) {
    return { touchpoint, service: id, failure: `the service is of type ${service.type}, not ${touchpoint}` }
  }
  return routeVia(reach, service.type, id)
}

/** @param wanted the only service that may be used, if any */
function routeVia(reach: ContactRoutes, touchpoint: Touchpoint, wanted?: string): ChosenDelivery {
  const services = reach.services.filter(({ id, type }) => type === touchpoint && (!wanted || id === wanted))
  const [nearest] = services
  // Every holder of a guest token sees the message, with or without a service.
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
