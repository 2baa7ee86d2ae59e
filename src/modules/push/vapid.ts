import { createECDH, createHash, createPrivateKey, type KeyObject } from 'node:crypto'
import { SignJWT } from 'jose'
import { LRUCache } from 'lru-cache'

/** RFC 8292 allows 24. */
const TOKEN_HOURS = 12
/** Push services that are written to at once; few browsers have others than three. */
const ORIGINS_MAX = 100

/** Shows push services who sends (RFC 8292), by a key pair that is derived from a secret of the installation. */
export class Vapid {
  /** The uncompressed point, base64url: what browsers subscribe with. */
  readonly publicKey: string
  readonly #key: KeyObject
  readonly #subject: string
  readonly #tokens = new LRUCache<string, string>({ max: ORIGINS_MAX, ttl: (TOKEN_HOURS / 2) * 3_600_000 })

  /** @param contact where the operator of a push service reaches that of this installation: https or mailto */
  constructor(secret: Uint8Array, contact: string) {
    const { d, point } = keyPairOf(secret)
    this.publicKey = point.toString('base64url')
    this.#subject = contact
    const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((part) => part.toString('base64url'))
    this.#key = createPrivateKey({
      format: 'jwk',
      key: { kty: 'EC', crv: 'P-256', x, y, d: d.toString('base64url') },
    })
  }

  /** The value of `Authorization` for requests to an endpoint. */
  async authorize(endpoint: string, now: Date): Promise<string> {
    const { origin } = new URL(endpoint)
    let token = this.#tokens.get(origin)
    if (!token) {
      token = await new SignJWT({ aud: origin, sub: this.#subject })
        .setProtectedHeader({ alg: 'ES256', typ: 'JWT' })
        .setExpirationTime(Math.floor(now.getTime() / 1_000) + TOKEN_HOURS * 3_600)
        .sign(this.#key)
      this.#tokens.set(origin, token)
    }
    return `vapid t=${token}, k=${this.publicKey}`
  }
}

/**
 * Returns the address at which operators of push services reach the operator of this installation (RFC 8292, 2.1); null
 * if nobody is there: some refuse the notifications of such.
 */
export function contactOf({ mailFrom, publicUrl }: { mailFrom: string; publicUrl: string }): string | null {
  const { protocol, hostname, origin } = new URL(publicUrl)
  if (protocol === 'https:' && hostname.includes('.')) return origin
  const [address] = /[^<>\s@]+@[^<>\s@]+\.[^<>\s@]+/.exec(mailFrom) ?? []
  return address === undefined ? null : `mailto:${address}`
}

/** One secret in four billion is no private key of the curve: then its hash is tried. */
function keyPairOf(secret: Uint8Array): { d: Buffer; point: Buffer } {
  const ecdh = createECDH('prime256v1')
  for (let d = Buffer.from(secret); ; d = createHash('sha256').update(d).digest()) {
    try {
      ecdh.setPrivateKey(d)
      return { d, point: ecdh.getPublicKey() }
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ERR_CRYPTO_INVALID_KEYPAIR') throw error
    }
  }
}
