/** Time for which a tenant's writes are kept apart from others' after one of them waited too long for a lock. */
const SLOW_MS = 5_000

/** Tracks tenants whose writes wait for locks. */
export class SlowTenants {
  readonly #slowUntil = new Map<string, number>()

  /** Records that a write of this tenant waited too long for a lock: its next ones would delay batches. */
  note(tenant: string): void {
    this.#slowUntil.set(tenant, performance.now() + SLOW_MS)
  }

  isSlow(tenant: string): boolean {
    const until = this.#slowUntil.get(tenant)
    if (until === undefined) return false
    if (until > performance.now()) return true
    this.#slowUntil.delete(tenant)
    return false
  }
}
