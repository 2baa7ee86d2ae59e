import type { SlaClockObject } from './clock-types.js'
import type { ClockKind } from './clock-kind.js'
import type { ClockRow } from './clock-row.js'
import type { ClockState } from './sla-clock.js'

/** A clock as in events and in the API. */
export type ClockData = { [Key in keyof SlaClockObject]: SlaClockObject[Key] }

export function clockData(row: Omit<ClockRow, 'org1'>): ClockData {
  const time = (at: Date | null): string | null => at?.toISOString() ?? null
  const { conversationId, nth, kind, policyId, policyVersion, scheduleVersion } = row
  return {
    id: `${conversationId}:${kind}:${nth}`,
    clock: kind as ClockKind,
    state: row.state as ClockState,
    startedAt: row.startedAt.toISOString(),
    dueAt: time(row.dueAt),
    warnedAt: time(row.warnedAt),
    breachedAt: time(row.breachedAt),
    endedAt: time(row.endedAt),
    usedSeconds: row.usedMs / 1_000,
    policyId,
    policyVersion,
    scheduleVersion,
  }
}
