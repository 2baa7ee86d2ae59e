import { Field, ID, Int, ObjectType } from 'type-graphql'
import { graphqlEnum } from '../../../platform/lists/graphql-enum.js'
import { ConversationStatusEnum, type ConversationStatus } from '../state/conversation-enums.js'
import type { HeldBecause, News, NewsKind } from '../sending/require-seen.js'

export const NewsKindEnum = graphqlEnum('NewsKind', 'Says what the author of a held message has not seen.', {
  CONSUMER: ['consumer', 'A message of the consumer.'],
  ANSWER: ['answer', 'An answer to the consumer.'],
  NOTE: ['note', 'A note for the team.'],
  COMMAND: ['command', 'A command, such as `/leave`.'],
  SYSTEM: ['system', 'A message of the service.'],
})

@ObjectType('News', { simpleResolvers: true, description: 'A message of somebody else.' })
export class NewsObject implements News {
  @Field(() => ID) id!: string
  @Field(() => Int, { description: 'Position of the message in its conversation.' }) position!: number
  @Field(() => NewsKindEnum, { description: 'The sender, and whom it was for.' }) kind!: NewsKind
}

@ObjectType('HeldBecause', {
  simpleResolvers: true,
  description:
    'The reason for which a message was held: others had written or done something that its author had not seen.',
})
export class HeldBecauseObject implements HeldBecause {
  @Field(() => String, { description: '`Conversation.mark` of that time, to send it after all.' }) mark!: string
  @Field(() => ConversationStatusEnum) status!: ConversationStatus
  @Field(() => [NewsObject], {
    description: 'At most 50, in order. Empty if only the status, who has accepted, or earlier messages changed.',
  })
  news!: News[]
}
