import type { Context } from '../../platform/context.js'
import { TENANT } from '../../platform/db/tenancy.js'
import { countApprovers } from './approvers.js'
import { NOTHING_GUARDED, StoredFourEyes, type FourEyes, type Guarded } from './four-eyes-settings.js'

/** Reads which areas of a contact center are guarded, also for a caller of an organization below it. */
export async function readGuarded(
  ctx: Pick<Context, 'em'>,
  center: string,
): Promise<Guarded & Pick<FourEyes, 'version' | 'updatedAt'>> {
  const found = await ctx.em.findOne(
    StoredFourEyes,
    { organizationId: center },
    { filters: { [TENANT]: false }, refresh: true },
  )
  return found ?? { ...NOTHING_GUARDED, version: 0, updatedAt: null }
}

/** Reads the areas that are guarded for the caller. */
export async function readFourEyes(ctx: Context): Promise<FourEyes> {
  const { path, user } = ctx.userCaller
  const { erasure, hold, retention, signIn, version, updatedAt } = await readGuarded(ctx, path[0])
  const approvers = await countApprovers(ctx.reads, path, user)
  return { organizationId: path[0], erasure, hold, retention, signIn, approvers, version, updatedAt }
}
