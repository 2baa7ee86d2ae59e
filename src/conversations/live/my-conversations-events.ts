import { createUnionType, Field, ID, ObjectType } from 'type-graphql'
import { InboxEntry } from './inbox-events.js'
import { FIRST_PAGE, StreamEvent } from './stream-event.js'

@ObjectType({
  implements: StreamEvent,
  simpleResolvers: true,
  description: 'All that the caller has accepted and not left: what was shown before is void.',
})
export class MyConversationsSnapshot extends StreamEvent {
  @Field(() => Boolean, { description: 'True when `after` could not be honoured.' }) resync!: boolean
  @Field(() => [InboxEntry], { description: `Latest news first. ${FIRST_PAGE}` }) entries!: InboxEntry[]
  @Field(() => Boolean, { description: 'False when pages of the snapshot follow.' }) isComplete!: boolean
}

@ObjectType({
  implements: StreamEvent,
  simpleResolvers: true,
  description: 'More of a snapshot that is sent in pages.',
})
export class MyConversationsSnapshotPage extends StreamEvent {
  @Field(() => [InboxEntry]) entries!: InboxEntry[]
  @Field(() => Boolean, { description: 'The snapshot is complete with this page.' }) isLast!: boolean
}

@ObjectType({ implements: StreamEvent, simpleResolvers: true, description: 'The caller has accepted a conversation.' })
export class MyConversationAdded extends StreamEvent {
  @Field(() => InboxEntry) entry!: InboxEntry
}

@ObjectType({
  implements: StreamEvent,
  simpleResolvers: true,
  description: 'What is shown of an accepted conversation changed.',
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
  description: 'What happens to the conversations that the caller has accepted and not left (3.2).',
  types: () =>
    [
      MyConversationsSnapshot,
      MyConversationsSnapshotPage,
      MyConversationAdded,
      MyConversationChanged,
      MyConversationRemoved,
    ] as const,
})
