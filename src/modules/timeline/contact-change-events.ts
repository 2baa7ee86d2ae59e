import { createUnionType, Field, ID, ObjectType } from 'type-graphql'
import { StreamEvent } from '../conversations/live/stream-event.js'
import { RecordChangeKind } from '../record-changes/record-change-events.js'

@ObjectType({
  implements: StreamEvent,
  simpleResolvers: true,
  description: 'The beginning: what was read of the contact before may be old.',
})
export class ContactChangesSnapshot extends StreamEvent {
  @Field(() => Boolean, { description: 'Whether events after `after` could not be replayed.' }) resync!: boolean
}

@ObjectType({
  implements: StreamEvent,
  simpleResolvers: true,
  description: 'The contact, or a note of it, changed: ask for it again.',
})
export class ContactChanged extends StreamEvent {
  @Field(() => ID, { description: 'The contact: the one that is watched, or one that is the same person by a merge.' })
  contactId!: string

  @Field(() => ID, { nullable: true, description: 'Id of the note that changed; null if it is the contact itself.' })
  noteId!: string | null

  @Field(() => RecordChangeKind, { description: 'Kind of the change.' })
  change!: RecordChangeKind
}

export const ContactChangesEvent = createUnionType({
  name: 'ContactChangesEvent',
  description: 'An event of the changes of a contact.',
  types: () => [ContactChangesSnapshot, ContactChanged] as const,
})
