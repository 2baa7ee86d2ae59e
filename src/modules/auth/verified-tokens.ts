import { hash } from 'node:crypto'
import type { TokenClaims } from './token-claims.js'

/**
 * Caches the claims of tokens with a verified signature by the token's hash, up to a limit (LRU). Verifying takes some
 * 80 us of CPU, a lookup 3, and every request presents a token. Does not show whether the token was revoked.
 */
export class VerifiedTokens {
  readonly #claims = new Map<string, TokenClaims>()

  constructor(private readonly sizeMax: number) {}

  get(token: string): TokenClaims | undefined {
    const key = keyOf(token)
    const claims = this.#claims.get(key)
    if (!claims) return undefined
    // A map keeps the order of insertion: the used entry moves to the end.
    this.#claims.delete(key)
    this.#claims.set(key, claims)
    return claims
  }

  add(token: string, claims: TokenClaims): void {
    if (this.sizeMax < 1) return
    this.#claims.set(keyOf(token), claims)
    if (this.#claims.size <= this.sizeMax) return
    const [oldest] = this.#claims.keys()
    this.#claims.delete(oldest!)
  }

  delete(token: string): void {
    this.#claims.delete(keyOf(token))
  }

  get size(): number {
    return this.#claims.size
  }
}

/** Hashed, so that the cache adds no bearer tokens to a heap dump. */
function keyOf(token: string): string {
  return hash('sha256', token, 'base64url')
}
