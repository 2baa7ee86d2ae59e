/** The writes of a tenant of which one waited too long for a lock are not done together with others' for so long. */
const SLOW_MS = 5_000
const KNOWN_MAX = 50_000
/** Where nobody knows yet for whom it is done: the system's first write to a conversation. */
export const UNKNOWN_TENANT = 'unknown'

/** What is known of the level-1 organizations that writes are done for. */
export class SlowTenants {
  readonly #slowUntil = new Map<string, number>()
  /** By conversation, those written last at the end. */
  readonly #tenants = new Map<string, string>()

  /** A write of this tenant waited too long for a lock: the next ones would keep batches waiting. */
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

  /** Of a conversation that was written before. */
  tenantOf(conversation: string): string {
    return this.#tenants.get(conversation) ?? UNKNOWN_TENANT
  }

  learn(conversation: string, tenant: string): void {
    this.#tenants.delete(conversation)
    this.#tenants.set(conversation, tenant)
    if (this.#tenants.size > KNOWN_MAX) this.#tenants.delete(this.#tenants.keys().next().value!)
  }
}
