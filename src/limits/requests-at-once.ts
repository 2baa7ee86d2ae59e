import type { ServerResponse } from 'node:http'
import { Unavailable } from '../errors.js'
import { networkOf } from './network-of.js'

/** Maximum numbers of concurrent requests of a kind. */
export interface AtOnceLimits {
  total: number
  /** Per network address. */
  address: number
  /** Per level-1 organization; absent: unlimited. */
  organization?: number
  /** Per caller; absent: unlimited. */
  caller?: number
}

/** Whose a request is. */
export interface RequestOf {
  address: string
  organization?: string
  caller?: string
}

/** Limits concurrent requests of a kind, from their headers to their end. */
export class RequestsAtOnce {
  readonly #running = new Map<string, number>()

  constructor(private readonly limits: AtOnceLimits) {}

  /** Counts the request until it is answered or its connection ends. @throws Unavailable when there are too many */
  enter(reply: { raw: ServerResponse }, { address, organization, caller }: RequestOf): void {
    const { limits } = this
    const counted = [
      ['', limits.total],
      [`address ${networkOf(address)}`, limits.address],
      [organization, limits.organization],
      [caller, limits.caller],
    ].filter((each): each is [string, number] => each[0] !== undefined && each[1] !== undefined)
    if (counted.some(([key, max]) => (this.#running.get(key) ?? 0) >= max)) {
      throw new Unavailable('too many concurrent requests of this kind: send it again later')
    }
    // It ended while its caller was identified: 'close' was emitted already.
    if (reply.raw.closed || reply.raw.destroyed) return
    for (const [key] of counted) this.#add(key, 1)
    reply.raw.once('close', () => {
      for (const [key] of counted) this.#add(key, -1)
    })
  }

  #add(key: string, count: number): void {
    const running = (this.#running.get(key) ?? 0) + count
    if (running > 0) this.#running.set(key, running)
    else this.#running.delete(key)
  }
}
