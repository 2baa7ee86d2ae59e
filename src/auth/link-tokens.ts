import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto'
import { calculateJwkThumbprint, exportJWK, SignJWT, type JSONWebKeySet, type JWK } from 'jose'

export const LINK_TOKEN_SECONDS = 5 * 60
const ALGORITHM = 'EdDSA'
/** Prefix of the 32 bytes of an Ed25519 key in PKCS #8 (RFC 8410). */
const PKCS8_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex')

export interface LinkTokensOptions {
  /** 32 random bytes, the same on every node and across restarts. */
  secret: Uint8Array
  /** The server's public address, where the key set is published. */
  issuer: string
  now: () => Date
  newId: () => string
}

/** The user who opens a link, and the target site. */
export interface LinkSubject {
  user: string
  organization: string
  /** Origin of the site: `https://crm.example.com`. */
  audience: string
}

/**
 * Tokens for `{authtoken}` in links (4.7, rule 7), which identify the agent to one other site, for five minutes. Each
 * has that site as its audience, and the key has no other use: the site can verify it by the published key set but
 * cannot use it at another site, and this server's API does not accept it.
 */
export class LinkTokens {
  readonly #key: KeyObject
  readonly #public: Promise<JWK & { kid: string }>

  constructor(private readonly options: LinkTokensOptions) {
    const der = Buffer.concat([PKCS8_PREFIX, options.secret])
    this.#key = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' })
    this.#public = publicKey(this.#key)
  }

  async sign({ user, organization, audience }: LinkSubject): Promise<string> {
    const { issuer, now, newId } = this.options
    const iat = Math.floor(now().getTime() / 1_000)
    const times = { iat, exp: iat + LINK_TOKEN_SECONDS }
    const { kid } = await this.#public
    return new SignJWT({ organization, sub: user, iss: issuer, aud: audience, jti: newId(), ...times })
      .setProtectedHeader({ alg: ALGORITHM, typ: 'JWT', kid })
      .sign(this.#key)
  }

  /** Returns the key set for `/.well-known/jwks.json`. */
  async keySet(): Promise<JSONWebKeySet> {
    return { keys: [await this.#public] }
  }
}

async function publicKey(key: KeyObject): Promise<JWK & { kid: string }> {
  const jwk = await exportJWK(createPublicKey(key))
  return { ...jwk, kid: await calculateJwkThumbprint(jwk), alg: ALGORITHM, use: 'sig' }
}
