const FIRST_WAIT_MS = 5
const WAIT_MS_MAX = 100

/** Writes to be tried again, each after a longer delay than before; those due at the same time are tried together. */
export class RetryQueue<Write extends object> {
  /** Due times by `performance.now()`, in order of arrival. */
  readonly #waiting = new Map<Write, number>()
  readonly #waits = new WeakMap<Write, number>()
  #timer: NodeJS.Timeout | null = null
  #isBusy = false

  /** @param attempt resolves when the outcome of all writes is known */
  constructor(private readonly attempt: (writes: Write[]) => Promise<void>) {}

  add(write: Write): void {
    const waitMs = Math.min(WAIT_MS_MAX, (this.#waits.get(write) ?? FIRST_WAIT_MS / 2) * 2)
    this.#waits.set(write, waitMs)
    this.#waiting.set(write, performance.now() + waitMs)
    this.#arm()
  }

  #arm(): void {
    if (this.#timer || this.#isBusy || this.#waiting.size === 0) return
    let next = Infinity
    for (const dueAt of this.#waiting.values()) next = Math.min(next, dueAt)
    this.#timer = setTimeout(
      () => {
        this.#timer = null
        void this.#run()
      },
      Math.max(1, next - performance.now()),
    )
  }

  async #run(): Promise<void> {
    this.#isBusy = true
    const now = performance.now()
    const due = [...this.#waiting].filter(([, dueAt]) => dueAt <= now).map(([write]) => write)
    for (const write of due) this.#waiting.delete(write)
    if (due.length > 0) await this.attempt(due)
    this.#isBusy = false
    this.#arm()
  }
}
