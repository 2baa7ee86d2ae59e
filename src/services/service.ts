import { Entity, Property } from '@mikro-orm/decorators/legacy'
import { Extensions, Field, ID, InputType, ObjectType } from 'type-graphql'
import type { LoaderDefinition } from '../context.js'
import type { JsonObject } from '../json.js'
import { rowsById } from '../lists/rows.js'
import { JsonObject as JsonObjectScalar } from '../lists/scalars.js'
import { Node } from '../lists/node.js'
import { TenantRecord } from '../lists/tenant-record.js'
import { graphqlEnum } from '../lists/graphql-enum.js'
import { ServiceSettingsInput } from './service-settings.js'

/**
 * Statuses that an administrator may set. The server sets others, such as `unverified` for a webhook whose address has
 * not completed the handshake yet.
 */
export const SETTABLE_STATUSES = ['active', 'inactive'] as const

export const ServiceStatusEnum = graphqlEnum('ServiceStatus', 'Status of an integration.', {
  ACTIVE: ['active', 'In use.'],
  INACTIVE: ['inactive', 'Switched off: nothing is sent or received.'],
  UNVERIFIED: ['unverified', 'A webhook whose address has not completed the handshake: nothing is delivered.'],
  FAILING: ['failing', 'A webhook whose deliveries fail: deliveries are attempted one at a time.'],
  PAUSED: ['paused', 'A webhook that has been failing for an hour: one delivery is attempted each hour.'],
})

const TYPE = 'The type of integration: `web`, `email`, `sms`, `messenger`, `webhook`, or a name of your own for others.'
const PARAMS =
  'Settings of the type: those of `settings` by name, anything for a type of your own. Texts under keys such as `secret`, `password` or `token` are write-only: reads return ' +
  '`********`, and an update with that value keeps the stored text.'

@Entity({ tableName: 'service' })
@ObjectType({
  implements: Node,
  simpleResolvers: true,
  description: 'An integration of an organization with an external system (2.11).',
})
export class Service extends TenantRecord {
  @Property({ type: 'text', nullable: true })
  @Field(() => String, { nullable: true })
  name!: string | null

  @Property({ type: 'text' })
  @Field(() => String, { description: TYPE })
  type!: string

  @Property({ type: 'json' })
  @Field(() => JsonObjectScalar, { description: PARAMS })
  params!: JsonObject

  @Property({ type: 'json', nullable: true })
  @Field(() => JsonObjectScalar, { nullable: true, description: 'Passed on to backend automations (2.12).' })
  meta!: JsonObject | null

  @Property({ type: 'text' })
  @Field(() => ServiceStatusEnum)
  status!: string
}

@InputType({ description: 'Changes of a service. Only the given keys change; `null` clears.' })
export class UpdateServiceInput {
  @Field(() => String, { nullable: true, description: 'At most 200 characters.' })
  name?: string | null

  @Field(() => String, { nullable: true, description: TYPE })
  type?: string | null

  @Field(() => JsonObjectScalar, { nullable: true, description: `Replaces all params (section 1, PATCH). ${PARAMS}` })
  params?: JsonObject | null

  @Extensions({ isGraphqlOnly: true })
  @Field(() => ServiceSettingsInput, {
    nullable: true,
    description: "The params, by the service's type; replaces all of them. In place of `params`.",
  })
  settings?: ServiceSettingsInput | null

  @Field(() => JsonObjectScalar, { nullable: true, description: "Replaces all except the system's keys (2.12)." })
  meta?: JsonObject | null

  @Field(() => ServiceStatusEnum, {
    nullable: true,
    description: '`ACTIVE` or `INACTIVE`; other values are set by the server.',
  })
  status?: string | null
}

@InputType({ description: 'A new service.' })
export class CreateServiceInput extends UpdateServiceInput {
  @Field(() => String, { description: TYPE })
  declare type: string

  @Field(() => ID, { nullable: true, description: "Defaults to the caller's organization." })
  organization?: string | null
}

@ObjectType({
  simpleResolvers: true,
  description: 'The part of a service that all participants of a conversation may see.',
})
export class ServiceProfile {
  @Field(() => ID)
  id!: string

  @Field(() => String, { nullable: true })
  name!: string | null

  @Field(() => String, { description: TYPE })
  type!: string
}

/** Referenced services, such as `message.service`: only administrators may see more of a service (section 5). */
export const serviceProfileLoader: LoaderDefinition<ServiceProfile> = {
  async load(ctx, ids) {
    const services = await rowsById<Service>(ctx, 'service', ids)
    return new Map(services.values().map(({ id, name, type }) => [id, { id, name, type }]))
  },
}
