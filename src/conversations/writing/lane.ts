/**
 * How a write is executed: `shared` with writes of all tenants, `apart` with those of its own tenant, `alone` in a
 * transaction of its own, `held` likewise, after it has waited too long for a lock.
 */
export const LANES = ['shared', 'apart', 'alone', 'held'] as const
export type Lane = (typeof LANES)[number]

/** Lanes with several concurrent transactions outside the shared batches. */
export const BESIDE = ['apart', 'alone', 'held'] as const
export type Beside = (typeof BESIDE)[number]
const POOL_SHARES: Readonly<Record<Beside, number>> = { apart: 0.2, alone: 0.25, held: 0.15 }

export function slotsBeside(poolSize: number): Record<Beside, LaneSlots> {
  const slots = (lane: Beside): LaneSlots => new LaneSlots(Math.max(1, Math.floor(poolSize * POOL_SHARES[lane])))
  return { apart: slots('apart'), alone: slots('alone'), held: slots('held') }
}

/** Limits the concurrent transactions of a lane, in total and per tenant, so that no tenant uses all of them. */
export class LaneSlots {
  readonly #taken = new Map<string, number>()
  #count = 0

  constructor(
    private readonly max: number,
    private readonly maxOfTenant = Math.max(1, max - 1),
  ) {}

  get isFull(): boolean {
    return this.#count >= this.max
  }

  readonly hasRoomFor = (tenant: string): boolean => (this.#taken.get(tenant) ?? 0) < this.maxOfTenant

  enter(tenant: string): void {
    this.#count += 1
    this.#taken.set(tenant, (this.#taken.get(tenant) ?? 0) + 1)
  }

  leave(tenant: string): void {
    this.#count -= 1
    const left = this.#taken.get(tenant)! - 1
    if (left > 0) this.#taken.set(tenant, left)
    else this.#taken.delete(tenant)
  }
}
