/** Time that such work may take in one turn of the event loop. A request takes some ten turns: it waits for as many. */
const TURN_MS = 0.25

/**
 * Does work that comes by the thousand, such as sockets that come back at once, in slices: whatever else the process
 * does has its turn after each of them. In the order it came.
 */
export class LoopTurns {
  #endsAt = 0
  #isTurnNoted = false
  #isRunning = false
  /** Whether something has begun whose continuation may not have run yet: its time is not counted so far. */
  #hasBegun = false
  readonly #waiting: (() => void)[] = []
  /** How many of those have begun. */
  #begun = 0

  /** Runs the work now, if there is time left in this turn and none is ahead of it, or else in a later turn. */
  run(work: () => void): void {
    if (this.#waiting.length === 0 && !this.#hasBegun && this.#hasTime()) {
      this.#hasBegun = true
      queueMicrotask(() => {
        this.#hasBegun = false
      })
      return work()
    }
    this.#waiting.push(work)
    if (!this.#isRunning) this.#noteTurn()
  }

  /** Resolves when there is time for the caller's work. */
  enter(): Promise<void> {
    return new Promise((resolve) => this.run(resolve))
  }

  #hasTime(): boolean {
    const now = performance.now()
    if (!this.#isTurnNoted) this.#begin(now)
    return now < this.#endsAt
  }

  #begin(now: number): void {
    this.#endsAt = now + TURN_MS
    this.#noteTurn()
  }

  #noteTurn(): void {
    if (this.#isTurnNoted) return
    this.#isTurnNoted = true
    setImmediate(() => {
      this.#isTurnNoted = false
      if (this.#waiting.length === 0 || this.#isRunning) return
      this.#isRunning = true
      this.#begin(performance.now())
      this.#runNext()
    })
  }

  #runNext(): void {
    const work = performance.now() < this.#endsAt ? this.#waiting[this.#begun] : undefined
    if (work) {
      this.#begun += 1
      work()
      // What waited for a promise goes on before the next one begins.
      queueMicrotask(() => this.#runNext())
      return
    }
    this.#waiting.splice(0, this.#begun)
    this.#begun = 0
    this.#isRunning = false
    if (this.#waiting.length > 0) this.#noteTurn()
  }
}
