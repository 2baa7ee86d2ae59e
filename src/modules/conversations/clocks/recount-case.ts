import { reading } from '../../../platform/db/sql.js'
import { camelRow } from '../../../platform/lists/rows.js'
import { advanceClocks, beforeCase } from '../../sla/advance-clocks.js'
import type { ClockTerms } from '../../sla/clock-terms.js'
import { cancelled, isEnded, type SlaClock } from '../../sla/sla-clock.js'
import { closingKey, CLOSING_STANDS } from '../state/closing.js'
import type { ConversationChange } from '../state/conversation-change.js'
import type { MilestoneRow } from '../state/milestone.js'

/**
 * Counts the clocks of the current case again by other terms, from the milestones of the case; without any they end.
 * Clocks that have stopped stay as they are; those for which the terms have no target are cancelled.
 */
export async function recountCase(change: ConversationChange, terms: ClockTerms | null): Promise<void> {
  const { conversation: state, now, clocks } = change
  if (!terms) {
    clocks.isWithdrawn = true
    return
  }
  const milestones = await milestonesOfCase(change)
  const earlier = state.sla?.clocks ?? []
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
}

const isSame = (one: SlaClock, other: SlaClock): boolean => one.kind === other.kind && one.nth === other.nth

/** Reads those since the last case was closed, and adds those of earlier operations of the transaction. */
async function milestonesOfCase({ aggregate, conversation, sql }: ConversationChange): Promise<MilestoneRow[]> {
  const values = [conversation.id, closingKey(conversation.id)]
  const rows = await sql.query<Record<string, unknown>>(OF_CASE, values, 'milestones-of-case')
  const all = [...rows.map((row) => camelRow<MilestoneRow>(row)), ...(aggregate.unwritten ?? [])]
  return all.slice(all.findLastIndex(({ kind }) => kind === 'closed' || kind === 'merged') + 1)
}

/** A closing that can still be undone has its milestones in its job. */
const OF_CASE = reading(`
select * from milestone where conversation_id = $1 and nth > coalesce(greatest(
  (select max(nth) from milestone where conversation_id = $1 and kind in ('closed', 'merged')),
  (select max((held ->> 'nth')::int) from job j, jsonb_array_elements(j.payload -> 'milestones') held
   where j.key = $2 and j.kind = '${CLOSING_STANDS.kind}' and held ->> 'kind' = 'closed')), 0) order by nth`)
