import { Entity, Property } from '@mikro-orm/decorators/legacy'
import { Field, ID, InputType, Int, ObjectType } from 'type-graphql'
import { Node } from '../../platform/lists/node.js'
import { DateTime } from '../../platform/lists/scalars.js'
import { TenantRecord } from '../../platform/lists/tenant-record.js'
import { IfVersion } from '../../platform/lists/record-version.js'

const NAME = 'Not blank, at most 40 characters; unique among the labels in use of the organization, ignoring case.'
const HUE = 'Hue of its dot on screens, in degrees from 0 to 359.'

@Entity({ tableName: 'label' })
@ObjectType({
  implements: Node,
  simpleResolvers: true,
  description: 'A label that agents put on conversations, of which several may be on one.',
})
export class Label extends TenantRecord {
  @Property({ type: 'text' })
  @Field(() => String, { description: NAME })
  name!: string

  @Property({ type: 'integer' })
  @Field(() => Int, { description: HUE })
  hue!: number

  @Property({ type: 'datetime', nullable: true })
  @Field(() => DateTime, {
    nullable: true,
    description: 'Time at which it was archived: it stays on conversations, and is put on no more. Null: in use.',
  })
  archivedAt!: Date | null
}

@InputType({ description: 'A new label.' })
export class CreateLabelInput {
  @Field(() => String, { description: NAME })
  name!: string

  @Field(() => Int, { nullable: true, description: `${HUE} By default one that is far from the others.` })
  hue?: number | null

  @Field(() => ID, { nullable: true, description: "Defaults to the caller's organization." })
  organization?: string | null
}

@InputType({ description: 'Only the given keys change.' })
export class UpdateLabelInput {
  @IfVersion() ifVersion?: number | null

  @Field(() => String, { nullable: true, description: NAME })
  name?: string | null

  @Field(() => Int, { nullable: true, description: HUE })
  hue?: number | null
}
