import type { Context } from '../../platform/context.js'
import { channelStream, newEvent, organizationStream, userStream } from '../../platform/events/event.js'
import type { WriteTx } from '../../platform/events/transact.js'
import type { AgentState } from './agent-state.js'
import type { Availability } from './availability.js'

type Times = 'since' | 'wrapUpUntil'

/** An agent's state as of a change, in the stream of the user and of each channel that it is a member of. */
export interface AgentEvents {
  /** `channels`: those in whose streams it is, with the same data. */
  'agent.changed': { agent: Omit<AgentState, Times> & Record<Times, string | null>; channels: string[] }
}

export interface ChannelAgentEvents extends AgentEvents {
  /** The user is no member of those of `from` any more, in whose streams it is, but of `channels`. */
  'agent.removed': { user: string; from: string[]; channels: string[] }
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
  const channels = await channelsOf(tx, agent.userId)
  showAgent(tx, agent, channels, [userStream(agent.userId)])
}

/** Adds the state to the streams of these channels. It is stored once, however many channels an agent has. */
export function showAgent(tx: WriteTx, agent: AgentState, channels: string[], also: readonly string[] = []): void {
  const { since, wrapUpUntil, ...rest } = agent
  const times = { since: since?.toISOString() ?? null, wrapUpUntil: wrapUpUntil?.toISOString() ?? null }
  const data = { agent: { ...rest, ...times }, channels }
  const streams = [...also, ...channels.map(channelStream)]
  tx.addEvents(streams.map((stream) => newEvent(stream, 'agent.changed', data, streams.length > 1 ? data : undefined)))
}

/** The channels that a user is a member of. */
export async function channelsOf(tx: WriteTx, user: string): Promise<string[]> {
  const rows = await tx.query<{ id: string }>(
    'select channel_id as id from channel_member where user_id = $1 order by channel_id',
    [user],
  )
  return rows.map(({ id }) => id)
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
