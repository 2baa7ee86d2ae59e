import type { WritingTenants } from '../../fairness/writing-tenants.js'

/** A tenant is busy if it has more unfinished writes than this … */
const WRITES_MAX = 16
/** … or if its operations have been costing more than this to decide, in sends. */
const COST_MAX = 4
/** How long a tenant counts as expensive after an expensive operation. */
const EXPENSIVE_MS = 1_000
const KNOWN_MAX = 10_000

/**
 * Determines which tenants write so much that others would have to wait. A tenant that writes alone is never busy: then
 * large batches delay nobody and are most efficient.
 */
export class BusyTenants {
  readonly #expensiveUntil = new Map<string, number>()
  #refreshedAt = performance.now()

  constructor(private readonly writing: WritingTenants) {}

  /** Must be called when an operation of the tenant was decided. @param cost cost of deciding, in sends */
  decided(tenant: string, cost: number): void {
    if (cost <= COST_MAX) return
    this.#expensiveUntil.delete(tenant)
    this.#expensiveUntil.set(tenant, performance.now() + EXPENSIVE_MS)
    if (this.#expensiveUntil.size > KNOWN_MAX) this.#expensiveUntil.delete(this.#expensiveUntil.keys().next().value!)
  }

  /** Fixes the answers until the next call, so that each tenant is either busy or not during a round. */
  refresh(): void {
    this.writing.refresh()
    this.#refreshedAt = performance.now()
  }

  /** @param writes number of the tenant's unfinished writes */
  isBusy(tenant: string, writes: number): boolean {
    if (writes <= WRITES_MAX && !this.#isExpensive(tenant)) return false
    return this.writing.hasOther(tenant)
  }

  #isExpensive(tenant: string): boolean {
    return (this.#expensiveUntil.get(tenant) ?? 0) > this.#refreshedAt
  }
}
