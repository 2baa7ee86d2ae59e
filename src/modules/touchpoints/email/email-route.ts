import { createHash, timingSafeEqual } from 'node:crypto'
import { Forbidden, Unauthenticated } from '../../../platform/errors.js'
import type { InboundHead, InboundReply, InboundRequest, InboundRoute } from '../inbound-routes.js'
import type { EmailParams } from './email-params.js'
import type { MailReceiver } from './mail-receiver.js'

/**
 * `POST /inbound/email/<service>`: accepts a raw mail (RFC 5322) from a mail server or a provider. The service's
 * `inboundSecret` is given in the header `X-Inbound-Secret` or as the password of basic authentication; the query
 * parameters `recipient` (repeatable) and `sender` give the envelope, if known.
 */
export function emailRoute(receiver: MailReceiver, bytesMax: number): InboundRoute {
  const route = { type: 'email', method: 'POST', path: '', isSigned: 'head' } as const
  return { ...route, bytesMax, admit: requireSecret, handle: (request) => receive(receiver, request) }
}

/** @throws Forbidden, Unauthenticated */
function requireSecret({ service, headers }: InboundHead): void {
  const { inboundSecret } = service.params as EmailParams
  if (inboundSecret === undefined) throw new Forbidden('the service lacks params.inboundSecret')
  if (!isSame(givenSecret(headers), inboundSecret)) throw new Unauthenticated('the inbound secret is missing or wrong')
}

async function receive(receiver: MailReceiver, { service, query, body }: InboundRequest): Promise<InboundReply> {
  const received = await receiver.receive({
    service,
    bytes: body,
    recipients: query.getAll('recipient').slice(0, 20),
    returnPath: query.get('sender'),
    way: 'trusted',
  })
  return { status: 200, type: 'application/json', body: JSON.stringify(received) }
}

function givenSecret(headers: InboundHead['headers']): string {
  const given = headers['x-inbound-secret']
  if (typeof given === 'string') return given
  const [scheme, credentials = ''] = (headers.authorization ?? '').split(' ', 2)
  if (scheme?.toLowerCase() !== 'basic') return ''
  const [, ...password] = Buffer.from(credentials, 'base64').toString('utf8').split(':')
  return password.join(':')
}

/** Compares in a time that reveals neither the length nor where the values differ. */
function isSame(given: string, expected: string): boolean {
  const hash = (text: string): Buffer => createHash('sha256').update(text).digest()
  return timingSafeEqual(hash(given), hash(expected))
}
