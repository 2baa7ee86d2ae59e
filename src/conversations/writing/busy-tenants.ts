/** A tenant with more writes than this that have not ended asks for more than its share of the common batches, … */
const WRITES_MAX = 16
/** … and so does one whose operations have been costing more than this to decide, in sends. */
const COST_MAX = 4
/** A tenant is about for so long after it wrote, and expensive for so long after an expensive operation. */
const ABOUT_MS = 1_000
const KNOWN_MAX = 10_000

/**
 * Tells which tenants write so much that others would wait for it. A tenant that is alone is never busy: then large
 * batches keep nobody waiting, and get the most done.
 */
export class BusyTenants {
  #current = new Set<string>()
  #last = new Set<string>()
  #since = performance.now()
  readonly #expensiveUntil = new Map<string, number>()
  #lookedAt = performance.now()

  /** A write was accepted. */
  wrote(tenant: string): void {
    this.#turn()
    if (this.#current.size < KNOWN_MAX) this.#current.add(tenant)
  }

  /** An operation of the tenant was decided. @param cost of deciding it, in sends */
  decided(tenant: string, cost: number): void {
    if (cost <= COST_MAX) return
    this.#expensiveUntil.delete(tenant)
    this.#expensiveUntil.set(tenant, performance.now() + ABOUT_MS)
    if (this.#expensiveUntil.size > KNOWN_MAX) this.#expensiveUntil.delete(this.#expensiveUntil.keys().next().value!)
  }

  /** Answers until the next look are of this moment: each tenant is either busy or not. */
  look(): void {
    this.#turn()
    this.#lookedAt = performance.now()
  }

  /** @param writes how many of its writes have not ended */
  isBusy(tenant: string, writes: number): boolean {
    if (writes <= WRITES_MAX && !this.#isExpensive(tenant)) return false
    return this.#hasOther(this.#current, tenant) || this.#hasOther(this.#last, tenant)
  }

  #isExpensive(tenant: string): boolean {
    return (this.#expensiveUntil.get(tenant) ?? 0) > this.#lookedAt
  }

  #hasOther(tenants: ReadonlySet<string>, tenant: string): boolean {
    return tenants.size > (tenants.has(tenant) ? 1 : 0)
  }

  #turn(): void {
    const elapsed = performance.now() - this.#since
    if (elapsed < ABOUT_MS) return
    this.#last = elapsed < 2 * ABOUT_MS ? this.#current : new Set()
    this.#current = new Set()
    this.#since = performance.now()
  }
}
