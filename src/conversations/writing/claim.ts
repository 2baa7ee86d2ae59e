import type { Sql } from '../../db/database.js'
import type { Clock } from '../../db/clock.js'
import { lockClaims, NO_CLAIMS, type StaffClaims } from '../../staffing/claims.js'
import type { PendingWrite } from './pending-write.js'

export const isClaiming = ({ claims }: PendingWrite): boolean => claims !== undefined && claims.length > 0

/** Locks the agents that operations may give work to, all together and after the conversations. */
export async function claim(
  sql: Sql,
  writes: readonly PendingWrite[],
  busy: ReadonlySet<PendingWrite>,
  { clock, idleMinutes }: { clock: Clock; idleMinutes: number },
): Promise<StaffClaims> {
  const users = writes.flatMap((write) => (busy.has(write) ? [] : (write.claims ?? [])))
  return users.length === 0 ? NO_CLAIMS : lockClaims(sql, users, { now: clock.now(), idleMinutes })
}
