import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair, SignJWT, type JWTPayload } from 'jose'
import Provider from 'oidc-provider'
import { createMemoryAdapter } from 'oidc-provider/lib/adapters/memory_adapter.js'

export type Claims = Record<string, unknown>

export interface IdentityProvider {
  issuer: string
  /** Claims of people by their ids there; `login_hint` says who signs in. */
  people: Map<string, Claims>
  client: { clientId: string; clientSecret: string }
  /** Sets where it sends browsers back, and where it tells of sign-outs. */
  register(addresses: { redirect: string; logout: string }): void
  /** Id of the person who signs in where the address names nobody. */
  someone: string | null
  /** Answers in its place, until it is null again. */
  instead: ((request: IncomingMessage, response: ServerResponse) => void | Promise<void>) | null
  /** Addresses that it told of sign-outs, with the answers. */
  logouts: { url: string; status: number }[]
  /** Signs what it would not say. */
  sign(claims: JWTPayload, header?: { typ?: string; alg?: string }): Promise<string>
  /** Forgets everybody who signed in there. */
  end(browserOpens: (address: string, init?: RequestInit) => Promise<{ text: string }>): Promise<void>
  close(): Promise<void>
}

export interface IdentityProviderOptions {
  clientId?: string
  /** Changes what it says of itself. */
  discovery?: Record<string, unknown>
  /** Returns the real place of an address of the product. */
  place?: (url: string) => string
  /** True if its sign-outs name the session. */
  namesSessions?: boolean
}

const DISCOVERY = '/.well-known/openid-configuration'

/** A certified OpenID Connect provider on loopback, at which everybody signs in and consents at once. */
export async function startIdentityProvider(options: IdentityProviderOptions = {}): Promise<IdentityProvider> {
  const { clientId = 'switchboard', discovery = {}, place = (url) => url, namesSessions = true } = options
  const clientSecret = `secret of ${clientId}`
  const people = new Map<string, Claims>()
  const { privateKey } = await generateKeyPair('RS256', { extractable: true })
  const key = { ...(await exportJWK(privateKey)), kid: `key of ${clientId}`, use: 'sig', alg: 'RS256' }
  const adapter = createMemoryAdapter(0)
  const logouts: IdentityProvider['logouts'] = []
  let provider: Provider | undefined
  let handle: ((request: IncomingMessage, response: ServerResponse) => void) | undefined
  const self: Pick<IdentityProvider, 'instead' | 'someone'> = { instead: null, someone: null }
  const server = createServer((request, response) => {
    if (self.instead) return void self.instead(request, response)
    if (request.url === DISCOVERY && request.headers['x-plain'] === undefined) return void describe(response)
    if (request.url!.startsWith('/interaction/')) return void interact(provider!, request, response, self.someone)
    handle!(request, response)
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  /** Sends its own description, with the changes of the test. */
  const describe = async (response: ServerResponse): Promise<void> => {
    const plain = await fetch(`${issuer}${DISCOVERY}`, { headers: { 'x-plain': 'yes' } })
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ ...((await plain.json()) as object), ...discovery }))
  }
  const open = (redirect: string, logout: string): void => {
    provider = new Provider(issuer, {
      clients: [
        {
          client_id: clientId,
          client_secret: clientSecret,
          token_endpoint_auth_method: 'client_secret_post',
          redirect_uris: [redirect],
          response_types: ['code'],
          grant_types: ['authorization_code'],
          backchannel_logout_uri: logout,
          backchannel_logout_session_required: namesSessions,
        },
      ],
      jwks: { keys: [key] },
      adapter,
      ttl: {
        Interaction: 3_600,
        Session: 3_600,
        Grant: 3_600,
        AccessToken: 3_600,
        IdToken: 3_600,
        AuthorizationCode: 600,
      },
      findAccount: (_ctx: unknown, id: string) =>
        people.has(id) ? { accountId: id, claims: () => ({ sub: id, ...people.get(id) }) } : undefined,
      claims: {
        openid: ['sub', 'oid', 'groups', 'realm_access', 'amr', 'auth_time'],
        email: ['email', 'email_verified'],
        profile: ['name', 'given_name', 'family_name'],
      },
      interactions: { url: (_ctx: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
      pkce: { required: () => true },
      cookies: { keys: ['a key of the tests'] },
      features: {
        devInteractions: { enabled: false },
        backchannelLogout: { enabled: true },
        rpInitiatedLogout: {
          enabled: true,
          logoutSource: (ctx: { body: string }, form: string) => void (ctx.body = form),
          postLogoutSuccessSource: (ctx: { body: string }) => void (ctx.body = 'signed out'),
        },
      },
      // Its default refuses loopback.
      async fetch(url: string, { method, headers, body, redirect }: RequestInit) {
        const response = await fetch(place(url), { method, headers, body, redirect } as RequestInit)
        logouts.push({ url, status: response.status })
        return response
      },
    })
    handle = provider.callback()
  }
  open(`${issuer}/nowhere`, `${issuer}/nowhere`)
  return Object.assign(self, {
    issuer,
    people,
    client: { clientId, clientSecret },
    logouts,
    register: ({ redirect, logout }: { redirect: string; logout: string }) => open(redirect, logout),
    sign: (claims: JWTPayload, { typ = 'logout+jwt', alg = 'RS256' }: { typ?: string; alg?: string } = {}) =>
      new SignJWT(claims).setProtectedHeader({ alg, typ, kid: key.kid }).sign(privateKey),
    async end(browserOpens: (address: string, init?: RequestInit) => Promise<{ text: string }>) {
      const { text } = await browserOpens(`${issuer}/session/end`)
      const [, xsrf] = /name="xsrf" value="([^"]+)"/.exec(text) ?? []
      if (xsrf === undefined) throw new Error(`nobody is signed in: ${text.slice(0, 200)}`)
      const body = new URLSearchParams({ xsrf, logout: 'yes' })
      await browserOpens(`${issuer}/session/end/confirm`, { method: 'POST', body })
    },
    close() {
      server.closeAllConnections()
      return new Promise<void>((resolve) => void server.close(() => resolve()))
    },
  })
}

/** Signs in whom the address names, or someone, and consents; nobody is refused. */
async function interact(
  provider: Provider,
  request: IncomingMessage,
  response: ServerResponse,
  someone: string | null,
): Promise<void> {
  const { prompt, params, session } = await provider.interactionDetails(request, response)
  const { login_hint: accountId = someone ?? undefined, client_id: clientId, scope } = params
  if (accountId?.startsWith('nobody')) {
    return provider.interactionFinished(request, response, { error: 'access_denied', error_description: 'not today' })
  }
  if (prompt.name === 'login') {
    return provider.interactionFinished(request, response, { login: { accountId, amr: ['pwd', 'mfa'] } })
  }
  const grant = new provider.Grant({ accountId: session!.accountId, clientId: clientId! })
  grant.addOIDCScope(scope!)
  const grantId = await grant.save()
  return provider.interactionFinished(request, response, { consent: { grantId } })
}
