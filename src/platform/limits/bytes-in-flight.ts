import { Unavailable } from '../errors.js'
import { networksOf } from './network-of.js'

export interface BytesShare {
  total: number
  /** Limit per network address. */
  perAddress: number
}

export interface BytesLimits extends BytesShare {
  /** The part that senders get who are not known: the rest is kept for those who are. Absent: all. */
  unknown?: BytesShare
}

/** The part that one sender may hold: a network, a caller, a contact center. */
export interface SenderShare {
  sender: string
  bytes: number
}

/** The bytes held by one request. */
export interface Flight {
  /**
   * Counts what the request announces in the narrowest share of its sender, if that is known, so that no more of a sender's
   * requests are begun than can end; of others nothing is counted.
   * @throws Unavailable when there is no room for so many bytes
   */
  reserve(bytes: number): void
  /** Counts received bytes. @throws Unavailable when there are too many */
  add(bytes: number): void
  /** Counts the bytes in these shares as well, the narrowest first: it is told later than the first byte who the sender is. */
  attribute(shares: readonly SenderShare[]): void
  /** Notes that the sender has proven who it is. */
  know(): void
  /** Releases all bytes of the request; repeated calls do nothing. */
  end(): void
}

/** By how many times a site must hold more than another, with what comes, to lose a request to it. */
const MORE_TIMES = 2

/**
 * Limits the bytes that requests hold at a time, by those received rather than announced: a slow sender holds few. Only the
 * share of a known sender is taken by what it announces, which delays nobody else. When all
 * is taken, what comes is given room by whoever holds the most, if that is far more: its largest request is cut off.
 */
export class BytesInFlight {
  readonly #all: Held
  readonly #unknown: Held | null
  readonly #open = new Set<OpenFlight>()

  constructor({ unknown, ...limits }: BytesLimits) {
    this.#all = new Held(limits)
    this.#unknown = unknown ? new Held(unknown) : null
  }

  get total(): number {
    return this.#all.total
  }

  /** @param cut ends the request; absent: it is not cut off for others */
  open(address: string, cut?: () => void): Flight {
    const [network, wider] = networksOf(address)
    const all = { of: this.#all, shares: [this.#all.shareOf(network)] }
    const flight: OpenFlight = {
      // One customer has all of a /56 of IPv6.
      site: network.includes(':') ? wider : network,
      bytes: 0,
      counted: [all],
      cutOff: cut && (() => (end(), cut())),
    }
    if (this.#unknown) flight.counted.push({ of: this.#unknown, shares: [this.#unknown.shareOf(network)] })
    let hasEnded = false
    /** Bytes that were announced and have not come, in the share of the sender. */
    const awaited: { bytes: number; share: SenderShare | null } = { bytes: 0, share: null }
    const count = (bytes: number): void => {
      for (const { of, shares } of flight.counted) of.count(shares, bytes)
    }
    /** Counts what is held otherwise. */
    const recount = (change: () => void): void => {
      count(-flight.bytes)
      change()
      count(flight.bytes)
    }
    const expect = (bytes: number): void => {
      // The part of the unknown first: it may make room in all.
      for (const { of, shares } of flight.counted.toReversed()) {
        const moreIn = (share: SenderShare): number =>
          share === awaited.share ? Math.max(0, bytes - awaited.bytes) : bytes
        const isWithin = shares.every((share) => of.isWithin(share, moreIn(share)))
        const hasRoom = isWithin && (of.hasRoom(bytes) || this.#makeRoom(of, flight, bytes))
        if (!hasRoom) throw new Unavailable('too much data is being sent at once: send it again later')
      }
    }
    const awaits = (bytes: number): void => {
      if (!awaited.share) return
      this.#all.hold(awaited.share, bytes - awaited.bytes)
      awaited.bytes = bytes
    }
    const end = (): void => {
      hasEnded = true
      awaits(0)
      this.#open.delete(flight)
      count(-flight.bytes)
      flight.bytes = 0
    }
    return {
      reserve: (bytes) => {
        if (hasEnded) return
        expect(bytes)
        awaits(Math.max(awaited.bytes, bytes))
      },
      add: (bytes) => {
        if (hasEnded) return
        expect(bytes)
        awaits(Math.max(0, awaited.bytes - bytes))
        this.#open.add(flight)
        flight.bytes += bytes
        count(bytes)
      },
      attribute: (shares) => {
        awaits(0)
        awaited.share = shares[0] ?? null
        recount(() => all.shares.push(...shares))
      },
      know: () => recount(() => (flight.counted = [all])),
      end,
    }
  }

  /** Cuts off the largest requests of whoever holds the most. @returns whether there is room now */
  #makeRoom(held: Held, { site }: OpenFlight, bytes: number): boolean {
    const counted = [...this.#open].filter((each) => each.counted.some(({ of }) => of === held))
    const bySite = Map.groupBy(counted, (each) => each.site)
    const sumOf = (of: string): number => (bySite.get(of) ?? []).reduce((sum, each) => sum + each.bytes, 0)
    while (!held.hasRoom(bytes)) {
      const most = [...bySite.keys()].reduce((a, b) => (sumOf(b) > sumOf(a) ? b : a), site)
      if (most === site || sumOf(most) < MORE_TIMES * (sumOf(site) + bytes)) return false
      const [largest] = bySite
        .get(most)!
        .toSorted((a, b) => b.bytes - a.bytes)
        .filter((each) => each.cutOff && each.bytes > 0)
      if (!largest) return false
      largest.cutOff!()
    }
    return true
  }
}

/** A request of which bytes are held. */
interface OpenFlight {
  /** IPv4 address, or network of IPv6, of which all bytes are compared with those of others. */
  site: string
  bytes: number
  counted: { of: Held; shares: SenderShare[] }[]
  /** Releases its bytes and ends the request; absent: it is not cut off for others. */
  cutOff: (() => void) | undefined
}

const BLOCK_BYTES = { min: 4_096, max: 1_048_576 }

/**
 * Keeps what a client sends in blocks that are counted when they are made. A client decides how much comes at once: kept as
 * they come, pieces of a few bytes would take fifty times the memory that is counted.
 */
export class HeldBlocks {
  #blocks: Buffer[] = []
  /** Bytes of all blocks but the last, and of the last one. */
  #before = 0
  #used = 0

  constructor(private readonly flight: Flight) {}

  /** @throws Unavailable when there is no room */
  push(chunk: Buffer): void {
    for (let at = 0; at < chunk.length;) {
      const last = this.#blocks.at(-1)
      if (last && this.#used < last.length) {
        const count = chunk.copy(last, this.#used, at)
        this.#used += count
        at += count
      } else this.#grow(chunk.length - at)
    }
  }

  /** Returns everything, and keeps nothing. */
  join(): Buffer {
    const whole = Buffer.concat(this.#blocks, this.#before + this.#used)
    this.#blocks = []
    return whole
  }

  /** Keeps nothing, and counts nothing any more. */
  drop(): void {
    this.#blocks = []
    this.flight.end()
  }

  /** As much again as there is: a small mail does not take much, and a large one has few blocks. */
  #grow(bytes: number): void {
    const size = Math.min(BLOCK_BYTES.max, Math.max(BLOCK_BYTES.min, bytes, this.#before + this.#used))
    this.flight.add(size)
    this.#before += this.#used
    this.#used = 0
    this.#blocks.push(Buffer.allocUnsafeSlow(size))
  }
}

class Held {
  readonly #bySender = new Map<string, number>()
  total = 0

  constructor(private readonly limits: BytesShare) {}

  shareOf(network: string): SenderShare {
    return { sender: network, bytes: this.limits.perAddress }
  }

  hasRoom(bytes: number): boolean {
    return this.total + bytes <= this.limits.total
  }

  isWithin({ sender, bytes: max }: SenderShare, bytes: number): boolean {
    return (this.#bySender.get(sender) ?? 0) + bytes <= max
  }

  count(shares: readonly SenderShare[], bytes: number): void {
    this.total += bytes
    for (const share of shares) this.hold(share, bytes)
  }

  /** Counts bytes in a share alone. */
  hold({ sender }: SenderShare, bytes: number): void {
    const total = (this.#bySender.get(sender) ?? 0) + bytes
    if (total > 0) this.#bySender.set(sender, total)
    else this.#bySender.delete(sender)
  }
}
