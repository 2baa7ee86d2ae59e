type Stop = () => Promise<unknown> | void

/** Stops everything that was started, in the reverse order. */
export class Lifecycle {
  readonly #stops: Stop[] = []
  #stopped: Promise<void> | undefined

  onStop(stop: Stop): void {
    this.#stops.push(stop)
  }

  /** Stops everything once; each further call waits for that. */
  stop(): Promise<void> {
    return (this.#stopped ??= this.#stopAll())
  }

  async #stopAll(): Promise<void> {
    for (const stop of this.#stops.toReversed()) await stop()
  }
}
