import { Field, Int, ObjectType } from 'type-graphql'
import { DateTime } from '../../../platform/lists/scalars.js'

@ObjectType({
  simpleResolvers: true,
  description:
    "A waiting consumer's place in line. It says nothing of others but their number. Each value replaces the one before.",
})
export class QueuePlace {
  @Field(() => Int, {
    nullable: true,
    description:
      'Number in line, from 1, of those who wait in the same channels: by urgency, what is due next, and time of queueing. ' +
      'Null unless one of the channels tells places (`ChannelAssignment.tellPlace`).',
  })
  position!: number | null

  @Field(() => Int, {
    nullable: true,
    description:
      'Expected wait in seconds, rounded up to 30: the median time between recent accepts in these channels, times the ' +
      'position. Null if there were fewer than 6 in the last 2 hours, while none of the agents is online, and while the ' +
      'schedule is closed.',
  })
  waitSeconds!: number | null

  @Field(() => DateTime, {
    nullable: true,
    description: 'Time at which the schedule of the conversation opens next; null while it is open, and without one.',
  })
  opensAt!: string | null
}

export const isSamePlace = (one: QueuePlace | null, other: QueuePlace | null): boolean =>
  one?.position === other?.position && one?.waitSeconds === other?.waitSeconds && one?.opensAt === other?.opensAt
