import { createHmac, timingSafeEqual } from 'node:crypto'
import { Forbidden } from '../../platform/errors.js'

/** The parts of a link that prove it, as its query has them. */
export interface GivenSignature {
  expires?: unknown
  signature?: unknown
}

/** Signs links to a record for a limited time: whoever has one needs no credentials. */
export class LinkSignature {
  /** @param secret of the installation, the same on every node; links of another kind have another one */
  constructor(
    private readonly secret: Uint8Array,
    private readonly now: () => Date,
  ) {}

  /** @param expires in seconds since 1970 */
  queryOf(id: string, expires: number): string {
    return `expires=${expires}&signature=${this.#sign(id, expires)}`
  }

  /** @returns the link's remaining lifetime in seconds. @throws Forbidden for a forged one, and with `expired` for a late one */
  check(id: string, given: GivenSignature, expired: string): number {
    const expires = typeof given.expires === 'string' && /^\d{1,12}$/.test(given.expires) ? Number(given.expires) : null
    if (expires === null || typeof given.signature !== 'string' || !this.#isSigned(id, expires, given.signature)) {
      throw new Forbidden('the link is invalid', { reason: 'LINK_INVALID' })
    }
    const left = expires - this.now().getTime() / 1_000
    if (left <= 0) throw new Forbidden(expired, { reason: 'LINK_EXPIRED' })
    return left
  }

  #isSigned(id: string, expires: number, signature: string): boolean {
    const expected = Buffer.from(this.#sign(id, expires))
    const given = Buffer.from(signature)
    return given.length === expected.length && timingSafeEqual(given, expected)
  }

  #sign(id: string, expires: number): string {
    return createHmac('sha256', this.secret).update(`${id}\n${expires}`).digest('base64url')
  }
}
