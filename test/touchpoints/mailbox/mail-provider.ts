import { createHash, randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { SignJWT, type JWTPayload } from 'jose'

const TENANT = '0f4ab3c1-7a36-4b55-9a4e-2f0d0f6f3f11'
export const ISSUER = `https://login.microsoftonline.com/${TENANT}/v2.0`
export const CLIENT = { clientId: 'the-application', clientSecret: 'the-secret-of-the-application' }

/** A provider of mailboxes on loopback, at which one account is signed in, and consents at once. */
export interface MailProvider {
  tokenUrl: string
  /** The account that signs in. */
  account: string
  /** Its answer to the browser, in place of a code. */
  refusal: Record<string, string> | null
  /** Changes the claims of its ID tokens. */
  claims: JWTPayload
  /** Changes its answers with tokens. */
  answer: Record<string, unknown>
  /** Called before it answers with tokens. */
  before: (() => Promise<unknown>) | null
  /** Status of its answers with tokens; 200 if null. */
  status: number | null
  /** Queries with which browsers came. */
  asked: URLSearchParams[]
  /** Forms that its token address got. */
  forms: URLSearchParams[]
  /** Refresh tokens that it gave. */
  given: string[]
  reset(): void
  close(): Promise<void>
}

interface Consent {
  clientId: string
  challenge: string
  nonce: string
  redirect: string
  isOffline: boolean
}

export async function startMailProvider(account: string): Promise<MailProvider> {
  const codes = new Map<string, Consent>()
  const key = randomBytes(32)
  const server = createServer((request, response) => void handle(request, response))
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const initial = () => ({ account, refusal: null, claims: {}, answer: {}, before: null, status: null })
  const self: MailProvider = {
    ...initial(),
    tokenUrl: `${origin}/${TENANT}/oauth2/v2.0/token`,
    asked: [],
    forms: [],
    given: [],
    reset: () => void Object.assign(self, initial()),
    close() {
      server.closeAllConnections()
      return new Promise<void>((resolve) => void server.close(() => resolve()))
    },
  }

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url!, origin)
    if (pathname.endsWith('/authorize')) return consent(searchParams, response)
    const form = new URLSearchParams(Buffer.concat((await request.toArray()) as Buffer[]).toString())
    self.forms.push(form)
    await self.before?.()
    const body = form.get('grant_type') === 'authorization_code' ? await redeem(form) : { error: 'invalid_grant' }
    response.writeHead(self.status ?? ('error' in body ? 400 : 200), { 'content-type': 'application/json' })
    response.end(JSON.stringify(body))
  }

  function consent(query: URLSearchParams, response: ServerResponse): void {
    self.asked.push(query)
    const back = new URL(query.get('redirect_uri')!)
    back.searchParams.set('state', query.get('state')!)
    if (self.refusal) for (const [name, value] of Object.entries(self.refusal)) back.searchParams.set(name, value)
    else {
      const code = randomBytes(16).toString('hex')
      codes.set(code, {
        clientId: query.get('client_id')!,
        challenge: query.get('code_challenge')!,
        nonce: query.get('nonce')!,
        redirect: query.get('redirect_uri')!,
        isOffline: query.get('scope')!.split(' ').includes('offline_access'),
      })
      back.searchParams.set('code', code)
    }
    response.writeHead(302, { location: back.href }).end()
  }

  async function redeem(form: URLSearchParams): Promise<object> {
    const code = form.get('code')!
    const consented = codes.get(code)
    codes.delete(code)
    const challenge = createHash('sha256').update(form.get('code_verifier')!).digest('base64url')
    const isRight = consented?.challenge === challenge && consented.redirect === form.get('redirect_uri')
    if (!consented || !isRight) return { error: 'invalid_grant', error_description: `no such code ${code}` }
    const secret = form.get('client_secret')
    if (secret !== null && secret !== CLIENT.clientSecret) {
      return { error: 'invalid_client', error_description: `${secret} is wrong` }
    }
    const refresh = `refresh-${randomBytes(16).toString('hex')}`
    self.given.push(refresh)
    const claims = { preferred_username: self.account, nonce: consented.nonce, ...self.claims }
    const token = new SignJWT(claims).setProtectedHeader({ alg: 'HS256' }).setSubject('somebody').setIssuedAt()
    if (!('iss' in claims)) token.setIssuer(ISSUER)
    if (!('aud' in claims)) token.setAudience(consented.clientId)
    if (!('exp' in claims)) token.setExpirationTime('1h')
    return {
      token_type: 'Bearer',
      access_token: 'an access token of the tests',
      expires_in: 3_600,
      ...(consented.isOffline && { refresh_token: refresh }),
      id_token: await token.sign(key),
      ...self.answer,
    }
  }

  return self
}
