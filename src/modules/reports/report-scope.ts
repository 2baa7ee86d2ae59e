import { isAllowed, type Permission } from '../../platform/access/permissions.js'
import type { Context } from '../../platform/context.js'
import { tenantSql } from '../../platform/db/tenancy.js'
import { Forbidden } from '../../platform/errors.js'

/**
 * Returns the channels that a caller's reports are limited to: those that the user supervises; null for administrators,
 * who see everything in and below their organization.
 * @throws Forbidden for anyone else
 */
export async function supervisedChannels(ctx: Context, permission: Permission): Promise<string[] | null> {
  ctx.require(permission)
  if (isAllowed(ctx.caller, 'channel.update')) return null
  const values: unknown[] = [ctx.userCaller.user]
  const rows = await ctx.reads.query<{ id: string }>(
    `select t.id from channel_member m join channel t on t.id = m.channel_id
     where m.user_id = $1 and m.supervisor and ${tenantSql(ctx.tenant, 't', values)} order by t.id`,
    values,
  )
  if (rows.length === 0) throw new Forbidden(`${permission} needs the scope admin, or the supervision of a channel`)
  return rows.map(({ id }) => id)
}
