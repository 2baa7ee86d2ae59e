/** How long a tenant's writes are kept apart from others' after one of them waited too long for a lock. */
const SLOW_MS = 5_000
const KNOWN_MAX = 50_000
/** Used while the conversation's tenant is unknown: for the system's first write to it. */
export const UNKNOWN_TENANT = 'unknown'

/** Tracks tenants whose writes wait for locks, and the tenants of conversations. */
export class SlowTenants {
  readonly #slowUntil = new Map<string, number>()
  /** Tenants by conversation, most recently written last. */
  readonly #tenants = new Map<string, string>()

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

  /** Returns the tenant of a conversation that was written before. */
  tenantOf(conversation: string): string {
    return this.#tenants.get(conversation) ?? UNKNOWN_TENANT
  }

  learn(conversation: string, tenant: string): void {
    this.#tenants.delete(conversation)
    this.#tenants.set(conversation, tenant)
    if (this.#tenants.size > KNOWN_MAX) this.#tenants.delete(this.#tenants.keys().next().value!)
  }
}
