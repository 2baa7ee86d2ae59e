import { conversationStream, type Emit } from '../../../platform/events/event.js'
import type { NewJob } from '../../../platform/jobs/job.js'
import { defineJob } from '../../../platform/jobs/job-type.js'
import { advanceClocks, beforeCase } from '../../sla/advance-clocks.js'
import { clockData } from '../../sla/clock-data.js'
import { clockRow, type ClockRow } from '../../sla/clock-row.js'
import type { ClockTerms } from '../../sla/clock-terms.js'
import type { ClockKind } from '../../sla/clock-kind.js'
import type { SlaAct } from '../../sla/sla-act.js'
import {
  cancelled,
  isEnded,
  nextDue,
  nextTelling,
  riskAt,
  urgencyOf,
  type SlaClock,
  type SlaState,
} from '../../sla/sla-clock.js'
import { hasChanges } from './change-events.js'
import { clockMilestones, type ChangedClock } from './clock-milestones.js'
import type { Aggregate, ConversationState } from './conversation-state.js'
import type { MilestoneRow } from './milestone.js'

/** Job: something of the conversation's clocks is to be told. `at` is the time of `SlaState.armedAt`. */
export const CLOCK_DUE = defineJob<{ conversation: string; at: number }>('clock.due', {
  conversation: 'string',
  at: 'number',
})

/** Job: an act of the policy of a clock, of those that a warning or a missed target brings about. */
export const CLOCK_ACT = defineJob<{ conversation: string; clock: ClockKind; nth: number; act: SlaAct }>('clock.act', {
  conversation: 'string',
  clock: 'string',
  nth: 'number',
  act: 'object',
})

/** The part of a conversation's change from which the changes of its clocks derive. */
interface ClockedChange {
  readonly conversation: ConversationState
  readonly now: Date
  readonly emit: Emit
  addJob(job: NewJob): void
}

interface Settled {
  milestones: readonly MilestoneRow[]
  opensCase: boolean
  isRemoved: boolean
}

/**
 * Changes the clocks of a conversation by an operation: derived from its milestones, so that no command can forget
 * them. The terms are read before, see `conclude`.
 */
export class ClockChanges {
  readonly rows: ClockRow[] = []
  readonly #changed: ChangedClock[] = []
  /** By which the clocks count: of the policy that applies to a case that begins, else of the current one. */
  terms: ClockTerms | null = null
  /** True if the operation blocks the consumer. */
  isBlocking = false
  /** Milestones of the case so far, if its clocks are counted anew: who stopped them then is known from it. */
  earlierMilestones: readonly MilestoneRow[] = []
  /** True if the clocks of the case end because no policy applies any more. */
  isWithdrawn = false
  /** True if the conversation is to be offered sooner than before. */
  changesUrgency = false

  /** @returns the milestones that follow from what became of the clocks */
  settle(change: ClockedChange, before: Aggregate | null, what: Settled): MilestoneRow[] {
    const told = this.#advance(change, before, what)
    const { conversation } = change
    // A missed target counts as much as what a rule says.
    conversation.urgency = (conversation.needs?.urgency ?? 0) + urgencyOf(conversation.sla)
    return told
  }

  /**
   * Puts the clocks that the conversation has again on record: as they ran before it was closed. What is to be told next is
   * told even if its job has run meanwhile. @param armedAt for when the job is scheduled now
   */
  restore(change: ClockedChange, armedAt: number | null): void {
    const { conversation } = change
    if (!conversation.sla) return
    const state = { ...conversation.sla, armedAt }
    conversation.sla = state
    this.#arm(change, state)
    for (const clock of state.clocks) {
      const row = clockRow(conversation, state, clock)
      this.rows.push(row)
      change.emit(conversationStream(conversation.id), 'clock.changed', { clock: clockData(row) })
    }
  }

  #advance(
    change: ClockedChange,
    before: Aggregate | null,
    { milestones, opensCase, isRemoved }: Settled,
  ): MilestoneRow[] {
    const { conversation } = change
    const { terms } = this
    const now = change.now.getTime()
    const earlier = before?.conversation.sla ?? null
    // No policy applies to this case: the clocks of the last one are no longer its.
    if (opensCase && !terms) Object.assign(conversation, { sla: null, nextDue: null, riskAt: null })
    if (!terms || isRemoved) return []
    const armedAt = conversation.sla?.armedAt ?? null
    const begun = opensCase || !conversation.sla ? { ...beforeCase(terms), armedAt } : conversation.sla
    const { state, touched } = advanceClocks(begun, terms, { milestones, now })
    const clocks = this.isWithdrawn ? touched.map((clock) => cancelled(clock, now)) : touched
    if (!this.isWithdrawn) this.#arm(change, state)
    if (earlier && !this.isWithdrawn && !hasChanges(earlier, state)) return []
    for (const clock of clocks) this.#tell(change, state, clock, earlier)
    const shown = this.isWithdrawn ? null : state
    Object.assign(conversation, { sla: shown, nextDue: dateOf(nextDue(shown)), riskAt: dateOf(riskAt(shown)) })
    this.changesUrgency = urgencyOf(shown) > urgencyOf(earlier)
    const happened = { earlier: this.earlierMilestones, milestones }
    return clockMilestones(conversation, this.#changed, { before, ...happened, terms, now: change.now })
  }

  /** Schedules the job if something is to be told sooner than it would run; a job that runs too early arms it anew. */
  #arm(change: ClockedChange, state: SlaState): void {
    const at = nextTelling(state)
    if (at === null || (state.armedAt !== null && state.armedAt <= at)) return
    state.armedAt = at
    // A milestone at the very due time is in time.
    change.addJob(CLOCK_DUE.create({ conversation: change.conversation.id, at }, { runAt: new Date(at + 1) }))
  }

  #tell(change: ClockedChange, state: SlaState, clock: SlaClock, earlier: SlaState | null): void {
    const known = earlier?.clocks.find(({ kind, nth }) => kind === clock.kind && nth === clock.nth)
    if (known && !hasChanges(known, clock)) return
    this.#changed.push({ clock, known })
    const { conversation } = change
    const row = clockRow(conversation, state, clock)
    this.rows.push(row)
    const data = { clock: clockData(row) }
    const stream = conversationStream(conversation.id)
    const isWarned = clock.warnedAt !== null && !known?.warnedAt
    const isBreached = clock.breachedAt !== null && !known?.breachedAt
    if (isWarned) change.emit(stream, 'clock.warned', data)
    if (isBreached) change.emit(stream, 'clock.breached', data)
    if (!isWarned && !isBreached) change.emit(stream, 'clock.changed', data)
    if (isEnded(clock)) return
    for (const act of this.terms?.targetOf(clock.kind)?.acts ?? []) {
      if (act.at === 'warned' ? !isWarned : !isBreached) continue
      change.addJob(CLOCK_ACT.create({ conversation: conversation.id, clock: clock.kind, nth: clock.nth, act }))
    }
  }
}

const dateOf = (at: number | null): Date | null => (at === null ? null : new Date(at))

/** The job has run: what is to be told next needs another. */
export function disarmClocks(conversation: ConversationState, at: number): void {
  if (conversation.sla?.armedAt === at) conversation.sla = { ...conversation.sla, armedAt: null }
}
