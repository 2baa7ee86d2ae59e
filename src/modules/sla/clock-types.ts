import { Field, Float, ID, Int, ObjectType } from 'type-graphql'
import { graphqlEnum } from '../../platform/lists/graphql-enum.js'
import { DateTime } from '../../platform/lists/scalars.js'
import { ClockKindEnum, type ClockKind } from './clock-kind.js'
import type { ClockState } from './sla-clock.js'

export const ClockStateEnum = graphqlEnum('ClockState', 'State of a clock of an SLA policy.', {
  RUNNING: ['running', 'It counts, and is due at `dueAt`.'],
  PAUSED: ['paused', 'It does not count for now: the conversation is answered.'],
  MET: ['met', 'It stopped in time.'],
  BREACHED: ['breached', 'It was not stopped in time. `endedAt` is null until it is.'],
  CANCELLED: ['cancelled', 'It ended without a result, as the consumer was blocked or the conversation merged.'],
})

@ObjectType('SlaClock', {
  simpleResolvers: true,
  description: 'A clock of a conversation, with the target of the SLA policy that applies.',
})
export class SlaClockObject {
  @Field(() => ID, { description: 'Unique among the clocks of all conversations.' }) id!: string
  @Field(() => ClockKindEnum, { description: 'Time that it measures.' }) clock!: ClockKind
  @Field(() => ClockStateEnum, { description: 'Whether it runs, was met, or missed its target.' }) state!: ClockState
  @Field(() => DateTime, { description: 'Time at which it started.' }) startedAt!: string
  @Field(() => DateTime, {
    nullable: true,
    description:
      'Time at which the target is missed; null while it is paused, and if its schedule does not open that long.',
  })
  dueAt!: string | null
  @Field(() => DateTime, { nullable: true, description: 'Time of the warning; null before it, and without one.' })
  warnedAt!: string | null
  @Field(() => DateTime, { nullable: true, description: 'The due time that passed; null if none did.' })
  breachedAt!: string | null
  @Field(() => DateTime, { nullable: true, description: 'Time at which it stopped; null before.' })
  endedAt!: string | null
  @Field(() => Float, { description: 'Open seconds counted until it was paused or stopped last.' })
  usedSeconds!: number
  @Field(() => ID, { description: 'Id of the SLA policy, which may be deleted.' }) policyId!: string
  @Field(() => Int, { description: 'Version of the policy by which it counts.' }) policyVersion!: number
  @Field(() => Int, { nullable: true, description: "Version of the policy's schedule; null without one." })
  scheduleVersion!: number | null
}
