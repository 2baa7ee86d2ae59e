/** Time for which a stream counts as locked; each retry of a write that waits for it renews this. */
const KNOWN_MS = 1_000

/** Streams whose counters other transactions were found to lock: writes that do not need these do not wait for them. */
export class LockedStreams {
  readonly #until = new Map<string, number>()

  note(streams: readonly string[]): void {
    for (const stream of streams) this.#until.set(stream, performance.now() + KNOWN_MS)
  }

  has(stream: string): boolean {
    const until = this.#until.get(stream)
    if (until === undefined) return false
    if (until > performance.now()) return true
    this.#until.delete(stream)
    return false
  }

  get isEmpty(): boolean {
    return this.#until.size === 0
  }

  /** Must be called when a transaction has appended to the stream. */
  free(stream: string): void {
    this.#until.delete(stream)
  }
}
