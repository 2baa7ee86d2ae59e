import { LinkSignature, type GivenSignature } from '../../auth/link-signature.js'

/** Creates and verifies the addresses at which a consumer rates a case without credentials. */
export class SurveyLinks {
  readonly #signature: LinkSignature

  constructor(
    secret: Uint8Array,
    private readonly publicUrl: string,
    now: () => Date,
  ) {
    this.#signature = new LinkSignature(secret, now)
  }

  urlOf(rating: string, expiresAt: Date): string {
    const expires = Math.floor(expiresAt.getTime() / 1_000)
    return `${this.publicUrl}/r/${rating}?${this.#signature.queryOf(rating, expires)}`
  }

  /** @throws Forbidden for an expired or forged one */
  check(rating: string, given: GivenSignature): void {
    this.#signature.check(rating, given, 'the time to rate is over')
  }
}
