import { FieldResolver, Resolver, Root } from 'type-graphql'
import type { PlaceReader } from '../place/place-reader.js'
import { QueuePlace } from '../place/queue-place.js'
import type { ConversationState } from '../state/conversation-state.js'
import { Conversation } from './conversation.js'

@Resolver(() => Conversation)
export class PlaceResolver {
  constructor(private readonly places: PlaceReader) {}

  @FieldResolver(() => QueuePlace, {
    nullable: true,
    description:
      "The consumer's place in line, and when the schedule opens next; null if it does not wait, or there is nothing to " +
      'tell. Live with the argument `place` of the `conversation` subscription.',
  })
  queuePlace(@Root() { id, org1, status }: ConversationState): Promise<QueuePlace | null> | null {
    return status === 'queued' ? this.places.read({ tenant: org1, conversation: id }) : null
  }
}
