/** A batch waits for others for this part of the time that the last one took, … */
const WAIT_SHARE = 0.25
/** … and never longer than this. */
const WAIT_MS_MAX = 3

/**
 * Decides when a batch begins. Clients that were answered together ask again within moments: to begin with the first of
 * them would leave the others to the next transaction, and commit several times what can be committed once. So a batch
 * waits for as many as are being committed, whose clients may be about to ask again. A client that is alone never waits.
 */
export class GroupCommitWindow {
  #lastMs = 0
  #timer: NodeJS.Timeout | null = null

  /** @param begin called when the others have been waited for long enough */
  constructor(private readonly begin: () => void) {}

  /** Whether to wait for more than are there; `begin` follows. @param missing how many more are hoped for */
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

  /** A batch has been committed, or refused. */
  ended(ms: number): void {
    this.#lastMs = ms
  }
}
