import { isOfType } from '../../../platform/events/event.js'
import type { LiveFeed } from '../../../platform/events/live-feed.js'
import { PLACE_CHANGED, type PlaceTicker } from '../place/place-ticker.js'
import type { ConversationState } from '../state/conversation-state.js'

/** Adds the consumer's place in line to a feed of a conversation, for subscribers that ask for it. */
export function withPlaces(
  feed: LiveFeed,
  { id, org1 }: Pick<ConversationState, 'id' | 'org1'>,
  ticker: PlaceTicker,
): LiveFeed {
  let unwatch: (() => void) | null = null
  return {
    ...feed,
    audience: `${feed.audience}:place`,
    toEphemeral: (event) =>
      event.type === PLACE_CHANGED
        ? { __typename: 'QueuePlaceChanged', place: event.data.place }
        : (feed.toEphemeral?.(event) ?? null),
    taken(event) {
      feed.taken?.(event)
      if (isOfType(event, 'conversation.changed')) ticker.hasten(org1, id)
    },
    // Not when it begins: what is sent before reaches nobody. After a resynchronization it is sent again.
    attached() {
      unwatch?.()
      unwatch = ticker.watch(org1, id)
    },
    async end(...how) {
      unwatch?.()
      await feed.end?.(...how)
    },
  }
}
