import { createHash, createHmac, randomBytes } from 'node:crypto'

/** The time that somebody has at a provider. */
export const ATTEMPT_SECONDS = 10 * 60
const SECRET_BYTES = 32
/** 32 bytes in base64url. */
const SECRET = /^[\w-]{43}$/

/** Tells whether it may be one of {@link newSecret}. */
export const isSecret = (text: string | null | undefined): text is string =>
  typeof text === 'string' && SECRET.test(text)

export const newSecret = (): string => randomBytes(SECRET_BYTES).toString('base64url')

/** Returns what is stored of a secret: it opens nothing. */
export const hashOf = (secret: string): string => createHash('sha256').update(secret).digest('base64url')

/** The secrets of an attempt at a provider (PKCE, RFC 7636). */
export interface SecretsOfAttempt {
  nonce: string
  verifier: string
  /** Hash of the verifier, by S256. */
  challenge: string
}

/** Makes what belongs to an attempt of its state, which is not stored: only who has the state, here, can make it. */
export class AttemptSecrets {
  /** @param secret of the installation */
  constructor(private readonly secret: Uint8Array) {}

  of(state: string): SecretsOfAttempt {
    const verifier = this.digest('verifier', state)
    return { nonce: this.digest('nonce', state), verifier, challenge: hashOf(verifier) }
  }

  /** Returns a keyed hash, by which texts are compared without being stored. @param use apart from others */
  digest(use: string, text: string): string {
    return createHmac('sha256', this.secret).update(`${use} ${text}`).digest('base64url')
  }
}
