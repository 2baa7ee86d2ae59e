import { Field, ID, InputType, Int, ObjectType } from 'type-graphql'
import { graphqlEnum } from '../../platform/lists/graphql-enum.js'

export const SlaActTimeEnum = graphqlEnum('SlaActTime', 'Moment at which an SLA policy acts.', {
  WARNED: ['warned', 'The target warns.'],
  BREACHED: ['breached', 'The target is missed.'],
})
export type SlaActTime = (typeof SlaActTimeEnum)[keyof typeof SlaActTimeEnum]

const AT = 'Moment of the act; at most one for each.'
const CHANNELS =
  'Channels that are notified: a conversation that waits comes into their queues too, one that is active becomes a task there. At most 50.'
const USERS = 'Users who are notified in their inboxes, if they may see the conversation. At most 50.'
const URGENCY = 'Added to the urgency by which conversations are offered, until the clock ends: 1 to 1000.'
const REQUEUE =
  'Whether an active conversation whose consumer waits is queued again, as by `/leave` of all who accepted it: it is offered to others first.'

@InputType({ description: 'An act that follows when a target warns or is missed, unless the clock has ended by then.' })
export class SlaActInput {
  @Field(() => SlaActTimeEnum, { description: AT }) at!: SlaActTime
  @Field(() => [ID], { nullable: true, description: CHANNELS }) channels?: string[] | null
  @Field(() => [ID], { nullable: true, description: USERS }) users?: string[] | null
  @Field(() => Int, { nullable: true, description: URGENCY }) urgency?: number | null
  @Field(() => Boolean, { nullable: true, description: `${REQUEUE} Not of \`QUEUE\`.` }) requeue?: boolean | null
}

@ObjectType({ simpleResolvers: true, description: 'An act that follows when a target warns or is missed.' })
export class SlaAct {
  @Field(() => SlaActTimeEnum, { description: AT }) at!: SlaActTime
  @Field(() => [ID], { description: CHANNELS }) channels!: string[]
  @Field(() => [ID], { description: USERS }) users!: string[]
  @Field(() => Int, { nullable: true, description: URGENCY }) urgency!: number | null
  @Field(() => Boolean, { description: REQUEUE }) requeue!: boolean
}
