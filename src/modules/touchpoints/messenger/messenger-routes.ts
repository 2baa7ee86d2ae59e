import { defineJob, type JobKind } from '../../../platform/jobs/job-type.js'
import { isCenterInUseSql } from '../../../platform/db/archived-centers.js'
import { addJobs, type NewJob } from '../../../platform/jobs/job.js'
import { parseRequestJson, PROVIDER_VALUES_MAX } from '../../../platform/request-json.js'
import { openParams, type StoredParams } from '../../services/stored-params.js'
import type { DeliveryLog } from '../delivery-log.js'
import type { InboundReply, InboundRequest, InboundRoute } from '../inbound-routes.js'
import { readOpenedService } from '../touchpoint-service.js'
import { EVENTS_TAKEN, hubRoutes, isSameSecret } from '../hub-routes.js'
import { messengerEvents, type MessengerEvent } from './messenger-events.js'
import { parseMessengerParams } from './messenger-params.js'
import { receiveEvent, type ReceiveEventOptions } from './receive-event.js'
import { isServiceInUseSql } from '../../services/service-in-use.js'

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
/** About half a minute, including the pauses. */
const TRIES_MAX = 6
/** A receipt may arrive before the platform's answer to the send has been stored. */
const RECEIPT_DELAY_MS = 500
/** The platform's timestamp of a message is slightly earlier than the time recorded here. */
const WATERMARK_SLACK_MS = 2_000

/** Endpoint of the platform: `/inbound/messenger/<service>`, by GET for the handshake, by POST for events. */
export function messengerRoutes(options: MessengerRoutesOptions): InboundRoute[] {
  const takes = (request: InboundRequest): Promise<InboundReply> => takeEvents(options, request)
  return hubRoutes({ type: 'messenger', bytesMax: BODY_BYTES_MAX, secretsOf: parseMessengerParams, takeEvents: takes })
}

export function messengerEventJob(options: MessengerRoutesOptions): JobKind<EventOfPage> {
  return {
    attemptsMax: TRIES_MAX,
    isOutbound: true,
    async handler({ payload, attempts }) {
      const service = await readOpenedService(options, 'messenger', payload.service)
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

/**
 * Stores the events before it answers: the platform waits only a few seconds, and disables endpoints that keep failing.
 * Events of one person are processed in order.
 * @throws BadUserInput
 */
async function takeEvents(
  { sql, sealer, clock, wakeJobs }: MessengerRoutesOptions,
  request: InboundRequest,
): Promise<InboundReply> {
  const { service, body } = request
  const { appSecret, pageId } = parseMessengerParams(service.params)
  const events = messengerEvents(parseRequestJson(body.toString(), 'body', PROVIDER_VALUES_MAX))
  const services = await servicesOfPages(
    { sql, sealer },
    appSecret!,
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
  return EVENTS_TAKEN
}

/**
 * Finds the services of other pages: an app has one endpoint for all its pages, so their events arrive here too. Only
 * services with the same app secret, which the request has just proved.
 */
async function servicesOfPages(
  { sql, sealer }: Pick<MessengerRoutesOptions, 'sql' | 'sealer'>,
  appSecret: string,
  pages: string[],
): Promise<Map<string, string>> {
  const rows = await sql.query<StoredParams>(
    `select id, params, sealed_params as "sealedParams" from service s
     where type = 'messenger' and ${isServiceInUseSql('s')} and params ->> 'pageId' = any($1::text[]) and ${isCenterInUseSql('s')}
     order by id desc`,
    [[...new Set(pages)]],
  )
  const sameApp = rows.filter((row) => {
    const { appSecret: secret } = openParams(sealer, row)
    return typeof secret === 'string' && isSameSecret(secret, appSecret)
  })
  return new Map(sameApp.map(({ id, params }) => [String(params.pageId), id]))
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
