import type { ClockKind } from './clock-kind.js'
import type { ClockTerms } from './clock-terms.js'
import { isEnded, type SlaClock, type SlaState } from './sla-clock.js'

/** The part of a milestone that clocks depend on. */
export interface ClockMilestone {
  nth: number
  kind: string
  at: Date
  turn: number | null
  detail: string | null
}

/** The detail of `closed` when the consumer was blocked. */
export const BLOCKED = 'blocked'

/**
 * Applies milestones to the clocks of a conversation, and then the time up to which nothing else happened. Pure: the same
 * milestones and terms give the same clocks, in one call or in several. A milestone at the very due time is in time.
 * @returns also all clocks that ran meanwhile, also those that a later one of their kind replaced
 */
export function advanceClocks(
  state: SlaState,
  terms: ClockTerms,
  { milestones, now }: { milestones: readonly ClockMilestone[]; now: number },
): { state: SlaState; touched: readonly SlaClock[] } {
  const clocks = new CaseClocks(state, terms)
  for (const milestone of milestones) clocks.apply(milestone)
  clocks.pass(now)
  return { state: clocks.state, touched: [...clocks.touched] }
}

/** State before the first milestone of a case. */
export const beforeCase = ({ choice }: ClockTerms): SlaState => ({
  choice,
  caseNth: null,
  isQueued: false,
  isWaiting: false,
  clocks: [],
  armedAt: null,
})

class CaseClocks {
  readonly state: SlaState
  readonly touched = new Set<SlaClock>()
  readonly #clocks = new Map<ClockKind, SlaClock>()

  constructor(
    state: SlaState,
    private readonly terms: ClockTerms,
  ) {
    this.state = { ...state }
    for (const clock of state.clocks) this.#add({ ...clock })
    this.#keep()
  }

  apply({ kind, nth, at: time, turn, detail }: ClockMilestone): void {
    const at = time.getTime()
    this.pass(at)
    const { state } = this
    if (kind === 'queued' || kind === 'accepted' || kind === 'consumerTurn') this.#openCase(nth, at)
    if (kind === 'queued') {
      state.isQueued = true
      this.#start('queue', nth, at)
    } else if (kind === 'accepted') {
      state.isQueued = false
      this.#stop('queue', at, 'met')
    } else if (kind === 'consumerTurn') {
      state.isWaiting = true
      this.#start(turn === 1 ? 'firstResponse' : 'nextResponse', nth, at)
    } else if (kind === 'agentTurn') {
      state.isWaiting = false
      this.#stop('firstResponse', at, 'met')
      this.#stop('nextResponse', at, 'met')
    } else if (kind === 'closed') {
      const how = detail === BLOCKED ? 'cancelled' : 'met'
      this.#stop('queue', at, how)
      this.#stop('resolution', at, how)
      this.#closeCase(at)
    } else if (kind === 'merged' || kind === 'deleted') this.#closeCase(at)
    else return
    this.#resume(at)
    this.#keep()
  }

  /** Notes what became due before an instant. */
  pass(now: number): void {
    for (const clock of this.#clocks.values()) {
      if (clock.state !== 'running') continue
      if (clock.warnAt !== null && clock.warnAt < now) Object.assign(clock, { warnedAt: clock.warnAt, warnAt: null })
      if (clock.dueAt !== null && clock.dueAt < now) {
        Object.assign(clock, { state: 'breached', breachedAt: clock.dueAt, warnAt: null })
      }
    }
    this.#keep()
  }

  #openCase(nth: number, at: number): void {
    if (this.state.caseNth !== null) return
    Object.assign(this.state, { caseNth: nth, isQueued: false, isWaiting: false })
    this.#clocks.clear()
    this.#start('resolution', nth, at)
  }

  #closeCase(at: number): void {
    for (const kind of this.#clocks.keys()) this.#stop(kind, at, 'cancelled')
    Object.assign(this.state, { caseNth: null, isQueued: false, isWaiting: false })
  }

  #start(kind: ClockKind, nth: number, at: number): void {
    const running = this.#clocks.get(kind)
    if (!this.terms.targetOf(kind) || (running && !isEnded(running))) return
    const clock: SlaClock = {
      kind,
      nth,
      state: 'running',
      startedAt: at,
      usedMs: 0,
      runningSince: null,
      dueAt: null,
      warnAt: null,
      warnedAt: null,
      breachedAt: null,
      endedAt: null,
    }
    this.#add(clock)
    this.#run(clock, at)
  }

  #stop(kind: ClockKind, at: number, how: 'met' | 'cancelled'): void {
    const clock = this.#clocks.get(kind)
    if (!clock || isEnded(clock)) return
    const usedMs = this.#usedMs(clock, at)
    const state = clock.state === 'breached' ? clock.state : how
    Object.assign(clock, { state, usedMs, runningSince: null, warnAt: null, endedAt: at })
  }

  /** A resolution is paused while the conversation is answered: nobody queues it, and no consumer waits. */
  #resume(at: number): void {
    const clock = this.#clocks.get('resolution')
    if (!clock || isEnded(clock)) return
    const { isQueued, isWaiting } = this.state
    if (isQueued || isWaiting) {
      if (clock.state === 'paused') this.#run(clock, at)
    } else if (clock.state === 'running') {
      const usedMs = this.#usedMs(clock, at)
      Object.assign(clock, { state: 'paused', usedMs, runningSince: null, dueAt: null, warnAt: null })
    }
  }

  #run(clock: SlaClock, at: number): void {
    const target = this.terms.targetOf(clock.kind)
    // The terms are others than those by which it began.
    if (!target) return
    const due = (ms: number): number | null => this.terms.dueAfter(at, ms - clock.usedMs)
    const warns = target.warnMs !== null && clock.warnedAt === null
    const warnAt = warns ? due(target.ms - target.warnMs!) : null
    Object.assign(clock, { state: 'running', runningSince: at, dueAt: due(target.ms), warnAt })
  }

  #usedMs({ usedMs, runningSince }: SlaClock, at: number): number {
    return runningSince === null ? usedMs : usedMs + this.terms.openMs(runningSince, at)
  }

  #add(clock: SlaClock): void {
    this.#clocks.set(clock.kind, clock)
    this.touched.add(clock)
  }

  #keep(): void {
    Object.assign(this.state, { clocks: [...this.#clocks.values()] })
  }
}
