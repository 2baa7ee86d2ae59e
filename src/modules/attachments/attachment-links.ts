import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Clock } from '../../platform/db/clock.js'
import { Forbidden } from '../../platform/errors.js'

export interface AttachmentLinksOptions {
  /** Secret of the installation, the same on every node. */
  secret: Uint8Array
  /** Lifetime of a link in days. */
  days: number
  publicUrl: string
  clock: Pick<Clock, 'now'>
}

const DAY_SECONDS = 86_400
/** Links created within the same hour are equal, so that browsers and clients can cache. */
const STEP_SECONDS = 3_600
const NAME_CHARS_MAX = 100

/** Creates and verifies addresses at which an attachment can be read without credentials, for a limited time. */
export class AttachmentLinks {
  constructor(private readonly options: AttachmentLinksOptions) {}

  /** @param name last part of the address, for people; the server ignores it */
  urlOf(id: string, name: string): string {
    const { publicUrl, days, clock } = this.options
    const until = clock.now().getTime() / 1_000 + days * DAY_SECONDS
    const expires = Math.ceil(until / STEP_SECONDS) * STEP_SECONDS
    const ending = name.replace(/[^\w.-]+/g, '_').slice(-NAME_CHARS_MAX)
    return `${publicUrl}/v2/attachments/${id}/${ending}?expires=${expires}&signature=${this.#sign(id, expires)}`
  }

  /** @returns the link's remaining lifetime in seconds. @throws Forbidden for an expired or forged one */
  check(id: string, given: { expires?: unknown; signature?: unknown }): number {
    const expires = typeof given.expires === 'string' && /^\d{1,12}$/.test(given.expires) ? Number(given.expires) : null
    if (expires === null || typeof given.signature !== 'string' || !this.#isSigned(id, expires, given.signature)) {
      throw new Forbidden('the link is invalid', { reason: 'LINK_INVALID' })
    }
    const left = expires - this.options.clock.now().getTime() / 1_000
    if (left <= 0) throw new Forbidden('the link has expired; request the attachment again', { reason: 'LINK_EXPIRED' })
    return left
  }

  #isSigned(id: string, expires: number, signature: string): boolean {
    const expected = Buffer.from(this.#sign(id, expires))
    const given = Buffer.from(signature)
    return given.length === expected.length && timingSafeEqual(given, expected)
  }

  #sign(id: string, expires: number): string {
    return createHmac('sha256', this.options.secret).update(`${id}\n${expires}`).digest('base64url')
  }
}
