import { RateLimited } from '../errors.js'

/** On whose account something is done: a level-1 organization, and the caller within it. */
export interface Share {
  tenant: string
  caller: string
}

export interface FairLimits {
  /** Under way at once: in all, of one tenant, of one caller. */
  total: number
  perTenant: number
  perCaller: number
  /** Waiting of one caller; more are refused. */
  waitingPerCaller: number
}

export interface FairQueueOptions {
  /** What waits, for messages: `reads`. */
  name: string
  limits: FairLimits
  /** Told how long each waited. */
  observeWait?: (ms: number) => void
}

type Start = () => void

interface CallerTurn {
  running: number
  waiting: Start[]
}

interface TenantTurn {
  running: number
  /** Those with something running or waiting; the one whose turn is next comes first. */
  callers: Map<string, CallerTurn>
  waiting: number
}

/**
 * Lets a bounded number of things run at once, and shares the places fairly: what waits gets its turn tenant by tenant,
 * and within a tenant caller by caller, however much any of them has waiting.
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

  /** @throws RateLimited when too much of the caller's waits already */
  async run<T>(share: Share, work: () => Promise<T>): Promise<T> {
    const release = await this.enter(share)
    try {
      return await work()
    } finally {
      release()
    }
  }

  /**
   * Waits for a place.
   * @returns what gives the place back; calling it again does nothing
   * @throws RateLimited when too much of the caller's waits already
   */
  async enter(share: Share): Promise<() => void> {
    const { limits, name, observeWait } = this.#options
    const tenant = this.#tenantOf(share.tenant)
    const caller = this.#callerOf(tenant, share.caller)
    if (caller.waiting.length === 0 && this.#mayStart(tenant) && caller.running < limits.perCaller) {
      this.#start(share, tenant, caller)
      observeWait?.(0)
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
      observeWait?.(performance.now() - since)
    }
    let isHeld = true
    return () => {
      if (!isHeld) return
      isHeld = false
      this.#leave(share, tenant, caller)
    }
  }

  #mayStart(tenant: TenantTurn): boolean {
    const { total, perTenant } = this.#options.limits
    return this.#running < total && tenant.running < perTenant
  }

  /** It has had its turn: to the end of both rounds. */
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
    // Who came while it ran goes first.
    this.#toEnd(share, tenant, caller)
    if (this.#waiting > 0) this.#fill()
    if (caller.running === 0 && caller.waiting.length === 0) tenant.callers.delete(share.caller)
    if (tenant.running === 0 && tenant.waiting === 0) this.#tenants.delete(share.tenant)
  }

  /** Gives free places to those whose turn it is. */
  #fill(): void {
    let isFound = true
    while (isFound && this.#waiting > 0 && this.#running < this.#options.limits.total) {
      isFound = false
      for (const [id, tenant] of this.#tenants) {
        isFound = tenant.waiting > 0 && this.#mayStart(tenant) && this.#startNext(id, tenant)
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
