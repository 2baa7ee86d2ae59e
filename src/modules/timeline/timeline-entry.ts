import { ArgsType, Field, ID, Int, ObjectType } from 'type-graphql'
import { BadUserInput } from '../../platform/errors.js'
import { connectionType } from '../../platform/lists/connection.js'
import { graphqlEnum } from '../../platform/lists/graphql-enum.js'
import { DateTime } from '../../platform/lists/scalars.js'
import type { FormResult } from '../forms/active-form.js'
import { FormResultObject } from '../forms/form-result.js'
import { TouchpointEnum } from '../touchpoint-enum.js'
import type { Touchpoint } from '../touchpoint-traits.js'

export const TimelineKindEnum = graphqlEnum('TimelineKind', 'Kinds of entries in the timeline of a contact.', {
  BEGUN: ['begun', 'A conversation began: `users` are those who had it until it was closed.'],
  CLOSED: ['closed', 'A conversation was closed: `users` are those who had it since it began or was reopened.'],
  REOPENED: ['reopened', 'A closed conversation went on: `users` are those who had it until it was closed again.'],
  NOTE: ['note', 'An agent noted something about the contact: `note`.'],
  MERGE: ['merge', 'A user merged `conversation` into the conversation `into`, and with it their contacts.'],
  FORM: ['form', 'A form was filled in and submitted in a conversation: `form`.'],
  RATING: ['rating', 'The contact rated a case: `rating`.'],
  CHANGE: ['change', 'Fields of the contact were changed: their names are `fields`.'],
})
export type TimelineKind = (typeof TimelineKindEnum)[keyof typeof TimelineKindEnum]
export const TIMELINE_KINDS = Object.values(TimelineKindEnum)

@ObjectType({
  simpleResolvers: true,
  description: 'Something that happened with a contact, by `kind`; what does not belong to the kind is null or empty.',
})
export class TimelineEntry {
  @Field(() => String, { description: 'Name of the entry in timelines: it is the same on every reading.' })
  key!: string

  @Field(() => TimelineKindEnum, { description: 'Kind of the entry, which says what else it has.' })
  kind!: TimelineKind

  @Field(() => DateTime, { description: 'Time at which it happened.' })
  at!: Date

  @Field(() => ID, {
    description: 'The contact with whom it happened: this one, or one that is the same person by a merge.',
  })
  contactId!: string

  @Field(() => ID, { nullable: true, description: 'Id of the conversation in which it happened; null for others.' })
  conversationId!: string | null

  @Field(() => ID, {
    nullable: true,
    description: 'Id of the conversation that has the messages since a merge; null for other kinds.',
  })
  intoId!: string | null

  @Field(() => TouchpointEnum, { nullable: true, description: 'Touchpoint of the conversation.' })
  touchpoint!: Touchpoint | null

  @Field(() => [ID], { description: 'Ids of the channels in whose queues the conversation was.' })
  channelIds!: string[]

  @Field(() => [ID], {
    description:
      'Ids of the users who did it, or who had the conversation, the last of them first. They may be deleted.',
  })
  userIds!: string[]

  @Field(() => Boolean, { description: 'Whether the contact did it itself.' })
  isByContact!: boolean

  @Field(() => FormResultObject, { nullable: true, description: 'The form that was filled in.' })
  form!: FormResult | null

  @Field(() => [String], {
    description:
      'Names of the fields that were changed, such as `profile.email`, `meta.tier` and `status`, without their values.',
  })
  fields!: string[]

  @Field(() => ID, { nullable: true, description: 'Id of the note; null for other kinds.' })
  noteId!: string | null

  @Field(() => ID, { nullable: true, description: 'Id of the rating; null for other kinds.' })
  ratingId!: string | null
}

export const TIMELINE_PAGE_MAX = 50
const PAGE_DEFAULT = 30

@ArgsType()
export class TimelineArgs {
  @Field(() => Int, {
    nullable: true,
    description: `Page length, at most ${TIMELINE_PAGE_MAX}; ${PAGE_DEFAULT} by default.`,
  })
  first?: number | null

  @Field(() => String, { nullable: true, description: 'Returns only entries after this cursor: earlier ones.' })
  after?: string | null

  @Field(() => Int, {
    nullable: true,
    description: `Page length from the end, at most ${TIMELINE_PAGE_MAX}: with \`before\`, the entries next to the cursor.`,
  })
  last?: number | null

  @Field(() => String, {
    nullable: true,
    description: 'Returns only entries before this cursor: what happened since, for whoever comes back.',
  })
  before?: string | null

  @Field(() => [TimelineKindEnum], { nullable: true, description: 'Kinds to return; all of them by default.' })
  kinds?: TimelineKind[] | null
}

/** @throws BadUserInput */
export function pageLengthOf({ first, last }: TimelineArgs): number {
  if (first != null && last != null) throw new BadUserInput('last', 'first and last cannot both be given')
  const [field, length] = last == null ? (['first', first ?? PAGE_DEFAULT] as const) : (['last', last] as const)
  if (length >= 1 && length <= TIMELINE_PAGE_MAX) return length
  throw new BadUserInput(field, `${field} must be from 1 to ${TIMELINE_PAGE_MAX}, not ${length}`)
}

export const TimelineEntryConnection = connectionType('TimelineEntry', () => TimelineEntry)
