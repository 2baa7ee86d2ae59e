import type { Permission } from '../../platform/access/permissions.js'
import type { Context } from '../../platform/context.js'

/** Resolves `me` to the caller's id. @throws Forbidden for another user without the permission */
export function reachable(ctx: Context, id: string, operation: Permission): string {
  const self = ctx.maybeCaller?.kind === 'user' ? ctx.maybeCaller.user : null
  const meant = id === 'me' ? ctx.userCaller.user : id
  if (meant !== self) ctx.require(operation)
  return meant
}
