import { createUnionType, Field, ID, ObjectType } from 'type-graphql'
import { InboxEntry } from './inbox-events.js'
import { FIRST_PAGE, StreamEvent } from './stream-event.js'

@ObjectType({
  implements: StreamEvent,
  simpleResolvers: true,
  description:
    'Snapshot of the conversations that the caller has accepted and not left, which replaces all earlier state.',
})
export class MyConversationsSnapshot extends StreamEvent {
  @Field(() => Boolean, { description: 'Whether events after `after` could not be replayed.' }) resync!: boolean
  @Field(() => [InboxEntry], { description: `Latest news first. ${FIRST_PAGE}` }) entries!: InboxEntry[]
  @Field(() => Boolean, { description: 'False if further pages of the snapshot follow.' }) isComplete!: boolean
}

@ObjectType({
  implements: StreamEvent,
  simpleResolvers: true,
  description: 'A further page of the snapshot.',
})
export class MyConversationsSnapshotPage extends StreamEvent {
  @Field(() => [InboxEntry], { description: 'Further entries, in the same order.' }) entries!: InboxEntry[]
  @Field(() => Boolean, { description: 'Whether the snapshot is complete with this page.' }) isLast!: boolean
}

@ObjectType({ implements: StreamEvent, simpleResolvers: true, description: 'The caller has accepted a conversation.' })
export class MyConversationAdded extends StreamEvent {
  @Field(() => InboxEntry) entry!: InboxEntry
}

@ObjectType({
  implements: StreamEvent,
  simpleResolvers: true,
  description: 'The entry of an accepted conversation changed.',
})
export class MyConversationChanged extends StreamEvent {
  @Field(() => InboxEntry) entry!: InboxEntry
}

@ObjectType({
  implements: StreamEvent,
  simpleResolvers: true,
  description: 'The caller has left the conversation, or it is no longer active.',
})
export class MyConversationRemoved extends StreamEvent {
  @Field(() => ID) conversation!: string
}

export const MyConversationsEvent = createUnionType({
  name: 'MyConversationsEvent',
  description: 'An event of the conversations that the caller has accepted and not left (3.2).',
  types: () =>
    [
      MyConversationsSnapshot,
      MyConversationsSnapshotPage,
      MyConversationAdded,
      MyConversationChanged,
      MyConversationRemoved,
    ] as const,
})
