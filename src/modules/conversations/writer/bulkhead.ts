import { CALLER_DEPTH, TENANT_DEPTH, accountsOf, type Share } from '../../../platform/fairness/share.js'
import type { Served } from '../../../platform/fairness/fair-turns.js'

/**
 * The part of the writer's resources in which a write runs, so that a stuck one delays few others: `shared` with writes of all tenants, `tenant` with those of its own tenant, `single` in a
 * transaction of its own, `blocked` likewise, after it has waited too long for a lock.
 */
export const BULKHEADS = ['shared', 'tenant', 'single', 'blocked'] as const
export type Bulkhead = (typeof BULKHEADS)[number]

/** Tells whether each operation has a transaction of its own. */
export const isSingle = (bulkhead: Bulkhead): boolean => bulkhead === 'single' || bulkhead === 'blocked'

/** Size of their transactions; the cost in sends. */
export const ISOLATED_SIZE = { max: 64, costMax: 64 }

/** Bulkheads with several concurrent transactions outside the shared batches. */
export const ISOLATED = ['tenant', 'single', 'blocked'] as const
export type IsolatedBulkhead = (typeof ISOLATED)[number]
const POOL_SHARES: Readonly<Record<IsolatedBulkhead, number>> = { tenant: 0.2, single: 0.25, blocked: 0.15 }

export function isolatedSlots(poolSize: number): Record<IsolatedBulkhead, BulkheadSlots> {
  const slots = (bulkhead: IsolatedBulkhead): BulkheadSlots =>
    new BulkheadSlots(Math.max(1, Math.floor(poolSize * POOL_SHARES[bulkhead])))
  return { tenant: slots('tenant'), single: slots('single'), blocked: slots('blocked') }
}

/** Returns the bulkhead for operations that may need a lock which another transaction holds. */
export function bulkheadOfSuspect(suspects: number, tenants: number): Bulkhead {
  if (suspects === 1) return 'blocked'
  return tenants === 1 ? 'single' : 'tenant'
}

/**
 * Limits the concurrent transactions of a bulkhead: in total, of a tenant and its customers, which never use all of them,
 * and of a caller, which leaves one to its colleagues.
 */
export class BulkheadSlots {
  readonly #taken = new Map<string, number>()
  #count = 0

  constructor(
    private readonly max: number,
    private readonly maxOfTenant = Math.max(1, max - 1),
    private readonly maxOfCaller = Math.max(1, maxOfTenant - 1),
  ) {}

  get isFull(): boolean {
    return this.#count >= this.max
  }

  /** Tells whether an account may have another transaction. */
  readonly serves = (account: string, depth: number): Served => {
    const taken = this.#taken.get(account) ?? 0
    return taken < (depth < CALLER_DEPTH ? this.maxOfTenant : this.maxOfCaller) ? 'below' : 'none'
  }

  /** Tells whether a tenant may have another transaction, whoever calls: batches of the bulkhead `tenant`. */
  hasRoomFor(tenant: string): boolean {
    return this.serves(tenant, TENANT_DEPTH) !== 'none'
  }

  enter(share: Share): void {
    this.#count += 1
    for (const account of accountsOf(share)) this.#taken.set(account, (this.#taken.get(account) ?? 0) + 1)
  }

  leave(share: Share): void {
    this.#count -= 1
    for (const account of accountsOf(share)) {
      const left = this.#taken.get(account)! - 1
      if (left > 0) this.#taken.set(account, left)
      else this.#taken.delete(account)
    }
  }
}
