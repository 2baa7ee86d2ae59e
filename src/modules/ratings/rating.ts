import { Entity, Property } from '@mikro-orm/decorators/legacy'
import { Field, ID, Int, ObjectType } from 'type-graphql'
import { SurveyScaleEnum, type SurveyScale } from '../channels/survey.js'
import { NotAskedEnum, type NotAskedReason } from '../conversations/surveys/rating-row.js'
import { Node } from '../../platform/lists/node.js'
import { rowLoader } from '../../platform/lists/rows.js'
import { DateTime } from '../../platform/lists/scalars.js'
import { TenantRecord } from '../../platform/lists/tenant-record.js'
import { TouchpointEnum } from '../touchpoint-enum.js'
import type { Touchpoint } from '../touchpoint-traits.js'

@Entity({ tableName: 'rating' })
@ObjectType({
  implements: Node,
  simpleResolvers: true,
  description: "A case of a channel with a survey: the consumer's rating of it, or why none was asked for.",
})
export class Rating extends TenantRecord {
  @Property({ type: 'uuid' })
  @Field(() => ID, { description: 'The conversation, or the one into which it was merged. It may be deleted.' })
  conversationId!: string

  @Property({ type: 'uuid', nullable: true })
  @Field(() => ID, { nullable: true })
  contactId!: string | null

  @Property({ type: 'uuid' })
  @Field(() => ID, { description: 'The channel whose survey it is.' })
  channelId!: string

  @Property({ type: 'uuid', nullable: true })
  @Field(() => ID, { nullable: true, description: 'The agent who answered last in the case.' })
  userId!: string | null

  @Property({ type: 'text', nullable: true })
  @Field(() => TouchpointEnum, { nullable: true, description: 'By which it was asked.' })
  touchpoint!: Touchpoint | null

  @Property({ type: 'text' })
  @Field(() => SurveyScaleEnum, { description: 'Answers that were offered.' })
  scale!: SurveyScale

  @Property({ type: 'text', nullable: true })
  @Field(() => NotAskedEnum, { nullable: true, description: 'Null if it was asked.' })
  notAsked!: NotAskedReason | null

  @Property({ type: 'datetime', nullable: true })
  @Field(() => DateTime, { nullable: true, description: 'Time of the question; null if there was none.' })
  askedAt!: Date | null

  @Property({ type: 'datetime', nullable: true })
  @Field(() => DateTime, { nullable: true, description: 'Until when it can be answered.' })
  expiresAt!: Date | null

  @Property({ type: 'integer', nullable: true })
  @Field(() => Int, { nullable: true, description: 'The answer, by the `scale`; null without one.' })
  score!: number | null

  @Property({ type: 'datetime', nullable: true })
  @Field(() => DateTime, { nullable: true, description: 'Time of the answer; null without one.' })
  ratedAt!: Date | null
}

export const ratingLoader = rowLoader<Rating>('rating')
