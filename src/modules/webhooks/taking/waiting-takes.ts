import type { Context } from '../../../platform/context.js'
import { RateLimited } from '../../../platform/errors.js'
import type { FeedPosition } from '../feed/feed-position.js'

/** Requests that wait at once on one node: of a caller, and of its organization. */
const WAITING_PER_CALLER = 20
const WAITING_PER_ORGANIZATION = 100
const RETRY_SECONDS = 5

/** A take that waits for events of a service, or the read of a feed. */
export class WaitingTake {
  /** Nobody waits for its answer any more, or the server stops. */
  isEnded = false
  /** True for a hint that it has not looked after. */
  #isCalled = false
  #resume: () => void = () => undefined

  /** The place at which a reader of a feed stands. */
  position: FeedPosition | null = null

  constructor(readonly service: string) {}

  get isCalled(): boolean {
    return this.#isCalled
  }

  end(): void {
    this.isEnded = true
    this.#resume()
  }

  call(): void {
    this.#isCalled = true
    this.#resume()
  }

  /** Waits until it is called or ended, or for `ms`; at once if it was called since the last time. */
  async called(ms: number): Promise<void> {
    if (!this.#isCalled && !this.isEnded && ms > 0) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, ms)
        this.#resume = () => {
          clearTimeout(timer)
          resolve()
        }
      })
    }
    this.#isCalled = false
  }
}

/** The takes that wait on this node, by service. One is called for each hint: it calls the next if it has found something. */
export class WaitingTakes {
  readonly #waiting = new Map<string, Set<WaitingTake>>()
  readonly #counts = new Map<string, number>()
  #isDraining = false

  /** @param what waits, in words */
  constructor(private readonly what: string) {}

  get services(): string[] {
    return [...this.#waiting.keys()]
  }

  get count(): number {
    return this.#waiting.values().reduce((sum, { size }) => sum + size, 0)
  }

  /** Runs a take, which is ended when its caller is gone. @throws RateLimited when too many wait */
  async during<T>(
    ctx: Context,
    { service, isWaiting }: { service: string; isWaiting: boolean },
    work: (take: WaitingTake) => Promise<T>,
  ): Promise<T> {
    const { key, organization } = ctx.caller
    const accounts: readonly (readonly [account: string, max: number, whose: string])[] = isWaiting
      ? [
          [key, WAITING_PER_CALLER, 'caller'],
          [`organization:${organization}`, WAITING_PER_ORGANIZATION, 'organization'],
        ]
      : []
    for (const [account, max, whose] of accounts) {
      if ((this.#counts.get(account) ?? 0) >= max)
        throw new RateLimited(`more than ${max} ${this.what} of one ${whose} are waiting`, RETRY_SECONDS)
    }
    const take = new WaitingTake(service)
    if (this.#isDraining) take.end()
    const ofService = this.#waiting.get(service) ?? new Set()
    this.#waiting.set(service, ofService.add(take))
    for (const [account] of accounts) this.#counts.set(account, (this.#counts.get(account) ?? 0) + 1)
    const forget = ctx.onGone(() => take.end())
    try {
      return await work(take)
    } finally {
      forget()
      ofService.delete(take)
      if (ofService.size === 0) this.#waiting.delete(service)
      // Its hint is for another then.
      else if (take.isCalled) this.call(service)
      for (const [account] of accounts) {
        const left = this.#counts.get(account)! - 1
        if (left > 0) this.#counts.set(account, left)
        else this.#counts.delete(account)
      }
    }
  }

  /** Calls the take of the service that has waited longest. */
  call(service: string): void {
    const ofService = this.#waiting.get(service)
    const [first] = ofService ?? []
    if (!first) return
    // The next hint is for another.
    ofService!.delete(first)
    ofService!.add(first)
    first.call()
  }

  /** Calls all of the service: what one of them reads is there for the others, too. */
  callAll(service: string): void {
    for (const take of this.#waiting.get(service) ?? []) take.call()
  }

  /** Positions of those that read a feed. */
  get positions(): FeedPosition[] {
    const all = [...this.#waiting.values()].flatMap((ofService) => [...ofService])
    return all.flatMap(({ position }) => position ?? [])
  }

  /** Ends all that wait, and lets none wait from now on. */
  drain(): void {
    this.#isDraining = true
    for (const ofService of this.#waiting.values()) for (const take of ofService) take.end()
  }
}
