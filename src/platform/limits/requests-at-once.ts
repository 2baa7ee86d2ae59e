import type { ServerResponse } from 'node:http'
import { Unavailable } from '../errors.js'
import { networksOf } from './network-of.js'
import { onceEnded } from './request-end.js'

/** Maximum numbers of concurrent requests of a kind. */
export interface AtOnceLimits {
  /** Absent: unlimited. */
  total?: number
  /** Per network address. */
  address: number
  /** Per contact center; absent: unlimited. */
  organization?: number
  /** Per caller; absent: unlimited. */
  caller?: number
}

/** The sender of a request. */
export interface RequestOf {
  address: string
  organization?: string
  caller?: string
}

/** Keys of those to whom a request's place is counted: its networks, from the narrowest, and its caller. */
interface Owners {
  networks: readonly [string, string, string]
  caller: string | undefined
}

/** A request that has a place. */
interface Running {
  raw: ServerResponse
  rate: RecentRate
  owners: Owners
  leave(): void
}

/** A limit that applies to a request. */
interface Limit {
  key: string
  max: number
  /** True for one of the sender's own: who has used it up cannot have the place of another. */
  isOwn: boolean
}

/** By how many places an owner must exceed the sender of a new request: with one less, both would take it in turns. */
const MORE_MIN = 2
/** A request that has come more slowly for so long is slow: 16 KiB a second. */
const SLOW = { ms: 10_000, bytesPerMs: 16.384 }

/**
 * Limits concurrent requests of a kind, from their headers to their end. While the places of all, or of a contact center,
 * are taken, one that comes gets a place of the network or caller that holds the most, if its own sender holds fewer: the
 * slowest of those requests ends. Otherwise a slow request of who holds just one more ends, or the new one is refused. Who
 * holds one place keeps it if it does not send slowly, however many others come.
 */
export class RequestsAtOnce {
  readonly #running = new Map<string, Set<Running>>()

  constructor(private readonly limits: AtOnceLimits) {}

  /** Counts the request until it is answered or refused, or its connection ends. @throws Unavailable when there are too many */
  enter(reply: { raw: ServerResponse }, of: RequestOf): void {
    const { raw } = reply
    const counted = this.#limitsOf(of)
    const owners = ownersOf(of)
    const isFull = ({ key, max }: Limit): boolean => this.#held(key) >= max
    const ended = new Set<Running>()
    for (const { key, isOwn } of counted.filter(isFull)) {
      const running = this.#running.get(key)!
      if (!isOwn && [...ended].some((each) => running.has(each))) continue
      const next = isOwn ? null : this.#dispensable(running, owners)
      if (!next) throw new Unavailable('too many concurrent requests of this kind: send it again later')
      ended.add(next)
    }
    // It ended while its caller was identified: 'close' was emitted already.
    if (raw.closed || raw.destroyed) return
    for (const each of ended) end(each)
    const keys = new Set([
      ...counted.map(({ key }) => key),
      ...owners.networks,
      ...(owners.caller === undefined ? [] : [owners.caller]),
    ])
    const rate = new RecentRate(raw)
    const leave = (): void => {
      rate.stop()
      for (const key of keys) this.#remove(key, running)
    }
    const running = { raw, rate, owners, leave }
    for (const key of keys) this.#add(key, running)
    onceEnded(raw, leave)
  }

  /** Those of the fewest requests first: whoever ends for them may make room in the others. */
  #limitsOf(of: RequestOf): Limit[] {
    const { limits } = this
    const { networks, caller } = ownersOf(of)
    const all = [
      { key: networks[0], max: limits.address, isOwn: true },
      { key: caller, max: limits.caller, isOwn: true },
      { key: of.organization, max: limits.organization, isOwn: false },
      { key: '', max: limits.total, isOwn: false },
    ]
    return all.filter((each): each is Limit => each.key !== undefined && each.max !== undefined)
  }

  /** Returns the request that is to end for one of `owners`: the slowest of the widest network that holds the most. */
  #dispensable(all: ReadonlySet<Running>, owners: Owners): Running | null {
    const found = Array.from(all, (running) => ({
      running,
      lead: this.#lead(running.owners, owners),
      places: this.#placesOf(running.owners),
      rate: running.rate.bytesPerMs,
    })).filter(({ running, lead }) => lead >= MORE_MIN || (lead === 1 && running.rate.isSlow))
    found.sort(
      (a, b) =>
        b.lead - a.lead ||
        b.places[2]! - a.places[2]! ||
        b.places[1]! - a.places[1]! ||
        b.places[0]! - a.places[0]! ||
        a.rate - b.rate,
    )
    return found[0]?.running ?? null
  }

  /**
   * Returns by how many places, {@link MORE_MIN} at most, the holders exceed others: at the widest network at which it is
   * that many, or at each that is not the others' own. Otherwise a customer's networks of one place each would take those of
   * a network that holds several.
   */
  #lead(holders: Owners, others: Owners): number {
    const [places, othersPlaces] = [this.#placesOf(holders), this.#placesOf(others)]
    for (const at of [2, 1, 0]) {
      const lead = places[at]! - othersPlaces[at]!
      if (lead >= MORE_MIN) return MORE_MIN
      const isShared = at > 0 && holders.networks[at] === others.networks[at]
      if (lead <= 0 && !isShared) return 0
    }
    return 1
  }

  /** Places of each network, or of the caller if it holds more. */
  #placesOf({ networks, caller }: Owners): number[] {
    const ofCaller = caller === undefined ? 0 : this.#held(caller)
    return networks.map((network) => Math.max(this.#held(network), ofCaller))
  }

  #held(key: string): number {
    return this.#running.get(key)?.size ?? 0
  }

  #add(key: string, running: Running): void {
    const all = this.#running.get(key)
    if (all) all.add(running)
    else this.#running.set(key, new Set([running]))
  }

  #remove(key: string, running: Running): void {
    const all = this.#running.get(key)
    if (all?.delete(running) && all.size === 0) this.#running.delete(key)
  }
}

function ownersOf({ address, caller }: RequestOf): Owners {
  const [narrow, wider, widest] = networksOf(address)
  return { networks: [`address ${narrow}`, `network ${wider}`, `network ${widest}`], caller }
}

/** Its sender must learn that nothing was kept, and may send the rest for minutes: the connection is cut. */
function end({ raw, leave }: Running): void {
  leave()
  raw.req.socket.destroy()
}

/** The rate at which a request has come lately: who sent much at first and hardly anything since is slow. */
class RecentRate {
  readonly #req: ServerResponse['req']
  readonly #timer: NodeJS.Timeout
  #since: { ms: number; bytes: number }

  constructor({ req }: ServerResponse) {
    this.#req = req
    this.#since = this.#now()
    let next = this.#since
    this.#timer = setInterval(() => {
      this.#since = next
      next = this.#now()
    }, SLOW.ms).unref()
  }

  /** Infinite while its sender is not waited for: all has come, or what has come was not read yet. */
  get bytesPerMs(): number {
    if (this.#req.complete || this.#req.readableLength > 0) return Infinity
    const { ms, bytes } = this.#now()
    return (bytes - this.#since.bytes) / Math.max(1, ms - this.#since.ms)
  }

  get isSlow(): boolean {
    return performance.now() - this.#since.ms >= SLOW.ms && this.bytesPerMs < SLOW.bytesPerMs
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  #now(): { ms: number; bytes: number } {
    return { ms: performance.now(), bytes: this.#req.socket.bytesRead }
  }
}
