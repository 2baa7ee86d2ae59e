import { createUnionType, Field, ID, ObjectType, registerEnumType } from 'type-graphql'
import { StreamEvent } from '../conversations/live/stream-event.js'

export enum RecordChangeKind {
  CREATED = 'created',
  UPDATED = 'updated',
  DELETED = 'deleted',
}
registerEnumType(RecordChangeKind, {
  name: 'RecordChangeKind',
  description: 'Kinds of change of a record.',
  valuesConfig: {
    CREATED: { description: 'The record was created.' },
    UPDATED: { description: 'New values, or archived.' },
    DELETED: { description: 'The record was deleted.' },
  },
})

@ObjectType({
  implements: StreamEvent,
  simpleResolvers: true,
  description: 'The beginning: what was read before may be old.',
})
export class RecordChangesSnapshot extends StreamEvent {
  @Field(() => Boolean, { description: 'Whether events after `after` could not be replayed.' }) resync!: boolean
}

@ObjectType({
  implements: StreamEvent,
  simpleResolvers: true,
  description: 'A record changed: lists that show it are old.',
})
export class RecordChanged extends StreamEvent {
  @Field(() => String, {
    description: "Kind of the record, as in the names of webhooks' events, such as `label` or `slaPolicy`.",
  })
  record!: string
  @Field(() => ID, { description: 'Id of the record.' }) id!: string
  @Field(() => ID, { description: 'Organization that the record belongs to.' }) organization!: string
  @Field(() => RecordChangeKind, { description: 'Kind of the change.' }) change!: RecordChangeKind
}

export const RecordChangesEvent = createUnionType({
  name: 'RecordChangesEvent',
  description: "An event of the changes of administrators' records.",
  types: () => [RecordChangesSnapshot, RecordChanged] as const,
})
