import { Entity, Property } from '@mikro-orm/decorators/legacy'
import { Field, ObjectType } from 'type-graphql'
import { TextArray } from '../../platform/db/text-array.js'
import { Node } from '../../platform/lists/node.js'
import { TenantRecord } from '../../platform/lists/tenant-record.js'

@Entity({ tableName: 'organization_group' })
@ObjectType({
  implements: Node,
  simpleResolvers: true,
  description: 'A named group of organizations, which works like a tag. An organization can be in several (2.5).',
})
export class OrganizationGroup extends TenantRecord {
  @Property({ type: 'text' })
  @Field(() => String)
  name!: string

  /** Ids of organizations. */
  @Property({ type: TextArray })
  members!: string[]
}
