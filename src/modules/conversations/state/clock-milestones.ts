import type { ClockTerms } from '../../sla/clock-terms.js'
import type { SlaClock } from '../../sla/sla-clock.js'
import { rowOf, type DerivedMilestone } from './advance-milestones.js'
import { isMine } from './change-events.js'
import type { Aggregate, ConversationState } from './conversation-state.js'
import type { MilestoneRow } from './milestone.js'

/** A clock that an operation changed, and as it was before if it ran then. */
export interface ChangedClock {
  clock: SlaClock
  known: SlaClock | undefined
}

/**
 * Derives the results of the targets of clocks, for reports: each is met once, or missed once at the time it was due,
 * and then it ends once. They follow the milestones of the operation that stopped the clocks.
 */
export function clockMilestones(
  conversation: ConversationState,
  changed: readonly ChangedClock[],
  {
    before,
    earlier,
    milestones,
    terms,
    now,
  }: {
    before: Aggregate | null
    /** Milestones of the case before this operation, if the clocks were counted anew from them. */
    earlier: readonly MilestoneRow[]
    milestones: readonly MilestoneRow[]
    terms: ClockTerms
    now: Date
  },
): MilestoneRow[] {
  const holder = holderOf(before)
  const holderAt = (at: number): string | null => (earlier.length === 0 ? holder : pastHolder(earlier, at))
  const derived = changed.flatMap(({ clock, known }): DerivedMilestone[] => {
    const { kind: detail, breachedAt, endedAt, usedMs } = clock
    const isEnding = endedAt !== null && known?.endedAt == null
    const by = isEnding ? (stopperOf(clock, [...earlier, ...milestones]) ?? holderAt(endedAt)) : holder
    const end = isEnding ? { at: new Date(endedAt), userId: by, detail } : null
    return [
      ...(breachedAt !== null && known?.breachedAt == null
        ? [{ kind: 'clockBreached' as const, at: new Date(breachedAt), userId: holderAt(breachedAt), detail }]
        : []),
      ...(end && clock.state === 'met' ? [{ kind: 'clockMet' as const, ...end, ms: usedMs }] : []),
      ...(end && breachedAt !== null
        ? [{ kind: 'clockOverrun' as const, ...end, ms: terms.openMs(breachedAt, end.at.getTime()) }]
        : []),
    ]
  })
  if (derived.length === 0) return []
  const caseChannels = conversation.caseChannels.toSorted()
  return derived.map((milestone) => ({
    ...rowOf(conversation, milestone, caseChannels, now),
    nth: ++conversation.milestoneCount,
  }))
}

/** The agent who accepted or answered, which stopped a clock. */
function stopperOf({ kind, endedAt }: SlaClock, milestones: readonly MilestoneRow[]): string | null {
  if (kind === 'resolution') return null
  const stops = kind === 'queue' ? 'accepted' : 'agentTurn'
  return milestones.find((each) => each.kind === stops && each.at.getTime() === endedAt)?.userId ?? null
}

/** The agent who had the conversation at that time, of several the one who accepted it last. */
function pastHolder(milestones: readonly MilestoneRow[], at: number): string | null {
  const holders = new Set<string>()
  for (const { kind, userId, at: time } of milestones) {
    if (userId === null || time.getTime() > at) continue
    if (kind === 'accepted' || kind === 'agentLeft') holders.delete(userId)
    if (kind === 'accepted') holders.add(userId)
  }
  return [...holders].at(-1) ?? null
}

/** The agent who has a conversation; of several, the one who accepted it last. */
function holderOf(before: Aggregate | null): string | null {
  if (!before) return null
  const holders = [...before.participants.values()].filter(({ userId }) => isMine(before, userId))
  const time = (at: Date | null): number => at?.getTime() ?? 0
  return holders.toSorted((one, other) => time(other.acceptedAt) - time(one.acceptedAt))[0]?.userId ?? null
}
