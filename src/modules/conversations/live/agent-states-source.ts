import { isAllowed } from '../../../platform/access/permissions.js'
import type { Context } from '../../../platform/context.js'
import { channelStream } from '../../../platform/events/event.js'
import { liveView, type LiveFeed, type LiveSource } from '../../../platform/events/live-feed.js'
import { readAgentsOf } from '../../staffing/agent-state.js'
import type { QueueEvents } from '../state/conversation-event-types.js'
import { ScreensChanges } from './latest-changes.js'
import { WatchedChannels } from './watched-channels.js'

/** Source of `agentStates`: who takes conversations in the channels that the caller may watch. */
export class AgentStatesSource implements LiveSource {
  readonly field = 'agentStates'
  readonly #watched = new WatchedChannels()
  readonly #changes = new ScreensChanges()

  async open(ctx: Context, args: Readonly<Record<string, unknown>>, isReopened = false): Promise<LiveFeed> {
    ctx.require('staff.list')
    const named = (args.channels ?? undefined) as string[] | undefined
    const channels = await this.#watched.of(ctx, named, isReopened)
    const ids = channels.map(({ id }) => id)
    return {
      streams: ids.map(channelStream),
      audience: `agent:${ctx.caller.organization}`,
      snapshot: async (sql) => ({ __typename: 'AgentStatesSnapshot', agents: await readAgentsOf(sql, ids) }),
      toEvent: agentView(ids, this.#changes),
      isStillAllowed: async (now) =>
        named ? this.#watched.areAllowedStill(now, channels) : isAllowed(now.caller, 'staff.list'),
      currentStreams: async (now) => (await this.#watched.of(now, named, true)).map(({ id }) => channelStream(id)),
    }
  }
}

/**
 * Shows what is in the streams of several channels on screen once, for the first of them. An agent who left one of the
 * channels stays on screen as a member of another one. What comes after a later change of the agent, by another stream, is left out.
 */
export function agentView(ids: readonly string[], screens: ScreensChanges): LiveFeed['toEvent'] {
  const watched = new Set(ids)
  const latest = screens.of(ids)
  // Events of the release before name no channels.
  const isFirst = (stream: string, channels: readonly string[] = []): boolean => {
    const first = channels.find((channel) => watched.has(channel))
    return first === undefined || channelStream(first) === stream
  }
  const isLatest = (user: string, version?: number): boolean => version === undefined || latest.note(user, version)
  return liveView<QueueEvents>({
    'queue.added': null,
    'queue.changed': null,
    'queue.removed': null,
    'agent.changed': ({ agent, channels, version }, stream) =>
      isFirst(stream, channels) && isLatest(agent.userId, version) ? { __typename: 'AgentStateChanged', agent } : null,
    'agent.removed': ({ user, from, channels, version }, stream) =>
      channels.some((channel) => watched.has(channel)) || !isFirst(stream, from) || !isLatest(user, version)
        ? null
        : { __typename: 'AgentStateRemoved', userId: user },
  })
}
