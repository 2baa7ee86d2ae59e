import type { Context } from '../context.js'
import { channelStream, organizationStream, userStream } from '../events/event.js'
import type { WriteTx } from '../events/transact.js'
import type { AgentState } from './agent-state.js'
import type { Availability } from './availability.js'

/** An agent's state as of a change, in the stream of the user and of each channel that it is a member of. */
export interface AgentEvents {
  'agent.changed': { agent: Omit<AgentState, 'since'> & { since: string | null } }
}

declare module '../events/event.js' {
  interface EventTypes extends AgentEvents {
    /** In the organization's stream: `id` is the user's. */
    'availability.changed': {
      id: string
      organization: string
      availability: Availability
      previous: Availability
      reason: string | null
      since: string
    }
    'staff.updated': { id: string; organization: string; capacity: number; skills: string[] }
  }
}

/** Number of channels whose streams show a change at once; screens read the members of further ones again. */
const CHANNELS_MAX = 200

/** Shows an agent's new state to its own screens and to those of its channels. */
export async function emitAgent(tx: WriteTx, { since, ...agent }: AgentState): Promise<void> {
  const channels = await tx.query<{ id: string }>(
    'select channel_id as id from channel_member where user_id = $1 order by channel_id limit $2',
    [agent.userId, CHANNELS_MAX],
  )
  const data = { agent: { ...agent, since: since?.toISOString() ?? null } }
  for (const stream of [userStream(agent.userId), ...channels.map(({ id }) => channelStream(id))])
    tx.emit(stream, 'agent.changed', data)
}

/** Says in the organization's stream that an agent's availability changed. */
export function emitAvailability(
  tx: WriteTx,
  ctx: Context,
  { organization, previous, agent }: { organization: string; previous: Availability; agent: AgentState },
): void {
  const { userId: id, availability, reason, since } = agent
  tx.emit(organizationStream(organization), 'availability.changed', {
    id,
    organization,
    availability,
    previous,
    reason,
    since: (since ?? ctx.now()).toISOString(),
  })
}
