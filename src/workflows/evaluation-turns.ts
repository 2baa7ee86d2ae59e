/** Time that all evaluations together may take in one turn of the event loop. */
const TURN_MS = 1

/** Shares the event loop between running evaluations and everything else in the process. */
class EvaluationTurns {
  #endsAt = 0
  #isTurnNoted = false
  readonly #waiting: (() => void)[] = []

  /** Whether the evaluations' time in this turn is used up. */
  isOver(): boolean {
    const now = performance.now()
    if (!this.#isTurnNoted) this.#begin(now)
    return now >= this.#endsAt
  }

  /** Resolves in a later turn; one waiting evaluation per turn. */
  next(): Promise<void> {
    this.#noteTurn()
    return new Promise((resolve) => void this.#waiting.push(resolve))
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
      const resume = this.#waiting.shift()
      if (!resume) return
      this.#begin(performance.now())
      resume()
    })
  }
}

/** One per process, since there is one event loop. */
export const evaluationTurns = new EvaluationTurns()
