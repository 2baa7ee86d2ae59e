import type { Context } from '../../platform/context.js'
import type { Transact, WriteTx } from '../../platform/events/transact.js'
import type { AgentState } from './agent-state.js'
import { isAbsent } from '../../platform/input.js'
import { codeFor } from './reasons-of-agents.js'
import { parseAvailability, type GivenAvailability } from './availability.js'
import { emitAgent, emitAvailability } from './staff-events.js'
import { STAFF_CHANGED } from './staff-changed.js'
import type { NamedAgent } from './named-agent.js'
import { lockStaff } from './staff-row.js'
import { addStateMilestone } from './state-milestone.js'
import { wrapUpKey } from './wrap-up-key.js'

interface GivenState {
  availability: unknown
  reason: unknown
  reasonCode?: string | null | undefined
}

/**
 * Sets whether a user takes offers. Setting the same again changes nothing but the wait for a first subscription.
 * @throws BadUserInput; NotFound naming `user` or `reasonCode`
 */
export function setAvailability(
  ctx: Context,
  transact: Transact,
  { user, isSupervised, availability, reason, reasonCode }: NamedAgent & GivenState,
): Promise<AgentState> {
  const given = parseAvailability(availability, reason)
  return transact(ctx, async (tx) => {
    const locked = await lockStaff(ctx, tx, user, isSupervised)
    // What a closing before this was to bring about: setting any status ends it.
    await tx.query(DROP_WRAP_UPS, [wrapUpKey(locked.agent.userId), ctx.now()])
    const asked = { user: locked.agent.userId, availability: given.availability }
    const reasonCodeId = isAbsent(reasonCode) ? null : await codeFor(tx, { ...asked, code: reasonCode })
    return changeAvailability(ctx, tx, locked, { ...given, reasonCodeId })
  })
}

const DROP_WRAP_UPS = `
with dropped as (delete from job where key = $1 returning key)
update job_partition set due_at = least(due_at, $2) where key in (select key from dropped)`

/**
 * Writes an availability, and says so if it differs. Needs the lock of the staff row.
 * @param at when it began, if that is known to be earlier than now
 */
export async function changeAvailability(
  ctx: Context,
  tx: WriteTx,
  { organization, agent }: { organization: string; agent: AgentState },
  { availability, reason, reasonCodeId = null, wrapUp = null, isBySystem = false }: GivenAvailability,
  at = ctx.now(),
): Promise<AgentState> {
  // Reports count the time by reason, so another one is another state.
  const goesOn = agent.availability === availability && agent.reasonCodeId === reasonCodeId
  const [wrapUpUntil, wrapUpConversationId] = [wrapUp?.until ?? null, wrapUp?.conversationId ?? null]
  const isSame = goesOn && agent.reason === reason && agent.wrapUpUntil?.getTime() === wrapUpUntil?.getTime()
  const since = goesOn ? agent.since : at
  await tx.query(
    `update staff set availability = $2, reason = $3, since = $4, reason_code_id = $5,
       wrap_up_until = $6, wrap_up_conversation_id = $7, gone_at = case when $8 then gone_at end, misses = 0, misses_from = now()
     where user_id = $1`,
    [agent.userId, availability, reason, since, reasonCodeId, wrapUpUntil, wrapUpConversationId, isBySystem],
  )
  const changed = { ...agent, availability, reason, reasonCodeId, since, wrapUpUntil, wrapUpConversationId }
  if (isSame) return changed
  if (!goesOn) await addStateMilestone(tx, agent, at)
  tx.addJob(STAFF_CHANGED.create({ user: agent.userId }))
  emitAvailability(tx, ctx, { organization, previous: agent.availability, agent: changed })
  await emitAgent(tx, changed)
  return changed
}
