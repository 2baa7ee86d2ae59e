import { Field, Float, ID, Int, ObjectType } from 'type-graphql'
import type { LiveEvent } from '../../platform/events/live-feed.js'
import { DateTime } from '../../platform/lists/scalars.js'
import { StreamEvent } from '../conversations/live/stream-event.js'
import { AvailabilityEnum, type Availability } from '../staffing/availability.js'
import { standing, StandingEnum, type Standing } from '../staffing/standing.js'
import type { WallboardState } from './wallboard-state.js'
import { todayIn } from './wallboard-today.js'

@ObjectType({ simpleResolvers: true, description: 'A channel on a wallboard.' })
export class WallboardChannel {
  @Field(() => ID) id!: string
  @Field(() => String) name!: string
  @Field(() => Boolean, { description: 'Whether one of its members is subscribed to its queue.' }) isOnline!: boolean
  @Field(() => Int, { description: 'Members who are subscribed to its queue.' }) online!: number
  @Field(() => Int, { description: 'Conversations in its queue.' }) waiting!: number
  @Field(() => Int, { description: 'Offers from its queue that are pending.' }) offers!: number
  @Field(() => DateTime, { nullable: true, description: 'Since when the longest of them waits.' })
  waitingSince!: string | null
  @Field(() => Int, { description: 'Active conversations that came from it.' }) active!: number
  @Field(() => Int, { description: 'Open conversations of which a clock warns, and none is past its due time.' })
  atRisk!: number
  @Field(() => Int, { description: 'Open conversations of which a clock is past its due time.' }) breached!: number
  @Field(() => DateTime, { nullable: true, description: 'Due time that passed first.' }) overdueSince!: string | null
  @Field(() => Int, { description: 'Conversations that agents took from the queue today: `HANDLED` of reports.' })
  handledToday!: number
  @Field(() => Int, { description: 'Conversations that left the queue without an agent today: `ABANDONED`.' })
  abandonedToday!: number
  @Field(() => Float, {
    nullable: true,
    description: 'The `share` of `SERVICE_LEVEL` of today, from 0 to 1; null before anything was decided.',
  })
  serviceLevelToday!: number | null
}

@ObjectType({ simpleResolvers: true, description: 'A member of a channel on a wallboard.' })
export class WallboardAgent {
  @Field(() => ID) id!: string
  @Field(() => String) name!: string
  @Field(() => Boolean, {
    description: 'Whether the agent is subscribed to the queue of one of the channels of which it is a member.',
  })
  isOnline!: boolean
  @Field(() => AvailabilityEnum, { description: 'Whether the agent takes offers.' }) availability!: Availability
  @Field(() => String, {
    nullable: true,
    description: 'The name of the reason code of the state, or the reason in words.',
  })
  reason!: string | null
  @Field(() => Int, { description: 'Offers to the agent that are pending.' }) offers!: number
  @Field(() => StandingEnum, { description: 'Availability and connection in one word; here never `FULL`.' })
  standing!: Standing
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
  @Field(() => Int, { description: 'Offers from the queues of the channels that are pending.' }) offers!: number
  @Field(() => Int, { description: 'Active conversations that came from any of the channels.' }) active!: number
  @Field(() => Int, { description: 'Agents of the list who are online.' }) online!: number
  @Field(() => Int, { description: 'Open conversations of which a clock warns, and none is past its due time.' })
  atRisk!: number
  @Field(() => Int, { description: 'Open conversations of which a clock is past its due time.' }) breached!: number
  @Field(() => DateTime, { nullable: true, description: 'Due time that passed first.' }) overdueSince!: string | null
  @Field(() => DateTime, { description: "Beginning of today, in the time zone of the contact center's organization." })
  todaySince!: string
  @Field(() => Int, { description: 'Conversations that agents took from the queue today: `HANDLED` of reports.' })
  handledToday!: number
  @Field(() => Int, { description: 'Conversations that left the queue without an agent today: `ABANDONED`.' })
  abandonedToday!: number
  @Field(() => Float, {
    nullable: true,
    description: 'The `share` of `SERVICE_LEVEL` of today, from 0 to 1; null before anything was decided.',
  })
  serviceLevelToday!: number | null
  @Field(() => [WallboardChannel], { description: 'Channels that the caller may watch, by name.' })
  channels!: WallboardChannel[]
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
  const offersOf = (fits: (offer: WallboardState['offers'][number]) => boolean): number =>
    state.offers.reduce((sum, offer) => (fits(offer) ? sum + offer.count : sum), 0)
  const onlineIn = (fits: (channel: string) => boolean): number =>
    state.members.filter(({ online }) => online.some(fits)).length
  const waiting = total(state.waiting, isWatched)
  const channels = state.channels.filter(({ id }) => watched.has(id))
  return {
    __typename: 'WallboardSnapshot',
    waiting: waiting.count,
    waitingSince: waiting.since,
    offers: offersOf(({ channel }) => watched.has(channel)),
    active: total(state.active, isWatched).count,
    online: onlineIn((channel) => watched.has(channel)),
    ...late(isWatched),
    todaySince: state.today.since,
    ...todayIn(state.today, isWatched),
    channels: channels.map(({ id, name }): WallboardChannel => {
      const isOwn = (each: readonly string[]): boolean => each.includes(id)
      const own = total(state.waiting, isOwn)
      const online = onlineIn((channel) => channel === id)
      const offers = offersOf(({ channel }) => channel === id)
      const active = total(state.active, isOwn).count
      const presence = { isOnline: online > 0, online }
      const waits = { waiting: own.count, waitingSince: own.since }
      return { id, name, ...presence, ...waits, offers, active, ...late(isOwn), ...todayIn(state.today, isOwn) }
    }),
    agents: state.members
      .filter((member) => isWatched(member.channels))
      .map(({ user, name, online, availability, reason, active }): WallboardAgent => {
        const isOnline = online.some((channel) => watched.has(channel))
        // The load is not counted each second.
        const word = standing({ availability, isConnected: isOnline, load: 0, capacity: 1 })
        return {
          id: user,
          name,
          isOnline,
          availability,
          reason,
          standing: word,
          offers: offersOf((offer) => offer.user === user),
          active,
        }
      })
      .toSorted((one, other) => one.name.localeCompare(other.name, 'en') || (one.id < other.id ? -1 : 1)),
  }
}
