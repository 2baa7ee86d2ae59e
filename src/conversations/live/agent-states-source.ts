import { isAllowed } from '../../access/permissions.js'
import type { Context } from '../../context.js'
import { channelStream } from '../../events/event.js'
import { liveView, type LiveFeed, type LiveSource } from '../../events/live-feed.js'
import { readAgentsOf } from '../../staffing/agent-state.js'
import type { QueueEvents } from '../writing/conversation-event-types.js'
import { WatchedChannels } from './watched-channels.js'

/** Source of `agentStates`: who takes conversations in the channels that the caller may watch. */
export class AgentStatesSource implements LiveSource {
  readonly field = 'agentStates'
  readonly #watched = new WatchedChannels()

  async open(ctx: Context, args: Readonly<Record<string, unknown>>): Promise<LiveFeed> {
    ctx.require('staff.list')
    const named = (args.channels ?? undefined) as string[] | undefined
    const channels = named ? await this.#watched.named(ctx, named) : await this.#watched.own(ctx)
    const ids = channels.map(({ id }) => id)
    return {
      streams: ids.map(channelStream),
      audience: `agent:${ctx.caller.organization}`,
      snapshot: async (sql) => ({ __typename: 'AgentStatesSnapshot', agents: await readAgentsOf(sql, ids) }),
      toEvent,
      isStillAllowed: async (now) =>
        named ? this.#watched.areAllowedStill(now, channels) : isAllowed(now.caller, 'staff.list'),
      ...(!named && {
        currentStreams: async (now) => (await this.#watched.own(now)).map(({ id }) => channelStream(id)),
      }),
    }
  }
}

const toEvent = liveView<QueueEvents>({
  'queue.added': null,
  'queue.changed': null,
  'queue.removed': null,
  'agent.changed': ({ agent }) => ({ __typename: 'AgentStateChanged', agent }),
})
