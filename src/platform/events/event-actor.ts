import type { Context } from '../context.js'
import type { EventActor } from './event.js'

/** Returns the actor of a request; null for the service itself and its operator. */
export function actorOf({ maybeCaller }: Context): EventActor | null {
  if (!maybeCaller || maybeCaller.kind === 'operator') return null
  return maybeCaller.kind === 'user'
    ? { kind: 'user', id: maybeCaller.user, name: maybeCaller.displayName }
    : { kind: 'contact', id: maybeCaller.contact, name: null }
}
