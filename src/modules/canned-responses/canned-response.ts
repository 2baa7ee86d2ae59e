import { Entity, Property } from '@mikro-orm/decorators/legacy'
import { Field, ID, InputType, ObjectType } from 'type-graphql'
import { Node } from '../../platform/lists/node.js'
import { TenantRecord } from '../../platform/lists/tenant-record.js'
import { IfVersion } from '../../platform/lists/record-version.js'

const SHORTCUT =
  'Shortcut that agents type to find it: letters, digits, `-` and `_`, at most 40; unique in the organization.'
const TEXT = 'Not blank, at most 5000 characters. May contain placeholders such as `{{ givenName }}` (2.3).'

@Entity({ tableName: 'canned_response' })
@ObjectType({
  implements: Node,
  simpleResolvers: true,
  description:
    "A text that all agents of an organization insert by its shortcut, in addition to each agent's own (2.3).",
})
export class CannedResponse extends TenantRecord {
  @Property({ type: 'text' })
  @Field(() => String, { description: SHORTCUT })
  shortcut!: string

  @Property({ type: 'text' })
  @Field(() => String, { description: TEXT })
  text!: string
}

@InputType({ description: 'Only the given keys change.' })
export class UpdateCannedResponseInput {
  @IfVersion() ifVersion?: number | null

  @Field(() => String, { nullable: true, description: SHORTCUT })
  shortcut?: string | null

  @Field(() => String, { nullable: true, description: TEXT })
  text?: string | null
}

@InputType({ description: 'A new canned response.' })
export class CreateCannedResponseInput {
  @Field(() => String, { description: SHORTCUT })
  shortcut!: string

  @Field(() => String, { description: TEXT })
  text!: string

  @Field(() => ID, { nullable: true, description: "The caller's organization when absent." })
  organization?: string | null
}
