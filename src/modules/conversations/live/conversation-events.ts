import { createUnionType, Field, ID, Int, ObjectType } from 'type-graphql'
import { Delivery, type DeliveryRow } from '../../messages/delivery.js'
import { MessageRoleEnum, type MessageRole } from '../../messages/message-enums.js'
import { Message } from '../../messages/message.js'
import type { MessageRow } from '../../messages/message-row.js'
import { StreamEndingEnum, type StreamEnding } from '../../messages/stream-ending.js'
import { Conversation } from '../api/conversation.js'
import type { ClockData } from '../../sla/clock-data.js'
import { SlaClockObject } from '../../sla/clock-types.js'
import type { ConversationState, ParticipantState } from '../state/conversation-state.js'
import { ConversationViewer } from '../api/viewers.js'
import { Participant } from '../api/participant.js'
import { QueuePlace } from '../place/queue-place.js'
import { StreamEvent } from './stream-event.js'

@ObjectType({
  implements: StreamEvent,
  simpleResolvers: true,
  description: 'Snapshot of the conversation, which replaces all earlier state.',
})
export class ConversationSnapshot extends StreamEvent {
  @Field(() => Boolean, { description: 'Whether events after `after` could not be replayed.' }) resync!: boolean
  @Field(() => Conversation) conversation!: ConversationState
  @Field(() => [Participant]) participants!: ParticipantState[]
  @Field(() => [Message], { description: 'The last 50 messages, in order.' }) messages!: MessageRow[]
  @Field(() => String, {
    nullable: true,
    description: 'Cursor of earlier messages, for `Conversation.messages(last:, before:)`; null if there are none.',
  })
  startCursor!: string | null
}

@ObjectType({ implements: StreamEvent, simpleResolvers: true, description: 'A message was added.' })
export class MessageAdded extends StreamEvent {
  @Field(() => Message) message!: MessageRow
  @Field(() => String, { nullable: true, description: '`Conversation.mark` after this message.' }) mark!: string | null
}

@ObjectType({
  implements: StreamEvent,
  simpleResolvers: true,
  description: 'A message changed, for example by a like.',
})
export class MessageChanged extends StreamEvent {
  @Field(() => Message) message!: MessageRow
}

@ObjectType({ implements: StreamEvent, simpleResolvers: true, description: 'A message was deleted.' })
export class MessageRemoved extends StreamEvent {
  // Not `message`, which is an object in the other events: one document could not select both.
  @Field(() => ID, { description: 'Id of the deleted message.' }) messageId!: string
}

@ObjectType({
  implements: StreamEvent,
  simpleResolvers: true,
  description: 'Status, name, metadata or another field changed.',
})
export class ConversationChanged extends StreamEvent {
  @Field(() => Conversation) conversation!: ConversationState
}

@ObjectType({
  implements: StreamEvent,
  simpleResolvers: true,
  description: 'The conversation was deleted. The last event: the subscription completes.',
})
export class ConversationRemoved extends StreamEvent {
  @Field(() => ID) conversationId!: string
}

@ObjectType({ implements: StreamEvent, simpleResolvers: true, description: 'Participants or their flags changed.' })
export class ParticipantsChanged extends StreamEvent {
  @Field(() => [Participant]) participants!: ParticipantState[]
}

@ObjectType({
  implements: StreamEvent,
  simpleResolvers: true,
  description: 'Deliveries to the consumer changed their status. Not sent to guests.',
})
export class MessageDeliveryChanged extends StreamEvent {
  @Field(() => [Delivery], { description: 'Current state of the changed deliveries.' }) deliveries!: DeliveryRow[]
}

@ObjectType({
  implements: StreamEvent,
  simpleResolvers: true,
  description:
    "A user or the consumer started or stopped typing. Never replayed: its cursor is the stream's current one.",
})
export class TypingChanged extends StreamEvent {
  @Field(() => ID, { nullable: true, description: 'Id of the user; null for the consumer.' }) user!: string | null
  @Field(() => String, { nullable: true }) name!: string | null
  @Field(() => Boolean) typing!: boolean
  @Field(() => Boolean, {
    description: 'Whether a note for colleagues is being typed. Such events are not sent to guests.',
  })
  isBackchannel!: boolean
}

@ObjectType({
  implements: StreamEvent,
  simpleResolvers: true,
  description:
    'A message is being written: a part of its text, or its ending. Never replayed; whoever begins to follow the conversation gets the whole ' +
    'text alone, and so does a slow client, which gets no parts meanwhile. Sent to documents that select it. `MessageAdded` with its id replaces it.',
})
export class MessageStreamed extends StreamEvent {
  @Field(() => ID, { description: 'Id of the stream, and of the message that it becomes.' }) messageId!: string
  @Field(() => ID, { description: 'The user whose message it is.' }) user!: string
  @Field(() => String, { nullable: true, description: 'Name of that user.' }) name!: string | null
  @Field(() => MessageRoleEnum) role!: MessageRole
  @Field(() => Boolean, { description: 'Whether it is a note for the team. Such events are not sent to guests.' })
  isBackchannel!: boolean
  @Field(() => Int, {
    description:
      'Place in the whole text, in UTF-16 units, at which `text` begins. What is there already is a repeat; a part after a gap is to be left out: the whole follows within seconds.',
  })
  offset!: number
  @Field(() => String, { description: 'May begin and end within a character; empty at the ending.' }) text!: string
  @Field(() => StreamEndingEnum, { nullable: true, description: 'Set in the last event of the stream.' })
  ending!: StreamEnding | null
}

@ObjectType({
  implements: StreamEvent,
  simpleResolvers: true,
  description: 'A clock started, paused, went on, warned, was missed or stopped. Not sent to guests.',
})
export class ClockChanged extends StreamEvent {
  @Field(() => SlaClockObject, { description: 'The clock as it is now.' }) clock!: ClockData
}

@ObjectType({
  implements: StreamEvent,
  simpleResolvers: true,
  description: 'A bot proposed something, or what became of it changed. Not sent to guests.',
})
export class ProposalChanged extends StreamEvent {
  @Field(() => ID, { description: 'Id by which `proposal` of a query reads it.' }) proposalId!: string
}

@ObjectType({
  implements: StreamEvent,
  simpleResolvers: true,
  description: 'Users opened or closed the conversation. Never replayed, and not sent to guests.',
})
export class ViewersChanged extends StreamEvent {
  @Field(() => [ConversationViewer], { description: 'All users who currently have the conversation open.' })
  viewers!: ConversationViewer[]
}

@ObjectType({
  implements: StreamEvent,
  simpleResolvers: true,
  description: "The consumer's place in line, first as it is now, then whenever it changes. Never replayed.",
})
export class QueuePlaceChanged extends StreamEvent {
  @Field(() => QueuePlace, {
    nullable: true,
    description: 'Replaces the one before; null if the consumer does not wait, or there is nothing to tell.',
  })
  place!: QueuePlace | null
}

export const ConversationEvent = createUnionType({
  name: 'ConversationEvent',
  description: 'An event of a conversation.',
  types: () =>
    [
      ConversationSnapshot,
      MessageAdded,
      MessageChanged,
      MessageRemoved,
      ConversationChanged,
      ConversationRemoved,
      ParticipantsChanged,
      MessageDeliveryChanged,
      ClockChanged,
      ProposalChanged,
      MessageStreamed,
      TypingChanged,
      ViewersChanged,
      QueuePlaceChanged,
    ] as const,
})
