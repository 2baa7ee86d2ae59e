import { Field, ID, Int, ObjectType } from 'type-graphql'
import { TenantEntity } from '../db/tenancy.js'
import { DateTime } from './scalars.js'

/** The columns that every record of an organization shows. */
@ObjectType()
export abstract class TenantRecord extends TenantEntity {
  @Field(() => ID, { simple: true })
  declare id: string

  @Field(() => ID, { simple: true, description: 'Owning organization.' })
  declare organizationId: string

  @Field(() => DateTime, { simple: true })
  declare createdAt: Date

  @Field(() => DateTime, { simple: true })
  declare updatedAt: Date

  @Field(() => Int, { simple: true })
  declare version: number
}
