import { Field, ID, ObjectType } from 'type-graphql'
import type { Role } from '../access/scopes.js'
import type { LoaderDefinition } from '../context.js'
import { isId } from '../db/clock.js'
import { tenantSql, type TenantScope } from '../db/tenancy.js'
import type { Embed } from '../lists/embedded.js'
import { Projection } from '../lists/projection.js'
import { camelRow } from '../lists/rows.js'
import { Profile } from './profile.js'
import { displayNameOf, nameOf, UserRole, type Named } from './user.js'

@ObjectType({
  implements: Profile,
  simpleResolvers: true,
  description: 'The profile of a user that everybody in a conversation sees. Null if the user has been deleted.',
})
export class UserProfile {
  @Field(() => ID)
  id!: string

  @Field(() => ID)
  organizationId!: string

  @Field(() => String)
  displayName!: string

  @Field(() => String, { description: 'Full name.' })
  name!: string

  @Field(() => String, { nullable: true, description: 'URL.' })
  avatar!: string | null

  @Field(() => UserRole)
  role!: Role
}

/** Contains only the requested columns. */
type ProfileRow = Named & Pick<UserProfile, 'id' | 'organizationId' | 'avatar' | 'role'>

/**
 * Selects users within the scope and of the organizations above it: the contact center's agents answer in its
 * customers' conversations.
 */
function profilesSql(scope: TenantScope, alias: string, values: unknown[]): string {
  const tenant = tenantSql(scope, alias, values)
  return `(${tenant} or ${alias}.organization_id = any($${values.push([...scope.path])}::uuid[]))`
}

/** Loads profiles for references such as `message.user`. */
export const userProfileLoader: LoaderDefinition<UserProfile> = {
  allowStale: true,

  async load(ctx, ids) {
    const values: unknown[] = [ids.filter(isId)]
    const visible = profilesSql(ctx.tenant, 't', values)
    const rows = await ctx.reads.query<Record<string, unknown>>(
      `select t.id, t.organization_id, t.display_name, t.given_name, t.additional_name, t.family_name, t.avatar, t.role
       from app_user t where t.id = any($1::uuid[]) and ${visible}`,
      values,
      `user-profiles-${ctx.tenant.path.length}`,
    )
    return new Map(rows.map((row) => [row.id as string, profileOfRow(camelRow<ProfileRow>(row))]))
  },
}

const NAMES = ['displayName', 'givenName', 'additionalName', 'familyName']

/** @param id the reference, as an SQL column */
export const embeddedUserProfile = (id: string): Embed => ({
  projection: new Projection({ alias: 'u', always: [], reads: { displayName: NAMES, name: NAMES } }),
  sql: (object, scope, values) =>
    `(select ${object} from app_user u where u.id = ${id} and ${profilesSql(scope, 'u', values)})`,
  value: profileOfRow,
})

function profileOfRow(row: ProfileRow): UserProfile {
  const { id, organizationId, avatar, role } = row
  return { id, organizationId, displayName: displayNameOf(row), name: nameOf(row), avatar, role }
}
