import { RateLimited } from '../errors.js'

/** The account of some work: a level-1 organization, and the caller within it. */
export interface Share {
  tenant: string
  caller: string
}

export interface FairLimits {
  /** Maximum running at once: in total, per tenant, per caller. */
  total: number
  perTenant: number
  perCaller: number
  /** Maximum waiting per caller; further work is refused. */
  waitingPerCaller: number
}

export interface FairQueueOptions {
  /** Name of the queued work in messages: `reads`. */
  name: string
  limits: FairLimits
  /** Lowers `perTenant` for now; at least 1, so that each end of work is followed by the next one's start. */
  tenantMax?: (tenant: string) => number
  /** Called with the wait of each piece of work, and its tenant. */
  observeWait?: (ms: number, tenant: string) => void
}

type Start = () => void

interface CallerTurn {
  running: number
  waiting: Start[]
}

interface TenantTurn {
  running: number
  /** Callers with running or waiting work; the next to be served comes first. */
  callers: Map<string, CallerTurn>
  waiting: number
}

/**
 * Limits concurrent work and shares the slots fairly: round robin by tenant, and by caller within a tenant, however
 * much work any of them has waiting.
 */
export class FairQueue {
  readonly #options: FairQueueOptions
  readonly #tenants = new Map<string, TenantTurn>()
  #running = 0
  #waiting = 0

  constructor(options: FairQueueOptions) {
    this.#options = options
  }

  get running(): number {
    return this.#running
  }

  get waiting(): number {
    return this.#waiting
  }

  /** @throws RateLimited when too much of the caller's work is waiting */
  async run<T>(share: Share, work: () => Promise<T>): Promise<T> {
    const release = await this.enter(share)
    try {
      return await work()
    } finally {
      release()
    }
  }

  /**
   * Waits for a slot.
   * @returns a function that releases the slot; repeated calls do nothing
   * @throws RateLimited when too much of the caller's work is waiting
   */
  async enter(share: Share): Promise<() => void> {
    const { limits, name, observeWait } = this.#options
    const tenant = this.#tenantOf(share.tenant)
    const caller = this.#callerOf(tenant, share.caller)
    if (caller.waiting.length === 0 && this.#mayStart(share.tenant, tenant) && caller.running < limits.perCaller) {
      this.#start(share, tenant, caller)
      observeWait?.(0, share.tenant)
    } else {
      if (caller.waiting.length >= limits.waitingPerCaller) {
        throw new RateLimited(`more than ${limits.waitingPerCaller} ${name} of one caller are waiting`, 1)
      }
      const since = performance.now()
      await new Promise<void>((resolve) => {
        caller.waiting.push(resolve)
        tenant.waiting += 1
        this.#waiting += 1
      })
      observeWait?.(performance.now() - since, share.tenant)
    }
    let isHeld = true
    return () => {
      if (!isHeld) return
      isHeld = false
      this.#leave(share, tenant, caller)
    }
  }

  #mayStart(id: string, tenant: TenantTurn): boolean {
    const { limits, tenantMax } = this.#options
    if (this.#running >= limits.total || tenant.running >= limits.perTenant) return false
    return tenant.running === 0 || !tenantMax || tenant.running < tenantMax(id)
  }

  /** Moves the tenant and the caller to the end of their rounds. */
  #start(share: Share, tenant: TenantTurn, caller: CallerTurn): void {
    this.#running += 1
    tenant.running += 1
    caller.running += 1
    this.#toEnd(share, tenant, caller)
  }

  #toEnd(share: Share, tenant: TenantTurn, caller: CallerTurn): void {
    tenant.callers.delete(share.caller)
    tenant.callers.set(share.caller, caller)
    this.#tenants.delete(share.tenant)
    this.#tenants.set(share.tenant, tenant)
  }

  #leave(share: Share, tenant: TenantTurn, caller: CallerTurn): void {
    this.#running -= 1
    tenant.running -= 1
    caller.running -= 1
    // Work that arrived while it ran goes first.
    this.#toEnd(share, tenant, caller)
    if (this.#waiting > 0) this.#fill()
    if (caller.running === 0 && caller.waiting.length === 0) tenant.callers.delete(share.caller)
    if (tenant.running === 0 && tenant.waiting === 0) this.#tenants.delete(share.tenant)
  }

  /** Gives free slots to the next in turn. */
  #fill(): void {
    let isFound = true
    while (isFound && this.#waiting > 0 && this.#running < this.#options.limits.total) {
      isFound = false
      for (const [id, tenant] of this.#tenants) {
        isFound = tenant.waiting > 0 && this.#mayStart(id, tenant) && this.#startNext(id, tenant)
        if (isFound) break
      }
    }
  }

  #startNext(tenantId: string, tenant: TenantTurn): boolean {
    for (const [callerId, caller] of tenant.callers) {
      if (caller.waiting.length === 0 || caller.running >= this.#options.limits.perCaller) continue
      this.#start({ tenant: tenantId, caller: callerId }, tenant, caller)
      tenant.waiting -= 1
      this.#waiting -= 1
      caller.waiting.shift()!()
      return true
    }
    return false
  }

  #tenantOf(id: string): TenantTurn {
    let tenant = this.#tenants.get(id)
    if (!tenant) this.#tenants.set(id, (tenant = { running: 0, callers: new Map(), waiting: 0 }))
    return tenant
  }

  #callerOf(tenant: TenantTurn, id: string): CallerTurn {
    let caller = tenant.callers.get(id)
    if (!caller) tenant.callers.set(id, (caller = { running: 0, waiting: [] }))
    return caller
  }
}
