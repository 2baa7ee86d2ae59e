import { createHash } from 'node:crypto'
import { createRemoteJWKSet, customFetch, jwtVerify, type JWTPayload, type JWTVerifyGetKey } from 'jose'
import { LRUCache } from 'lru-cache'
import type { RateLimiterAbstract } from 'rate-limiter-flexible'
import type { AccessChanges } from '../../platform/access/access-changes.js'
import { addAuditEntries } from '../../platform/audit/audit-entry.js'
import type { Context } from '../../platform/context.js'
import type { Clock } from '../../platform/db/clock.js'
import type { Sql } from '../../platform/db/database.js'
import { BadUserInput } from '../../platform/errors.js'
import { networkOf } from '../../platform/limits/network-of.js'
import { sharedLimiter, spend } from '../../platform/limits/shared-limiter.js'
import { isPlainObject } from '../../platform/json.js'
import type { RedisClient } from '../../platform/redis.js'
import { everyTenant } from '../auth/every-tenant.js'
import { providerError } from './provider-errors.js'
import { CLOCK_TOLERANCE_SECONDS } from './provider-clock.js'
import type { OidcProvider, Providers } from './providers.js'
import { OIDC } from './oidc-params.js'

/** A provider sends a token at once: one that is older is not taken, and a `jti` need not be kept for longer. */
const AGE_SECONDS_MAX = 5 * 60
const TOKEN_CHARS_MAX = 16_384
const CLAIM_CHARS_MAX = 500
const EVENT = 'http://schemas.openid.net/event/backchannel-logout'
/** Signatures by a key pair: a secret that both know would let an application's backup sign. */
const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519']
/** The maximum for one network: all of an organization may be signed out at once. */
const LOGOUTS_PER_MINUTE = 1_200
const KEY_SETS_MAX = 1_000

export interface ProviderLogoutsOptions {
  providers: Providers
  accessChanges: AccessChanges
  clock: Clock
  redis: RedisClient | undefined
}

/** The sessions that a token ends. */
interface Ending {
  jti: string
  sub: string | null
  sid: string | null
  expiresAt: Date
}

/** Sign-outs of which providers tell (OpenID Connect Back-Channel Logout 1.0). */
export class ProviderLogouts {
  readonly #limiter: RateLimiterAbstract
  readonly #keySets = new LRUCache<string, JWTVerifyGetKey>({ max: KEY_SETS_MAX })

  constructor(private readonly options: ProviderLogoutsOptions) {
    this.#limiter = sharedLimiter({ keyPrefix: 'sso-logout', points: LOGOUTS_PER_MINUTE, duration: 60 }, options.redis)
  }

  /**
   * Ends the sessions that a provider's token names: those of its session, else all of its user that the service opened; and of the
   * user those of which the provider never said which they are. Their sockets close on all nodes.
   * @returns how many were open @throws NotFound; BadUserInput for a token that is not to be believed; RateLimited, Unavailable
   */
  async logout(ctx: Context, service: string, token: string | null): Promise<number> {
    const { providers, accessChanges } = this.options
    await spend(this.#limiter, networkOf(ctx.address ?? 'unknown'), 1, 'too many sign-outs')
    const provider = await providers.requireOf(OIDC, service)
    const ending = await this.#verify(provider, token)
    const ended = await ctx.database.sqlTransaction((sql) => end(ctx, sql, provider, ending))
    for (const user of new Set(ended)) accessChanges.userChanged(user)
    return ended.length
  }

  async #verify(provider: OidcProvider, token: string | null): Promise<Ending> {
    if (token === null || token === '')
      throw new BadUserInput('logout_token', 'logout_token is required', 'MISSING_VALUE')
    if (token.length > TOKEN_CHARS_MAX) throw refused('it is too long')
    const server = await this.#serverOf(provider)
    const now = this.options.clock.now()
    const checks = {
      issuer: server.issuer,
      audience: provider.params.clientId,
      algorithms: ALGORITHMS,
      currentDate: now,
      clockTolerance: CLOCK_TOLERANCE_SECONDS,
      maxTokenAge: AGE_SECONDS_MAX,
      requiredClaims: ['jti', 'iat', 'events'],
    }
    const { payload, protectedHeader } = await jwtVerify(token, this.#keysOf(provider, server.jwks_uri), checks).catch(
      (error: unknown) => {
        const { code, message } = providerError(error)
        throw code === 'UNAVAILABLE' ? providerError(error) : refused(message)
      },
    )
    const type = protectedHeader.typ?.toLowerCase() ?? 'jwt'
    if (!['jwt', 'logout+jwt', 'application/logout+jwt'].includes(type)) throw refused('its type is another')
    return endingOf(payload)
  }

  async #serverOf(provider: OidcProvider): Promise<{ issuer: string; jwks_uri: string }> {
    const client = await this.options.providers.client(provider).catch((error: unknown) => {
      throw providerError(error)
    })
    const { issuer, jwks_uri: keys } = client.serverMetadata()
    return { issuer, jwks_uri: keys! }
  }

  /** The provider's keys, which are asked for again when one is unknown, twice a minute at most. */
  #keysOf({ id, version }: OidcProvider, address: string): JWTVerifyGetKey {
    const name = `${id} ${version} ${address}`
    let keys = this.#keySets.get(name)
    if (!keys) {
      const { fetch } = this.options.providers
      const get = (
        url: string,
        { headers, method, signal }: { headers: Headers; method: 'GET'; signal: AbortSignal },
      ) => fetch(url, { headers: Object.fromEntries(headers), method, signal, redirect: 'manual', body: undefined })
      keys = createRemoteJWKSet(new URL(address), { [customFetch]: get, timeoutDuration: 8_000 })
      this.#keySets.set(name, keys)
    }
    return keys
  }
}

function endingOf(payload: JWTPayload): Ending {
  const { jti, iat, events, nonce, sub, sid } = payload
  if (nonce !== undefined) throw refused('it has a nonce')
  if (!isPlainObject(events) || !isPlainObject(events[EVENT])) throw refused('it tells of no sign-out')
  const [id, subject, session] = [jti, sub, sid].map(claimOf)
  if (!id) throw refused('its jti is none')
  if (!subject && !session) throw refused('it names neither a session nor a user')
  const seconds = iat! + AGE_SECONDS_MAX + 2 * CLOCK_TOLERANCE_SECONDS
  return { jti: id, sub: subject ?? null, sid: session ?? null, expiresAt: new Date(seconds * 1_000) }
}

function claimOf(value: unknown): string | undefined {
  if (value === undefined) return undefined
  if (typeof value === 'string' && value !== '' && value.length <= CLAIM_CHARS_MAX && !/\p{Cc}/u.test(value))
    return value
  throw refused('a claim is malformed')
}

/** @returns the users whose sessions ended, one for each */
async function end(
  ctx: Context,
  sql: Sql,
  provider: OidcProvider,
  { jti, sub, sid, expiresAt }: Ending,
): Promise<string[]> {
  const hash = createHash('sha256').update(jti).digest('base64url')
  const taken = await sql.query(
    'insert into sso_logout (service_id, jti, expires_at) values ($1, $2, $3) on conflict do nothing returning 1',
    [provider.id, hash, expiresAt],
  )
  if (taken.length === 0) throw refused('it was used')
  const rows = await sql.query<{ user: string; organization: string }>(
    `update token_family f set revoked_at = $4 from app_user u
     where f.service_id = $1 and f.revoked_at is null and u.id = f.user_id
       and ($2::text is null or f.subject = $2) and ($3::text is null or f.sid = $3 or (f.sid is null and f.subject = $2))
     returning u.id as user, u.organization_id as organization`,
    [provider.id, sub, sid, ctx.now()],
  )
  const byUser = Map.groupBy(rows, ({ user }) => user)
  await addAuditEntries(
    sql,
    everyTenant(ctx),
    [...byUser].map(([user, [first, ...more]]) => ({
      action: 'signOut',
      object: { type: 'user', id: user },
      organization: first!.organization,
      user,
      details: { provider: provider.id, sessions: 1 + more.length },
    })),
  )
  return rows.map(({ user }) => user)
}

function refused(why: string): BadUserInput {
  return new BadUserInput('logout_token', `logout_token is refused: ${why}`)
}
