import { Entity, Property } from '@mikro-orm/decorators/legacy'
import { Field, ID, InputType, ObjectType } from 'type-graphql'
import { TenantEntity } from '../db/tenancy.js'
import { connectionType, orderInput, OrderDirection } from '../lists/connection.js'
import { filterInput, type FilterFields } from '../lists/filters.js'
import type { ListDefinition } from '../lists/list-page.js'
import { DateTime } from '../lists/scalars.js'

@Entity({ tableName: 'channel' })
@ObjectType({ simpleResolvers: true, description: 'A queue of agents: rules notify it, its members hear it (2.6).' })
export class Channel extends TenantEntity {
  @Field(() => ID)
  declare id: string

  @Field(() => ID)
  declare organizationId: string

  @Property({ type: 'text' })
  @Field(() => String)
  name!: string

  @Property({ type: 'text' })
  @Field(() => String, { description: 'Only `active` so far (3.3).' })
  status!: string

  @Field(() => DateTime)
  declare createdAt: Date

  @Field(() => DateTime)
  declare updatedAt: Date
}

@InputType()
export class ChannelMemberInput {
  @Field(() => ID)
  user!: string
}

@InputType({ description: 'A new channel (4.4).' })
export class CreateChannelInput {
  @Field(() => String)
  name!: string

  @Field(() => ID, { nullable: true, description: "The caller's organization when absent." })
  organization?: string | null

  @Field(() => [ChannelMemberInput], { nullable: true })
  members?: ChannelMemberInput[] | null
}

@InputType({ description: 'Only the given keys change.' })
export class UpdateChannelInput {
  @Field(() => String, { nullable: true })
  name?: string

  @Field(() => [ChannelMemberInput], { nullable: true, description: 'Replaces all members.' })
  members?: ChannelMemberInput[]
}

const fields: FilterFields = {
  id: { kind: 'id', sql: 't.id', sortable: true },
  organization: { kind: 'id', sql: 't.organization_id' },
  name: { kind: 'text', sql: 't.name', sortable: true },
  status: { kind: 'text', sql: 't.status', sortable: true },
  members: {
    kind: 'nested',
    name: 'ChannelMemberFilter',
    sql: 'exists (select 1 from channel_member m where m.channel_id = t.id and {})',
    fields: { user: { kind: 'id', sql: 'm.user_id' } },
  },
  createdAt: { kind: 'time', sql: 't.created_at', sortable: true },
  updatedAt: { kind: 'time', sql: 't.updated_at', sortable: true },
}

export const channelList: ListDefinition = {
  table: 'channel',
  fields,
  defaultOrder: [{ field: 'id', direction: OrderDirection.ASC }],
}
export const ChannelFilter = filterInput('ChannelFilter', fields)
export const ChannelOrder = orderInput('Channel', fields)
export const ChannelConnection = connectionType('Channel', () => Channel)
