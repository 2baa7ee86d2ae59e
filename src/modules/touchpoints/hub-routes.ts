import { createHash, timingSafeEqual } from 'node:crypto'
import { Forbidden } from '../../platform/errors.js'
import type { JsonObject } from '../../platform/json.js'
import { isSignedByHub } from './hub-signature.js'
import type { InboundHead, InboundReply, InboundRequest, InboundRoute } from './inbound-routes.js'

/** Answer to events that are stored. */
export const EVENTS_TAKEN: InboundReply = { status: 200, type: 'text/plain; charset=utf-8', body: 'EVENT_RECEIVED' }

export interface HubRoutesOptions {
  /** Type of the services. */
  type: string
  bytesMax: number
  /** Reads the secrets of a service. */
  secretsOf(params: JsonObject): { appSecret: string | undefined; verifyToken: string | undefined }
  /** Stores the events of a signed body. @throws BadUserInput */
  takeEvents(request: InboundRequest): Promise<InboundReply>
}

const CHALLENGE_CHARS_MAX = 500

/** Endpoint of Meta's platforms: `/inbound/<type>/<service>`, by GET for the handshake, by POST for signed events. */
export function hubRoutes({ type, bytesMax, secretsOf, takeEvents }: HubRoutesOptions): InboundRoute[] {
  const route = { type, path: '', bytesMax } as const
  return [
    {
      ...route,
      method: 'GET',
      admit: requireVerifyToken,
      isSigned: 'head',
      handle: async (request) => shakeHands(request),
    },
    { ...route, method: 'POST', admit: requireSignature, isSigned, handle: takeEvents },
  ]

  /** @throws Forbidden for a token other than the service's */
  function requireVerifyToken({ service, query }: InboundHead): void {
    const { verifyToken } = secretsOf(service.params)
    const challenge = query.get('hub.challenge') ?? ''
    const isMeant = query.get('hub.mode') === 'subscribe' && challenge !== '' && challenge.length <= CHALLENGE_CHARS_MAX
    if (verifyToken === undefined || !isSameSecret(query.get('hub.verify_token') ?? '', verifyToken) || !isMeant) {
      throw new Forbidden('hub.verify_token is invalid')
    }
  }

  /** Only checks that there is a signature: verifying it needs the body. @throws Forbidden */
  function requireSignature({ service, headers }: InboundHead): void {
    const { appSecret } = secretsOf(service.params)
    if (appSecret !== undefined && typeof headers['x-hub-signature-256'] === 'string') return
    throw new Forbidden('X-Hub-Signature-256 is invalid', { reason: 'SIGNATURE_INVALID' })
  }

  function isSigned({ service, headers, body }: InboundRequest): boolean {
    const { appSecret } = secretsOf(service.params)
    const signature = headers['x-hub-signature-256']
    return appSecret !== undefined && typeof signature === 'string' && isSignedByHub(appSecret, body, signature)
  }
}

function shakeHands({ query }: InboundRequest): InboundReply {
  return { status: 200, type: 'text/plain; charset=utf-8', body: query.get('hub.challenge')! }
}

/** Compares two secrets; hashes first, so that the time reveals neither the length nor where the values differ. */
export function isSameSecret(given: string, expected: string): boolean {
  const hash = (text: string): Buffer => createHash('sha256').update(text).digest()
  return timingSafeEqual(hash(given), hash(expected))
}
