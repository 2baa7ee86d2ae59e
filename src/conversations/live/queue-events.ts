import { createUnionType, Ctx, Field, FieldResolver, ID, ObjectType, Resolver, Root } from 'type-graphql'
import type { Context } from '../../context.js'
import type { JsonObject } from '../../json.js'
import { DateTime, JsonObject as JsonObjectScalar } from '../../lists/scalars.js'
import type { QueueExit } from '../writing/conversation-event-types.js'
import { QueueExitEnum } from '../writing/conversation-enums.js'
import { ConversationSummary } from './conversation-summary.js'
import { conversationMetaLoader } from './conversation-meta.js'
import { FIRST_PAGE, StreamEvent } from './stream-event.js'

@ObjectType({ simpleResolvers: true, description: "A queued conversation as a channel's queue shows it." })
export class QueueEntry extends ConversationSummary {
  @Field(() => ID) channel!: string
  @Field(() => DateTime) queuedAt!: Date
}

@Resolver(() => QueueEntry)
export class QueueEntriesResolver {
  @FieldResolver(() => JsonObjectScalar, {
    nullable: true,
    description: "The conversation's metadata, as it is when this is sent; null once the conversation is gone.",
  })
  meta(@Root() { conversation }: QueueEntry, @Ctx() ctx: Context): Promise<JsonObject | null> {
    return ctx.loader(conversationMetaLoader).load(conversation)
  }
}

@ObjectType({
  implements: StreamEvent,
  simpleResolvers: true,
  description: 'The whole queue: what was shown before is void.',
})
export class QueueSnapshot extends StreamEvent {
  @Field(() => Boolean, { description: 'True when `after` could not be honoured.' }) resync!: boolean
  @Field(() => [QueueEntry], { description: `Longest waiting first. ${FIRST_PAGE}` }) entries!: QueueEntry[]
  @Field(() => Boolean, { description: 'False when `QueueSnapshotPage` events with the rest follow.' })
  isComplete!: boolean
}

@ObjectType({
  implements: StreamEvent,
  simpleResolvers: true,
  description: 'More of the queue, behind what came before of the snapshot.',
})
export class QueueSnapshotPage extends StreamEvent {
  @Field(() => [QueueEntry], { description: 'In the same order.' }) entries!: QueueEntry[]
  @Field(() => Boolean, { description: 'The snapshot is complete with this page.' }) isLast!: boolean
}

@ObjectType({ implements: StreamEvent, simpleResolvers: true, description: 'A conversation came into a queue.' })
export class QueueEntryAdded extends StreamEvent {
  @Field(() => QueueEntry) entry!: QueueEntry
}

@ObjectType({
  implements: StreamEvent,
  simpleResolvers: true,
  description: 'What a queue shows of a conversation changed.',
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
  description: 'What happens in the queues of channels (section 6).',
  types: () => [QueueSnapshot, QueueSnapshotPage, QueueEntryAdded, QueueEntryChanged, QueueEntryRemoved] as const,
})
