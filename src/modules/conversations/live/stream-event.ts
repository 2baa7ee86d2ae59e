import { Field, InterfaceType } from 'type-graphql'
import { DateTime } from '../../../platform/lists/scalars.js'

/** Describes the entries of a snapshot that may be split into pages. */
export const FIRST_PAGE = 'With `pageSize`, only the first page; the events that follow carry the rest.'

@InterfaceType({
  description: 'An event of a live subscription.',
})
export abstract class StreamEvent {
  @Field(() => String, { simple: true, description: 'Cursor to resume after this event, by `after`.' })
  cursor!: string

  @Field(() => DateTime, { simple: true, description: 'Time of the event.' })
  at!: Date

  @Field(() => Boolean, {
    simple: true,
    description:
      'Whether the event is stored. Then one with the cursor of the event before it is that event again. Others have the ' +
      'cursor of what was stored last: snapshots and their parts, and what is of the moment, such as typing or a place in line.',
  })
  isStored!: boolean
}
