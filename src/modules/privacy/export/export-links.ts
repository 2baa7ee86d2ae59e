import type { Clock } from '../../../platform/db/clock.js'
import { LinkSignature, type GivenSignature } from '../../auth/link-signature.js'

/** Signs the addresses of exports, each of which names the user to whom it was given. */
export class ExportLinks {
  readonly #signature: LinkSignature

  /** @param secret of the installation, the same on every node */
  constructor(private readonly options: { secret: Uint8Array; publicUrl: string; clock: Pick<Clock, 'now'> }) {
    this.#signature = new LinkSignature(options.secret, () => options.clock.now())
  }

  urlOf(id: string, user: string, expiresAt: Date): string {
    const expires = Math.floor(expiresAt.getTime() / 1_000)
    const query = this.#signature.queryOf(`${id}\n${user}`, expires)
    return `${this.options.publicUrl}/v2/exports/${id}/file?user=${user}&${query}`
  }

  /** @returns the user to whom the link was given. @throws Forbidden for an expired or forged one */
  check(id: string, given: GivenSignature & { user?: unknown }): string {
    const user = typeof given.user === 'string' ? given.user : ''
    this.#signature.check(`${id}\n${user}`, given, 'the link has expired; ask for another export')
    return user
  }
}
