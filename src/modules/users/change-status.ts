import type { WriteTx } from '../../platform/events/transact.js'
import { requireRoom } from '../organizations/quotas.js'
import { endTokensOfBot } from './api-token-uses.js'
import { endSignIns } from './end-sign-ins.js'
import { addDeparture, addInvitation } from './user-jobs.js'
import type { User } from './user.js'

/**
 * Gives a user, whose row is locked and marked as changed, another status. One who is archived has no access from then on, and leaves
 * channels and conversations, as by `deleteUser`. `AccessChanges` must be told after the commit.
 * @returns guests whose sign-ins ended @throws Unprocessable at the contact center's quota
 */
export async function changeStatus(tx: WriteTx, user: User, status: User['status']): Promise<string[]> {
  if (user.status === 'archived' && status !== 'archived') await requireRoom(tx, user.org1, 'users')
  user.status = status
  if (status === 'invited') addInvitation(tx, user.id)
  if (status !== 'archived') return []
  await endSignIns(tx, { user: user.id, now: user.updatedAt })
  await addDeparture(tx, user.id)
  return endTokensOfBot(tx, user, user.updatedAt)
}
