import { defineJob, type JobKind } from '../../jobs/job-type.js'
import { createHash, timingSafeEqual } from 'node:crypto'
import type { Sql } from '../../db/database.js'
import { Forbidden } from '../../errors.js'
import { addJobs, type NewJob } from '../../jobs/job.js'
import { parseRequestJson } from '../../request-json.js'
import type { DeliveryLog } from '../delivery-log.js'
import type { InboundHead, InboundReply, InboundRequest, InboundRoute } from '../inbound-routes.js'
import { readTouchpointService } from '../touchpoint-service.js'
import { isSignedByHub } from './hub-signature.js'
import { messengerEvents, type MessengerEvent } from './messenger-events.js'
import { parseMessengerParams } from './messenger-params.js'
import { receiveEvent, type ReceiveEventOptions } from './receive-event.js'

export interface MessengerRoutesOptions extends ReceiveEventOptions {
  deliveries: DeliveryLog
  wakeJobs(): void
}

interface EventOfPage {
  service: string
  event: MessengerEvent
}

/** The job that processes one event. */
export const MESSENGER_EVENT = defineJob<EventOfPage>('messenger.event', { service: 'string', event: 'object' })

const BODY_BYTES_MAX = 1_048_576
const CHALLENGE_CHARS_MAX = 500
/** About half a minute, including the pauses. */
const TRIES_MAX = 6
/** A receipt may arrive before the platform's answer to the send has been stored. */
const RECEIPT_DELAY_MS = 500
/** The platform's timestamp of a message is slightly earlier than the time recorded here. */
const WATERMARK_SLACK_MS = 2_000
const TAKEN: InboundReply = { status: 200, type: 'text/plain; charset=utf-8', body: 'EVENT_RECEIVED' }

/** Endpoint of the platform: `/inbound/messenger/<service>`, by GET for the handshake, by POST for events. */
export function messengerRoutes(options: MessengerRoutesOptions): InboundRoute[] {
  const route = { touchpoint: 'messenger', path: '', bytesMax: BODY_BYTES_MAX } as const
  return [
    { ...route, method: 'GET', admit: () => undefined, handle: async (request) => shakeHands(request) },
    { ...route, method: 'POST', admit: requireSignature, handle: (request) => takeEvents(options, request) },
  ]
}

export function messengerEventJob(options: MessengerRoutesOptions): JobKind<EventOfPage> {
  return {
    attemptsMax: TRIES_MAX,
    isOutbound: true,
    async handler({ payload, attempts }) {
      const service = await readTouchpointService(options.sql, 'messenger', payload.service)
      if (!service) return
      const { event } = payload
      if (event.kind === 'message' || event.kind === 'postback') {
        await receiveEvent(options, service, event, attempts >= TRIES_MAX)
      } else {
        await receiveReceipt(options.deliveries, service.id, event)
      }
    },
  }
}

/** Only checks that there is a signature: verifying it needs the body. @throws Forbidden */
function requireSignature({ service, headers }: InboundHead): void {
  const { appSecret } = parseMessengerParams(service.params)
  if (appSecret !== undefined && typeof headers['x-hub-signature-256'] === 'string') return
  throw new Forbidden('X-Hub-Signature-256 is invalid')
}

/** @throws Forbidden for a token other than the service's */
function shakeHands({ service, query }: InboundRequest): InboundReply {
  const { verifyToken } = parseMessengerParams(service.params)
  const challenge = query.get('hub.challenge') ?? ''
  const isMeant = query.get('hub.mode') === 'subscribe' && challenge !== '' && challenge.length <= CHALLENGE_CHARS_MAX
  if (verifyToken === undefined || !isSame(query.get('hub.verify_token') ?? '', verifyToken) || !isMeant) {
    throw new Forbidden('hub.verify_token is invalid')
  }
  return { status: 200, type: 'text/plain; charset=utf-8', body: challenge }
}

/**
 * Stores the events before it answers: the platform waits only a few seconds, and disables endpoints that keep failing.
 * Events of one person are processed in order.
 * @throws Forbidden, BadUserInput
 */
async function takeEvents(
  { sql, clock, wakeJobs }: MessengerRoutesOptions,
  request: InboundRequest,
): Promise<InboundReply> {
  const { service, headers, body } = request
  const { appSecret, pageId } = parseMessengerParams(service.params)
  const signature = headers['x-hub-signature-256']
  const given = typeof signature === 'string' ? signature : undefined
  if (appSecret === undefined || !isSignedByHub(appSecret, body, given))
    throw new Forbidden('X-Hub-Signature-256 is invalid')
  const events = messengerEvents(parseRequestJson(body.toString(), 'body'))
  const services = await servicesOfPages(
    sql,
    appSecret,
    events.map(({ page }) => page),
  )
  if (pageId !== undefined) services.set(pageId, service.id)
  const jobs = events.flatMap((event): NewJob[] => {
    const owner = services.get(event.page)
    if (owner === undefined) return []
    const payload = { service: owner, event }
    const isReceipt = event.kind === 'delivered' || event.kind === 'read'
    if (isReceipt)
      return [MESSENGER_EVENT.create(payload, { runAt: new Date(clock.now().getTime() + RECEIPT_DELAY_MS) })]
    return [MESSENGER_EVENT.create(payload, { key: `messenger:${owner}:${event.sender}`, share: owner })]
  })
  await addJobs(sql, jobs, clock)
  wakeJobs()
  return TAKEN
}

/**
 * Finds the services of other pages: an app has one endpoint for all its pages, so their events arrive here too. Only
 * services with the same app secret, which the request has just proved.
 */
async function servicesOfPages(sql: Sql, appSecret: string, pages: string[]): Promise<Map<string, string>> {
  const rows = await sql.query<{ page: string; id: string }>(
    `select params ->> 'pageId' as page, id from service
     where type = 'messenger' and status = 'active' and params ->> 'pageId' = any($1::text[])
       and params ->> 'appSecret' = $2 order by id desc`,
    [[...new Set(pages)], appSecret],
  )
  return new Map(rows.map(({ page, id }) => [page, id]))
}

/** Reports messages by id where the receipt has ids, and all messages before its watermark. */
async function receiveReceipt(
  deliveries: DeliveryLog,
  service: string,
  event: Extract<MessengerEvent, { kind: 'delivered' | 'read' }>,
): Promise<void> {
  if (event.kind === 'delivered') {
    for (const providerId of event.mids) await deliveries.report({ service, providerId }, { status: 'delivered' })
  }
  const at = new Date(event.watermark + WATERMARK_SLACK_MS)
  await deliveries.reportUpTo({ service, recipient: event.sender, at }, event.kind)
}

/** Hashes first, so that the time reveals neither the length nor where the values differ. */
function isSame(given: string, expected: string): boolean {
  const hash = (text: string): Buffer => createHash('sha256').update(text).digest()
  return timingSafeEqual(hash(given), hash(expected))
}
