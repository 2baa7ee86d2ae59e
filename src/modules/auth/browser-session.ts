import { createHmac } from 'node:crypto'
import { addAuditEntries } from '../../platform/audit/audit-entry.js'
import type { Context } from '../../platform/context.js'
import { Unauthenticated } from '../../platform/errors.js'
import { requireNetwork } from '../sign-in-policy/sign-in-rules.js'
import type { JsonObject } from '../../platform/json.js'
import { signInByPasskey, type PasskeySignIn } from './passkeys/passkey-sign-in.js'
import { findHolder } from './refresh.js'
import { signIn, type SignIn, type SignInDependencies } from './sign-in.js'
import { acceptInvitation, type ChosenPassword } from './accept-invitation.js'
import type { PasswordLinks } from './password-links.js'
import { resetPassword } from './reset-password.js'
import { extendFamily, isFamilyAlive, noteOrigin, revokeFamily } from './token-families.js'
import type { TokenResponse } from './token-response.js'
import { REFRESH_TOKEN_SECONDS, type TokenSigner } from './tokens.js'

export interface BrowserSessionDependencies extends SignInDependencies {
  links: PasswordLinks
  /** Secret from which the keys of what browsers keep are derived. */
  storeSecret: Uint8Array
}

/** The answer to a page of the product: never contains the refresh token, which stays in a cookie. */
export interface PageToken {
  token: string
  user: string
  organization: string
  scope: string
  expiresAt: Date
  /** The user's key for what the page keeps in the browser, 32 bytes in base64url: the same at each sign-in. */
  storeSecret: string
}

export interface BrowserSession {
  page: PageToken
  /** New value of the cookie and its lifetime in seconds; null keeps the cookie. */
  cookie: { value: string; seconds: number } | null
}

/** An older cookie is renewed, so that a session in use does not end after 30 days. */
const RENEW_AFTER_SECONDS = REFRESH_TOKEN_SECONDS / 2

/**
 * Signs pages of the product in by a cookie that scripts cannot read. Its refresh token is not spent at each use: if
 * the answer were lost with a closed tab or the network, the browser would keep a spent token, and its next page load
 * would end the sign-in. Rotation reveals theft by scripts, which the cookie already prevents.
 */
export class BrowserSessions {
  constructor(private readonly dependencies: BrowserSessionDependencies) {}

  /** @throws Unauthenticated, RateLimited, BadUserInput as `signIn` */
  async open(ctx: Context, input: SignIn): Promise<BrowserSession> {
    return this.#opened(await signIn(ctx, this.dependencies, input))
  }

  /** @throws Unauthenticated, RateLimited, BadUserInput as `signInByPasskey` */
  async openByPasskey(ctx: Context, input: PasskeySignIn): Promise<BrowserSession> {
    return this.#opened(await signInByPasskey(ctx, this.dependencies, input))
  }

  /** @throws Unprocessable, BadUserInput as `acceptInvitation` */
  async accept(ctx: Context, input: ChosenPassword): Promise<BrowserSession> {
    return this.#opened(await acceptInvitation(ctx, this.dependencies, input))
  }

  /** @throws Unprocessable, BadUserInput as `resetPassword` */
  async reset(
    ctx: Context,
    input: ChosenPassword & { code?: string | null; passkey?: JsonObject | null },
  ): Promise<BrowserSession> {
    return this.#opened(await resetPassword(ctx, this.dependencies, input))
  }

  /** Keeps what another way of signing in has opened. */
  keep(response: TokenResponse): BrowserSession {
    return this.#opened(response)
  }

  /** Issues another access token for the cookie's session. @throws Unauthenticated when it has ended */
  async renew(ctx: Context, cookie: string): Promise<BrowserSession> {
    const { signer } = this.dependencies
    const claims = await this.#claims(cookie)
    const holder = await findHolder(ctx.reads, claims)
    if (holder.kind !== 'user' || !(await isFamilyAlive(ctx.reads, claims.family!, claims.jti, ctx.now())))
      throw ended()
    requireNetwork(holder.networks, ctx.address)
    const { user, organization, scopes } = holder
    const subject = { user, organization, scopes, family: claims.family! }
    // Nobody waits for it: a page opens also while the database takes no writes.
    const noted = ctx.database.sqlTransaction((sql) =>
      noteOrigin(sql, { family: subject.family, origin: ctx, now: ctx.now() }),
    )
    noted.catch((error: unknown) => ctx.log.debug({ err: error }, 'failed to note the use of a session'))
    const access = await signer.signAccess(subject)
    const page = {
      token: access.token,
      user,
      organization,
      scope: scopes.join(' '),
      expiresAt: access.expiresAt,
      storeSecret: this.#storeSecret(user),
    }
    const ageSeconds = REFRESH_TOKEN_SECONDS - (claims.expiresAt!.getTime() - ctx.now().getTime()) / 1_000
    if (ageSeconds < RENEW_AFTER_SECONDS) return { page, cookie: null }
    const refresh = await signer.signRefresh(subject)
    const extension = { family: subject.family, refresh, now: ctx.now() }
    await ctx.database.sqlTransaction((sql) => extendFamily(sql, extension))
    return { page, cookie: { value: refresh.token, seconds: REFRESH_TOKEN_SECONDS } }
  }

  /** Ends the cookie's session; an invalid or ended one is no error. */
  async end(ctx: Context, cookie: string): Promise<void> {
    const claims = await this.#claims(cookie).catch(() => null)
    if (!claims) return
    const { family, organization, user } = claims
    const isEnded = await ctx.database.sqlTransaction(async (sql) => {
      if (!(await revokeFamily(sql, family!, ctx.now()))) return false
      const object = { type: 'user', id: user }
      await addAuditEntries(sql, ctx, [{ action: 'signOut', object, organization, user }])
      return true
    })
    if (isEnded) this.dependencies.accessChanges.userChanged(claims.user)
  }

  #opened({ token, refreshToken, user, organization, scope, expiresAt }: TokenResponse): BrowserSession {
    return {
      page: { token, user: user!, organization, scope, expiresAt, storeSecret: this.#storeSecret(user!) },
      cookie: { value: refreshToken, seconds: REFRESH_TOKEN_SECONDS },
    }
  }

  #storeSecret(user: string): string {
    return createHmac('sha256', this.dependencies.storeSecret).update(user).digest('base64url')
  }

  #claims(cookie: string): ReturnType<TokenSigner['verify']> {
    return this.dependencies.signer.verify(cookie, ['refresh_token']).catch(() => {
      throw ended()
    })
  }
}

function ended(): Unauthenticated {
  return new Unauthenticated('the session has ended: sign in again', { reason: 'SESSION_ENDED' })
}
