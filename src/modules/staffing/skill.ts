import { Entity, Property } from '@mikro-orm/decorators/legacy'
import { Field, ID, InputType, ObjectType } from 'type-graphql'
import { Node } from '../../platform/lists/node.js'
import { TenantRecord } from '../../platform/lists/tenant-record.js'
import { IfVersion } from '../../platform/lists/record-version.js'

const NAME = 'Not blank, at most 200 characters; unique in the organization, ignoring case.'

@Entity({ tableName: 'skill' })
@ObjectType({
  implements: Node,
  simpleResolvers: true,
  description: 'Ability of agents, such as a language or a product, which rules may require.',
})
export class Skill extends TenantRecord {
  @Property({ type: 'text' })
  @Field(() => String, { description: NAME })
  name!: string
}

@InputType({ description: 'Only the given keys change.' })
export class UpdateSkillInput {
  @IfVersion() ifVersion?: number | null

  @Field(() => String, { nullable: true, description: NAME })
  name?: string | null
}

@InputType({ description: 'A new skill.' })
export class CreateSkillInput {
  @Field(() => String, { description: NAME })
  name!: string

  @Field(() => ID, { nullable: true, description: "Defaults to the caller's organization." })
  organization?: string | null
}
