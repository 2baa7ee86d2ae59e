import type { RateLimiterAbstract } from 'rate-limiter-flexible'
import { authorizationCodeGrant, buildAuthorizationUrl, fetchUserInfo, type Configuration } from 'openid-client'
import { isSecret, newSecret } from '../../platform/attempt-secrets.js'
import type { Context } from '../../platform/context.js'
import { BadUserInput, DomainError, Forbidden, NotFound, quoteValue } from '../../platform/errors.js'
import type { JsonObject } from '../../platform/json.js'
import { networkOf } from '../../platform/limits/network-of.js'
import { sharedLimiter, spend } from '../../platform/limits/shared-limiter.js'
import type { RedisClient } from '../../platform/redis.js'
import type { BrowserSession, BrowserSessions } from '../auth/browser-session.js'
import { keptClaims, type Answer, type Attempt, type Attempts, type Purpose } from './attempts.js'
import { OIDC } from './oidc-params.js'
import { identityOf, type ProviderIdentity } from './provider-identity.js'
import { providerError } from './provider-errors.js'
import { signInByProvider, type ProviderSignInDependencies } from './provider-sign-in.js'
import type { OidcProvider, Providers, SamlProvider } from './providers.js'
import { readAnswer, samlLibrary, samlMetadata } from './saml-answer.js'
import { SAML } from './saml-params.js'
import { redirectUri } from './sign-in-addresses.js'

export interface ProviderSignInsOptions extends ProviderSignInDependencies {
  providers: Providers
  attempts: Attempts
  sessions: Pick<BrowserSessions, 'keep'>
  publicUrl: string
  redis: RedisClient | undefined
}

/** A browser's request: parts of the address, and its cookie. */
export interface StartRequest {
  service: string
  ticket: string | null
  /** The path of the console to which the sign-in leads. */
  page: string | null
  /** The email that was typed, which the provider may fill in. */
  hint: string | null
  browser: string | null
}

/** The address to which the browser goes, and the value of its cookie from now on. */
export interface Started {
  url: string
  browser: string
}

/** An answer of a provider, as the browser brings it. */
export interface Returned {
  /** The service in the address, if it names one. */
  service: string | null
  /** The whole query, without `?`. */
  query: string
  browser: string | null
}

/** The path to which the browser goes, with a session for a sign-in. */
export interface Finished {
  path: string
  session: BrowserSession | null
}

/** An attempt that led to nothing, and the page of the console that says so: the one from which it began, as far as that is known. */
export interface Failed {
  failed: DomainError
  page: string
}

/** An attempt that is taken. */
type Taken = Attempt & { state: string; answer: Answer | null }

/** The maximum for one network, which may be that of a large office in the morning. */
const STARTS_PER_MINUTE = 600
const SCOPES = ['openid', 'email', 'profile']
const [PAGE_CHARS_MAX, HINT_CHARS_MAX, QUERY_CHARS_MAX] = [500, 254, 8_192]
/** A path of the console, which no browser reads as another server's. */
const PAGE = /^\/console(?:[/?][\w\-./?=&%:+~,!$'()*;@]*)?$/
/** Pages from which attempts begin. */
const PAGE_OF: Readonly<Record<Purpose, string>> = {
  signIn: '/console',
  link: '/console/settings',
  trial: '/console/admin/signIn',
}

/** Sign-ins by providers, from a browser's first request to its session. */
export class ProviderSignIns {
  readonly #limiter: RateLimiterAbstract

  constructor(private readonly options: ProviderSignInsOptions) {
    this.#limiter = sharedLimiter({ keyPrefix: 'sso-start', points: STARTS_PER_MINUTE, duration: 60 }, options.redis)
  }

  /**
   * Begins an attempt, which this browser alone can end. It fails by NotFound, RateLimited, or Unavailable while the provider is away,
   * and leads back to the page from which it began.
   */
  async start(ctx: Context, request: StartRequest): Promise<Started | Failed> {
    try {
      return await this.#begin(ctx, request)
    } catch (error) {
      return failedAt(isPage(request.page) ? request.page : PAGE_OF.signIn, error)
    }
  }

  async #begin(ctx: Context, { service, ticket, page, hint, browser: given }: StartRequest): Promise<Started> {
    const { providers, attempts } = this.options
    await spend(this.#limiter, networkOf(ctx.address ?? 'unknown'), 1, 'too many sign-ins by providers')
    const provider = await providers.require(service)
    const client = provider.type === OIDC ? await this.#client(provider) : null
    // Of several tabs each has an attempt of its own, and all have one cookie.
    const browser = isSecret(given) ? given : newSecret()
    const begun = await ctx.database.sqlTransaction(async (sql) => {
      const allowed =
        ticket === null
          ? null
          : isSecret(ticket)
            ? await attempts.takeTicket(sql, ctx, { ticket, service: provider.id })
            : null
      if (ticket !== null && !allowed) throw notBegun('the address was used, or is too old')
      const purpose: Purpose = allowed?.purpose ?? 'signIn'
      const user = allowed?.user ?? null
      return attempts.begin(sql, ctx, { browser, service: provider.id, purpose, user, page: pageOf(page) })
    })
    const isHint = hint !== null && hint !== '' && hint.length <= HINT_CHARS_MAX
    const url =
      provider.type === SAML
        ? await samlLibrary(this.options.publicUrl, provider, attempts.requestOf(begun.state)).getAuthorizeUrlAsync(
            begun.state,
            undefined,
            {},
          )
        : this.#authorizationUrl(client!, provider, begun, isHint ? hint : null)
    return { url, browser }
  }

  async #client(provider: OidcProvider): Promise<Configuration> {
    return this.options.providers.client(provider).catch((error: unknown) => {
      throw providerError(error)
    })
  }

  #authorizationUrl(
    client: Configuration,
    provider: OidcProvider,
    begun: { state: string; nonce: string; challenge: string },
    hint: string | null,
  ): string {
    return buildAuthorizationUrl(client, {
      redirect_uri: this.returnUrl(provider),
      scope: [...new Set(['openid', ...(provider.params.scopes ?? SCOPES)])].join(' '),
      state: begun.state,
      nonce: begun.nonce,
      code_challenge: begun.challenge,
      code_challenge_method: 'S256',
      ...(hint !== null && { login_hint: hint }),
    }).href
  }

  /** The address to which a provider sends browsers back, as it is registered there. */
  returnUrl({ id, params: { ownReturn } }: Pick<OidcProvider, 'id' | 'params'>): string {
    return redirectUri(this.options.publicUrl, { id, ownReturn })
  }

  /**
   * Takes the form that a provider of SAML has a browser post. It comes from another site, and so without the browser's cookie: what the
   * provider says is kept with the attempt, which only the browser that began it ends, by the address to which it is sent on.
   */
  async accept(ctx: Context, posted: { service: string; form: string }): Promise<{ path: string } | Failed> {
    const attempt: { page: string } = { page: PAGE_OF.signIn }
    try {
      return { path: await this.#keepAnswer(ctx, posted, attempt) }
    } catch (error) {
      return failedAt(attempt.page, error)
    }
  }

  async #keepAnswer(
    ctx: Context,
    { service, form }: { service: string; form: string },
    at: { page: string },
  ): Promise<string> {
    const { attempts, providers, publicUrl } = this.options
    await spend(this.#limiter, networkOf(ctx.address ?? 'unknown'), 1, 'too many sign-ins by providers')
    const provider = await providers.requireOf(SAML, service)
    const fields = new URLSearchParams(form)
    const [state, response] = [fields.get('RelayState'), fields.get('SAMLResponse')]
    const id = provider.id
    const found = isSecret(state)
      ? await ctx.database.sqlTransaction((sql) => attempts.unanswered(sql, ctx, { state, service: id }))
      : null
    // A sign-in begins here: what a provider sends by itself answers nothing.
    if (!isSecret(state) || !found) throw notBegun('the sign-in was not begun here, was answered or is too old')
    at.page = found.page ?? PAGE_OF[found.purpose]
    if (response === null) throw new BadUserInput('SAMLResponse', 'SAMLResponse is required', 'MISSING_VALUE')
    const said = await readAnswer(publicUrl, provider, { response, request: attempts.requestOf(state) })
    const { assertion, endsAt } = said
    const answer = { identity: said.identity, version: provider.version }
    const isKept = await ctx.database.sqlTransaction((sql) =>
      attempts.answer(sql, ctx, { state, service: provider.id, assertion, endsAt, answer }),
    )
    if (!isKept) throw notBegun('the assertion was used, or the sign-in was answered')
    return `/sso/return/${provider.id}?state=${state}`
  }

  /** Describes this server to a provider of SAML, which may need it before anything is known of that. @throws NotFound */
  async metadata(service: string): Promise<string> {
    const provider = await this.options.providers.find(service)
    if (provider?.type === SAML) return samlMetadata(this.options.publicUrl, provider.id)
    throw new NotFound(`no provider ${quoteValue(service)} of SAML`)
  }

  /**
   * Ends an attempt: it is taken, whatever comes of it. It fails by Forbidden if it was not begun in this browser, was used or is too
   * old, and for what the provider did not say.
   */
  async finish(ctx: Context, returned: Returned): Promise<Finished | Failed> {
    let page = PAGE_OF.signIn
    try {
      const attempt = await this.#take(ctx, returned)
      page = attempt.page ?? PAGE_OF[attempt.purpose]
      return await this.#end(ctx, returned, attempt)
    } catch (error) {
      return failedAt(page, error)
    }
  }

  /** Takes the attempt that a provider answers. @throws Forbidden, BadUserInput */
  async #take(ctx: Context, returned: Returned): Promise<Taken> {
    const { attempts } = this.options
    if (returned.query.length > QUERY_CHARS_MAX) throw new BadUserInput('query', 'the address is too long')
    const query = new URLSearchParams(returned.query)
    const state = query.get('state')
    const { browser } = returned
    if (!isSecret(state) || !isSecret(browser)) throw notBegun('the sign-in was not begun in this browser')
    const attempt = await ctx.database.sqlTransaction((sql) => attempts.take(sql, ctx, { state, browser }))
    if (!attempt) throw notBegun('the sign-in was not begun in this browser, was used or is too old')
    return { ...attempt, state }
  }

  async #end(ctx: Context, returned: Returned, attempt: Taken): Promise<Finished> {
    const { providers, sessions } = this.options
    const query = new URLSearchParams(returned.query)
    const provider = await providers.require(attempt.service)
    // Which provider it is that answers must be certain: by the address to which it answers, or by its own word.
    const isNamed =
      provider.type === SAML || provider.params.ownReturn
        ? returned.service === provider.id
        : query.has('iss') && returned.service === null
    if (!isNamed) throw new Forbidden('another provider answered', { reason: 'PROVIDER_ANSWER_INVALID' })
    const identity =
      provider.type === SAML
        ? answeredBy(provider, attempt.answer)
        : await this.#identify(provider, query, attempt.state).catch((error: unknown) => {
            throw providerError(error)
          })
    if (attempt.purpose === 'signIn') {
      const response = await signInByProvider(ctx, this.options, provider, identity)
      return { path: attempt.page ?? '/console', session: sessions.keep(response) }
    }
    return { path: await this.#keep(ctx, attempt, identity), session: null }
  }

  async #keep(ctx: Context, { service, user, purpose }: Attempt, identity: ProviderIdentity): Promise<string> {
    const isTrial = purpose === 'trial'
    const kept = { ...identity, claims: isTrial ? keptClaims(identity.claims) : {} }
    const code = await ctx.database.sqlTransaction((sql) =>
      this.options.attempts.keep(sql, ctx, {
        user: user!,
        service,
        identity: kept,
        purpose: isTrial ? 'trial' : 'link',
      }),
    )
    // Behind #, so that no server's log gets it.
    return isTrial ? `${PAGE_OF.trial}#trial=${code}` : `${PAGE_OF.link}#link=${code}`
  }

  /** Asks the provider whom its code stands for. @throws whatever the library throws */
  async #identify(provider: OidcProvider, query: URLSearchParams, state: string): Promise<ProviderIdentity> {
    const { providers, attempts } = this.options
    const client = await providers.client(provider)
    const { nonce, verifier } = attempts.secretsOf(state)
    const answered = new URL(`${this.returnUrl(provider)}?${query.toString()}`)
    const tokens = await authorizationCodeGrant(client, answered, {
      expectedState: state,
      expectedNonce: nonce,
      pkceCodeVerifier: verifier,
      idTokenExpected: true,
    })
    const claims = tokens.claims()!
    const hasMore = client.serverMetadata().userinfo_endpoint !== undefined
    const info = hasMore ? await fetchUserInfo(client, tokens.access_token, claims.sub) : null
    const identity = identityOf(client.serverMetadata().issuer, claims as JsonObject, info as JsonObject | null)
    if (!identity) throw new Forbidden('the provider names nobody', { reason: 'PROVIDER_ANSWER_INVALID' })
    return identity
  }
}

function pageOf(page: string | null): string | null {
  if (page === null) return null
  if (isPage(page)) return page
  throw new BadUserInput('page', 'page must be a path of the console')
}

function isPage(page: string | null): page is string {
  if (page === null || page.length > PAGE_CHARS_MAX || !PAGE.test(page) || page.includes('//')) return false
  // As a browser reads it, which goes up by two dots.
  return /^\/console(?:\/|$)/.test(new URL(page, 'http://console').pathname)
}

/** @throws whatever is no refusal of the product's own */
function failedAt(page: string, error: unknown): Failed {
  if (!(error instanceof DomainError)) throw error
  return { failed: error, page }
}

/** @throws Forbidden if the provider has said nothing, or is another one since */
function answeredBy({ version }: SamlProvider, answer: Answer | null): ProviderIdentity {
  if (!answer) throw new Forbidden('the provider did not answer', { reason: 'PROVIDER_ANSWER_INVALID' })
  if (answer.version === version) return answer.identity
  throw notBegun('the provider was changed meanwhile: begin again')
}

function notBegun(message: string): Forbidden {
  return new Forbidden(message, { reason: 'SIGN_IN_NOT_BEGUN' })
}
