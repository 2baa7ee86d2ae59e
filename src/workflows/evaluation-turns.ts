/** What all evaluations together take of one turn of the event loop. */
const TURN_MS = 1

/** Shares the event loop between the evaluations that are under way and all else that the process does. */
class EvaluationTurns {
  #endsAt = 0
  #isTurnNoted = false
  readonly #waiting: (() => void)[] = []

  /** Whether what evaluations may take of this turn is used up. */
  isOver(): boolean {
    const now = performance.now()
    if (!this.#isTurnNoted) this.#begin(now)
    return now >= this.#endsAt
  }

  /** Resolves in a later turn: one of those that wait in each. */
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

/** Of the process: there is one event loop. */
export const evaluationTurns = new EvaluationTurns()
