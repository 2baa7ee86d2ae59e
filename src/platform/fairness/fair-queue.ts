import { setTimeout as sleep } from 'node:timers/promises'
import { RateLimited } from '../errors.js'
import { FairTurns, type Served, type TurnItem } from './fair-turns.js'
import { accountsOf, CUSTOMER_DEPTH, TENANT_DEPTH, type Share } from './share.js'
import { LastTwo } from './writing-accounts.js'
import { lastUsed } from '../last-used.js'

export interface FairLimits {
  /** Maximum running at once: in total, per contact center, per caller. */
  total: number
  perTenant: number
  perCaller: number
  /** Maximum waiting per caller; further work is refused. */
  waitingPerCaller: number
}

/** The pause after each piece of work that holds up all other requests (the event loop, the disk). */
export interface Pause {
  /** In durations of the work: with 4 it gets a fifth of what all share. */
  factor: number
  msMax: number
}

export interface FairQueueOptions {
  /** Name of the queued work in messages: `reads`. */
  name: string
  limits: FairLimits
  /**
   * Time for which a slot stays taken after work; the answer does not wait for it. Of work that takes microseconds several
   * have one together: a timer takes a turn of the event loop, which takes long where much goes on.
   */
  pause?: Pause
  /**
   * Tells whether an account pauses for now: then the pause is that of accounts with more work waiting, and others have the slot
   * meanwhile. When absent, all pause, and the slot stays taken.
   */
  mustPause?: (account: string, depth: number) => boolean
  /** Lowers for now what an account may have running; at least 1, so that each end of work is followed by another's start. */
  accountMax?: (account: string, depth: number) => number
  /** Called with the wait of each piece of work, and its contact center. */
  observeWait?: (ms: number, tenant: string) => void
}

interface Waiting extends TurnItem {
  start(): void
}

/** Work of an account that runs or waits. */
interface Held {
  running: number
  waiting: number
}

/** Time for which a customer's part stays free for it after it has asked for something. */
const WANTED_MS = 1_000
const TENANTS_MAX = 10_000

/**
 * Limits concurrent work and shares the slots fairly, in turns of contact centers, customers and callers, however much
 * work any of them has waiting. A customer has at most half of its contact center's part while another wants some of it.
 */
export class FairQueue {
  readonly #options: FairQueueOptions
  readonly #turns = new FairTurns<Waiting>()
  readonly #accounts = new Map<string, Held>()
  /** The customers of each contact center that asked for something last. */
  readonly #asking = lastUsed<LastTwo>(TENANTS_MAX)
  #running = 0
  /** Rest of the pauses, in ms: a timer cannot wait for less than one. */
  #owedMs = 0

  constructor(options: FairQueueOptions) {
    this.#options = options
  }

  get running(): number {
    return this.#running
  }

  get waiting(): number {
    return this.#turns.size
  }

  /** @throws RateLimited when too much of the caller's work is waiting */
  async run<T>(share: Share, work: () => Promise<T> | T): Promise<T> {
    const release = await this.enter(share)
    try {
      return await work()
    } finally {
      release()
    }
  }

  /**
   * Waits for a slot.
   * @returns a function that releases the slot, after the pause if there is one; repeated calls do nothing
   * @throws RateLimited when too much of the caller's work is waiting
   */
  async enter(share: Share): Promise<() => void> {
    const { limits, name, observeWait } = this.#options
    const accounts = accountsOf(share)
    this.#noteAsking(accounts)
    const caller = this.#accounts.get(accounts.at(-1)!)
    if (!caller?.waiting && this.#mayStart(accounts)) {
      this.#start(accounts)
      this.#turns.toEnd(share)
      observeWait?.(0, share[0])
    } else {
      if (caller && caller.waiting >= limits.waitingPerCaller) {
        throw new RateLimited(`more than ${limits.waitingPerCaller} ${name} of one caller are waiting`, 1)
      }
      const since = performance.now()
      await new Promise<void>((resolve) => {
        this.#turns.add({ share, cost: 1, since, start: resolve })
        this.#count(accounts, 'waiting', 1)
      })
      observeWait?.(performance.now() - since, share[0])
    }
    const startedAt = performance.now()
    let isHeld = true
    return () => {
      if (!isHeld) return
      isHeld = false
      const pauseMs = this.#pauseMs(accounts, performance.now() - startedAt)
      if (pauseMs === 0) return this.#leave(share, accounts, 1)
      const isAccounts = this.#options.mustPause !== undefined
      if (isAccounts) {
        this.#running -= 1
        this.#fill()
      }
      void sleep(pauseMs, undefined, { ref: false }).then(() => this.#leave(share, accounts, isAccounts ? 0 : 1))
    }
  }

  /** Returns how long the slot of work that took `ms` stays taken, in whole ms. */
  #pauseMs(accounts: readonly string[], ms: number): number {
    const { pause, mustPause } = this.#options
    if (!pause || (mustPause && !(this.#accounts.get(accounts.at(-1)!)?.waiting && accounts.some(mustPause)))) return 0
    this.#owedMs += Math.min(pause.msMax, pause.factor * ms)
    const pauseMs = Math.trunc(this.#owedMs)
    this.#owedMs -= pauseMs
    return pauseMs
  }

  #noteAsking([tenant, customer]: readonly string[]): void {
    let asking = this.#asking.get(tenant!)
    if (!asking) this.#asking.set(tenant!, (asking = new LastTwo(WANTED_MS)))
    asking.note(customer!)
  }

  #mayStart(accounts: readonly string[]): boolean {
    if (this.#running >= this.#options.limits.total) return false
    const last = accounts.length - 1
    return accounts.every((account, depth) => this.#hasRoom(account, depth, depth === last))
  }

  #hasRoom(account: string, depth: number, isCaller: boolean): boolean {
    const running = this.#accounts.get(account)?.running ?? 0
    if (running === 0) return true
    const { accountMax } = this.#options
    return running < this.#maxOf(account, depth, isCaller) && (!accountMax || running < accountMax(account, depth))
  }

  #maxOf(account: string, depth: number, isCaller: boolean): number {
    const { perTenant, perCaller } = this.#options.limits
    if (depth === TENANT_DEPTH) return perTenant
    if (depth === CUSTOMER_DEPTH) {
      const isWanted = this.#asking.get(account.slice(0, account.indexOf(' ')))?.hasOther(account) ?? false
      return isWanted ? Math.max(1, Math.ceil(perTenant / 2)) : perTenant
    }
    return isCaller ? perCaller : perTenant
  }

  #start(accounts: readonly string[]): void {
    this.#running += 1
    this.#count(accounts, 'running', 1)
  }

  /** @param slots that it gives back: none if others have it already */
  #leave(share: Share, accounts: readonly string[], slots: number): void {
    this.#running -= slots
    this.#count(accounts, 'running', -1)
    // Work that arrived while it ran goes first.
    this.#turns.toEnd(share)
    this.#fill()
    if (!this.#accounts.has(accounts.at(-1)!)) this.#turns.forget(share)
  }

  /** Gives free slots to the next in turn. */
  #fill(): void {
    const serves = (account: string, depth: number, isCaller: boolean): Served =>
      this.#hasRoom(account, depth, isCaller) ? 'below' : 'none'
    while (this.#running < this.#options.limits.total) {
      const next = this.#turns.take({ serves })
      if (!next) return
      const accounts = accountsOf(next.share)
      this.#count(accounts, 'waiting', -1)
      this.#start(accounts)
      next.start()
    }
  }

  #count(accounts: readonly string[], what: keyof Held, by: number): void {
    for (const account of accounts) {
      const held = this.#accounts.get(account) ?? { running: 0, waiting: 0 }
      held[what] += by
      if (held.running === 0 && held.waiting === 0) this.#accounts.delete(account)
      else this.#accounts.set(account, held)
    }
  }
}
