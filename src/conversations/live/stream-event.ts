import { Field, InterfaceType } from 'type-graphql'
import { DateTime } from '../../lists/scalars.js'

@InterfaceType({
  description: 'An event of a live subscription.',
})
export abstract class StreamEvent {
  @Field(() => String, { simple: true, description: 'Present it as `after` to go on from here.' })
  cursor!: string

  @Field(() => DateTime, { simple: true, description: 'When it happened.' })
  at!: Date
}
