import { defineJob, type JobKind } from '../../../platform/jobs/job-type.js'
import { BadUserInput, Forbidden } from '../../../platform/errors.js'
import { isId } from '../../../platform/db/clock.js'
import { addJobs, inboundShare } from '../../../platform/jobs/job.js'
import type { DeliveryLog } from '../delivery-log.js'
import type { InboundHead, InboundReply, InboundRequest, InboundRoute } from '../inbound-routes.js'
import { readOpenedService } from '../touchpoint-service.js'
import { inboundText, type InboundText } from './inbound-text.js'
import { receiveText, type ReceiveTextOptions } from './receive-text.js'
import { parseSmsParams } from './sms-params.js'
import { statusCallback } from './status-callback.js'
import { isSignedByTwilio } from './twilio-signature.js'

export interface SmsRoutesOptions extends ReceiveTextOptions {
  deliveries: DeliveryLog
  wakeJobs(): void
}

interface SmsMedia {
  service: string
  addresses: string[]
  text: InboundText
}

/** The job that receives a message with media, which are fetched first. */
export const SMS_MEDIA = defineJob<SmsMedia>('sms.media', { service: 'string', addresses: 'array', text: 'object' })

/** Far more than the provider sends: 1,600 characters and the names of ten media. */
const BODY_BYTES_MAX = 65_536
/** About half a minute, including the pauses. */
const MEDIA_TRIES_MAX = 6
/** TwiML: the provider itself sends no answer. */
const NO_ANSWER: InboundReply = {
  status: 200,
  type: 'text/xml; charset=utf-8',
  body: '<?xml version="1.0" encoding="UTF-8"?><Response/>',
}

/** Endpoints of the SMS provider: `/inbound/sms/<service>`, and `/status` for the status of sent messages. */
export function smsRoutes(options: SmsRoutesOptions): InboundRoute[] {
  const post = { type: 'sms', method: 'POST', bytesMax: BODY_BYTES_MAX, admit: requireSignature, isSigned } as const
  return [
    { ...post, path: '', handle: (request) => takeText(options, request) },
    { ...post, path: '/status', handle: (request) => takeStatus(options, request) },
  ]
}

export function smsMediaJob(options: SmsRoutesOptions): JobKind<SmsMedia> {
  return {
    attemptsMax: MEDIA_TRIES_MAX,
    isOutbound: true,
    async handler({ payload, attempts }) {
      const service = await readOpenedService(options, 'sms', payload.service)
      if (service) await receiveText(options, service, payload.text, attempts >= MEDIA_TRIES_MAX)
    },
  }
}

/** @throws BadUserInput */
async function takeText(options: SmsRoutesOptions, request: InboundRequest): Promise<InboundReply> {
  const text = inboundText(formOf(request))
  if (!text) throw new BadUserInput('MessageSid', 'MessageSid and From are required')
  if (text.media.length === 0) {
    await receiveText(options, request.service, text)
    return NO_ANSWER
  }
  // The provider waits 15 s for an answer; fetching media may take longer and need retries.
  const { id: service } = request.service
  const payload = { service, addresses: [text.from], text }
  const job = SMS_MEDIA.create(payload, { key: `sms:${service}:${text.from}`, share: inboundShare(service) })
  await addJobs(options.sql, [job], options.clock)
  options.wakeJobs()
  return NO_ANSWER
}

/**
 * Handles status callbacks, which may arrive in any order and repeatedly. The address names the delivery, since the
 * first callback may come before the provider's answer to the send; it also settles a delivery that was `maybeSent`.
 * @throws BadUserInput
 */
async function takeStatus({ sql, deliveries }: SmsRoutesOptions, request: InboundRequest): Promise<InboundReply> {
  const change = statusCallback(formOf(request))
  const { service, query } = request
  if (!change) return NO_ANSWER
  const delivery = query.get('delivery')
  const named = isId(delivery)
    ? await sql.query('select 1 from delivery where id = $1 and service_id = $2', [delivery, service.id])
    : []
  const of = named.length > 0 ? { delivery: delivery! } : { service: service.id, providerId: change.sid }
  const { status, reason, sid: providerId } = change
  await deliveries.report(of, { status, reason, providerId })
  return NO_ANSWER
}

/** Only checks that there is a signature: verifying it needs the body. @throws Forbidden */
function requireSignature({ service, headers }: InboundHead): void {
  const { authToken } = parseSmsParams(service.params)
  if (authToken !== undefined && typeof headers['x-twilio-signature'] === 'string') return
  throw new Forbidden('X-Twilio-Signature is invalid', { reason: 'SIGNATURE_INVALID' })
}

function isSigned(request: InboundRequest): boolean {
  const { authToken } = parseSmsParams(request.service.params)
  const signature = request.headers['x-twilio-signature']
  if (authToken === undefined || typeof signature !== 'string') return false
  return isSignedByTwilio(authToken, { url: request.url, form: request.body, signature })
}

function formOf({ body }: InboundRequest): URLSearchParams {
  return new URLSearchParams(body.toString())
}
