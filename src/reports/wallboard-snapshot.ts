import { Field, ID, Int, ObjectType } from 'type-graphql'
import type { LiveEvent } from '../events/live-feed.js'
import { DateTime } from '../lists/scalars.js'
import { StreamEvent } from '../conversations/live/stream-event.js'
import { AvailabilityEnum, type Availability } from '../staffing/availability.js'
import type { WallboardState } from './wallboard-state.js'

@ObjectType({ simpleResolvers: true, description: 'A channel on a wallboard.' })
export class WallboardChannel {
  @Field(() => ID) id!: string
  @Field(() => String) name!: string
  @Field(() => Boolean, { description: 'Whether an agent is subscribed to its queue.' }) isOnline!: boolean
  @Field(() => Int, { description: 'Conversations in its queue.' }) waiting!: number
  @Field(() => DateTime, { nullable: true, description: 'Since when the longest of them waits.' })
  waitingSince!: string | null
  @Field(() => Int, { description: 'Active conversations that came from it.' }) active!: number
  @Field(() => Int, { description: 'Open conversations of which a clock warns, and none is past its due time.' })
  atRisk!: number
  @Field(() => Int, { description: 'Open conversations of which a clock is past its due time.' }) breached!: number
  @Field(() => DateTime, { nullable: true, description: 'Due time that passed first.' }) overdueSince!: string | null
}

@ObjectType({ simpleResolvers: true, description: 'A member of a channel on a wallboard.' })
export class WallboardAgent {
  @Field(() => ID) id!: string
  @Field(() => String) name!: string
  @Field(() => Boolean, { description: 'Whether the agent is subscribed to the queue of a channel.' })
  isOnline!: boolean
  @Field(() => AvailabilityEnum, { description: 'Whether the agent takes offers.' }) availability!: Availability
  @Field(() => Int, { description: 'Active conversations that the agent has accepted.' }) active!: number
}

@ObjectType({
  implements: StreamEvent,
  simpleResolvers: true,
  description: 'All that a wallboard shows. It replaces the one before it; none is stored.',
})
export class WallboardSnapshot extends StreamEvent {
  @Field(() => Int, { description: 'Conversations that wait in any of the channels, each counted once.' })
  waiting!: number
  @Field(() => DateTime, { nullable: true, description: 'Since when the longest of them waits.' })
  waitingSince!: string | null
  @Field(() => Int, { description: 'Active conversations that came from any of the channels.' }) active!: number
  @Field(() => Int, { description: 'Open conversations of which a clock warns, and none is past its due time.' })
  atRisk!: number
  @Field(() => Int, { description: 'Open conversations of which a clock is past its due time.' }) breached!: number
  @Field(() => DateTime, { nullable: true, description: 'Due time that passed first.' }) overdueSince!: string | null
  @Field(() => [WallboardChannel], { description: 'By name.' }) channels!: WallboardChannel[]
  @Field(() => [WallboardAgent], { description: 'Members of any of the channels, by name.' }) agents!: WallboardAgent[]
}

/** Returns what the wallboard of some channels shows. Pure: called once for all that show the same. */
export function wallboardSnapshot(state: WallboardState, watched: ReadonlySet<string>): LiveEvent {
  const isWatched = (channels: readonly string[]): boolean => channels.some((channel) => watched.has(channel))
  const total = (groups: WallboardState['waiting'], fits: (channels: readonly string[]) => boolean) => {
    const own = groups.filter(({ channels }) => fits(channels))
    const since = own.map((group) => group.since).filter((each) => each !== null)
    return { count: own.reduce((sum, { count }) => sum + count, 0), since: since.toSorted()[0] ?? null }
  }
  const late = (fits: (channels: readonly string[]) => boolean) => {
    const own = state.risks.filter(({ channels }) => fits(channels))
    const sum = (of: 'atRisk' | 'breached'): number => own.reduce((all, group) => all + group[of], 0)
    const since = own.map((group) => group.overdueSince).filter((each) => each !== null)
    return { atRisk: sum('atRisk'), breached: sum('breached'), overdueSince: since.toSorted()[0] ?? null }
  }
  const waiting = total(state.waiting, isWatched)
  const channels = state.channels.filter(({ id }) => watched.has(id))
  return {
    __typename: 'WallboardSnapshot',
    waiting: waiting.count,
    waitingSince: waiting.since,
    active: total(state.active, isWatched).count,
    ...late(isWatched),
    channels: channels.map(({ id, name, isOnline }): WallboardChannel => {
      const isOwn = (each: readonly string[]): boolean => each.includes(id)
      const own = total(state.waiting, isOwn)
      const active = total(state.active, isOwn).count
      return { id, name, isOnline, waiting: own.count, waitingSince: own.since, active, ...late(isOwn) }
    }),
    agents: state.members
      .filter((member) => isWatched(member.channels))
      .map(({ user, name, isOnline, availability, active }): WallboardAgent => {
        return { id: user, name, isOnline, availability, active }
      })
      .toSorted((one, other) => one.name.localeCompare(other.name, 'en') || (one.id < other.id ? -1 : 1)),
  }
}
