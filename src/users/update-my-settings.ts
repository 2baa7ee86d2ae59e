import type { Context } from '../context.js'
import { organizationStream } from '../events/event.js'
import type { Transact } from '../events/transact.js'
import { fetchRecord } from '../lists/fetch-record.js'
import { eventOf } from './user-rules.js'
import { parseSettings, type UserSettingsInput } from './user-settings.js'
import { User } from './user.js'

/**
 * Changes the given settings of the caller and keeps the others, including concurrent changes from another tab; null
 * restores a setting's default (2.3). @throws BadUserInput
 */
export function updateMySettings(ctx: Context, transact: Transact, patch: UserSettingsInput): Promise<User> {
  const given = parseSettings(patch, 'patch')
  const cleared = Object.entries(patch).filter(([, value]) => value === null)
  return transact(ctx, async (tx) => {
    const user = await fetchRecord(ctx, User, ctx.userCaller.user, { em: tx.em, lock: true })
    const settings: Record<string, unknown> = { ...user.settings, ...given }
    for (const [key] of cleared) delete settings[key]
    user.settings = settings
    user.updatedAt = ctx.now()
    await tx.em.flush()
    tx.emit(organizationStream(user.organizationId), 'user.updated', eventOf(user))
    return user
  })
}
