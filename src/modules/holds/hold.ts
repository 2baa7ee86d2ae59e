import { Entity, Property } from '@mikro-orm/decorators/legacy'
import { Field, ID, InputType, ObjectType } from 'type-graphql'
import { Node } from '../../platform/lists/node.js'
import { IfVersion } from '../../platform/lists/record-version.js'
import { DateTime } from '../../platform/lists/scalars.js'
import { TenantRecord } from '../../platform/lists/tenant-record.js'

const NAME = 'Not blank, at most 100 characters; told to administrators who are refused a deletion.'
const REASON =
  'Ground of the hold, at most 1000 characters; shown to administrators alone. It should name no consumer: it stays.'
const CONTACTS = 'Contacts that are kept, with all their conversations, also those that begin later. At most 1000.'
const CONVERSATIONS = 'Conversations that are kept, with those that they are merged into. At most 1000.'
const USERS = 'Users: kept is every conversation in which one of them takes part or has written. At most 1000.'
const FROM =
  'Beginning of a span of time: kept is every conversation of the organization and those below that was under way in it. Null beside `to`: since ever.'
const TO = 'End of the span, exclusive. Null beside `from`: without an end.'

@Entity({ tableName: 'hold' })
@ObjectType({
  implements: Node,
  simpleResolvers: true,
  description:
    'A legal hold of an organization and those below it: what it names is neither erased nor deleted until it is released. Each of ' +
    '`contacts`, `conversations`, `users` and the span of time holds by itself.',
})
export class Hold extends TenantRecord {
  @Property({ type: 'text' })
  @Field(() => String, { description: NAME })
  name!: string

  @Property({ type: 'text' })
  @Field(() => String, { description: REASON })
  reason!: string

  @Property({ type: 'uuid[]' })
  @Field(() => [ID], { description: CONTACTS })
  contacts!: string[]

  @Property({ type: 'uuid[]' })
  @Field(() => [ID], { description: CONVERSATIONS })
  conversations!: string[]

  @Property({ type: 'uuid[]' })
  @Field(() => [ID], { description: USERS })
  users!: string[]

  @Property({ type: 'datetime', nullable: true })
  @Field(() => DateTime, { nullable: true, description: FROM })
  from!: Date | null

  @Property({ type: 'datetime', nullable: true })
  @Field(() => DateTime, { nullable: true, description: TO })
  to!: Date | null

  @Property({ type: 'uuid', nullable: true })
  @Field(() => ID, { nullable: true, description: 'The user who made it.' })
  createdById!: string | null

  @Property({ type: 'datetime', nullable: true })
  @Field(() => DateTime, { nullable: true, description: 'Time at which it was released. Null: it holds.' })
  releasedAt!: Date | null

  @Property({ type: 'uuid', nullable: true })
  @Field(() => ID, { nullable: true, description: 'The user who released it.' })
  releasedById!: string | null
}

@InputType({ description: 'A new hold. It holds as soon as it is answered; something must be named.' })
export class CreateHoldInput {
  @Field(() => String, { description: NAME })
  name!: string

  @Field(() => String, { description: REASON })
  reason!: string

  @Field(() => [ID], { nullable: true, description: CONTACTS })
  contacts?: string[] | null

  @Field(() => [ID], { nullable: true, description: CONVERSATIONS })
  conversations?: string[] | null

  @Field(() => [ID], { nullable: true, description: USERS })
  users?: string[] | null

  @Field(() => DateTime, { nullable: true, description: FROM })
  from?: Date | null

  @Field(() => DateTime, { nullable: true, description: TO })
  to?: Date | null

  @Field(() => ID, { nullable: true, description: "Defaults to the caller's organization." })
  organization?: string | null
}

@InputType({ description: 'Only the given keys change. What a hold keeps stays: make another one for more.' })
export class UpdateHoldInput {
  @IfVersion() ifVersion?: number | null

  @Field(() => String, { nullable: true, description: NAME })
  name?: string | null

  @Field(() => String, { nullable: true, description: REASON })
  reason?: string | null
}

@ObjectType({
  simpleResolvers: true,
  description: 'A hold that keeps something, as it is named where that is refused.',
})
export class HoldName {
  @Field(() => ID)
  id!: string

  @Field(() => String)
  name!: string
}
