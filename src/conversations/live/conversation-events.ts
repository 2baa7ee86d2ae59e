import { createUnionType, Field, ID, ObjectType } from 'type-graphql'
import { Delivery, type DeliveryRow } from '../../messages/delivery.js'
import { Message } from '../../messages/message.js'
import type { MessageRow } from '../../messages/message-row.js'
import { Conversation } from '../api/conversation.js'
import type { ConversationState, ParticipantState } from '../writing/conversation-state.js'
import { ConversationViewer } from '../api/viewers.js'
import { Participant } from '../api/participant.js'
import { StreamEvent } from './stream-event.js'

@ObjectType({
  implements: StreamEvent,
  simpleResolvers: true,
  description: 'The conversation as it is: what was shown before is void.',
})
export class ConversationSnapshot extends StreamEvent {
  @Field(() => Boolean, { description: 'True when `after` could not be honoured.' }) resync!: boolean
  @Field(() => Conversation) conversation!: ConversationState
  @Field(() => [Participant]) participants!: ParticipantState[]
  @Field(() => [Message], { description: 'The last 50, in their order.' }) messages!: MessageRow[]
  @Field(() => String, {
    nullable: true,
    description: 'What `Conversation.messages(last:, before:)` takes for those before them; null when there are none.',
  })
  startCursor!: string | null
}

@ObjectType({ implements: StreamEvent, simpleResolvers: true, description: 'A message was added.' })
export class MessageAdded extends StreamEvent {
  @Field(() => Message) message!: MessageRow
}

@ObjectType({
  implements: StreamEvent,
  simpleResolvers: true,
  description: 'A message changed, by a like for instance.',
})
export class MessageChanged extends StreamEvent {
  @Field(() => Message) message!: MessageRow
}

@ObjectType({ implements: StreamEvent, simpleResolvers: true, description: 'A message was deleted.' })
export class MessageRemoved extends StreamEvent {
  // Not `message`, which is an object in the other events: one document could not select both.
  @Field(() => ID, { description: 'The message that is gone.' }) messageId!: string
}

@ObjectType({
  implements: StreamEvent,
  simpleResolvers: true,
  description: 'Status, name, metadata or another field changed.',
})
export class ConversationChanged extends StreamEvent {
  @Field(() => Conversation) conversation!: ConversationState
}

@ObjectType({ implements: StreamEvent, simpleResolvers: true, description: 'Who takes part, and how, changed.' })
export class ParticipantsChanged extends StreamEvent {
  @Field(() => [Participant]) participants!: ParticipantState[]
}

@ObjectType({
  implements: StreamEvent,
  simpleResolvers: true,
  description: 'Messages to the consumer have come further, or could not be delivered. Not told to guests.',
})
export class MessageDeliveryChanged extends StreamEvent {
  @Field(() => [Delivery], { description: 'Each as it is now.' }) deliveries!: DeliveryRow[]
}

@ObjectType({
  implements: StreamEvent,
  simpleResolvers: true,
  description: "Somebody types or stopped typing. Never replayed: its cursor is the stream's present one.",
})
export class TypingChanged extends StreamEvent {
  @Field(() => ID, { nullable: true, description: 'The user; null for the consumer.' }) user!: string | null
  @Field(() => String, { nullable: true }) name!: string | null
  @Field(() => Boolean) typing!: boolean
  @Field(() => Boolean, { description: 'A note for colleagues: not told to guests.' }) isBackchannel!: boolean
}

@ObjectType({
  implements: StreamEvent,
  simpleResolvers: true,
  description: 'Users have opened or closed the conversation. Never replayed, and not told to guests.',
})
export class ViewersChanged extends StreamEvent {
  @Field(() => [ConversationViewer], { description: 'All who have it open now.' }) viewers!: ConversationViewer[]
}

export const ConversationEvent = createUnionType({
  name: 'ConversationEvent',
  description: 'What happens in one conversation.',
  types: () =>
    [
      ConversationSnapshot,
      MessageAdded,
      MessageChanged,
      MessageRemoved,
      ConversationChanged,
      ParticipantsChanged,
      MessageDeliveryChanged,
      TypingChanged,
      ViewersChanged,
    ] as const,
})
