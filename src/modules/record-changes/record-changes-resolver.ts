import { Arg, Authorized, Resolver, Root, Subscription } from 'type-graphql'
import { RecordChangesEvent } from './record-change-events.js'

@Resolver()
export class RecordChangesResolver {
  @Authorized('record.watch')
  @Subscription(() => RecordChangesEvent, {
    // Delivered by `realtime/`, which executes the field with the event as its root.
    subscribe: (): never => {
      throw new Error('subscriptions are delivered by the socket server')
    },
    description:
      "Tells which records that administrators set up change, such as channels, labels and users: the caller's organization's, and those of the " +
      'organizations below it (the first 100, from the top). It says what changed and not how: whoever shows a list of them asks for it again.',
  })
  recordChanges(
    @Root() root: { recordChanges: typeof RecordChangesEvent },
    @Arg('after', () => String, {
      nullable: true,
      description: 'Cursor of the last event received: replays later events instead of sending a snapshot.',
    })
    _after?: string | null,
  ): typeof RecordChangesEvent {
    return root.recordChanges
  }
}
