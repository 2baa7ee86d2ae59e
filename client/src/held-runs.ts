/** Runs in a row that were held, after which people take over. */
const RUNS_MAX = 3
/** Conversations of which it is remembered. */
const CONVERSATIONS_MAX = 10_000

/** Counts, for each conversation, the runs in a row in which others were faster. A restart forgets it: then it takes longer. */
export class HeldRuns {
  readonly #counts = new Map<string, number>()

  /** Counts one more. @returns whether these are too many, which begins anew */
  isTooMany(conversation: string): boolean {
    const count = (this.#counts.get(conversation) ?? 0) + 1
    this.#counts.delete(conversation)
    if (count >= RUNS_MAX) return true
    this.#counts.set(conversation, count)
    const [oldest] = this.#counts.keys()
    if (this.#counts.size > CONVERSATIONS_MAX) this.#counts.delete(oldest!)
    return false
  }

  forget(conversation: string): void {
    this.#counts.delete(conversation)
  }
}
