import type { Logger } from 'pino'
import { addJobs, inboundShare, type NewJob } from '../../../platform/jobs/job.js'
import { defineJob, type JobKind } from '../../../platform/jobs/job-type.js'
import { parseRequestJson, PROVIDER_VALUES_MAX } from '../../../platform/request-json.js'
import { noteUnnamed } from '../../services/service-check.js'
import type { DeliveryLog } from '../delivery-log.js'
import { EVENTS_TAKEN, hubRoutes } from '../hub-routes.js'
import type { InboundReply, InboundRequest, InboundRoute } from '../inbound-routes.js'
import { servicesOfApp } from '../services-of-app.js'
import { readOpenedService } from '../touchpoint-service.js'
import { takeReaction, type TakeReactionOptions } from '../take-reaction.js'
import { noteTemplateStatus } from '../../services/stored-templates.js'
import { templateStatusOf } from './fetch-templates.js'
import { moveAddresses } from './move-addresses.js'
import { refuseUnknown } from '../refuse-unknown.js'
import { receiveWhatsapp, type ReceiveWhatsappOptions } from './receive-whatsapp.js'
import { reportStatus } from './report-status.js'
import { whatsappEvents, type WhatsappEvent } from './whatsapp-events.js'
import { parseWhatsappParams } from './whatsapp-params.js'

export interface WhatsappRoutesOptions extends ReceiveWhatsappOptions, TakeReactionOptions {
  log: Logger
  deliveries: DeliveryLog
  wakeJobs(): void
}

interface EventOfNumber {
  service: string
  addresses: string[]
  event: WhatsappEvent
}

/** The job that processes one event. */
export const WHATSAPP_EVENT = defineJob<EventOfNumber>('whatsapp.event', {
  service: 'string',
  addresses: 'array',
  event: 'object',
})

/** The param that names a number of the platform. */
export const WHATSAPP_NUMBER = { type: 'whatsapp', param: 'phoneNumberId' }

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
      if (event.kind === 'message' || event.kind === 'echo')
        await receiveWhatsapp(options, service, event, attempts >= TRIES_MAX)
      else if (event.kind === 'reaction') await takeReaction(options, service, event)
      else if (event.kind === 'moved') await moveAddresses(options.sql, service.id, event)
      else if (event.kind === 'status') await reportStatus(options, service.id, event.status)
      else if (event.kind === 'template') {
        const { name, language, status, reason } = event
        await noteTemplateStatus(options.sql, { service: service.id, name, language }, templateStatusOf(status), reason)
      } else if (event.kind !== 'other') refuseUnknown(event)
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
  const { appSecret } = parseWhatsappParams(service.params)
  const app = { ...WHATSAPP_NUMBER, own: service, appSecret: appSecret!, ids: numbers }
  const services = await servicesOfApp(options, app)
  const unnamed: string[] = []
  const jobs = events.flatMap((event): NewJob[] => {
    const owner = 'number' in event ? services.get(event.number) : service.id
    if (owner === undefined || event.kind === 'other') {
      const name = event.kind === 'other' ? event.field : OWNERLESS
      log.info({ service: service.id, event: event.kind, field: name }, 'a WhatsApp event has no use here')
      unnamed.push(name)
      return []
    }
    const payload = { service: owner, addresses: addressesOf(event), event }
    if (event.kind === 'status') {
      return [WHATSAPP_EVENT.create(payload, { runAt: new Date(clock.now().getTime() + STATUS_DELAY_MS) })]
    }
    if (event.kind === 'template') return [WHATSAPP_EVENT.create(payload)]
    const person = event.kind === 'echo' ? event.to : event.from
    const sender = person.userId ?? person.phone
    return [WHATSAPP_EVENT.create(payload, { key: `whatsapp:${owner}:${sender}`, share: inboundShare(owner) })]
  })
  await addJobs(sql, jobs, clock)
  await noteUnnamed(sql, service.id, unnamed, clock.now())
  wakeJobs()
  return EVENTS_TAKEN
}

/** Returns the person's addresses; none for an event that is of the organization. */
function addressesOf(event: WhatsappEvent): string[] {
  const people = [...('from' in event ? [event.from] : []), ...('to' in event ? [event.to] : [])]
  return people.flatMap(({ userId, phone }) => [userId, phone]).filter((address) => address !== null)
}

const OWNERLESS = 'an event of a number of no service'
