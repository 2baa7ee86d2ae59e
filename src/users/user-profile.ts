import { Field, ID, ObjectType } from 'type-graphql'
import type { Role } from '../access/scopes.js'
import type { LoaderDefinition } from '../context.js'
import { isId } from '../db/clock.js'
import { tenantSql } from '../db/tenancy.js'
import { displayNameOf, nameOf, UserRole, type Named } from './user.js'

@ObjectType({
  simpleResolvers: true,
  description: 'What everybody in a conversation sees of a user. Null where the user has been deleted.',
})
export class UserProfile {
  @Field(() => ID)
  id!: string

  @Field(() => String)
  displayName!: string

  @Field(() => String, { description: 'Full name.' })
  name!: string

  @Field(() => String, { nullable: true, description: 'URL.' })
  avatar!: string | null

  @Field(() => UserRole)
  role!: Role
}

interface ProfileRow {
  id: string
  display_name: string | null
  given_name: string | null
  additional_name: string | null
  family_name: string | null
  avatar: string | null
  role: Role
}

/**
 * For references such as `message.user`. Also finds users of the organizations above the caller's: the contact center's
 * agents answer in its customers' conversations.
 */
export const userProfileLoader: LoaderDefinition<UserProfile> = {
  async load(ctx, ids) {
    const values: unknown[] = [ids.filter(isId)]
    const tenant = tenantSql(ctx.tenant, 't', values)
    const above = `t.organization_id = any($${values.push([...ctx.tenant.path])}::uuid[])`
    const rows = await ctx.database.query<ProfileRow>(
      `select t.id, t.display_name, t.given_name, t.additional_name, t.family_name, t.avatar, t.role
       from app_user t where t.id = any($1::uuid[]) and (${tenant} or ${above})`,
      values,
      `user-profiles-${ctx.tenant.path.length}`,
    )
    return new Map(rows.map((row) => [row.id, profileOfRow(row)]))
  },
}

function profileOfRow(row: ProfileRow): UserProfile {
  const names: Named = {
    displayName: row.display_name,
    givenName: row.given_name,
    additionalName: row.additional_name,
    familyName: row.family_name,
  }
  return { id: row.id, displayName: displayNameOf(names), name: nameOf(names), avatar: row.avatar, role: row.role }
}
