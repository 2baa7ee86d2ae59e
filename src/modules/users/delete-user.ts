import type { AccessChanges } from '../../platform/access/access-changes.js'
import type { Context } from '../../platform/context.js'
import { Forbidden } from '../../platform/errors.js'
import { organizationStream } from '../../platform/events/event.js'
import type { Transact } from '../../platform/events/transact.js'
import { fetchRecord } from '../../platform/lists/fetch-record.js'
import { endGuestsOfBot } from './api-token-uses.js'
import { refuseManagedRemoval } from './managed-elsewhere.js'
import { refuseUnmasking } from './mask.js'
import { addDeparture } from './user-jobs.js'
import { checkOwnership, eventOf } from './user-rules.js'
import { User } from './user.js'

/**
 * Deletes a user with its sign-ins, its API token and its channel memberships. Messages and participants keep the id,
 * and participants the name: history is unchanged, except that `message.user` becomes null.
 * @throws NotFound, Forbidden for oneself and, except for owners, for an owner; Unprocessable for one whom a provider keeps, and for a masked bot of a webhook
 */
export async function deleteUser(
  ctx: Context,
  { transact, accessChanges }: { transact: Transact; accessChanges: AccessChanges },
  id: string,
): Promise<void> {
  const caller = ctx.userCaller
  const ended = await transact(ctx, async (tx) => {
    const user = await fetchRecord(ctx, User, id, { em: tx.em, lock: true })
    if (user.id === caller.user) throw new Forbidden('users cannot delete their own account', { reason: 'OWN_ACCOUNT' })
    checkOwnership(caller, user.role)
    await refuseManagedRemoval(ctx, tx, user)
    await refuseUnmasking(tx, user)
    await addDeparture(tx, user.id)
    const guests = await endGuestsOfBot(tx, user, ctx.now())
    tx.emit(organizationStream(user.organizationId), 'user.deleted', eventOf(user))
    tx.em.remove(user)
    await tx.em.flush()
    return [user.id, ...guests]
  })
  for (const each of ended) accessChanges.userChanged(each)
}
