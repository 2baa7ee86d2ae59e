import { LinkSignature, type GivenSignature } from '../auth/link-signature.js'
import type { Clock } from '../../platform/db/clock.js'

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
  readonly #signature: LinkSignature

  constructor(private readonly options: AttachmentLinksOptions) {
    this.#signature = new LinkSignature(options.secret, () => options.clock.now())
  }

  /** @param name last part of the address, for people; the server ignores it */
  urlOf(id: string, name: string): string {
    const { publicUrl, days, clock } = this.options
    const until = clock.now().getTime() / 1_000 + days * DAY_SECONDS
    const expires = Math.ceil(until / STEP_SECONDS) * STEP_SECONDS
    const ending = name.replace(/[^\w.-]+/g, '_').slice(-NAME_CHARS_MAX)
    return `${publicUrl}/v2/attachments/${id}/${ending}?${this.#signature.queryOf(id, expires)}`
  }

  /** @returns the link's remaining lifetime in seconds. @throws Forbidden for an expired or forged one */
  check(id: string, given: GivenSignature): number {
    return this.#signature.check(id, given, 'the link has expired; request the attachment again')
  }
}
