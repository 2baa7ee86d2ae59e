/** Time for which a batch waits for others, as a part of the duration of the last batch … */
const WAIT_SHARE = 0.25
/** … and at most. */
const WAIT_MS_MAX = 3

/**
 * Decides when a batch begins. Clients that were answered together send their next requests within moments: a batch
 * that began with the first of these would leave the others to the next transaction. So a batch waits for as many
 * writes as are being committed, whose clients may be about to send again. A single client never waits.
 */
export class GroupCommitWindow {
  #lastMs = 0
  #timer: NodeJS.Timeout | null = null

  /** @param begin called when the window ends */
  constructor(private readonly begin: () => void) {}

  /**
   * Tells whether to wait for more writes; `begin` is called later. @param missing number of further writes expected
   */
  waitsFor(missing: number): boolean {
    if (missing <= 0) {
      if (this.#timer) clearTimeout(this.#timer)
      this.#timer = null
      return false
    }
    this.#timer ??= setTimeout(
      () => {
        this.#timer = null
        this.begin()
      },
      Math.min(WAIT_MS_MAX, this.#lastMs * WAIT_SHARE),
    )
    return true
  }

  /** Must be called when a batch has been committed or refused. */
  ended(ms: number): void {
    this.#lastMs = ms
  }
}
