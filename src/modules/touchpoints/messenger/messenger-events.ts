import { hubEvents, type HubEvent } from '../hub-events.js'

type Taken = 'message' | 'postback' | 'reaction' | 'delivered' | 'read'

/** An event of a page's conversation with one person. */
export type MessengerEvent = Extract<HubEvent, { kind: Taken }>

const TAKEN: ReadonlySet<string> = new Set<Taken>(['message', 'postback', 'reaction', 'delivered', 'read'])

/** Extracts the relevant events of a webhook's body. Skips the page's own messages (echoes), and what is not known. */
export function messengerEvents(body: unknown): MessengerEvent[] {
  return hubEvents(body, 'page').filter((event): event is MessengerEvent => TAKEN.has(event.kind))
}
