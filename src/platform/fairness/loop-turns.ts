/** Time that such work may take in one turn of the event loop, unless said else. A request takes some ten turns: it waits for as many. */
const TURN_MS = 0.25
/** The longest rest: work that takes longer holds others up by itself. */
const REST_MS_MAX = 100
/** Bound of the entries that a line keeps after they have left it. */
const OUT_MAX = 1_000

export interface LoopTurnsOptions {
  turnMs?: number
  /**
   * Rest after each slice, in durations of the slice: with 4 this work gets a fifth of the process, however much of it comes.
   * Absent: none.
   */
  restFactor?: number
}

/**
 * Does work that comes by the thousand, such as sockets that come back at once, or takes long, such as thousands of rules, in
 * slices: whatever else the process does has its turn after each of them. In the order it came.
 */
export class LoopTurns {
  #endsAt = 0
  #isTurnNoted = false
  #isRunning = false
  /** True if something has begun whose continuation may not have run yet: its time is not counted so far. */
  #hasBegun = false
  readonly #waiting = new Line()
  /** Those that go after all of these. */
  readonly #last = new Line()
  readonly #turnMs: number
  readonly #restFactor: number
  /** Nothing begins before. */
  #restsUntil = 0

  constructor({ turnMs = TURN_MS, restFactor = 0 }: LoopTurnsOptions = {}) {
    this.#turnMs = turnMs
    this.#restFactor = restFactor
  }

  /** Tells work that goes on for long whether the time of this turn is used up: then it enters again. */
  get isOver(): boolean {
    return !this.#hasTime()
  }

  /** Runs the work now, if there is time left in this turn and none is ahead of it, or else in a later turn. */
  run(work: () => void): void {
    if (this.#restFactor === 0 && this.#waiting.isEmpty && this.#mayBegin()) return work()
    this.#wait(this.#waiting, work)
  }

  /** Resolves when there is time for the caller's work. */
  enter(): Promise<void> {
    return new Promise((resolve) => this.run(resolve))
  }

  /**
   * The same for work that brings more work, such as a new socket: when nothing else waits. Else those that came first
   * would wait for all that come after them.
   */
  enterLast(): Promise<void> {
    return new Promise((resolve) => {
      if (this.#isIdle && this.#mayBegin()) return resolve()
      this.#wait(this.#last, resolve)
    })
  }

  get #isIdle(): boolean {
    return this.#waiting.isEmpty && this.#last.isEmpty
  }

  #mayBegin(): boolean {
    if (this.#isRunning || this.#hasBegun || !this.#hasTime()) return false
    this.#hasBegun = true
    queueMicrotask(() => {
      this.#hasBegun = false
    })
    return true
  }

  #wait(line: Line, work: () => void): void {
    line.push(work)
    if (!this.#isRunning) this.#noteTurn()
  }

  #hasTime(): boolean {
    const now = performance.now()
    if (!this.#isTurnNoted) this.#begin(now)
    return now < this.#endsAt
  }

  #begin(now: number): void {
    this.#endsAt = now + this.#turnMs
    this.#noteTurn()
  }

  #noteTurn(): void {
    if (this.#isTurnNoted) return
    this.#isTurnNoted = true
    setImmediate(() => this.#turn())
  }

  #turn(): void {
    const restMs = this.#restsUntil - performance.now()
    if (restMs > 0) return void setTimeout(() => this.#turn(), restMs)
    this.#isTurnNoted = false
    if (this.#isIdle || this.#isRunning) return
    this.#isRunning = true
    this.#begin(performance.now())
    this.#runNext()
  }

  #runNext(): void {
    const work = performance.now() < this.#endsAt ? (this.#waiting.shift() ?? this.#last.shift()) : undefined
    if (work) {
      work()
      // What waited for a promise goes on before the next one begins.
      queueMicrotask(() => this.#runNext())
      return
    }
    this.#isRunning = false
    this.#rest()
    if (!this.#isIdle) this.#noteTurn()
  }

  #rest(): void {
    const now = performance.now()
    const tookMs = now - this.#endsAt + this.#turnMs
    this.#restsUntil = now + Math.min(REST_MS_MAX, this.#restFactor * tookMs)
  }
}

/** First in, first out, also with thousands. */
class Line {
  #items: (() => void)[] = []
  /** Number of those that are out. */
  #out = 0

  get isEmpty(): boolean {
    return this.#out === this.#items.length
  }

  push(item: () => void): void {
    this.#items.push(item)
  }

  shift(): (() => void) | undefined {
    if (this.isEmpty) return undefined
    const item = this.#items[this.#out++]!
    if (this.isEmpty || this.#out >= OUT_MAX) {
      this.#items = this.#items.slice(this.#out)
      this.#out = 0
    }
    return item
  }
}
