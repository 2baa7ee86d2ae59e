import { createUnionType, Field, ID, Int, ObjectType } from 'type-graphql'
import { DateTime } from '../../../platform/lists/scalars.js'
import { ConversationStatusEnum, InboxReasonEnum } from '../state/conversation-enums.js'
import type { ConversationStatus, InboxReason } from '../state/conversation-enums.js'
import { Offer, OfferOutcomeEnum } from '../offers/offer-types.js'
import type { OfferOutcome } from '../state/offer.js'
import { AgentStateChanged } from './agent-events.js'
import { ConversationSummary } from './conversation-summary.js'
import { FIRST_PAGE, StreamEvent } from './stream-event.js'

@ObjectType({
  simpleResolvers: true,
  description: "A conversation in a user's inbox: assigned, followed with news, or mentioned.",
})
export class InboxEntry extends ConversationSummary {
  @Field(() => ID, { description: "Unique among the caller's own; made of the conversation's id." }) id!: string
  @Field(() => ConversationStatusEnum) status!: ConversationStatus
  @Field(() => Int) unreadCount!: number
  @Field(() => Boolean) active!: boolean
  @Field(() => Boolean) accepted!: boolean
  @Field(() => Boolean) follow!: boolean
  @Field(() => DateTime, { nullable: true }) lastMessageAt!: Date | null
  @Field(() => Boolean, { description: "Whether the consumer's last message has not been answered." })
  awaitsAnswer!: boolean

  @Field(() => DateTime, {
    nullable: true,
    description: 'Until when it is put aside, see `snooze`; null if it is not.',
  })
  snoozedUntil!: Date | null

  @Field(() => InboxReasonEnum, {
    nullable: true,
    description: 'Reason for which it is in the inbox; null if it is not in it.',
  })
  reason!: InboxReason | null

  /** The message that brought it there: `excerpt` is of it. */
  reasonMessage!: string | null
}

@ObjectType({
  implements: StreamEvent,
  simpleResolvers: true,
  description: 'Snapshot of the inbox, which replaces all earlier state.',
})
export class InboxSnapshot extends StreamEvent {
  @Field(() => Boolean, { description: 'Whether events after `after` could not be replayed.' }) resync!: boolean
  @Field(() => [InboxEntry], { description: `Latest news first. ${FIRST_PAGE}` }) entries!: InboxEntry[]
  @Field(() => Boolean, { description: 'False if `InboxSnapshotPage` events with the rest follow.' })
  isComplete!: boolean
}

@ObjectType({
  implements: StreamEvent,
  simpleResolvers: true,
  description: 'A further page of the snapshot.',
})
export class InboxSnapshotPage extends StreamEvent {
  @Field(() => [InboxEntry], { description: 'Further entries, in the same order.' }) entries!: InboxEntry[]
  @Field(() => Boolean, { description: 'Whether the snapshot is complete with this page.' }) isLast!: boolean
}

@ObjectType({ implements: StreamEvent, simpleResolvers: true, description: 'A conversation was added to the inbox.' })
export class InboxEntryAdded extends StreamEvent {
  @Field(() => InboxEntry) entry!: InboxEntry
}

@ObjectType({
  implements: StreamEvent,
  simpleResolvers: true,
  description: "A conversation's entry in the inbox changed.",
})
export class InboxEntryChanged extends StreamEvent {
  @Field(() => InboxEntry) entry!: InboxEntry
}

@ObjectType({ implements: StreamEvent, simpleResolvers: true, description: 'A conversation left the inbox.' })
export class InboxEntryRemoved extends StreamEvent {
  @Field(() => ID) conversation!: string
}

@ObjectType({ simpleResolvers: true, description: 'The queued conversation.' })
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
  description: 'The caller has saved or deleted a draft, possibly in another browser.',
})
export class DraftChanged extends StreamEvent {
  @Field(() => ID) conversation!: string
}

@ObjectType({
  implements: StreamEvent,
  simpleResolvers: true,
  description: "A bulk run of the caller's own began, went on, or ended.",
})
export class BulkChanged extends StreamEvent {
  /** Id, as the event has it. */
  run!: string
}

@ObjectType({
  implements: StreamEvent,
  simpleResolvers: true,
  description: 'A conversation is offered to the caller, until it accepts or declines or the offer expires.',
})
export class OfferMade extends StreamEvent {
  @Field(() => Offer, { description: 'The offer, pending.' }) offer!: Offer
  @Field(() => NotifiedConversation) entry!: NotifiedConversation
}

@ObjectType({ implements: StreamEvent, simpleResolvers: true, description: 'An offer to the caller has ended.' })
export class OfferEnded extends StreamEvent {
  @Field(() => ID, { description: 'Id of the offer.' }) offer!: string
  @Field(() => ID) conversation!: string
  @Field(() => OfferOutcomeEnum) outcome!: OfferOutcome
}

export const InboxEvent = createUnionType({
  name: 'InboxEvent',
  description: "An event of the caller's inbox (section 6).",
  types: () =>
    [
      InboxSnapshot,
      InboxSnapshotPage,
      InboxEntryAdded,
      InboxEntryChanged,
      InboxEntryRemoved,
      RuleNotification,
      DraftChanged,
      BulkChanged,
      AgentStateChanged,
      OfferMade,
      OfferEnded,
    ] as const,
})
