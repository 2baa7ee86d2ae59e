import { Unavailable } from '../errors.js'
import { networkOf } from './network-of.js'

export interface BytesLimits {
  total: number
  /** Of one network address. */
  perAddress: number
}

/** What one request holds. */
export interface Flight {
  /** Counts what has come. @throws Unavailable when it is too much for now */
  add(bytes: number): void
  /** It holds nothing more; calling it again does nothing. */
  end(): void
}

/**
 * Bounds the bytes that requests hold at one time, by what has come of them, not by what they announce: whoever sends
 * slowly holds little.
 */
export class BytesInFlight {
  readonly #byAddress = new Map<string, number>()
  #total = 0

  constructor(private readonly limits: BytesLimits) {}

  get total(): number {
    return this.#total
  }

  open(address: string): Flight {
    const network = networkOf(address)
    let held = 0
    let hasEnded = false
    return {
      add: (bytes) => {
        if (hasEnded) return
        if (this.#total + bytes > this.limits.total || this.#of(network) + bytes > this.limits.perAddress) {
          throw new Unavailable('too much is being sent at once: send it again later')
        }
        held += bytes
        this.#count(network, bytes)
      },
      end: () => {
        hasEnded = true
        this.#count(network, -held)
        held = 0
      },
    }
  }

  #of(network: string): number {
    return this.#byAddress.get(network) ?? 0
  }

  #count(network: string, bytes: number): void {
    this.#total += bytes
    const total = this.#of(network) + bytes
    if (total > 0) this.#byAddress.set(network, total)
    else this.#byAddress.delete(network)
  }
}
