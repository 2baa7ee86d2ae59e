/** A lock that one tab of a browser has at a time, until it is gone or another one takes it. */
export class LeaderLock {
  #waiting = new AbortController()
  #release: () => void = () => undefined
  #isClosed = false

  constructor(
    private readonly name: string,
    private readonly on: { won(): void; lost(): void },
  ) {}

  /** Waits for it, or takes it. */
  stand(how: { steal?: boolean } = {}): void {
    this.#waiting.abort()
    this.#waiting = new AbortController()
    const { signal: until } = this.#waiting
    const lead = (): Promise<void> | undefined => {
      // Had in the moment in which the tab was closed.
      if (this.#isClosed) return undefined
      this.on.won()
      return new Promise((resolve) => (this.#release = resolve))
    }
    navigator.locks.request(this.name, how.steal ? { steal: true } : { signal: until }, lead).catch(() => {
      // Given up before it was had, or stolen: then another tab leads, and this one waits for its turn.
      if (until.aborted || this.#isClosed) return
      this.on.lost()
      this.stand()
    })
  }

  close(): void {
    this.#isClosed = true
    this.#waiting.abort()
    this.#release()
  }
}
