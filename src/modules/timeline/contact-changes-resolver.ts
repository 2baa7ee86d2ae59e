import { Arg, Authorized, ID, Resolver, Root, Subscription } from 'type-graphql'
import { ContactChangesEvent } from './contact-change-events.js'

@Resolver()
export class ContactChangesResolver {
  @Authorized('contact.watch')
  @Subscription(() => ContactChangesEvent, {
    // Delivered by `realtime/`, which executes the field with the event as its root.
    subscribe: (): never => {
      throw new Error('subscriptions are delivered by the socket server')
    },
    description:
      'Tells when a contact that the caller sees, or a note of it, changes; also of contacts that are the same person by a merge. It says what ' +
      'changed and not how: whoever shows it asks again.',
  })
  contactChanges(
    @Root() root: { contactChanges: typeof ContactChangesEvent },
    @Arg('contact', () => ID) _contact: string,
    @Arg('after', () => String, {
      nullable: true,
      description: 'Cursor of the last event received: replays later events instead of sending a snapshot.',
    })
    _after?: string | null,
  ): typeof ContactChangesEvent {
    return root.contactChanges
  }
}
