import { isAllowed } from '../../platform/access/permissions.js'
import type { Context } from '../../platform/context.js'
import { isId } from '../../platform/db/clock.js'
import { tenantSql } from '../../platform/db/tenancy.js'

/** The agent whose state is meant. */
export interface NamedAgent {
  user: string
  /** True if the caller supervises a channel of which the agent is a member. */
  isSupervised: boolean
}

/**
 * Resolves `me`, the default, to the caller's id, and checks that the caller may name another user: administrators any of
 * their organizations, supervisors the members of their channels. @throws Forbidden
 */
export async function namedAgent(ctx: Context, user: string | null | undefined): Promise<NamedAgent> {
  const self = ctx.userCaller.user
  if (user === null || user === undefined || user === 'me' || user.toLowerCase() === self)
    return { user: self, isSupervised: false }
  if (isAllowed(ctx.caller, 'staff.update')) return { user, isSupervised: false }
  if (await isSupervisedBy(ctx, self, user)) return { user, isSupervised: true }
  ctx.require('staff.update')
  return { user, isSupervised: false }
}

async function isSupervisedBy(ctx: Context, supervisor: string, user: string): Promise<boolean> {
  if (!isId(user)) return false
  const values: unknown[] = [supervisor, user]
  const rows = await ctx.reads.query(
    `select 1 from channel_member s join channel_member m on m.channel_id = s.channel_id and m.user_id = $2
     join channel t on t.id = s.channel_id
     where s.user_id = $1 and s.supervisor and ${tenantSql(ctx.tenant, 't', values)} limit 1`,
    values,
  )
  return rows.length > 0
}
