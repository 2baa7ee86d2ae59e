import type { ClockKind } from './clock-kind.js'

export type ClockState = 'running' | 'paused' | 'met' | 'breached' | 'cancelled'

/** One measurement of a conversation. Times are milliseconds since 1970, so that it reads from JSON as it was stored. */
export interface SlaClock {
  kind: ClockKind
  /** The milestone that started it. */
  nth: number
  /** Breached stays breached: it ends when it stops. */
  state: ClockState
  startedAt: number
  /** Open time that had passed when it was paused or stopped last. */
  usedMs: number
  /** Since when it has run without a pause; null while it does not. */
  runningSince: number | null
  /** Time at which the target is missed; null while it is paused, and if its schedule never opens for so long. */
  dueAt: number | null
  /** Time of the warning; null if it warned, or never does. */
  warnAt: number | null
  warnedAt: number | null
  /** The due time that passed. */
  breachedAt: number | null
  endedAt: number | null
  /** Added by an act of its policy to the urgency of the conversation while it has not ended. */
  raise?: number
}

/** The versions by which the clocks of a case count. */
export interface SlaChoice {
  policy: string
  version: number
  /** Null: all time counts. */
  schedule: string | null
  scheduleVersion: number | null
}

/** The clocks of a conversation's current or last case. */
export interface SlaState {
  choice: SlaChoice
  /** The milestone with which the case began; null once it is closed. */
  caseNth: number | null
  isQueued: boolean
  /** True if the consumer waits for an answer. */
  isWaiting: boolean
  /** The last of each kind. */
  clocks: readonly SlaClock[]
  /** For when the job is scheduled that tells what is due. */
  armedAt: number | null
}

export const isEnded = ({ endedAt }: SlaClock): boolean => endedAt !== null

/** Ends a clock without a result; one that was missed stays so. */
export function cancelled(clock: SlaClock, at: number): SlaClock {
  if (isEnded(clock)) return clock
  const state = clock.state === 'breached' ? clock.state : 'cancelled'
  return { ...clock, state, runningSince: null, warnAt: null, endedAt: at }
}

/**
 * Returns the time at which a conversation is due: the earliest time of a clock that has not ended; missed ones come
 * first.
 */
export function nextDue(state: SlaState | null): number | null {
  const due = (state?.clocks ?? []).filter((clock) => !isEnded(clock)).flatMap(({ dueAt }) => dueAt ?? [])
  return due.length === 0 ? null : Math.min(...due)
}

/** Since when, or from when, a running clock of it is past its warning, or its due time if nothing warns of that. */
export function riskAt(state: SlaState | null): number | null {
  const times = (state?.clocks ?? [])
    .filter((clock) => !isEnded(clock) && clock.state !== 'paused')
    .flatMap(({ warnedAt, warnAt, dueAt }) => warnedAt ?? warnAt ?? dueAt ?? [])
  return times.length === 0 ? null : Math.min(...times)
}

/** Returns the time of the next thing to tell: a warning, or a target that is missed. */
export function nextTelling(state: SlaState | null): number | null {
  const times = (state?.clocks ?? [])
    .filter(({ state: each }) => each === 'running')
    .flatMap(({ warnAt, dueAt }) => [warnAt, dueAt])
    .filter((time) => time !== null)
  return times.length === 0 ? null : Math.min(...times)
}

/**
 * Returns the advance of a conversation over others in being offered: more if a target is missed than if one soon will
 * be.
 */
export function urgencyOf(state: SlaState | null): number {
  const open = (state?.clocks ?? []).filter((clock) => !isEnded(clock))
  const isMissed = open.some(({ state: each }) => each === 'breached')
  const late = isMissed ? 2 : open.some(({ warnedAt }) => warnedAt !== null) ? 1 : 0
  return late + Math.max(0, ...open.map(({ raise = 0 }) => raise))
}
