import { createUnionType, Field, ID, ObjectType } from 'type-graphql'
import { DateTime } from '../../../platform/lists/scalars.js'
import type { QueueExit } from '../state/conversation-event-types.js'
import { QueueExitEnum } from '../state/conversation-enums.js'
import { ConversationSummary } from './conversation-summary.js'
import { FIRST_PAGE, StreamEvent } from './stream-event.js'

@ObjectType({ simpleResolvers: true, description: "An entry of a channel's queue: a queued conversation." })
export class QueueEntry extends ConversationSummary {
  @Field(() => ID, { description: 'Made of the ids of the channel and the conversation.' }) id!: string
  @Field(() => ID) channel!: string
  @Field(() => DateTime) queuedAt!: Date
}

@ObjectType({
  implements: StreamEvent,
  simpleResolvers: true,
  description: 'Snapshot of the queue, which replaces all earlier state.',
})
export class QueueSnapshot extends StreamEvent {
  @Field(() => Boolean, { description: 'Whether events after `after` could not be replayed.' }) resync!: boolean
  @Field(() => [QueueEntry], { description: `Longest waiting first. ${FIRST_PAGE}` }) entries!: QueueEntry[]
  @Field(() => Boolean, { description: 'False if `QueueSnapshotPage` events with the rest follow.' })
  isComplete!: boolean
}

@ObjectType({
  implements: StreamEvent,
  simpleResolvers: true,
  description: 'A further page of the snapshot.',
})
export class QueueSnapshotPage extends StreamEvent {
  @Field(() => [QueueEntry], { description: 'Further entries, in the same order.' }) entries!: QueueEntry[]
  @Field(() => Boolean, { description: 'Whether the snapshot is complete with this page.' }) isLast!: boolean
}

@ObjectType({ implements: StreamEvent, simpleResolvers: true, description: 'A conversation was added to a queue.' })
export class QueueEntryAdded extends StreamEvent {
  @Field(() => QueueEntry) entry!: QueueEntry
}

@ObjectType({
  implements: StreamEvent,
  simpleResolvers: true,
  description: "A conversation's entry in a queue changed.",
})
export class QueueEntryChanged extends StreamEvent {
  @Field(() => QueueEntry) entry!: QueueEntry
}

@ObjectType({ implements: StreamEvent, simpleResolvers: true, description: 'A conversation left a queue.' })
export class QueueEntryRemoved extends StreamEvent {
  @Field(() => ID) channel!: string
  @Field(() => ID) conversation!: string
  @Field(() => QueueExitEnum) reason!: QueueExit
}

export const QueueEvent = createUnionType({
  name: 'QueueEvent',
  description: 'An event of the queues of channels (section 6).',
  types: () => [QueueSnapshot, QueueSnapshotPage, QueueEntryAdded, QueueEntryChanged, QueueEntryRemoved] as const,
})
