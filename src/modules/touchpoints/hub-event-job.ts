import type { Logger } from 'pino'
import { addJobs, inboundShare, type NewJob } from '../../platform/jobs/job.js'
import type { JobKind, JobType } from '../../platform/jobs/job-type.js'
import type { JsonObject } from '../../platform/json.js'
import { parseRequestJson, PROVIDER_VALUES_MAX } from '../../platform/request-json.js'
import { hidingSecrets } from '../services/hide-secrets.js'
import { noteUnnamed } from '../services/service-check.js'
import type { DeliveryLog } from './delivery-log.js'
import type { HubEvent, HubOther } from './hub-events.js'
import { EVENTS_TAKEN, hubRoutes } from './hub-routes.js'
import type { InboundReply, InboundRequest, InboundRoute } from './inbound-routes.js'
import { receiveEcho, type OutgoingParts } from './receive-echo.js'
import { receiveHubEvent, type ReceiveHubOptions } from './receive-hub-event.js'
import { servicesOfApp } from './services-of-app.js'
import { reportSeen } from './report-seen.js'
import { refuseUnknown } from './refuse-unknown.js'
import { takeEdit } from './take-edit.js'
import { takeReaction, type TakeReactionOptions } from './take-reaction.js'
import { takeUnsent, type TakeUnsentOptions } from './take-unsent.js'
import { readOpenedService } from './touchpoint-service.js'

export interface HubEventOptions extends ReceiveHubOptions, TakeReactionOptions, TakeUnsentOptions {
  log: Logger
  deliveries: DeliveryLog
  wakeJobs(): void
}

export interface EventOfAccount {
  service: string
  addresses: string[]
  event: HubEvent
}

/** One of Meta's messengers. */
export interface HubMessenger {
  /** Type of its services. */
  type: string
  /** Name of the param that holds the id of the page or account. */
  param: string
  paramsOf(params: JsonObject): { appSecret: string | undefined; verifyToken: string | undefined }
  /** Reads the events of a body that it takes. */
  eventsOf(body: unknown): (HubEvent | HubOther)[]
  /** The job that processes one event. */
  job: JobType<EventOfAccount>
  /** Parts in which a message is sent, where the platform tells of what is sent. */
  partsOf?: OutgoingParts
}

const BODY_BYTES_MAX = 1_048_576
const EDITS_MAX = 5
/** The most that is kept of a provider's id. */
const EDIT_ID_CHARS_MAX = 500
/** About half a minute, including the pauses. */
const TRIES_MAX = 6
/** A receipt may arrive before the platform's answer to the send has been stored. */
const RECEIPT_DELAY_MS = 500
/** The platform's timestamp of a message is slightly earlier than the time recorded here. */
const WATERMARK_SLACK_MS = 2_000
const RECEIPTS: ReadonlySet<HubEvent['kind']> = new Set<HubEvent['kind']>(['delivered', 'read', 'seen'])

/** Endpoint of the platform: `/inbound/<type>/<service>`, by GET for the handshake, by POST for events. */
export function hubEventRoutes(options: HubEventOptions, messenger: HubMessenger): InboundRoute[] {
  const takes = (request: InboundRequest): Promise<InboundReply> => takeEvents(options, messenger, request)
  const { type, paramsOf: secretsOf } = messenger
  return hubRoutes({ type, bytesMax: BODY_BYTES_MAX, secretsOf, takeEvents: takes })
}

export function hubEventJob(options: HubEventOptions, { type, partsOf }: HubMessenger): JobKind<EventOfAccount> {
  return {
    attemptsMax: TRIES_MAX,
    isOutbound: true,
    async handler({ payload: { service: id, event }, attempts }) {
      const service = await readOpenedService(options, type, id)
      if (!service) return
      const isLastTry = attempts >= TRIES_MAX
      await hidingSecrets(service.params, async () => {
        switch (event.kind) {
          case 'message':
          case 'postback':
            return receiveHubEvent(options, service, event, isLastTry)
          case 'echo':
            return partsOf && receiveEcho({ ...options, partsOf }, service, event, isLastTry)
          case 'unsent':
            return takeUnsent(options, service, event.mid)
          case 'edited':
            return takeEdit(options, service, {
              id: editId(event.mid, event.edits),
              later: laterEdits(event.edits).map((each) => editId(event.mid, each)),
              target: event.mid,
              text: event.text,
            })
          case 'reaction':
            return takeReaction(options, service, event)
          case 'seen':
            return reportSeen(options, id, event)
          case 'delivered':
            for (const providerId of event.mids)
              await options.deliveries.report({ service: id, providerId }, { status: 'delivered' })
            return reportUpTo(options.deliveries, id, event)
          case 'read':
            return reportUpTo(options.deliveries, id, event)
          default:
            refuseUnknown(event)
        }
      })
    },
  }
}

const editId = (mid: string, edits: number): string => `edit:${edits}:${mid}`.slice(0, EDIT_ID_CHARS_MAX)

/** Returns the numbers of edits that may have come before this one; the platforms allow 5. */
const laterEdits = (edits: number): number[] =>
  Array.from({ length: Math.max(0, EDITS_MAX - edits) }, (_each, index) => edits + 1 + index)

/** Reports all messages before a watermark. */
async function reportUpTo(
  deliveries: DeliveryLog,
  service: string,
  event: Extract<HubEvent, { kind: 'delivered' | 'read' }>,
): Promise<void> {
  const at = new Date(event.watermark + WATERMARK_SLACK_MS)
  await deliveries.reportUpTo({ service, recipient: event.sender, at }, event.kind)
}

/**
 * Stores the events before it answers: the platform waits only a few seconds, and disables endpoints that keep failing.
 * Events of one person are processed in order; those that nothing is done with are named.
 * @throws BadUserInput
 */
async function takeEvents(
  options: HubEventOptions,
  { type, param, paramsOf, eventsOf, job }: HubMessenger,
  { service, body }: InboundRequest,
): Promise<InboundReply> {
  const { sql, clock, log, wakeJobs } = options
  const { appSecret } = paramsOf(service.params)
  const given = eventsOf(parseRequestJson(body.toString(), 'body', PROVIDER_VALUES_MAX))
  const events = given.filter((event) => event.kind !== 'other')
  const app = { type, param, own: service, appSecret: appSecret!, ids: events.map(({ account }) => account) }
  const services = await servicesOfApp(options, app)
  const ownerless = 'an event of an account of no service'
  const jobs = events.flatMap((event): NewJob[] => {
    const owner = services.get(event.account)
    if (owner === undefined) return []
    const payload = { service: owner, addresses: [event.sender], event }
    if (RECEIPTS.has(event.kind))
      return [job.create(payload, { runAt: new Date(clock.now().getTime() + RECEIPT_DELAY_MS) })]
    return [job.create(payload, { key: `${type}:${owner}:${event.sender}`, share: inboundShare(owner) })]
  })
  await addJobs(sql, jobs, clock)
  const unnamed = given.flatMap((event) => {
    if (event.kind === 'other') return [event.field]
    return services.has(event.account) ? [] : [ownerless]
  })
  for (const name of new Set(unnamed)) log.info({ service: service.id, event: name }, 'an event has no use here')
  await noteUnnamed(sql, service.id, unnamed, clock.now())
  wakeJobs()
  return EVENTS_TAKEN
}
