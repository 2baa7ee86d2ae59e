import type { Context, LoaderDefinition } from '../../platform/context.js'
import type { Sql } from '../../platform/db/database.js'
import { Unprocessable } from '../../platform/errors.js'
import type { UpdateUserInput } from './user-input.js'
import type { User } from './user.js'

/**
 * SQL: whether the provider of the row `s` of `scim_user` provisions its user now: it has a valid token, and is in use. Without one
 * administrators have the user to themselves again, and sign-ins. @param now the time, as an expression
 */
export const isProvisionedSql = (now: string): string => `s.deleted_at is null
  and exists (select from service v where v.id = s.service_id and v.status = 'active')
  and exists (select from scim_token t where t.service_id = s.service_id and (t.ends_at is null or t.ends_at > ${now}))`

/** Fields of a change that stand for a property of another name. */
const PROPERTY: Partial<Record<keyof UpdateUserInput, keyof User>> = { name: 'displayName' }

interface Managed {
  service: string
  owned: string[]
  /** True if groups of the provider give the role. */
  gives_role: boolean
}

/**
 * Refuses a change of what a provider keeps by SCIM. Values that stay as they are are no change: clients send whole records back.
 * @throws Unprocessable
 */
export async function refuseManagedChange(
  ctx: Context,
  sql: Pick<Sql, 'query'>,
  user: User,
  patch: UpdateUserInput,
): Promise<void> {
  const changed = (Object.keys(patch) as (keyof UpdateUserInput)[]).filter((key) => {
    const property = PROPERTY[key] ?? key
    return patch[key] !== undefined && (patch[key] ?? null) !== (user as unknown as Record<string, unknown>)[property]
  })
  if (changed.length === 0) return
  const managed = await managedBy(ctx, sql, user.id)
  if (!managed) return
  const owned = new Set<string>(managed.owned)
  const isOwned = (key: keyof UpdateUserInput): boolean => {
    // Whether the user is archived is the provider's; an invitation is not.
    if (key === 'status' && patch.status !== 'archived' && user.status !== 'archived') return false
    if (key !== 'role') return owned.has(PROPERTY[key] ?? key)
    // Owners are made by owners, and a provider keeps people.
    if (patch.role === 'bot') return true
    return managed.gives_role && patch.role !== 'owner' && user.role !== 'owner'
  }
  const field = changed.find(isOwned)
  if (field !== undefined) throw managedElsewhere(user, managed, field)
}

/** Refuses to delete a user whom a provider keeps by SCIM. @throws Unprocessable */
export async function refuseManagedRemoval(ctx: Context, sql: Pick<Sql, 'query'>, user: User): Promise<void> {
  const managed = await managedBy(ctx, sql, user.id)
  if (managed) throw managedElsewhere(user, managed, 'id')
}

/** Gives up a provider's hold on a user who is moved out of its reach. @param organizations the path of the new one */
export async function releaseOutOfReach(
  sql: Pick<Sql, 'query'>,
  user: string,
  organizations: readonly (string | undefined)[],
): Promise<void> {
  await sql.query(
    `delete from scim_user s using service v
     where s.user_id = $1 and v.id = s.service_id and v.organization_id <> all($2::uuid[])`,
    [user, organizations.filter((id) => id !== undefined)],
  )
}

async function managedBy(ctx: Context, sql: Pick<Sql, 'query'>, user: string): Promise<Managed | null> {
  const [found] = await sql.query<Managed>(
    `select s.service_id as service, s.owned, exists (select from scim_member m where m.user_id = s.user_id) as gives_role
     from scim_user s where s.user_id = $1 and ${isProvisionedSql('$2')}`,
    [user, ctx.now()],
  )
  return found ?? null
}

/** The services by which users are provisioned. */
export const managingServices: LoaderDefinition<{ service: string }> = {
  async load(ctx, users) {
    const rows = await ctx.reads.query<{ user: string; service: string }>(
      `select s.user_id as user, s.service_id as service from scim_user s where s.user_id = any($1::uuid[]) and ${isProvisionedSql('$2')}`,
      [users, ctx.now()],
      'managing-services',
    )
    return new Map(rows.map(({ user, service }) => [user, { service }]))
  },
}

function managedElsewhere({ id }: User, { service }: Managed, field: string): Unprocessable {
  const why = `user ${id} is provisioned by service ${service}: change it at the provider, or revoke the tokens of the service`
  return new Unprocessable(why, { reason: 'MANAGED_ELSEWHERE', field, service })
}
