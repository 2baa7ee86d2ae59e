import { Field, InterfaceType } from 'type-graphql'
import { DateTime } from '../../lists/scalars.js'

/** Of the entries of a snapshot. */
export const FIRST_PAGE = 'With `pageSize` the first so many, and the others in the events that follow.'

@InterfaceType({
  description: 'An event of a live subscription.',
})
export abstract class StreamEvent {
  @Field(() => String, { simple: true, description: 'Cursor to resume after this event, by `after`.' })
  cursor!: string

  @Field(() => DateTime, { simple: true, description: 'Time of the event.' })
  at!: Date
}
