import type { ReadyAnswer } from '../harness/ready-watch.js'
import type { Outcome } from './bounds.js'

export const STAGES = ['requests', 'frames', 'connections', 'mails'] as const
export type Stage = (typeof STAGES)[number]

/** Results of a stage. */
export class StageTally {
  sent = 0
  /** Answers by their status, without those that a bound refused. */
  readonly answers = new Map<number, number>()
  /** Refusals by the bound that they name. */
  readonly refusals = new Map<string, number>()
  faults = 0
  slowestMs = 0
  /** Times of `/readyz` meanwhile, in milliseconds. */
  readonly readyMs: number[] = []

  get answered(): number {
    return this.answersFrom(0, Infinity) + this.refused
  }

  get refused(): number {
    return this.refusals.values().reduce((sum, count) => sum + count, 0)
  }

  /** Answers with a status in a range, its end excluded. */
  answersFrom(from: number, end: number): number {
    return this.answers
      .entries()
      .filter(([status]) => status >= from && status < end)
      .reduce((sum, [, count]) => sum + count, 0)
  }
}

export interface TallyOptions {
  /** An answer that takes longer is a fault. */
  msMax: number
  /** The same of `/readyz`. Infinity: that the database commits late is no fault either. */
  readyMsMax: number
}

const FAULTS_SHOWN = 20
const TEXT_CHARS_MAX = 1_500

/** Counts the results of what was sent. */
export class Tally {
  readonly stages: Record<Stage, StageTally> = {
    requests: new StageTally(),
    frames: new StageTally(),
    connections: new StageTally(),
    mails: new StageTally(),
  }
  /** Answers of 5xx without a bound, those that took too long, and connections that broke; the first few in full. */
  readonly faults: string[] = []
  faultCount = 0

  constructor(private readonly options: TallyOptions) {}

  get msMax(): number {
    return this.options.msMax
  }

  sent(of: Stage, count = 1): void {
    this.stages[of].sent += count
  }

  count(of: Stage, { status, bound }: Outcome, ms: number, describe: () => string): void {
    const stage = this.stages[of]
    if (bound === undefined) stage.answers.set(status, (stage.answers.get(status) ?? 0) + 1)
    else stage.refusals.set(bound, (stage.refusals.get(bound) ?? 0) + 1)
    stage.slowestMs = Math.max(stage.slowestMs, ms)
    if (status >= 500 && bound === undefined) this.fault(of, String(status), describe())
    else if (ms > this.options.msMax) this.fault(of, `${Math.round(ms)} ms`, describe())
  }

  countReady(of: Stage, answers: readonly ReadyAnswer[]): void {
    const { readyMsMax } = this.options
    for (const { ms, failure } of answers) {
      this.stages[of].readyMs.push(ms)
      const isLate = failure?.startsWith('503 ') && readyMsMax === Infinity
      if (failure !== null && !isLate) this.fault(of, '/readyz', failure)
      else if (ms > readyMsMax) this.fault(of, '/readyz', `answered after ${Math.round(ms)} ms`)
    }
  }

  fault(of: Stage, what: string, text: string): void {
    this.faultCount += 1
    this.stages[of].faults += 1
    if (this.faults.length < FAULTS_SHOWN) this.faults.push(`${of}: ${what}: ${text.slice(0, TEXT_CHARS_MAX)}`)
  }

  /** The part of what was answered that was answered 2xx. */
  successes(of: Stage): number {
    const stage = this.stages[of]
    return stage.answersFrom(200, 300) / Math.max(1, stage.answered)
  }
}
