import type { Sql } from '../../db/database.js'
import type { Clock } from '../../db/clock.js'
import { lockClaims, NO_CLAIMS, type StaffClaims } from '../../staffing/claims.js'
import { addBusy } from './busy-writes.js'
import type { PendingWrite } from './pending-write.js'

export const isClaiming = ({ claims }: PendingWrite): boolean => claims !== undefined && claims.length > 0

/**
 * Locks the agents that operations may give work to, all together and after the conversations. Those that need an agent
 * whom another transaction has locked become busy: nothing waits for the lock, and nothing is rolled back.
 */
export async function claim(
  sql: Sql,
  writes: readonly PendingWrite[],
  busy: Set<PendingWrite>,
  { clock, idleMinutes }: { clock: Clock; idleMinutes: number },
): Promise<StaffClaims> {
  const users = writes.flatMap((write) => (busy.has(write) ? [] : (write.claims ?? [])))
  if (users.length === 0) return NO_CLAIMS
  const { claims, locked } = await lockClaims(sql, users, { now: clock.now(), idleMinutes })
  if (locked.size > 0) addBusy(writes, busy, (write) => write.claims?.some((user) => locked.has(user)) ?? false)
  return claims
}
