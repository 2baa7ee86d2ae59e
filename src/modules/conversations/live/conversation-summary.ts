import { Field, ID, Int, ObjectType } from 'type-graphql'
import { DateTime } from '../../../platform/lists/scalars.js'
import type { Touchpoint } from '../../touchpoint-traits.js'
import { TouchpointEnum } from '../../touchpoint-enum.js'

/** Fields of a conversation that queue and inbox show, so that a screen needs no further request. */
@ObjectType({ simpleResolvers: true })
export abstract class ConversationSummary {
  @Field(() => ID) conversation!: string
  @Field(() => ID) organization!: string
  @Field(() => String) name!: string
  @Field(() => String, { nullable: true }) contactName!: string | null
  @Field(() => TouchpointEnum, { nullable: true }) touchpoint!: Touchpoint | null
  @Field(() => String, { nullable: true }) category!: string | null
  @Field(() => String, { nullable: true }) language!: string | null
  @Field(() => DateTime, {
    nullable: true,
    description: 'Earliest due time of its clocks; past if a target is missed, null without one.',
  })
  nextDue!: string | null
  @Field(() => Int, { description: 'Number of messages whose last delivery to the consumer failed.' })
  undelivered!: number

  @Field(() => [ID], { description: 'Ids of its labels, in the order in which they were put on.' })
  labels!: string[]

  @Field(() => String, { nullable: true, description: 'Beginning of the last message.' }) preview!: string | null
}
