import { isAllowed } from '../../platform/access/permissions.js'
import type { Context } from '../../platform/context.js'
import type { Sql } from '../../platform/db/sql.js'
import { Forbidden } from '../../platform/errors.js'
import { supervisesIn } from './supervision.js'

/**
 * Checks that the caller may set up what all agents of an organization have: administrators, and whoever supervises a channel of
 * it. Leaves an entry in the audit log. @throws Forbidden
 */
export async function requireMayShare(
  ctx: Context,
  sql: Sql,
  organization: string,
  permission: 'macro.share' | 'view.share',
): Promise<void> {
  if (isAllowed(ctx.caller, permission)) return ctx.require(permission)
  if (!(await supervisesIn(sql, ctx.userCaller.user, organization)))
    throw new Forbidden(`${permission} needs the scope admin, or the supervision of a channel of the organization`)
  if (ctx.mutation) ctx.mutation.isAudited = true
}
