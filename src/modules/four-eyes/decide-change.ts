import type { Context } from '../../platform/context.js'
import { Unprocessable } from '../../platform/errors.js'
import type { WriteTx } from '../../platform/events/transact.js'
import { defineJob } from '../../platform/jobs/job-type.js'
import { emitChange } from './pending-change-events.js'
import type { PendingChange, PendingChangeStatus } from './pending-change.js'

/** Ends a change that nobody has decided. */
export const CHANGE_EXPIRE = defineJob<{ change: string; organization: string }>('pendingChange.expire', {
  change: 'string',
  organization: 'string',
})

interface Decision {
  status: Exclude<PendingChangeStatus, 'pending'>
  /** Null if the time decided. */
  by: string | null
  comment?: string | null
}

/**
 * Decides on a change that is pending, which it locks: of two at once, the second finds it decided. Nothing carries out its input after
 * that, so the secrets in it go.
 * @returns a function that tells others, to be called last in the transaction; null if it is not pending any more
 */
export async function settle(
  ctx: Pick<Context, 'now'>,
  tx: WriteTx,
  { id, organizationId, area, operation, proposedById }: PendingChange,
  { status, by, comment = null }: Decision,
): Promise<(() => void) | null> {
  const now = ctx.now()
  const rows = await tx.query(
    `update pending_change set status = $2, decided_by_id = $3, decided_at = $4, comment = $5, sealed_input = '', updated_at = $4,
       version = version + 1
     where id = $1 and status = 'pending' and (expires_at > $4 or $2 = 'expired') returning 1`,
    [id, status, by, now, comment],
  )
  if (rows.length === 0) return null
  const settled = { id, organizationId, area, operation, status, proposedById, decidedById: by }
  return () => emitChange(tx, settled, 'updated')
}

/** @throws Unprocessable for a change that is not pending any more */
export function requirePending({ id, status, expiresAt }: PendingChange, now: Date): void {
  if (status === 'pending' && expiresAt > now) return
  throw decided(id, status === 'pending' ? 'expired' : status)
}

export function decided(id: string, status: PendingChangeStatus | null): Unprocessable {
  const said = status === null ? 'decided meanwhile' : status
  return new Unprocessable(`pending change ${id} is ${said}: nothing more is done by it`, {
    reason: 'CHANGE_DECIDED',
    ...(status !== null && { status }),
  })
}
