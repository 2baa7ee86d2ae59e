import { FALLBACK_ORDER, traitsOf, type Touchpoint } from '../../touchpoint-traits.js'
import type { DeliveryCode } from '../../messages/delivery.js'
import type { ContactRoutes, HandleRoute } from '../state/contact-routes.js'

/** The chosen touchpoint of a message, or why it cannot be delivered. */
export type ChosenDelivery =
  | { touchpoint: Touchpoint; service: string | null; recipient: string | null }
  | { touchpoint: Touchpoint; service: string | null; failure: string; code?: DeliveryCode }

export interface DeliveryWish {
  /** The message's own target (4.7, delivery rule 2). */
  service: string | null
  touchpoint: Touchpoint | null
  /** Providers close to machines earlier than to people; nothing closes to a template. */
  sender: 'person' | 'machine' | 'template'
  now: Date
  /** Tries an address from which mails came back. */
  evenIfGone?: boolean
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
 *
 * Where the provider takes no answer any more the touchpoint is not available: the next one is tried.
 */
export function chooseDelivery(reach: ContactRoutes, wish: DeliveryWish): ChosenDelivery {
  const { service, touchpoint, conversation } = wish
  if (service !== null) return byService(reach, service, wish)
  if (touchpoint !== null) return routeVia(reach, touchpoint, wish)
  for (const each of touchpointsInOrder(reach, conversation)) {
    const way = routeVia(reach, each, wish)
    if (!('failure' in way)) return way
  }
  if (conversation.touchpoint !== null) return routeVia(reach, conversation.touchpoint, wish)
  return { touchpoint: 'web', service: null, failure: 'no touchpoint can reach the contact' }
}

/** Returns the touchpoints in the order in which they are tried, without those that cannot be taken from the start. */
function touchpointsInOrder(reach: ContactRoutes, conversation: DeliveryWish['conversation']): Touchpoint[] {
  const { touchpoint: held, touchpointChosen: isChosen } = conversation
  const isOnWeb = reach.isOnline || (isChosen && held === 'web' && reach.isKnownOnWeb)
  const first = isChosen || !isOnWeb ? [held] : ['web' as const, held]
  const order = [...new Set([...first, ...FALLBACK_ORDER])].filter((each) => each !== null)
  if (isOnWeb) return order
  const others = order.filter((each) => each !== 'web')
  return held === 'web' || reach.isKnownOnWeb ? [...others, 'web'] : others
}

/**
 * Returns every way to the contact, one for each service, in the order in which {@link chooseDelivery} tries them: it takes the
 * first without a failure. A touchpoint without a service is none, but for the web.
 */
export function routesInOrder(
  reach: ContactRoutes,
  wish: Pick<DeliveryWish, 'sender' | 'now' | 'conversation'>,
): ChosenDelivery[] {
  return touchpointsInOrder(reach, wish.conversation).flatMap((touchpoint) => {
    const first = routeVia(reach, touchpoint, wish)
    const { address } = traitsOf(touchpoint)
    if (address === 'session') return [first]
    const others = reach.services
      .filter((each) => each.touchpoint === touchpoint && each.id !== first.service)
      .map(({ id }) => {
        const way = routeVia(reach, touchpoint, wish, id)
        // All have one address: what keeps from the first service, such as a request to stop, keeps from the others but by name.
        return address !== 'handle' && 'failure' in first && !('failure' in way) ? { ...first, service: id } : way
      })
    return [first, ...others].filter((way) => way.service !== null)
  })
}

function byService(reach: ContactRoutes, id: string, wish: DeliveryWish): ChosenDelivery {
  const { touchpoint } = wish
  const service = reach.services.find((each) => each.id === id)
  if (!service) {
    return {
      touchpoint: touchpoint ?? 'web',
      service: id,
      failure: 'the service is not active, or does not deliver messages',
    }
  }
  if (touchpoint !== null && touchpoint !== service.touchpoint) {
    return { touchpoint, service: id, failure: `the service delivers by ${service.touchpoint}, not by ${touchpoint}` }
  }
  return routeVia(reach, service.touchpoint, wish, id)
}

/** Returns the route by one touchpoint. @param wanted the only service that may be used, if any */
export function routeVia(
  reach: ContactRoutes,
  touchpoint: Touchpoint,
  at: Pick<DeliveryWish, 'sender' | 'now' | 'evenIfGone'>,
  wanted?: string,
): ChosenDelivery {
  const services = reach.services.filter((each) => each.touchpoint === touchpoint && (!wanted || each.id === wanted))
  // Even if the consumer has opted out of it: to take another number would evade the request.
  const [nearest] = services
  const { address } = traitsOf(touchpoint)
  // Every holder of a guest token sees the message, with or without a service.
  if (address === 'session') return { touchpoint, service: nearest?.id ?? null, recipient: null }
  if (!nearest) {
    return { touchpoint, service: null, failure: `the organization has no active service for ${touchpoint}` }
  }
  if (address === 'handle') {
    const known = services.flatMap(({ id }) => reach.handles.find(({ service }) => service === id) ?? [])
    if (known.length > 0) return routeByHandle(known, touchpoint, at)
    // Who has not written yet is reached by telephone, with a template of the service alone.
    if (at.sender === 'template' && wanted && reach.telephone) {
      return { touchpoint, service: wanted, recipient: reach.telephone }
    }
    return { touchpoint, service: nearest.id, failure: `the contact is not known by ${touchpoint}` }
  }
  const recipient = reach[address]
  const optedOutAt = nearest.optedOutAt ?? (wanted ? null : nearest.optedOutBeforeAt)
  if (recipient && optedOutAt) {
    const since = new Date(optedOutAt).toISOString()
    const failure = `the consumer opted out of ${touchpoint.toUpperCase()} at ${since}, until it sends START`
    return { touchpoint, service: nearest.id, failure, code: 'blocked' }
  }
  const isGone = reach.handles.some((each) => each.address === recipient && each.blockedAt !== null)
  if (isGone && !at.evenIfGone) {
    const failure = `messages to ${recipient} came back: there is no such address, or it takes none`
    return { touchpoint, service: nearest.id, failure, code: 'blocked' }
  }
  if (recipient) return { touchpoint, service: nearest.id, recipient }
  const missing = address === 'email' ? 'email address' : 'telephone number'
  return { touchpoint, service: nearest.id, failure: `the contact has no ${missing}` }
}

/** Takes the first of a contact's addresses that is open, in the order of its services: the one used last comes first. */
function routeByHandle(
  known: HandleRoute[],
  touchpoint: Touchpoint,
  { sender, now }: Pick<DeliveryWish, 'sender' | 'now'>,
): ChosenDelivery {
  const free = known.filter(({ blockedAt }) => blockedAt === null)
  const closes = (handle: HandleRoute): string | null => closesAt(handle, sender)
  const open = free.filter((handle) => isOpen(closes(handle), now))
  // The one used last; of the others the one that is open longest.
  const chosen = open.includes(known[0]!) ? known[0] : open.toSorted((a, b) => openMs(closes(b)) - openMs(closes(a)))[0]
  if (chosen) return { touchpoint, service: chosen.service, recipient: chosen.address }
  const [closed] = free
  if (!closed) {
    const failure = `the contact has blocked the service by ${touchpoint}`
    return { touchpoint, service: known[0]!.service, failure, code: 'blocked' }
  }
  const only = sender === 'machine' && isOpen(closed.openUntil, now) ? ' except from people' : ''
  const failure = `the provider takes no answers since ${closes(closed)}${only}: the contact has to write first`
  return { touchpoint, service: closed.service, failure, code: 'windowClosed' }
}

/** Returns when an address closes to a sender; null: never. */
export function closesAt({ openUntil, machinesUntil }: HandleRoute, sender: DeliveryWish['sender']): string | null {
  return sender === 'template' ? null : sender === 'machine' ? machinesUntil : openUntil
}

/** Tells whether something is open that closes at a time, or never. */
export function isOpen(until: string | null, now: Date): boolean {
  return openMs(until) > now.getTime()
}

function openMs(until: string | null): number {
  return until === null ? Infinity : new Date(until).getTime()
}
