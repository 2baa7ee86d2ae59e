import { GRANT_TYPES, type GrantType, type TokenClaims } from './token-claims.js'
import { errors, type JWTPayload, jwtVerify, SignJWT } from 'jose'
import { webcrypto } from 'node:crypto'
import { createIdSource } from '../../platform/db/clock.js'
import { TokenExpired, Unauthenticated } from '../../platform/errors.js'
import { VerifiedTokens } from './verified-tokens.js'

export const ACCESS_TOKEN_SECONDS = 24 * 60 * 60 // 8
/** "1 month" (2.1, 8), as 30 days. */
export const REFRESH_TOKEN_SECONDS = 30 * 24 * 60 * 60
const SECRET_BYTES_MIN = 32
const TOKEN_CHARS_MAX = 4_096
const VERIFIED_MAX = 10_000
const ALGORITHM = 'HS256'
const AUDIENCE = 'api'

/** The user of a token. */
export interface TokenSubject {
  user: string
  organization: string
  scopes: readonly string[]
}

/** A consumer in the web widget, bound to a contact and perhaps to one conversation. */
export interface GuestSubject {
  contact: string
  conversation?: string | null
  organization: string
  scopes: readonly string[]
  family?: string
}

export interface SignedToken<Expiry extends Date | null = Date> {
  token: string
  jti: string
  expiresAt: Expiry
}

export interface TokenSignerOptions {
  /** At least 32 random bytes, the same on every node and across restarts. */
  secret: Uint8Array
  /** Part of bot tokens, which do not expire: keep it when the server's address changes. */
  issuer: string
  now: () => Date
  newId: () => string
  /** Number of verified tokens cached, 10,000 by default; 0 disables the cache. */
  verifiedMax?: number
}

export interface TokenSigner {
  /** Valid for 24 hours. */
  signAccess(subject: TokenSubject & { family?: string }): Promise<SignedToken>
  /** Valid for 30 days and one use. `jti` is the token's own id, `family` that of all its successors. */
  signRefresh(subject: TokenSubject & { family: string }): Promise<SignedToken>
  /** For a bot; does not expire. */
  signApi(subject: TokenSubject): Promise<SignedToken<null>>
  /** Valid for 24 hours. */
  signGuest(subject: GuestSubject): Promise<SignedToken>
  /**
   * @throws TokenExpired (`jwt expired`)
   * @throws Unauthenticated `invalid signature`, or `invalid token` for anything else: legacy clients match these words
   */
  verify(token: string, expected: readonly GrantType[]): Promise<TokenClaims>
}

/** Data written into a token. */
interface Subject extends TokenSubject {
  family?: string
  contact?: string
  conversation?: string
}

/**
 * Creates a signer of JSON Web Tokens with one algorithm, one issuer and one audience, with the claims that legacy
 * clients decode.
 */
export function createTokenSigner(options: TokenSignerOptions): TokenSigner {
  const { secret, issuer, now, newId } = options
  if (secret.byteLength < SECRET_BYTES_MIN) throw new Error(`a token secret needs at least ${SECRET_BYTES_MIN} bytes`)
  // The sign-in policy reads from the id of an API token when it was created (`tokenCreatedSql`).
  const newTimedId = createIdSource(() => now().getTime())
  const verified = new VerifiedTokens(options.verifiedMax ?? VERIFIED_MAX)
  // Imported once: jose would import raw bytes again for each token, which costs as much as the verification.
  let imported: Promise<webcrypto.CryptoKey> | undefined
  const key = () => (imported ??= importKey(secret))

  async function sign(grantType: GrantType, subject: Subject, lifetimeSeconds: number): Promise<SignedToken>
  async function sign(grantType: GrantType, subject: Subject, lifetimeSeconds: null): Promise<SignedToken<null>>
  async function sign(
    grantType: GrantType,
    { user, organization, scopes, family, contact, conversation }: Subject,
    lifetimeSeconds: number | null,
  ): Promise<SignedToken<Date | null>> {
    if (scopes.length === 0) throw new Error('a token needs a scope')
    const jti = grantType === 'api_token' ? newTimedId() : newId()
    const issuedAt = Math.floor(now().getTime() / 1000)
    const expiresAt = lifetimeSeconds === null ? undefined : issuedAt + lifetimeSeconds
    // Fields are listed: the subject may be a record with fields that must not leave the server. Undefined ones are
    // omitted.
    const token = await new SignJWT({
      _id: user,
      organization,
      scope: scopes.join(' '),
      grant_type: grantType,
      family,
      contact,
      conversation,
      iss: issuer,
      aud: AUDIENCE,
      iat: issuedAt,
      exp: expiresAt,
      jti,
    })
      .setProtectedHeader({ alg: ALGORITHM, typ: 'JWT' })
      .sign(await key())
    return { token, jti, expiresAt: expiresAt === undefined ? null : new Date(expiresAt * 1000) }
  }

  async function check(token: string): Promise<TokenClaims> {
    const known = verified.get(token)
    if (known) {
      if (!known.expiresAt || known.expiresAt > now()) return known
      verified.delete(token)
      throw new TokenExpired()
    }
    const checks = { algorithms: [ALGORITHM], issuer, audience: AUDIENCE, typ: 'JWT', currentDate: now() }
    const { payload } = await jwtVerify(token, await key(), checks).catch(refuse)
    const claims = readClaims(payload)
    // A refresh token is presented only once.
    if (claims.grantType !== 'refresh_token') verified.add(token, claims)
    return claims
  }

  return {
    signAccess: (subject) => sign('access_token', subject, ACCESS_TOKEN_SECONDS),
    signRefresh: (subject) => sign('refresh_token', subject, REFRESH_TOKEN_SECONDS),
    signApi: ({ user, organization, scopes }) => sign('api_token', { user, organization, scopes }, null),
    signGuest: ({ contact, conversation, organization, scopes, family }) => {
      const subject = { user: contact, contact, conversation: conversation ?? undefined, organization, scopes, family }
      return sign('guest_token', subject, ACCESS_TOKEN_SECONDS)
    },
    async verify(token, expected) {
      if (typeof token !== 'string' || token.length > TOKEN_CHARS_MAX) throw invalidToken()
      const claims = await check(token)
      if (!expected.includes(claims.grantType)) throw invalidToken()
      return claims
    },
  }
}

function importKey(secret: Uint8Array): Promise<webcrypto.CryptoKey> {
  const hmac = { name: 'HMAC', hash: 'SHA-256' }
  return webcrypto.subtle.importKey('raw', new Uint8Array(secret), hmac, false, ['sign', 'verify'])
}

function refuse(error: unknown): never {
  if (error instanceof errors.JWTExpired) throw new TokenExpired()
  if (error instanceof errors.JWSSignatureVerificationFailed)
    throw new Unauthenticated('invalid signature', { reason: 'TOKEN_INVALID' })
  if (error instanceof errors.JOSEError) throw invalidToken()
  throw error
}

/** The signature is valid, but another use of the secret may have made the token. */
function readClaims(payload: JWTPayload): TokenClaims {
  const { iat, exp, grant_type: grantType } = payload
  if (!GRANT_TYPES.includes(grantType as GrantType) || iat === undefined) throw invalidToken()
  if ((exp === undefined) !== (grantType === 'api_token')) throw invalidToken()
  return Object.freeze({
    grantType: grantType as GrantType,
    user: required(payload['_id']),
    organization: required(payload.organization),
    scopes: Object.freeze(required(payload.scope).split(' ')),
    jti: required(payload.jti),
    issuedAt: new Date(iat * 1000),
    expiresAt: exp === undefined ? null : new Date(exp * 1000),
    family: optional(payload.family),
    contact: grantType === 'guest_token' ? required(payload.contact) : null,
    conversation: optional(payload.conversation),
  })
}

function required(claim: unknown): string {
  if (typeof claim === 'string' && claim) return claim
  throw invalidToken()
}

function optional(claim: unknown): string | null {
  return claim === undefined ? null : required(claim)
}

/** The same message for revoked, orphaned and unknown tokens: legacy clients match it. */
export function invalidToken(): Unauthenticated {
  return new Unauthenticated('invalid token', { reason: 'TOKEN_INVALID' })
}
