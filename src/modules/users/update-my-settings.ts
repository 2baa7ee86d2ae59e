import type { Context } from '../../platform/context.js'
import { organizationStream } from '../../platform/events/event.js'
import type { Transact } from '../../platform/events/transact.js'
import { fetchRecord } from '../../platform/lists/fetch-record.js'
import { markChanged } from '../../platform/lists/record-version.js'
import { eventOf } from './user-rules.js'
import { markChosen, parseSettings, type UserSettingsInput } from './user-settings.js'
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
    const settings: Record<string, unknown> = { ...user.settings, ...markChosen(given, user.settings) }
    for (const [key] of cleared) delete settings[key]
    user.settings = settings
    markChanged(user, ctx.now())
    await tx.em.flush()
    tx.emit(organizationStream(user.organizationId), 'user.updated', eventOf(user))
    return user
  })
}
