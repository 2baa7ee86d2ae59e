import type { Context } from '../../context.js'
import { Unprocessable } from '../../errors.js'
import { reading } from '../../db/sql.js'
import { advanceClocks, beforeCase } from '../../sla/advance-clocks.js'
import { cancelled, isEnded, type SlaClock } from '../../sla/sla-clock.js'
import { camelRow } from '../../lists/rows.js'
import type { ClockPolicies } from './clock-policies.js'
import type { ConversationState } from '../writing/conversation-state.js'
import type { ConversationWriter } from '../writing/conversation-writer.js'
import type { MilestoneRow } from '../writing/milestone.js'

/**
 * Chooses the policy of the current case anew, by the facts as they are now, and counts its clocks again by its current
 * version from the milestones of the case. Clocks that have stopped stay as they are; those for which it has no target are
 * cancelled.
 * @throws NotFound; Unprocessable if the conversation is closed
 */
export function reapplySla(
  ctx: Context,
  { writer, clockPolicies }: { writer: ConversationWriter; clockPolicies: ClockPolicies },
  conversation: string,
): Promise<ConversationState> {
  return writer.run(ctx, conversation, async (draft) => {
    const { conversation: state, sql, now, clocks } = draft
    if (state.status !== 'queued' && state.status !== 'active') {
      throw new Unprocessable(`the conversation is ${state.status}: clocks run only in open ones`, {
        status: state.status,
      })
    }
    const terms = await clockPolicies.choose(draft)
    const rows = await sql.query<Record<string, unknown>>(OF_CASE, [state.id], 'milestones-of-case')
    const milestones = rows.map((row) => camelRow<MilestoneRow>(row))
    const earlier = state.sla?.clocks ?? []
    if (!terms) {
      clocks.isWithdrawn = true
      return state
    }
    const begun = { ...beforeCase(terms), armedAt: state.sla?.armedAt ?? null }
    const { state: counted } = advanceClocks(begun, terms, { milestones, now: now.getTime() })
    const stopped = earlier.filter(isEnded)
    const running = counted.clocks.filter((clock) => !stopped.some((other) => isSame(clock, other)))
    const dropped = earlier.filter((clock) => !isEnded(clock) && !running.some((other) => isSame(clock, other)))
    const ended = [...stopped, ...dropped.map((clock) => cancelled(clock, now.getTime()))]
    // Of a kind, the one that runs is the last.
    const last = ended.filter(({ kind }) => !running.some((clock) => clock.kind === kind))
    state.sla = { ...counted, clocks: [...last, ...running] }
    clocks.terms = terms
    clocks.earlierMilestones = milestones
    return state
  })
}

const isSame = (one: SlaClock, other: SlaClock): boolean => one.kind === other.kind && one.nth === other.nth

/** Those since the last case was closed. */
const OF_CASE = reading(`
select * from milestone where conversation_id = $1 and nth > coalesce((
  select max(nth) from milestone where conversation_id = $1 and kind in ('closed', 'merged')), 0) order by nth`)
