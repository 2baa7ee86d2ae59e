import { createUnionType, Field, ID, ObjectType } from 'type-graphql'
import type { JsonObject } from '../../json.js'
import { DateTime, JsonObject as JsonObjectScalar } from '../../lists/scalars.js'
import type { QueueExit } from '../change-events.js'
import { QueueExitEnum } from '../conversation-enums.js'
import { ConversationSummary } from './conversation-summary.js'
import { StreamEvent } from './stream-event.js'

@ObjectType({ simpleResolvers: true, description: "A queued conversation as a channel's queue shows it." })
export class QueueEntry extends ConversationSummary {
  @Field(() => ID) channel!: string
  @Field(() => DateTime) queuedAt!: Date
  @Field(() => JsonObjectScalar, { nullable: true, description: "The conversation's metadata." })
  meta!: JsonObject | null
}

@ObjectType({
  implements: StreamEvent,
  simpleResolvers: true,
  description: 'The whole queue: what was shown before is void.',
})
export class QueueSnapshot extends StreamEvent {
  @Field(() => Boolean, { description: 'True when `after` could not be honoured.' }) resync!: boolean
  @Field(() => [QueueEntry], { description: 'Longest waiting first.' }) entries!: QueueEntry[]
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
  types: () => [QueueSnapshot, QueueEntryAdded, QueueEntryChanged, QueueEntryRemoved] as const,
})
