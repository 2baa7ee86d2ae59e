import { Field, ID, Int, ObjectType } from 'type-graphql'
import { graphqlEnum } from '../../../platform/lists/graphql-enum.js'
import { DateTime } from '../../../platform/lists/scalars.js'
import type { Candidate, CandidateOutcome, OfferOutcome } from '../state/offer.js'

export const OfferOutcomeEnum = graphqlEnum('OfferOutcome', 'Outcome of an offer.', {
  ACCEPTED: ['accepted', 'The agent accepted the conversation, or it was assigned.'],
  DECLINED: ['declined', 'The agent declined.'],
  EXPIRED: ['expired', 'The agent did not answer in time.'],
  WITHDRAWN: [
    'withdrawn',
    'Somebody else accepted, the conversation left the queue, or the agent takes no offers any more.',
  ],
})

export const CandidateOutcomeEnum = graphqlEnum(
  'CandidateOutcome',
  'Reason for which an agent was chosen, or was not.',
  {
    CHOSEN: ['chosen', 'The conversation was offered to this agent.'],
    LESS_SUITABLE: ['lessSuitable', 'Others came first.'],
    AT_CAPACITY: ['atCapacity', 'Has no room for the conversation.'],
    UNAVAILABLE: ['unavailable', 'The agent was not available.'],
    NOT_SUBSCRIBED: ['notSubscribed', 'Is not subscribed to the queue.'],
    OUT_OF_REACH: ['outOfReach', 'Cannot take part in conversations of this organization.'],
    LACKS_SKILLS: ['lacksSkills', 'Lacks a skill that the rules ask for.'],
    DECLINED: ['declined', 'Declined it in this queueing, or let an offer expire.'],
    HANDED_OVER: ['handedOver', 'Handed it over to this queue.'],
    RESERVED: ['reserved', 'Room is kept for a conversation that comes first and needs more.'],
    NOT_PREFERRED: ['notPreferred', 'The agent who had it last was preferred.'],
  },
)

@ObjectType({ simpleResolvers: true, description: 'A pending offer of a conversation to an agent.' })
export class Offer {
  @Field(() => ID) id!: string
  @Field(() => ID) conversationId!: string
  @Field(() => ID) userId!: string
  @Field(() => DateTime, { description: 'Time at which it expires.' }) until!: Date
}

@ObjectType({ simpleResolvers: true, description: 'A member of a channel, and why it was chosen or was not.' })
export class OfferCandidate implements Candidate {
  @Field(() => ID) userId!: string
  @Field(() => CandidateOutcomeEnum) outcome!: CandidateOutcome
  @Field(() => String, { description: 'Human-readable reason.' }) reason!: string
  @Field(() => Int, { description: 'Units that the agent had at that time.' }) load!: number
}

@ObjectType({ simpleResolvers: true, description: 'An offer that was made in a queueing.' })
export class OfferTrace {
  @Field(() => ID) id!: string
  @Field(() => ID, { description: 'Id of the channel from whose queue it was made.' }) channelId!: string
  @Field(() => ID) userId!: string
  @Field(() => DateTime, { description: 'Time at which it was made.' }) madeAt!: Date
  @Field(() => DateTime, { description: 'Time at which it expires if nobody answers it.' }) until!: Date
  @Field(() => OfferOutcomeEnum, { nullable: true, description: 'End of the offer; null while it is pending.' })
  outcome!: OfferOutcome | null
  @Field(() => String, { nullable: true, description: 'As given by the agent who declined, or by the server.' })
  reason!: string | null
  @Field(() => DateTime, { nullable: true, description: 'Time at which it ended; null while it is pending.' })
  endedAt!: Date | null
}
