/** How long a tenant counts as writing after a write: this long, up to twice as long. */
const WINDOW_MS = 1_000
const KNOWN_MAX = 10_000

/**
 * Tracks which tenants have just written. Only then is anybody held back for their sake: a tenant that is alone delays
 * nobody, and gets all that the node and the database can do.
 */
export class WritingTenants {
  #current = new Set<string>()
  #last = new Set<string>()
  #since = performance.now()

  /** Must be called when a write is accepted. */
  wrote(tenant: string): void {
    this.refresh()
    if (this.#current.size < KNOWN_MAX) this.#current.add(tenant)
  }

  /** Forgets those that have not written for long. Until the next call or write, answers stay the same. */
  refresh(): void {
    const elapsed = performance.now() - this.#since
    if (elapsed < WINDOW_MS) return
    this.#last = elapsed < 2 * WINDOW_MS ? this.#current : new Set()
    this.#current = new Set()
    this.#since = performance.now()
  }

  /** Whether a tenant other than this one writes. */
  hasOther(tenant: string): boolean {
    return hasOther(this.#current, tenant) || hasOther(this.#last, tenant)
  }
}

function hasOther(tenants: ReadonlySet<string>, tenant: string): boolean {
  return tenants.size > (tenants.has(tenant) ? 1 : 0)
}
