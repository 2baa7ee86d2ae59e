import { conversationStream, type Emit } from '../../events/event.js'
import type { NewJob } from '../../jobs/job.js'
import { defineJob } from '../../jobs/job-type.js'
import { advanceClocks, beforeCase } from '../../sla/advance-clocks.js'
import { clockData } from '../../sla/clock-data.js'
import { clockRow, type ClockRow } from '../../sla/clock-row.js'
import type { ClockTerms } from '../../sla/clock-terms.js'
import {
  cancelled,
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

/** What the draft of an operation offers to say what became of its clocks. */
interface ClockedDraft {
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
 * What an operation does to the clocks of a conversation: derived from its milestones, so that no command can forget
 * them. The terms are read before, see `conclude`.
 */
export class ClockChanges {
  readonly rows: ClockRow[] = []
  readonly #changed: ChangedClock[] = []
  /** By which the clocks count: of the policy that applies to a case that begins, else of the current one. */
  terms: ClockTerms | null = null
  /** Whether the operation blocks the consumer. */
  isBlocking = false
  /** What happened in the case so far, if its clocks are counted anew: who stopped them then is known from it. */
  earlierMilestones: readonly MilestoneRow[] = []
  /** Whether the clocks of the case end because no policy applies any more. */
  isWithdrawn = false
  /** Whether the conversation is to be offered sooner than before. */
  changesUrgency = false

  /** @returns the milestones that follow from what became of the clocks */
  settle(draft: ClockedDraft, before: Aggregate | null, what: Settled): MilestoneRow[] {
    const told = this.#advance(draft, before, what)
    const { conversation } = draft
    // A missed target counts as much as what a rule says.
    conversation.urgency = (conversation.needs?.urgency ?? 0) + urgencyOf(conversation.sla)
    return told
  }

  #advance(
    draft: ClockedDraft,
    before: Aggregate | null,
    { milestones, opensCase, isRemoved }: Settled,
  ): MilestoneRow[] {
    const { conversation } = draft
    const { terms } = this
    const now = draft.now.getTime()
    const earlier = before?.conversation.sla ?? null
    // No policy applies to this case: the clocks of the last one are no longer its.
    if (opensCase && !terms) Object.assign(conversation, { sla: null, nextDue: null, riskAt: null })
    if (!terms || isRemoved) return []
    const armedAt = conversation.sla?.armedAt ?? null
    const begun = opensCase || !conversation.sla ? { ...beforeCase(terms), armedAt } : conversation.sla
    const { state, touched } = advanceClocks(begun, terms, { milestones, now })
    const clocks = this.isWithdrawn ? touched.map((clock) => cancelled(clock, now)) : touched
    if (!this.isWithdrawn) this.#arm(draft, state)
    if (earlier && !this.isWithdrawn && !hasChanges(earlier, state)) return []
    for (const clock of clocks) this.#tell(draft, state, clock, earlier)
    const shown = this.isWithdrawn ? null : state
    Object.assign(conversation, { sla: shown, nextDue: dateOf(nextDue(shown)), riskAt: dateOf(riskAt(shown)) })
    this.changesUrgency = urgencyOf(shown) > urgencyOf(earlier)
    const happened = { earlier: this.earlierMilestones, milestones }
    return clockMilestones(conversation, this.#changed, { before, ...happened, terms, now: draft.now })
  }

  /** Schedules the job if something is to be told sooner than it would run; a job that runs too early arms it anew. */
  #arm(draft: ClockedDraft, state: SlaState): void {
    const at = nextTelling(state)
    if (at === null || (state.armedAt !== null && state.armedAt <= at)) return
    state.armedAt = at
    // A milestone at the very due time is in time.
    draft.addJob(CLOCK_DUE.create({ conversation: draft.conversation.id, at }, { runAt: new Date(at + 1) }))
  }

  #tell(draft: ClockedDraft, state: SlaState, clock: SlaClock, earlier: SlaState | null): void {
    const known = earlier?.clocks.find(({ kind, nth }) => kind === clock.kind && nth === clock.nth)
    if (known && !hasChanges(known, clock)) return
    this.#changed.push({ clock, known })
    const { conversation } = draft
    const row = clockRow(conversation, state, clock)
    this.rows.push(row)
    const data = { clock: clockData(row) }
    const stream = conversationStream(conversation.id)
    const isWarned = clock.warnedAt !== null && !known?.warnedAt
    const isBreached = clock.breachedAt !== null && !known?.breachedAt
    if (isWarned) draft.emit(stream, 'clock.warned', data)
    if (isBreached) draft.emit(stream, 'clock.breached', data)
    if (!isWarned && !isBreached) draft.emit(stream, 'clock.changed', data)
  }
}

const dateOf = (at: number | null): Date | null => (at === null ? null : new Date(at))

/** The job has run: what is to be told next needs another. */
export function disarmClocks(conversation: ConversationState, at: number): void {
  if (conversation.sla?.armedAt === at) conversation.sla = { ...conversation.sla, armedAt: null }
}
