import type { RateLimiterAbstract } from 'rate-limiter-flexible'
import { Field, ObjectType } from 'type-graphql'
import type { UserCaller } from '../../platform/access/caller.js'
import { AuditedMutation } from '../../platform/access/audited-mutation.js'
import { ATTEMPT_SECONDS, AttemptSecrets, hashOf, isSecret, newSecret } from '../../platform/attempt-secrets.js'
import { addMutationEntry } from '../../platform/audit/audit-entry.js'
import { Context } from '../../platform/context.js'
import type { Sql } from '../../platform/db/database.js'
import { ChangedMeanwhile, Forbidden, Unprocessable } from '../../platform/errors.js'
import type { JsonObject } from '../../platform/json.js'
import { sharedLimiter, spend } from '../../platform/limits/shared-limiter.js'
import { fetchRecord } from '../../platform/lists/fetch-record.js'
import type { RedisClient } from '../../platform/redis.js'
import { AUTHORIZED_PATH } from './authorized-path.js'
import { AuthorizationFailed, failureOf, refusedBy } from './authorization-failed.js'
import type { ServiceAuthorizer } from './service-kinds.js'
import { updateService, type ServiceWriteOptions } from './service-writes.js'
import { Service } from './service.js'
import { openParams } from './stored-params.js'

@ObjectType({ simpleResolvers: true, description: 'A sign-in at the provider of a service.' })
export class ServiceAuthorization {
  @Field(() => String, {
    description:
      "Address of the provider's page, which leads back to the console within ten minutes, once, in the browser that asked.",
  })
  url!: string
}

export interface ServiceAuthorizationsOptions extends ServiceWriteOptions {
  /** Secret of the installation, for attempts. */
  secret: Uint8Array
  publicUrl: string
  redis: RedisClient | undefined
  /** Reads a user with its rights of now; null for one who may not sign in. */
  callerOf(user: string): Promise<UserCaller | null>
}

/** The answer of a provider, as the browser brings it. */
export interface ReturnedAuthorization {
  /** The whole query, without `?`. */
  query: string
  /** Value of the browser's cookie. */
  browser: string | null
}

interface TakenAttempt {
  service: string
  user: string
  session: string | null
  settings: string
}

const PAGE = '/console/admin/services'
/** Maximum for a service. */
const STARTS_PER_HOUR = 60
const [QUERY_CHARS_MAX, CODE_CHARS_MAX] = [8_192, 4_096]
/** The server changes a service as well, such as the status of one that fails. */
const WRITES_MAX = 5

/**
 * Sign-ins of administrators at providers, which grant a service the use of an account. One belongs to the browser that asked, to its
 * user and to the settings of that moment; what is stored of it opens nothing.
 */
export class ServiceAuthorizations {
  readonly #limiter: RateLimiterAbstract
  readonly #secrets: AttemptSecrets

  constructor(private readonly options: ServiceAuthorizationsOptions) {
    const { redis, secret } = options
    this.#limiter = sharedLimiter({ keyPrefix: 'service-authorize', points: STARTS_PER_HOUR, duration: 3_600 }, redis)
    this.#secrets = new AttemptSecrets(secret)
  }

  /** Begins a sign-in. @throws NotFound, BadUserInput, Unprocessable, RateLimited; Forbidden for an API token */
  async begin(ctx: Context, id: string): Promise<ServiceAuthorization> {
    const { user, family, apiToken, isBot } = ctx.userCaller
    const stored = await fetchRecord(ctx, Service, id, { field: 'service' })
    const authorizer = this.#authorizerOf(stored)
    if (!authorizer) {
      throw new Unprocessable(`a service of type ${stored.type} has no sign-in at a provider`, {
        reason: 'NOT_AUTHORIZABLE',
        field: 'service',
      })
    }
    if (apiToken !== undefined || isBot) {
      throw new Forbidden('a person has to sign in at the provider: sign in to the console', {
        reason: 'SIGN_IN_REQUIRED',
      })
    }
    const { browser } = ctx
    if (!browser) {
      throw new Unprocessable('authorizeService is asked for by GraphQL over HTTP: its answer sets a cookie', {
        reason: 'NOT_AUTHORIZABLE',
      })
    }
    const params = openParams(this.options.sealer, stored)
    const state = newSecret()
    const { nonce, challenge } = this.#secrets.of(state)
    const url = authorizer.url(params, { state, nonce, challenge, redirectUri: this.#redirectUri })
    await spend(this.#limiter, stored.id, 1, `more than ${STARTS_PER_HOUR} sign-ins an hour for this service`)
    // Of several tabs each has an attempt of its own, and all have one cookie.
    const secret = isSecret(browser.secret) ? browser.secret : newSecret()
    const expiresAt = new Date(ctx.now().getTime() + ATTEMPT_SECONDS * 1_000)
    await ctx.database.sqlTransaction(async (sql) => {
      await sql.query(
        `insert into service_authorization (id, browser, service_id, user_id, session, settings, expires_at)
         values ($1, $2, $3, $4, $5, $6, $7)`,
        [hashOf(state), hashOf(secret), stored.id, user, family ?? null, this.#settings(stored, params), expiresAt],
      )
      await addMutationEntry(sql, ctx)
    })
    Object.assign(browser, { secret, isKept: true })
    return { url }
  }

  /** Ends a sign-in: it is taken, whatever comes of it. @returns the page of the console that says what did */
  async finish(ctx: Context, { query, browser }: ReturnedAuthorization): Promise<string> {
    let attempt: TakenAttempt | null = null
    try {
      const answer = new URLSearchParams(query.length > QUERY_CHARS_MAX ? '' : query)
      const state = answer.get('state')
      if (!isSecret(state) || !isSecret(browser)) throw new AuthorizationFailed('NOT_BEGUN')
      attempt = await this.#take(ctx, { state, browser })
      if (!attempt) throw new AuthorizationFailed('NOT_BEGUN')
      await this.#grant(ctx, attempt, { state, answer })
      return pageOf({ service: attempt.service })
    } catch (error) {
      const { fault, details } = failureOf(error)
      return pageOf({ ...(attempt && { service: attempt.service }), fault, ...details })
    }
  }

  async #take(ctx: Context, { state, browser }: { state: string; browser: string }): Promise<TakenAttempt | null> {
    const [taken] = await ctx.database.sqlTransaction((sql) =>
      sql.query<TakenAttempt>(
        `delete from service_authorization where id = $1 and browser = $2 and expires_at > $3
         returning service_id as service, user_id as user, session, settings`,
        [hashOf(state), hashOf(browser), ctx.now()],
      ),
    )
    return taken ?? null
  }

  /** Returns the context of who asked, with the rights of now. @throws AuthorizationFailed, Forbidden */
  async #asAsker(ctx: Context, { service, user, session }: TakenAttempt): Promise<Context> {
    const [signedIn] = await ctx.database.sqlTransaction((sql) =>
      sql.query(
        'select 1 where $1::uuid is null or exists (select from token_family where id = $1 and revoked_at is null)',
        [session],
      ),
    )
    const found = signedIn ? await this.options.callerOf(user) : null
    if (!found) throw new AuthorizationFailed('NOT_ALLOWED')
    const caller = { ...found, ...(session !== null && { family: session }) }
    const { address, clock, database, log, requestId, userAgent } = ctx
    const asker = new Context({ address, caller, clock, database, log, requestId, userAgent })
    asker.mutation = new AuditedMutation('authorizeService', { service }, caller)
    asker.require('service.update')
    return asker
  }

  async #grant(
    ctx: Context,
    attempt: TakenAttempt,
    { state, answer }: { state: string; answer: URLSearchParams },
  ): Promise<void> {
    const { params, authorizer } = await this.#stillSame(await this.#asAsker(ctx, attempt), attempt)
    const [error, code] = [answer.get('error'), answer.get('code')]
    if (error !== null) throw refusedBy(error)
    if (!code || code.length > CODE_CHARS_MAX) throw new AuthorizationFailed('ANSWER_INVALID')
    const secrets = this.#secrets.of(state)
    const granted = await authorizer.redeem(params, { ...secrets, state, code, redirectUri: this.#redirectUri })
    // The provider may have taken its time: once more by the rights of now.
    await this.#write(await this.#asAsker(ctx, attempt), attempt, granted)
  }

  /** Writes the params as an administrator's change: what somebody else has changed meanwhile stays. */
  async #write(ctx: Context, attempt: TakenAttempt, params: JsonObject): Promise<void> {
    for (let write = 1; ; write++) {
      const { version } = await this.#stillSame(ctx, attempt)
      try {
        await updateService(ctx, this.options, { id: attempt.service, patch: { params, ifVersion: version } })
        return
      } catch (error) {
        if (!(error instanceof ChangedMeanwhile) || write === WRITES_MAX) throw error
      }
    }
  }

  /** @throws NotFound; AuthorizationFailed if its settings are others by now */
  async #stillSame(
    ctx: Context,
    { service: id, settings }: TakenAttempt,
  ): Promise<{ params: JsonObject; version: number; authorizer: ServiceAuthorizer }> {
    // As it is now, not as it was read before.
    ctx.em.clear()
    const service = await fetchRecord(ctx, Service, id)
    const params = openParams(this.options.sealer, service)
    const authorizer = this.#authorizerOf(service)
    if (!authorizer || this.#settings(service, params) !== settings) throw new AuthorizationFailed('CHANGED')
    return { params, version: service.version, authorizer }
  }

  #authorizerOf({ type }: Service): ServiceAuthorizer | undefined {
    return this.options.kinds.get(type)?.authorize
  }

  #settings({ type }: Service, params: JsonObject): string {
    return this.#secrets.digest('settings', JSON.stringify([type, params]))
  }

  get #redirectUri(): string {
    return `${this.options.publicUrl}${AUTHORIZED_PATH}`
  }
}

/** Deletes sign-ins that nobody ended in time. */
export async function pruneAuthorizations(sql: Pick<Sql, 'query'>, now: Date): Promise<void> {
  await sql.query('delete from service_authorization where expires_at <= $1', [now])
}

/** Returns the page of the console with what came of a sign-in: behind #, so that no server's log gets it. */
function pageOf(outcome: Readonly<Record<string, string>>): string {
  return `${PAGE}#authorization=${new URLSearchParams(outcome).toString()}`
}
