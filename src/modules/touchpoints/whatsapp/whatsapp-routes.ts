import type { Logger } from 'pino'
import { isCenterInUseSql } from '../../../platform/db/archived-centers.js'
import { addJobs, type NewJob } from '../../../platform/jobs/job.js'
import { defineJob, type JobKind } from '../../../platform/jobs/job-type.js'
import type { JsonObject } from '../../../platform/json.js'
import { parseRequestJson, PROVIDER_VALUES_MAX } from '../../../platform/request-json.js'
import { openParams, type StoredParams } from '../../services/stored-params.js'
import type { DeliveryLog } from '../delivery-log.js'
import { EVENTS_TAKEN, hubRoutes, isSameSecret } from '../hub-routes.js'
import type { InboundReply, InboundRequest, InboundRoute } from '../inbound-routes.js'
import { readOpenedService } from '../touchpoint-service.js'
import { noteTemplateStatus } from '../../services/stored-templates.js'
import { templateStatusOf } from './fetch-templates.js'
import { moveAddresses } from './move-addresses.js'
import { receiveWhatsapp, type ReceiveWhatsappOptions } from './receive-whatsapp.js'
import { reportStatus } from './report-status.js'
import { whatsappEvents, type WhatsappEvent } from './whatsapp-events.js'
import { parseWhatsappParams } from './whatsapp-params.js'
import { isServiceInUseSql } from '../../services/service-in-use.js'

export interface WhatsappRoutesOptions extends ReceiveWhatsappOptions {
  log: Logger
  deliveries: DeliveryLog
  wakeJobs(): void
}

interface EventOfNumber {
  service: string
  event: WhatsappEvent
}

/** The job that processes one event. */
export const WHATSAPP_EVENT = defineJob<EventOfNumber>('whatsapp.event', { service: 'string', event: 'object' })

/** The platform sends up to 3 MB. */
const BODY_BYTES_MAX = 3_145_728
/** About half a minute, including the pauses. */
const TRIES_MAX = 6
/** A status may arrive before the platform's answer to the send has been stored. */
const STATUS_DELAY_MS = 500

/** Endpoint of the platform: `/inbound/whatsapp/<service>`, by GET for the handshake, by POST for events. */
export function whatsappRoutes(options: WhatsappRoutesOptions): InboundRoute[] {
  const takes = (request: InboundRequest): Promise<InboundReply> => takeEvents(options, request)
  return hubRoutes({ type: 'whatsapp', bytesMax: BODY_BYTES_MAX, secretsOf: parseWhatsappParams, takeEvents: takes })
}

export function whatsappEventJob(options: WhatsappRoutesOptions): JobKind<EventOfNumber> {
  return {
    attemptsMax: TRIES_MAX,
    isOutbound: true,
    async handler({ payload, attempts }) {
      const service = await readOpenedService(options, 'whatsapp', payload.service)
      if (!service) return
      const { event } = payload
      if (event.kind === 'message') await receiveWhatsapp(options, service, event, attempts >= TRIES_MAX)
      else if (event.kind === 'moved') await moveAddresses(options.sql, service.id, event)
      else if (event.kind === 'status') await reportStatus(options, service.id, event.status)
      else if (event.kind === 'template') {
        const { name, language, status, reason } = event
        await noteTemplateStatus(options.sql, { service: service.id, name, language }, templateStatusOf(status), reason)
      }
    },
  }
}

/**
 * Stores the events before it answers: the platform waits only a few seconds. Those of one person are processed in
 * order; those that nothing is done with are named in the log.
 * @throws BadUserInput
 */
async function takeEvents(options: WhatsappRoutesOptions, request: InboundRequest): Promise<InboundReply> {
  const { sql, clock, log, wakeJobs } = options
  const { service, body } = request
  const events = whatsappEvents(parseRequestJson(body.toString(), 'body', PROVIDER_VALUES_MAX))
  const numbers = events.flatMap((event) => ('number' in event ? [event.number] : []))
  const services = await servicesOfNumbers(options, service.params, numbers)
  const jobs = events.flatMap((event): NewJob[] => {
    const owner = 'number' in event ? services.get(event.number) : service.id
    if (owner === undefined || event.kind === 'other') {
      log.info({ service: service.id, event: event.kind, field: nameOf(event) }, 'a WhatsApp event has no use here')
      return []
    }
    const payload = { service: owner, event }
    if (event.kind === 'status') {
      return [WHATSAPP_EVENT.create(payload, { runAt: new Date(clock.now().getTime() + STATUS_DELAY_MS) })]
    }
    if (event.kind === 'template') return [WHATSAPP_EVENT.create(payload)]
    const sender = event.from.userId ?? event.from.phone
    return [WHATSAPP_EVENT.create(payload, { key: `whatsapp:${owner}:${sender}`, share: owner })]
  })
  await addJobs(sql, jobs, clock)
  wakeJobs()
  return EVENTS_TAKEN
}

/** For the log: never the content of a message. */
function nameOf(event: WhatsappEvent): string {
  return event.kind === 'other' ? event.field : 'of a number of no service'
}

/**
 * Finds the services of numbers: an app has one endpoint for all its numbers. Only services with the same app secret,
 * which the request has just proved.
 */
async function servicesOfNumbers(
  { sql, sealer }: Pick<WhatsappRoutesOptions, 'sql' | 'sealer'>,
  params: JsonObject,
  numbers: string[],
): Promise<Map<string, string>> {
  if (numbers.length === 0) return new Map()
  const { appSecret } = parseWhatsappParams(params)
  const rows = await sql.query<StoredParams>(
    `select id, params, sealed_params as "sealedParams" from service s
     where type = 'whatsapp' and ${isServiceInUseSql('s')} and params ->> 'phoneNumberId' = any($1::text[])
       and ${isCenterInUseSql('s')} order by id desc`,
    [[...new Set(numbers)]],
    'services-of-numbers',
  )
  const sameApp = rows.filter((row) => {
    const { appSecret: secret } = openParams(sealer, row)
    return typeof secret === 'string' && isSameSecret(secret, appSecret!)
  })
  return new Map(sameApp.map(({ id, params: own }) => [String(own.phoneNumberId), id]))
}
