import { isAllowed } from '../../platform/access/permissions.js'
import { Entity, Property } from '@mikro-orm/decorators/legacy'
import { Field, ID, Int, ObjectType } from 'type-graphql'
import type { LoaderDefinition } from '../../platform/context.js'
import { TenantEntity } from '../../platform/db/tenancy.js'
import { TextArray } from '../../platform/db/text-array.js'
import type { JsonObject } from '../../platform/json.js'
import { rowsById } from '../../platform/lists/rows.js'
import { DateTime, JsonObject as JsonObjectScalar } from '../../platform/lists/scalars.js'
import type { ProfileFields } from './profile-fields.js'
import { Node } from '../../platform/lists/node.js'
import { graphqlEnum } from '../../platform/lists/graphql-enum.js'

export const LEVEL_MAX = 3 // section 1: an MCC, its customers, their sub-organizations

export const OrganizationStatusEnum = graphqlEnum('OrganizationStatus', 'Whether an organization is in use (3.3).', {
  ACTIVE: ['active', 'The only one so far.'],
})

@ObjectType({
  simpleResolvers: true,
  description: 'A conversation tag; at most one is active in a conversation (2.4).',
})
export class OrganizationCategory {
  @Field(() => String, { description: 'Unique in the organization.' })
  name!: string

  /** Ids of the attached forms; the interface's `forms` and `formIds` are resolved in `forms/`. */
  forms!: string[]
}

@Entity({ tableName: 'organization' })
@ObjectType({
  implements: Node,
  simpleResolvers: true,
  description: 'A tenant: a messaging contact center (level 1), its customer (2) or a sub-organization (3) (2.4).',
})
export class Organization extends TenantEntity {
  @Field(() => ID)
  declare id: string

  @Property({ type: 'text' })
  @Field(() => String)
  name!: string

  @Property({ type: 'text', nullable: true })
  @Field(() => String, { nullable: true, description: 'Name shown in the agent UI.' })
  displayName!: string | null

  @Property({ type: 'text', nullable: true })
  @Field(() => String, { nullable: true, description: 'Web page of the organization, for display.' })
  url!: string | null

  @Property({ type: 'text', nullable: true })
  @Field(() => String, { nullable: true, description: 'Email address, for display: nothing is sent to it.' })
  email!: string | null

  @Property({ type: 'text', nullable: true })
  @Field(() => String, { nullable: true, description: 'Kept for workflows, which have it as a fact (4.6).' })
  industry!: string | null

  @Property({ type: 'text', nullable: true })
  @Field(() => String, { nullable: true, description: 'Address of an image, for display.' })
  logo!: string | null

  @Property({ type: 'text', nullable: true })
  @Field(() => String, {
    nullable: true,
    description: 'Two-letter upper-case country code; selects the default labels of `profileFields`.',
  })
  country!: string | null

  @Property({ type: 'text', nullable: true })
  @Field(() => String, { nullable: true, description: 'Locale such as `nl` or `nl_NL`; a fact of workflows (4.6).' })
  locale!: string | null

  @Property({ type: 'text', nullable: true })
  @Field(() => String, {
    nullable: true,
    description: 'IANA time zone of the days of reports and wallboards; that of level 1 counts, UTC if null.',
  })
  timezone!: string | null

  @Property({ type: 'uuid', nullable: true })
  @Field(() => ID, { nullable: true, description: 'Id of the parent organization; null for level 1.' })
  parentId!: string | null

  @Property({ type: 'smallint' })
  @Field(() => Int, { description: '1, 2 or 3.' })
  level!: number

  @Property({ type: 'text' })
  @Field(() => OrganizationStatusEnum)
  status!: string

  @Property({ type: TextArray, nullable: true })
  @Field(() => [String], { nullable: true, description: 'Words for which the agent UI shows a warning when typed.' })
  stopwords!: string[] | null

  @Property({ type: 'json', nullable: true })
  @Field(() => [OrganizationCategory], {
    nullable: true,
    description: 'Conversation tags, in the order of `categoryIndex`.',
  })
  categories!: OrganizationCategory[] | null

  @Property({ type: TextArray, nullable: true })
  @Field(() => [String], { nullable: true, description: 'Bot commands shown to agents.' })
  commands!: string[] | null

  /** Null when unspecified; agents see `effectiveProfileFields`. */
  @Property({ type: 'json', fieldName: 'profile_fields', nullable: true })
  profileFields!: ProfileFields | null

  @Property({ type: TextArray, nullable: true })
  @Field(() => [String], { nullable: true, description: 'Resources with the same tag are shared (4.3).' })
  tags!: string[] | null

  @Property({ type: 'json', nullable: true })
  @Field(() => JsonObjectScalar, { nullable: true })
  meta!: JsonObject | null

  @Field(() => DateTime)
  declare createdAt: Date

  @Field(() => DateTime)
  declare updatedAt: Date

  @Field(() => Int)
  declare version: number
}

/** Fields that a consumer may see of the organization that it talks to. */
const PUBLIC_FIELDS: ReadonlySet<string> = new Set<keyof Organization>([
  'id',
  'organizationId',
  'org1',
  'org2',
  'org3',
  'createdAt',
  'version',
  'updatedAt',
  'name',
  'displayName',
  'url',
  'logo',
  'country',
  'locale',
  'level',
  'status',
])

/** Fields for backend automations and administrators, not for agents, who may not fetch organizations (section 5). */
const FETCHED_FIELDS: readonly (keyof Organization)[] = ['meta', 'tags']

/**
 * Loads organizations for references such as `conversation.organization`. Guests of the web widget get the public
 * fields only; callers that may not fetch organizations get the fields that a console needs.
 */
export const organizationLoader: LoaderDefinition<Organization> = {
  async load(ctx, ids) {
    const found = await rowsById<Organization>(ctx, 'organization', ids)
    if (ctx.maybeCaller && !ctx.seesAsConsumer && !isAllowed(ctx.maybeCaller, 'organization.fetch')) {
      for (const row of found.values() as Iterable<Partial<Organization>>) {
        for (const key of FETCHED_FIELDS) if (key in row) row[key] = undefined
      }
    }
    if (ctx.seesAsConsumer) {
      for (const row of found.values() as Iterable<Partial<Organization>>) {
        for (const key of Object.keys(row)) if (!PUBLIC_FIELDS.has(key)) row[key as keyof Organization] = undefined
      }
    }
    return found
  },
}
