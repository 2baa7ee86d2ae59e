import { Arg, Authorized, Ctx, ID, Mutation, Resolver } from 'type-graphql'
import type { Context } from '../../platform/context.js'
import type { JsonObject as JsonRecord } from '../../platform/json.js'
import { JsonObject } from '../../platform/lists/scalars.js'
import { createGuestToken, type GuestTokenDependencies } from './guest-tokens.js'
import { acceptInvitation } from './accept-invitation.js'
import type { ResetThrottle } from './reset-throttle.js'
import type { PasswordLinks } from './password-links.js'
import { refreshTokens } from './refresh.js'
import { createSignInLink, requestPasswordReset, resetPassword } from './reset-password.js'
import { revokeTokens } from './revoke.js'
import { SignInLink } from './sign-in-link.js'
import { TotpEnrolment } from './factors-resolver.js'
import type { PendingTotp } from './second-factors.js'
import { enrolAtSignIn, signIn, type SignInDependencies } from './sign-in.js'
import { TokenResponse } from './token-response.js'

const CODE =
  'Code of the second factor: six digits of the authenticator app, or a recovery code. Needed by users who have enrolled one; ' +
  'ignored for others.'
const PASSKEY =
  'A passkey in place of `code`: what `PublicKeyCredential.toJSON()` returns for the options of `createPasskeyChallenge`. Ignored for ' +
  'users without a second factor.'
const TIMEZONE = 'IANA time zone of the client, stored for a user who has none.'

/** Resolvers for tokens (4.1). Those without `@Authorized` give a caller its first token. */
@Resolver()
export class AuthResolver {
  constructor(
    private readonly dependencies: SignInDependencies &
      GuestTokenDependencies & {
        links: PasswordLinks
        /** Counts the requests for a new password. */
        resetThrottle: ResetThrottle
        /** True if this server sends mail. */
        isMailSet: boolean
      },
  ) {}

  @Mutation(() => TokenResponse, {
    description:
      'Signs in; ignores any credentials of the request (4.1). A user with a second factor is refused with the reason ' +
      '`SECOND_FACTOR_REQUIRED` and its `methods` until `code` is given too.',
  })
  createToken(
    @Ctx() ctx: Context,
    @Arg('email', () => String) email: string,
    @Arg('password', () => String) password: string,
    @Arg('timezone', () => String, { nullable: true, description: TIMEZONE }) timezone?: string | null,
    @Arg('code', () => String, { nullable: true, description: CODE }) code?: string | null,
    @Arg('enrolment', () => ID, {
      nullable: true,
      description: 'Id of what `enrolAtSignIn` returned: `code` of the app enrols it, and signs in.',
    })
    enrolment?: string | null,
    @Arg('passkey', () => JsonObject, { nullable: true, description: PASSKEY }) passkey?: JsonRecord | null,
  ): Promise<TokenResponse> {
    const given = {
      timezone: timezone ?? null,
      code: code ?? null,
      passkey: passkey ?? null,
      enrolment: enrolment ?? null,
    }
    return signIn(ctx, this.dependencies, { email, password, ...given })
  }

  @Mutation(() => TotpEnrolment, {
    description:
      'Makes a secret for an authenticator app of whoever signs in, and has no second factor: `createToken` with `enrolment` and a `code` ' +
      'of the app enrols it, and signs in. For who is refused with `ENROLMENT_REQUIRED`. Recovery codes are made by `createRecoveryCodes`.',
  })
  enrolAtSignIn(
    @Ctx() ctx: Context,
    @Arg('email', () => String) email: string,
    @Arg('password', () => String) password: string,
  ): Promise<PendingTotp> {
    return enrolAtSignIn(ctx, this.dependencies, { email, password })
  }

  @Mutation(() => TokenResponse, {
    description: 'Exchanges a refresh token, once, for a new pair (4.1). Reusing a spent token ends the whole sign-in.',
  })
  refreshToken(
    @Ctx() ctx: Context,
    @Arg('refreshToken', () => String) refreshToken: string,
    @Arg('clientId', () => String, {
      nullable: true,
      description: 'Email of the user or bot, contact id of a guest. Not needed with an access token of the same user.',
    })
    clientId?: string | null,
  ): Promise<TokenResponse> {
    return refreshTokens(ctx, this.dependencies, { refreshToken, clientId: clientId ?? null })
  }

  @Authorized('token.revoke')
  @Mutation(() => Boolean, {
    description: "Ends the current sign-in, that of a refresh token, or all of the caller's.",
  })
  async revokeToken(
    @Ctx() ctx: Context,
    @Arg('refreshToken', () => String, { nullable: true }) refreshToken?: string | null,
    @Arg('all', () => Boolean, { nullable: true }) all?: boolean | null,
  ): Promise<boolean> {
    await revokeTokens(ctx, this.dependencies, { refreshToken: refreshToken ?? null, all: all ?? null })
    return true
  }

  @Authorized('guestToken.create')
  @Mutation(() => TokenResponse, {
    description:
      'Creates tokens for the consumer of a conversation, with guest scope and access to that conversation only.',
  })
  createGuestToken(@Ctx() ctx: Context, @Arg('conversation', () => ID) conversation: string): Promise<TokenResponse> {
    return createGuestToken(ctx, this.dependencies, conversation)
  }

  @Mutation(() => TokenResponse, { description: "Finishes an invited user's registration and signs in." })
  acceptInvitation(
    @Ctx() ctx: Context,
    @Arg('token', () => String, {
      description: "The part after `#` of the invitation's link; valid once, for 7 days.",
    })
    token: string,
    @Arg('password', () => String) password: string,
    @Arg('timezone', () => String, { nullable: true, description: TIMEZONE }) timezone?: string | null,
  ): Promise<TokenResponse> {
    return acceptInvitation(ctx, this.dependencies, { token, password, timezone: timezone ?? null })
  }

  @Mutation(() => Boolean, {
    description:
      "Mails a link for a new password, if the email is a user's, which the response does not reveal. False when this server " +
      'sends no mail: then an administrator creates a link with `createSignInLink`. Rate-limited by address; no further ' +
      'mails go to an email while earlier links are valid.',
  })
  async requestPasswordReset(@Ctx() ctx: Context, @Arg('email', () => String) email: string): Promise<boolean> {
    const { transact, resetThrottle: throttle, isMailSet } = this.dependencies
    await requestPasswordReset(ctx, { transact, throttle }, email)
    return isMailSet
  }

  @Mutation(() => TokenResponse, {
    description: 'Sets another password by a link, ends all sign-ins of the user and signs in.',
  })
  resetPassword(
    @Ctx() ctx: Context,
    @Arg('token', () => String, { description: 'The part after `#` of the link; valid once, for an hour.' })
    token: string,
    @Arg('password', () => String) password: string,
    @Arg('timezone', () => String, { nullable: true, description: TIMEZONE }) timezone?: string | null,
    @Arg('code', () => String, { nullable: true, description: CODE }) code?: string | null,
    @Arg('passkey', () => JsonObject, { nullable: true, description: PASSKEY }) passkey?: JsonRecord | null,
  ): Promise<TokenResponse> {
    const given = { timezone: timezone ?? null, code: code ?? null, passkey: passkey ?? null }
    return resetPassword(ctx, this.dependencies, { token, password, ...given })
  }

  @Authorized('user.update')
  @Mutation(() => SignInLink, {
    description:
      'A link by which the user chooses a password, for an administrator to hand over; an invited user finishes the ' +
      'registration by it.',
  })
  createSignInLink(@Ctx() ctx: Context, @Arg('user', () => ID) user: string): Promise<SignInLink> {
    return createSignInLink(ctx, this.dependencies.links, user)
  }
}
