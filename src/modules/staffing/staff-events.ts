import type { Context } from '../../platform/context.js'
import { channelStream, newEvent, organizationStream, userStream } from '../../platform/events/event.js'
import type { WriteTx } from '../../platform/events/transact.js'
import type { AgentState } from './agent-state.js'
import type { Availability } from './availability.js'

type Times = 'since' | 'wrapUpUntil'

/** Orders what is told of one agent in several streams, which have no order among themselves. Absent in events of an earlier release. */
interface Ordered {
  version?: number
}

/** An agent's state as of a change, in the stream of the user and of each channel that it is a member of. */
export interface AgentEvents {
  /** `channels`: those in whose streams it is, with the same data. */
  'agent.changed': { agent: Omit<AgentState, Times> & Record<Times, string | null>; channels: string[] } & Ordered
}

export interface ChannelAgentEvents extends AgentEvents {
  /** The user is no member of those of `from` any more, in whose streams it is, but of `channels`. */
  'agent.removed': { user: string; from: string[]; channels: string[] } & Ordered
}

declare module '../../platform/events/event.js' {
  interface EventTypes extends ChannelAgentEvents {
    /** In the organization's stream: `id` is the user's. */
    'availability.changed': {
      id: string
      organization: string
      availability: Availability
      previous: Availability
      reason: string | null
      reasonCode: string | null
      since: string
    }
    'staff.updated': { id: string; organization: string; capacity: number; skills: string[] }
  }
}

/** Shows an agent's new state to its own screens and to those of its channels. Needs the lock of the staff row. */
export async function emitAgent(tx: WriteTx, agent: AgentState): Promise<void> {
  const { channels, version } = await placesOf(tx, agent.userId)
  showAgent(tx, agent, { channels, version, also: [userStream(agent.userId)] })
}

/** Adds the state to the streams of these channels. It is stored once, however many channels an agent has. */
export function showAgent(
  tx: WriteTx,
  agent: AgentState,
  { channels, version, also = [] }: AgentPlaces & { also?: readonly string[] },
): void {
  const { since, wrapUpUntil, ...rest } = agent
  const times = { since: since?.toISOString() ?? null, wrapUpUntil: wrapUpUntil?.toISOString() ?? null }
  const data = { agent: { ...rest, ...times }, channels, version }
  const streams = [...also, ...channels.map(channelStream)]
  tx.addEvents(streams.map((stream) => newEvent(stream, 'agent.changed', data, streams.length > 1 ? data : undefined)))
}

export interface AgentPlaces {
  channels: string[]
  version: number
}

/** Returns the channels that a user is a member of, and the number of the change that tells of it. Needs the lock of the user's state. */
export async function placesOf(tx: WriteTx, user: string): Promise<AgentPlaces> {
  const [row] = await tx.query<{ channels: string[]; version: string }>(
    `select array(select channel_id::text from channel_member where user_id = $1 order by channel_id) as channels,
       nextval('agent_change')::text as version`,
    [user],
  )
  return { channels: row!.channels, version: Number(row!.version) }
}

/** Says in the organization's stream that an agent's availability changed. */
export function emitAvailability(
  tx: WriteTx,
  ctx: Context,
  { organization, previous, agent }: { organization: string; previous: Availability; agent: AgentState },
): void {
  const { userId: id, availability, reason, reasonCodeId, since } = agent
  tx.emit(organizationStream(organization), 'availability.changed', {
    id,
    organization,
    availability,
    previous,
    reason,
    reasonCode: reasonCodeId,
    since: (since ?? ctx.now()).toISOString(),
  })
}
