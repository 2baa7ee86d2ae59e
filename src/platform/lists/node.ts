import { Field, ID, InterfaceType } from 'type-graphql'

@InterfaceType({ description: 'A record with an id of its own, by which `node` finds it (Relay).' })
export abstract class Node {
  @Field(() => ID, { simple: true })
  id!: string
}
