import type { Context } from '../context.js'
import type { Transact, WriteTx } from '../events/transact.js'
import type { AgentState } from './agent-state.js'
import { parseAvailability, type GivenAvailability } from './availability.js'
import { emitAgent, emitAvailability } from './staff-events.js'
import { STAFF_CHANGED } from './staff-changed.js'
import { lockStaff } from './staff-row.js'
import { addStateMilestone } from './state-milestone.js'

/**
 * Sets whether a user takes offers. Setting the same again changes nothing but the wait for a first subscription.
 * @throws BadUserInput; NotFound naming `user`
 */
export function setAvailability(
  ctx: Context,
  transact: Transact,
  { user, availability, reason }: { user: string; availability: unknown; reason: unknown },
): Promise<AgentState> {
  const given = parseAvailability(availability, reason)
  return transact(ctx, async (tx) => changeAvailability(ctx, tx, await lockStaff(ctx, tx, user), given))
}

/** Writes an availability, and says so if it differs. Needs the lock of the staff row. */
export async function changeAvailability(
  ctx: Context,
  tx: WriteTx,
  { organization, agent }: { organization: string; agent: AgentState },
  { availability, reason }: GivenAvailability,
): Promise<AgentState> {
  const isSame = agent.availability === availability && agent.reason === reason
  const since = agent.availability === availability ? agent.since : ctx.now()
  await tx.query(
    `update staff set availability = $2, reason = $3, since = $4, gone_at = null, misses = 0, misses_from = now()
     where user_id = $1`,
    [agent.userId, availability, reason, since],
  )
  const changed = { ...agent, availability, reason, since }
  if (isSame) return changed
  if (agent.availability !== availability) await addStateMilestone(tx, agent, ctx.now())
  tx.addJob(STAFF_CHANGED.create({ user: agent.userId }))
  emitAvailability(tx, ctx, { organization, previous: agent.availability, agent: changed })
  await emitAgent(tx, changed)
  return changed
}
