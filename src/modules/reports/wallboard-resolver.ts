import { Arg, Authorized, ID, Resolver, Root, Subscription } from 'type-graphql'
import { WallboardSnapshot } from './wallboard-snapshot.js'

@Resolver()
export class WallboardResolver {
  @Authorized('wallboard.watch')
  @Subscription(() => WallboardSnapshot, {
    // Delivered by `realtime/`, which executes the field with the event as its root.
    subscribe: (): never => {
      throw new Error('subscriptions are delivered by the socket server')
    },
    description:
      'Waiting conversations of channels and their agents: the whole state at once, and every second. For administrators, and supervisors ' +
      'of the channels. Watching does not make a channel online.',
  })
  wallboard(
    @Root() root: { wallboard: WallboardSnapshot },
    @Arg('channels', () => [ID], {
      nullable: true,
      description: 'By default all channels that the caller may watch, as of the beginning of the subscription.',
    })
    _channels?: string[] | null,
    @Arg('after', () => String, {
      nullable: true,
      description: 'As with other subscriptions; nothing is replayed, since the next event has the whole state.',
    })
    _after?: string | null,
  ): WallboardSnapshot {
    return root.wallboard
  }
}
