import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto'
import { calculateJwkThumbprint, exportJWK, type JWK } from 'jose'

/** Prefix of the 32 bytes of an Ed25519 key in PKCS #8 (RFC 8410). */
const PKCS8_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex')

/** Signature algorithm of what others verify by the key set at `/.well-known/jwks.json`. */
export const SIGNING_ALGORITHM = 'EdDSA'

/** An Ed25519 key made of a secret, which signs what others verify. */
export class SigningKey {
  readonly private: KeyObject
  /** The public half, with its use and its name. */
  readonly public: Promise<JWK & { kid: string }>

  /** @param secret of 32 bytes */
  constructor(secret: Uint8Array) {
    const der = Buffer.concat([PKCS8_PREFIX, secret])
    this.private = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' })
    this.public = publicKey(this.private)
  }
}

async function publicKey(key: KeyObject): Promise<JWK & { kid: string }> {
  const jwk = await exportJWK(createPublicKey(key))
  return { ...jwk, kid: await calculateJwkThumbprint(jwk), alg: SIGNING_ALGORITHM, use: 'sig' }
}
