import type { Sql } from '../../../platform/db/database.js'
import type { Clock } from '../../../platform/db/clock.js'
import { lockAgents, NO_AGENT_LOCKS, type AgentLocks } from '../../staffing/agent-locks.js'
import { addBusy } from './busy-writes.js'
import type { PendingWrite } from './pending-write.js'

export const locksAgents = ({ agentsToLock }: PendingWrite): boolean =>
  agentsToLock !== undefined && agentsToLock.length > 0

/**
 * Locks the agents that operations may give work to, all together and after the conversations. Those that need an agent
 * whom another transaction has locked become busy: nothing waits for the lock, and nothing is rolled back.
 */
export async function lockAgentsOf(
  sql: Sql,
  writes: readonly PendingWrite[],
  busy: Set<PendingWrite>,
  { clock, idleMinutes }: { clock: Clock; idleMinutes: number },
): Promise<AgentLocks> {
  const users = writes.flatMap((write) => (busy.has(write) ? [] : (write.agentsToLock ?? [])))
  if (users.length === 0) return NO_AGENT_LOCKS
  const { agentLocks, locked } = await lockAgents(sql, users, { now: clock.now(), idleMinutes })
  if (locked.size > 0) addBusy(writes, busy, (write) => write.agentsToLock?.some((user) => locked.has(user)) ?? false)
  return agentLocks
}
