import { Entity, Property } from '@mikro-orm/decorators/legacy'
import { Extensions, Field, ID, InputType, ObjectType } from 'type-graphql'
import type { LoaderDefinition } from '../../platform/context.js'
import type { JsonObject } from '../../platform/json.js'
import { rowsById } from '../../platform/lists/rows.js'
import { JsonObject as JsonObjectScalar } from '../../platform/lists/scalars.js'
import { Node } from '../../platform/lists/node.js'
import { TenantRecord } from '../../platform/lists/tenant-record.js'
import { graphqlEnum } from '../../platform/lists/graphql-enum.js'
import { IfVersion } from '../../platform/lists/record-version.js'
import type { Touchpoint } from '../touchpoint-traits.js'
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
  FAILING: [
    'failing',
    'A webhook whose deliveries fail: deliveries are attempted one at a time. A service whose provider refuses it, such as its token: `problem` says why. It stays in use.',
  ],
  PAUSED: ['paused', 'A webhook that has been failing for an hour: one delivery is attempted each hour.'],
})

const TYPE = 'The type of integration: one of `serviceKinds`, `oidc`, `saml`, or with `isOwnType` a name of your own.'
export const PARAMS =
  'Settings of the type: those of `settings` by name, anything for a type of your own. Secrets are write-only: reads return ' +
  '`********`, and an update with that value keeps the stored text. Secrets of a type of your own are told by their names, ' +
  'such as `secret`, `password`, `apiKey` or `token`; all of its params are encrypted at rest, and left out of events.'

const OWN_TYPE =
  'Accepts a `type` that the server does not know and does nothing with, for an integration of your own. Defaults to ' +
  'false: an unknown type is refused.'
/** Existing clients of `/v2` register integrations that others run. */
const OWN_TYPE_ON_REST = { restDefault: true, restDescription: 'Defaults to true.' }

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

  /** The touchpoint of the type, by which statements find the services that reach a consumer; null for other types. */
  @Property({ type: 'text', nullable: true })
  touchpoint!: Touchpoint | null

  /** As they may be kept in clear, see `stored-params.ts`; shown by a resolver. */
  @Property({ type: 'json' })
  params!: JsonObject

  @Property({ type: 'json', nullable: true })
  @Field(() => JsonObjectScalar, { nullable: true, description: 'Passed on to backend automations (2.12).' })
  meta!: JsonObject | null

  /** The params with their secrets, see `stored-params.ts`; not shown. */
  @Property({ type: 'text', nullable: true })
  sealedParams!: string | null

  @Property({ type: 'text' })
  @Field(() => ServiceStatusEnum)
  status!: string

  @Property({ type: 'text', nullable: true })
  @Field(() => String, {
    nullable: true,
    description: 'While the provider refuses the service: what it said. An administrator has to act.',
  })
  problem!: string | null

  /** Set in the answer to a write, whose params are shown as they are: new secrets are shown once. */
  isWritten?: boolean
}

const SETTINGS = "The params, by the service's type; replaces all of them. In place of `params`."

@InputType()
export abstract class ServiceFieldsInput {
  @Field(() => String, { nullable: true, description: 'At most 200 characters.' })
  name?: string | null

  @Field(() => String, { nullable: true, description: TYPE })
  type?: string | null

  @Extensions(OWN_TYPE_ON_REST)
  @Field(() => Boolean, { nullable: true, description: OWN_TYPE })
  isOwnType?: boolean | null

  @Field(() => JsonObjectScalar, { nullable: true, description: `Replaces all params (section 1, PATCH). ${PARAMS}` })
  params?: JsonObject | null

  @Extensions({ isGraphqlOnly: true })
  @Field(() => ServiceSettingsInput, {
    nullable: true,
    description: SETTINGS,
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

@InputType({ description: 'Changes of a service. Only the given keys change; `null` clears.' })
export class UpdateServiceInput extends ServiceFieldsInput {
  @IfVersion() ifVersion?: number | null

  // Extensions are not inherited.
  @Extensions(OWN_TYPE_ON_REST)
  @Field(() => Boolean, { nullable: true, description: OWN_TYPE })
  declare isOwnType?: boolean | null

  @Extensions({ isGraphqlOnly: true })
  @Field(() => ServiceSettingsInput, { nullable: true, description: SETTINGS })
  declare settings?: ServiceSettingsInput | null
}

@InputType({ description: 'A new service.' })
export class CreateServiceInput extends ServiceFieldsInput {
  @Field(() => String, { description: TYPE })
  declare type: string

  // Extensions are not inherited.
  @Extensions(OWN_TYPE_ON_REST)
  @Field(() => Boolean, { nullable: true, description: OWN_TYPE })
  declare isOwnType?: boolean | null

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
