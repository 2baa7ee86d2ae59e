import { Unavailable } from '../errors.js'
import { networkOf } from './network-of.js'

export interface BytesLimits {
  total: number
  /** Limit per network address. */
  perAddress: number
}

/** The bytes held by one request. */
export interface Flight {
  /** @throws Unavailable when there is no room for so many more bytes, without counting them */
  expect(bytes: number): void
  /** Counts received bytes. @throws Unavailable when there are too many */
  add(bytes: number): void
  /** Releases all bytes of the request; repeated calls do nothing. */
  end(): void
}

/** Limits the bytes that requests hold at a time, by those received rather than announced: a slow sender holds few. */
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
    const expect = (bytes: number): void => {
      if (this.#total + bytes <= this.limits.total && this.#of(network) + bytes <= this.limits.perAddress) return
      throw new Unavailable('too much data is being sent at once: send it again later')
    }
    return {
      expect,
      add: (bytes) => {
        if (hasEnded) return
        expect(bytes)
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
