import type { LoaderDefinition } from '../../platform/context.js'
import { isId } from '../../platform/db/clock.js'
import { tenantSql, type TenantScope } from '../../platform/db/tenancy.js'
import type { Embed } from '../../platform/lists/embedded.js'
import { Projection } from '../../platform/lists/projection.js'
import { camelRow } from '../../platform/lists/rows.js'
import { displayNameOf, nameOf, type Named } from './user.js'
import { WHOLE_FIELDS, type UserProfile } from './whole-user.js'

export type { UserProfile }

/** Contains only the requested columns. */
type ProfileRow = Named & Omit<UserProfile, 'isProfile' | 'displayName' | 'name'>

/**
 * Selects users within the scope and of the organizations above it: the contact center's agents answer in its
 * customers' conversations.
 */
function profilesSql(scope: TenantScope, alias: string, values: unknown[]): string {
  const tenant = tenantSql(scope, alias, values)
  return `(${tenant} or ${alias}.organization_id = any($${values.push([...scope.path])}::uuid[]))`
}

/** Loads profiles for references such as `message.user`, which are shown as `User`. */
export const userProfileLoader: LoaderDefinition<UserProfile> = {
  allowStale: true,

  async load(ctx, ids) {
    const values: unknown[] = [ids.filter(isId)]
    const visible = profilesSql(ctx.tenant, 't', values)
    const rows = await ctx.reads.query<Record<string, unknown>>(
      `select t.id, t.organization_id, t.display_name, t.given_name, t.additional_name, t.family_name, t.avatar, t.role,
         t.version, t.created_at, t.updated_at
       from app_user t where t.id = any($1::uuid[]) and ${visible}`,
      values,
      `user-profiles-${ctx.tenant.path.length}`,
    )
    return new Map(rows.map((row) => [row.id as string, profileOfRow(camelRow<ProfileRow>(row))]))
  },
}

const NAMES = ['displayName', 'givenName', 'additionalName', 'familyName']
const READS = {
  ...Object.fromEntries(WHOLE_FIELDS.map((field) => [field, ['id']])),
  displayName: NAMES,
  name: NAMES,
  organization: ['organizationId'],
}

/** @param id the reference, as an SQL column */
export const embeddedUserProfile = (id: string): Embed => ({
  projection: new Projection({ alias: 'u', always: ['id'], reads: READS }),
  sql: (object, scope, values) =>
    `(select ${object} from app_user u where u.id = ${id} and ${profilesSql(scope, 'u', values)})`,
  value: profileOfRow,
})

function profileOfRow(row: ProfileRow): UserProfile {
  const { id, organizationId, avatar, role, version } = row
  const [createdAt, updatedAt] = [new Date(row.createdAt), new Date(row.updatedAt)]
  const names = { displayName: displayNameOf(row), name: nameOf(row) }
  return { isProfile: true, id, organizationId, ...names, avatar, role, version, createdAt, updatedAt }
}
