import type { Clock } from '../../../platform/db/clock.js'
import type { Sql } from '../../../platform/db/database.js'
import type { OutboundHttp } from '../../../platform/outbound/outbound-http.js'
import { DeliveryRefused, type DeliveryResult, type OutgoingMessage, type TouchpointAdapter } from '../adapter.js'
import { plainText } from '../plain-text.js'
import { usable } from '../provider-params.js'
import { optedOutAt } from '../../services/opt-outs.js'
import type { RouteFormats } from '../../services/service-kinds.js'
import { parseSmsParams } from './sms-params.js'
import { smsSize } from './sms-size.js'
import { sendByTwilio } from './twilio-api.js'

export interface SmsAdapterOptions {
  sql: Sql
  clock: Clock
  http: OutboundHttp
  publicUrl: string
}

/** The provider's limit; a longer text would take several messages, of which some might not arrive. */
const TEXT_CHARS_MAX = 1_600

export const SMS_FORMATS: RouteFormats = {
  textCharsMax: TEXT_CHARS_MAX,
  splitsText: false,
  html: false,
  buttonsMax: 0,
  fileBytesMax: 0,
}

/** Sends text messages by a REST API compatible with Twilio's. */
export class SmsAdapter implements TouchpointAdapter {
  readonly type = 'sms'
  readonly deduplicates = false

  constructor(private readonly options: SmsAdapterOptions) {}

  async send({ id, service, message, attachment, recipient, signal }: OutgoingMessage): Promise<DeliveryResult> {
    const { sql, http, clock, publicUrl } = this.options
    const body = plainText(message, attachment?.url)
    if (body === '') throw new DeliveryRefused('the message has no content for an SMS')
    if (body.length > TEXT_CHARS_MAX) {
      throw new DeliveryRefused(`the text has ${body.length} characters; an SMS holds ${TEXT_CHARS_MAX}`)
    }
    const at = await optedOutAt(sql, { service: service.id, address: recipient })
    if (at) throw new DeliveryRefused(`the consumer opted out of SMS at ${at.toISOString()}, until it sends START`)
    const statusCallback = `${publicUrl}/inbound/sms/${service.id}/status?delivery=${id}`
    const client = { http, now: clock.now(), signal }
    const taken = await sendByTwilio(client, usable(parseSmsParams, service.params), {
      to: recipient,
      body,
      statusCallback,
    })
    return { providerId: taken.sid, status: 'sent', segments: taken.segments ?? smsSize(body).segments }
  }
}
