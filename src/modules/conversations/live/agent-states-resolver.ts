import { Arg, Authorized, Ctx, ID, Query, Resolver, Root, Subscription } from 'type-graphql'
import type { Context } from '../../../platform/context.js'
import { AgentState, readAgentsOf } from '../../staffing/agent-state.js'
import { AgentStatesEvent } from './agent-events.js'
import { WatchedChannels } from './watched-channels.js'

const CHANNELS = {
  nullable: true,
  description: 'All that the caller is a member of by default. Administrators may name any of their organizations.',
} as const

@Resolver()
export class AgentStatesResolver {
  readonly #watched = new WatchedChannels()

  @Authorized('staff.list')
  @Query(() => [AgentState], {
    name: 'agentStates',
    description: 'The states of the members of channels, each once, in the order of the ids of the users.',
  })
  async states(
    @Ctx() ctx: Context,
    @Arg('channels', () => [ID], CHANNELS) channels?: string[] | null,
  ): Promise<AgentState[]> {
    const watched = await this.#watched.of(ctx, channels)
    return readAgentsOf(
      ctx.reads,
      watched.map(({ id }) => id),
    )
  }

  @Authorized('staff.list')
  @Subscription(() => AgentStatesEvent, {
    name: 'agentStates',
    subscribe: (): never => {
      throw new Error('subscriptions are delivered by the socket server')
    },
    description: 'The states of the members of channels, and their changes. `load` is counted when the event is sent.',
  })
  changes(
    @Root() root: { agentStates: typeof AgentStatesEvent },
    @Arg('channels', () => [ID], CHANNELS) _channels?: string[] | null,
    @Arg('after', () => String, {
      nullable: true,
      description: 'Cursor of the last event received: replays later events instead of sending a snapshot.',
    })
    _after?: string | null,
  ): typeof AgentStatesEvent {
    return root.agentStates
  }
}
