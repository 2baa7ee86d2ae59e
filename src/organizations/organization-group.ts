import { Entity, Property } from '@mikro-orm/decorators/legacy'
import { Field, ID, ObjectType } from 'type-graphql'
import { TenantEntity } from '../db/tenancy.js'
import { TextArray } from '../db/text-array.js'
import { DateTime } from '../lists/scalars.js'
import { Node } from '../lists/node.js'

@Entity({ tableName: 'organization_group' })
@ObjectType({
  implements: Node,
  simpleResolvers: true,
  description: 'A named group of organizations, which works like a tag. An organization can be in several (2.5).',
})
export class OrganizationGroup extends TenantEntity {
  @Field(() => ID)
  declare id: string

  @Field(() => ID, { description: 'Owning organization.' })
  declare organizationId: string

  @Property({ type: 'text' })
  @Field(() => String)
  name!: string

  /** Ids of organizations. */
  @Property({ type: TextArray })
  members!: string[]

  @Field(() => DateTime)
  declare createdAt: Date

  @Field(() => DateTime)
  declare updatedAt: Date
}
