import { createUnionType, Field, ID, Int, ObjectType } from 'type-graphql'
import { DateTime } from '../../lists/scalars.js'
import { ConversationStatusEnum } from '../writing/conversation-enums.js'
import type { ConversationStatus } from '../writing/conversation-state.js'
import { ConversationSummary } from './conversation-summary.js'
import { FIRST_PAGE, StreamEvent } from './stream-event.js'

@ObjectType({
  simpleResolvers: true,
  description: "A conversation in a user's inbox: assigned, followed with news, or mentioned.",
})
export class InboxEntry extends ConversationSummary {
  @Field(() => ConversationStatusEnum) status!: ConversationStatus
  @Field(() => Int) unreadCount!: number
  @Field(() => Boolean) active!: boolean
  @Field(() => Boolean) accepted!: boolean
  @Field(() => Boolean) follow!: boolean
  @Field(() => DateTime, { nullable: true }) lastMessageAt!: Date | null
}

@ObjectType({
  implements: StreamEvent,
  simpleResolvers: true,
  description: 'The whole inbox: what was shown before is void.',
})
export class InboxSnapshot extends StreamEvent {
  @Field(() => Boolean, { description: 'True when `after` could not be honoured.' }) resync!: boolean
  @Field(() => [InboxEntry], { description: `Latest news first. ${FIRST_PAGE}` }) entries!: InboxEntry[]
  @Field(() => Boolean, { description: 'False when `InboxSnapshotPage` events with the rest follow.' })
  isComplete!: boolean
}

@ObjectType({
  implements: StreamEvent,
  simpleResolvers: true,
  description: 'More of the inbox, behind what came before of the snapshot.',
})
export class InboxSnapshotPage extends StreamEvent {
  @Field(() => [InboxEntry], { description: 'In the same order.' }) entries!: InboxEntry[]
  @Field(() => Boolean, { description: 'The snapshot is complete with this page.' }) isLast!: boolean
}

@ObjectType({ implements: StreamEvent, simpleResolvers: true, description: 'A conversation came into the inbox.' })
export class InboxEntryAdded extends StreamEvent {
  @Field(() => InboxEntry) entry!: InboxEntry
}

@ObjectType({
  implements: StreamEvent,
  simpleResolvers: true,
  description: 'What the inbox shows of a conversation changed.',
})
export class InboxEntryChanged extends StreamEvent {
  @Field(() => InboxEntry) entry!: InboxEntry
}

@ObjectType({ implements: StreamEvent, simpleResolvers: true, description: 'A conversation left the inbox.' })
export class InboxEntryRemoved extends StreamEvent {
  @Field(() => ID) conversation!: string
}

@ObjectType({ simpleResolvers: true, description: 'The queued conversation that a rule tells of.' })
export class NotifiedConversation extends ConversationSummary {}

@ObjectType({
  implements: StreamEvent,
  simpleResolvers: true,
  description: 'A rule notified the user directly (2.7, `users`).',
})
export class RuleNotification extends StreamEvent {
  @Field(() => String, { nullable: true, description: 'Name of the rule.' }) rule!: string | null
  @Field(() => NotifiedConversation) entry!: NotifiedConversation
}

@ObjectType({
  implements: StreamEvent,
  simpleResolvers: true,
  description: 'The caller has saved a draft, maybe in another browser, or forgotten it.',
})
export class DraftChanged extends StreamEvent {
  @Field(() => ID) conversation!: string
}

export const InboxEvent = createUnionType({
  name: 'InboxEvent',
  description: "What happens in the caller's inbox (section 6).",
  types: () =>
    [
      InboxSnapshot,
      InboxSnapshotPage,
      InboxEntryAdded,
      InboxEntryChanged,
      InboxEntryRemoved,
      RuleNotification,
      DraftChanged,
    ] as const,
})
