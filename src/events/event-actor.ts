import type { Context } from '../context.js'
import type { EventActor } from './event.js'

/** Who does what a request does; null for the service itself. */
export function actorOf({ maybeCaller }: Context): EventActor | null {
  if (!maybeCaller) return null
  return maybeCaller.kind === 'user'
    ? { kind: 'user', id: maybeCaller.user, name: maybeCaller.displayName }
    : { kind: 'contact', id: maybeCaller.contact, name: null }
}
