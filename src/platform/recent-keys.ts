/** Bound of the keys that are remembered within a window: past it only those known are noted. */
const KNOWN_MAX = 10_000

/** A number for each key that was noted lately, the largest one: within the last window, up to twice as long. */
export class RecentKeys {
  #current = new Map<string, number>()
  #last: ReadonlyMap<string, number> = new Map()
  #since = performance.now()

  constructor(private readonly windowMs: number) {}

  note(key: string, value = 0): void {
    this.refresh()
    const largest = this.#current.get(key)
    if (largest === undefined ? this.#current.size < KNOWN_MAX : value > largest) this.#current.set(key, value)
  }

  /** Forgets those that were not noted for long. Until the next call or note, answers stay the same. */
  refresh(): void {
    const elapsed = performance.now() - this.#since
    if (elapsed < this.windowMs) return
    this.#last = elapsed < 2 * this.windowMs ? this.#current : new Map()
    this.#current = new Map()
    this.#since = performance.now()
  }

  /** Returns the number of a key that was noted within the last window. */
  numberOf(key: string): number | undefined {
    this.refresh()
    return this.#current.get(key) ?? this.#last.get(key)
  }

  /** Tells whether a key other than this one was noted. */
  hasOther(key: string): boolean {
    return [this.#current, this.#last].some((keys) => keys.size > (keys.has(key) ? 1 : 0))
  }

  /** Returns the keys with the largest numbers, the largest first. */
  largest(count: number): [key: string, value: number][] {
    this.refresh()
    const values = new Map(this.#last)
    for (const [key, value] of this.#current) values.set(key, Math.max(value, values.get(key) ?? 0))
    return [...values].toSorted(([, one], [, other]) => other - one).slice(0, count)
  }
}
