/** A minute's waits are shown, as an operator's graph reads them. */
const WINDOW_MS = 60_000
/** Shown, so that no number of tenants makes more series. */
const SHOWN_MAX = 10
/** Remembered within a window: past it only those known are counted. */
const KNOWN_MAX = 10_000

/** Which tenants wait longest for their turns: the longest wait of each in the last minute or two. */
export class TenantWaits {
  #current = new Map<string, number>()
  #last = new Map<string, number>()
  #since = performance.now()

  note(tenant: string, ms: number): void {
    this.#turn()
    const longest = this.#current.get(tenant)
    if (longest === undefined ? this.#current.size < KNOWN_MAX : ms > longest) this.#current.set(tenant, ms)
  }

  /** Those that waited longest, the longest first. */
  longest(): [tenant: string, ms: number][] {
    this.#turn()
    const waits = new Map(this.#last)
    for (const [tenant, ms] of this.#current) waits.set(tenant, Math.max(ms, waits.get(tenant) ?? 0))
    return [...waits].toSorted(([, one], [, other]) => other - one).slice(0, SHOWN_MAX)
  }

  #turn(): void {
    const elapsed = performance.now() - this.#since
    if (elapsed < WINDOW_MS) return
    this.#last = elapsed < 2 * WINDOW_MS ? this.#current : new Map()
    this.#current = new Map()
    this.#since = performance.now()
  }
}
