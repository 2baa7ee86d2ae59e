import { RateLimited, Unavailable } from '../../platform/errors.js'
import { networksOf } from '../../platform/limits/network-of.js'
import { lastUsed } from '../../platform/last-used.js'

interface Call {
  ip: string
  /** Route parameters, with the id of the service. */
  params: unknown
}

/** Services and networks that are remembered. */
const PROVEN_MAX = 10_000

/**
 * Remembers from which networks the provider of a service has proven itself, until a call from there to it is refused. By the
 * service as well: what somebody does with one of their own frees no calls to another.
 */
export class ProvenCallers {
  readonly #centers = lastUsed<string>(PROVEN_MAX)

  /** Returns the contact center of the service that is called, if its provider has proven itself from the network. */
  centerOf(call: Call): string | undefined {
    return this.#centers.get(keyOf(call))
  }

  note(call: Call, { org1 }: { org1: string }): void {
    this.#centers.set(keyOf(call), org1)
  }

  /** Makes a proof, and forgets earlier ones if it fails. */
  async unlessRefused<T>(call: Call, prove: () => Promise<T>): Promise<T> {
    try {
      return await prove()
    } catch (error) {
      // Neither says anything of who called.
      if (!(error instanceof Unavailable || error instanceof RateLimited)) this.#centers.delete(keyOf(call))
      throw error
    }
  }
}

/** The widest network: a provider calls from many addresses. */
function keyOf({ ip, params }: Call): string {
  return `${networksOf(ip)[2]} ${(params as { service: string }).service}`
}
