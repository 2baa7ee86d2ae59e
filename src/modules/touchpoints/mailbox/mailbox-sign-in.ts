import { decodeJwt, type JWTPayload } from 'jose'
import type { Clock } from '../../../platform/db/clock.js'
import { BadUserInput } from '../../../platform/errors.js'
import type { JsonObject } from '../../../platform/json.js'
import type { OutboundHttp } from '../../../platform/outbound/outbound-http.js'
import { AuthorizationFailed, refusedBy } from '../../services/authorization-failed.js'
import type { ServiceAuthorizer } from '../../services/service-kinds.js'
import { DeliveryFailed, DeliveryUnknown } from '../adapter.js'
import { callProvider, type ProviderAnswer } from '../provider-call.js'
import { FIXED, type Fixed, type ProviderSignIn } from './mail-providers.js'
import { isLoopback, type MailboxParams } from './mailbox-params.js'

export interface MailboxSignInOptions {
  http: OutboundHttp
  clock: Clock
  isPrivateAllowed: boolean
}

/** Clocks differ. */
const SKEW_SECONDS = 60
const [TOKEN_CHARS_MAX, ACCOUNT_CHARS_MAX] = [8_192, 254]

/** Addresses and settings of a sign-in. */
interface Target {
  params: MailboxParams & { address: string; clientId: string }
  signIn: ProviderSignIn
  authorizationUrl: string
  tokenUrl: string
}

/** Signs the owner of a mailbox in at its provider, who grants its use: the refresh token becomes a param. */
export function createMailboxSignIn(options: MailboxSignInOptions): ServiceAuthorizer {
  return {
    url(given, { state, nonce, challenge, redirectUri }) {
      const { authorizationUrl, params, signIn } = targetOf(given, options)
      const url = new URL(authorizationUrl)
      const query = {
        ...signIn.query,
        response_type: 'code',
        client_id: params.clientId,
        redirect_uri: redirectUri,
        scope: signIn.scope,
        state,
        nonce,
        code_challenge: challenge,
        code_challenge_method: 'S256',
        login_hint: params.address,
      }
      for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
      return url.href
    },

    async redeem(given, { code, nonce, verifier, redirectUri }) {
      const { params, signIn, tokenUrl } = targetOf(given, options)
      const { address, clientId, clientSecret } = params
      const { status, answer } = await ask(options, tokenUrl, {
        grant_type: 'authorization_code',
        code,
        code_verifier: verifier,
        redirect_uri: redirectUri,
        client_id: clientId,
        ...(clientSecret !== undefined && { client_secret: clientSecret }),
      })
      if (status !== 200) throw refusedBy(answer.error)
      const claims = claimsOf(answer.id_token)
      if (!claims || !isMeant(claims, { signIn, clientId, nonce, now: options.clock.now() })) {
        throw new AuthorizationFailed('ANSWER_INVALID')
      }
      const accounts = signIn.accountClaims.flatMap((name) => accountOf(claims[name]) ?? [])
      if (accounts.length === 0) throw new AuthorizationFailed('ANSWER_INVALID')
      if (!accounts.some((account) => account.toLowerCase() === address.toLowerCase())) {
        throw new AuthorizationFailed('OTHER_ACCOUNT', { account: accounts[0]!, expected: address })
      }
      if (!isForMail(answer.scope, signIn)) throw new AuthorizationFailed('SCOPE_MISSING')
      const { refresh_token: refreshToken } = answer
      if (!isToken(refreshToken)) throw new AuthorizationFailed('NO_GRANT')
      return { ...given, refreshToken }
    },
  }
}

/** @throws BadUserInput naming the param that is missing, or that does not fit */
function targetOf(given: JsonObject, { isPrivateAllowed }: MailboxSignInOptions): Target {
  const params = given as MailboxParams
  const { access, address, clientId } = params
  const fixed = access === undefined ? undefined : FIXED[access]
  if (!fixed) throw new BadUserInput('params.access', 'params.access must be google or microsoft to sign in there')
  for (const key of ['address', 'clientId'] as const) {
    if (params[key] !== undefined) continue
    throw new BadUserInput(`params.${key}`, `params.${key} is needed to sign in at the provider`, 'MISSING_VALUE')
  }
  if (params.scope !== undefined && params.scope !== fixed.scope) {
    throw new BadUserInput(
      'params.scope',
      'params.scope does not fit what a sign-in at the provider grants: leave it out',
    )
  }
  const tokenUrl = params.tokenUrl ?? fixed.tokenUrl
  requireOwn(tokenUrl, fixed, isPrivateAllowed)
  const authorizationUrl = fixed.signIn.authorizationUrl(tokenUrl)
  if (authorizationUrl === null) {
    throw new BadUserInput('params.tokenUrl', 'params.tokenUrl must end with /token to sign in at the provider')
  }
  return {
    params: { ...params, address: address!, clientId: clientId! },
    signIn: fixed.signIn,
    authorizationUrl,
    tokenUrl,
  }
}

/** Nobody is led to a page that only looks like the provider's, and no other server gets a code. */
function requireOwn(tokenUrl: string, fixed: Fixed, isPrivateAllowed: boolean): void {
  const { hostname, origin } = new URL(tokenUrl)
  const own = new URL(fixed.tokenUrl).origin
  if (origin === own || (isPrivateAllowed && isLoopback(hostname))) return
  throw new BadUserInput('params.tokenUrl', `params.tokenUrl must be at ${own} to sign in at the provider`)
}

/** @throws AuthorizationFailed if the provider is away */
async function ask(
  { clock, http }: MailboxSignInOptions,
  url: string,
  form: Record<string, string>,
): Promise<ProviderAnswer> {
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  const body = new URLSearchParams(form).toString()
  const answer = await callProvider({ http, now: clock.now() }, { method: 'POST', url, headers, body }).catch(
    (error: unknown) => {
      // Its words may have parts of the request.
      if (error instanceof DeliveryFailed || error instanceof DeliveryUnknown)
        throw new AuthorizationFailed('UNAVAILABLE')
      throw error
    },
  )
  if (answer.status >= 500 || answer.status === 429) throw new AuthorizationFailed('UNAVAILABLE')
  return answer
}

/** The token came from its server itself, which TLS proves in place of the signature (OpenID Connect Core, 3.1.3.7). */
function claimsOf(token: unknown): JWTPayload | null {
  if (typeof token !== 'string') return null
  try {
    return decodeJwt(token)
  } catch {
    return null
  }
}

/** Tells whether the provider says it, of this attempt, to this application, now. */
function isMeant(
  { iss, aud, azp, exp, nonce: said }: JWTPayload,
  { signIn, clientId, nonce, now }: { signIn: ProviderSignIn; clientId: string; nonce: string; now: Date },
): boolean {
  const audiences = Array.isArray(aud) ? aud : [aud]
  return (
    typeof iss === 'string' &&
    signIn.isIssuer(iss) &&
    audiences.includes(clientId) &&
    (audiences.length === 1 || azp === clientId) &&
    typeof exp === 'number' &&
    exp + SKEW_SECONDS > now.getTime() / 1_000 &&
    said === nonce
  )
}

/** Tells whether what was granted opens the mail servers. It is only named where it is not all that was asked for (RFC 6749, 5.1). */
const isForMail = (granted: unknown, { mailScope }: ProviderSignIn): boolean =>
  typeof granted !== 'string' || granted.split(' ').some((scope) => mailScope.test(scope))

const isToken = (value: unknown): value is string =>
  typeof value === 'string' && value.length <= TOKEN_CHARS_MAX && /^[\x21-\x7e]+$/.test(value)

/** An account by its address; null for what is none. */
function accountOf(value: unknown): string | null {
  return typeof value === 'string' && value.length <= ACCOUNT_CHARS_MAX && /^[^\s@\p{Cc}]+@[^\s@\p{Cc}]+$/u.test(value)
    ? value
    : null
}
