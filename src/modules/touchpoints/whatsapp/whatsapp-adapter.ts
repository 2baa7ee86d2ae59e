import type { Clock } from '../../../platform/db/clock.js'
import type { Sql } from '../../../platform/db/database.js'
import type { OutboundHttp } from '../../../platform/outbound/outbound-http.js'
import {
  DeliveryRefused,
  type DeliveryResult,
  type OutgoingMessage,
  type TouchpointAdapter,
  type TouchpointService,
} from '../adapter.js'
import { noteTemplateStatus } from '../../services/stored-templates.js'
import { sentTemplateOf, type SentTemplate } from '../../services/template-message.js'
import { DeliveryParts } from '../delivery-parts.js'
import type { ProviderPace } from '../provider-pace.js'
import { needed, usable } from '../provider-params.js'
import { callMessagesApi, markRead } from './whatsapp-api.js'
import { parseWhatsappParams } from './whatsapp-params.js'
import { templatePart } from './template-part.js'
import { whatsappParts } from './whatsapp-parts.js'

export interface WhatsappAdapterOptions {
  sql: Sql
  clock: Clock
  http: OutboundHttp
  pace: ProviderPace
}

/** Sends messages by the WhatsApp Business Platform (Cloud API). */
export class WhatsappAdapter implements TouchpointAdapter {
  readonly type = 'whatsapp'
  readonly deduplicates = false

  constructor(private readonly options: WhatsappAdapterOptions) {}

  /**
   * Sends the message's parts in order; a repeat continues after those that the platform accepted. An outcome that is
   * unknown is told by the first status that comes back, which names the delivery.
   */
  async send({ id, service, message, attachment, recipient, signal }: OutgoingMessage): Promise<DeliveryResult> {
    const { sql, http, clock, pace } = this.options
    const params = usable(parseWhatsappParams, service.params)
    const template = sentTemplateOf(message)
    const parts = template ? [templatePart(template)] : whatsappParts(message.id, message, attachment)
    if (parts.length === 0) throw new DeliveryRefused('the message has no content that the platform can show')
    // By the contact center as well: nothing proves that the number of a service is its own.
    const sender = `${service.org1}:${needed(params.phoneNumberId, 'phoneNumberId')}`
    const ids = await new DeliveryParts(sql, id).makeAll(parts, async (part, index) => {
      await pace.turn({ sender, person: recipient.replace('+', '') }, signal)
      const call = { recipient, part, callback: `${id}:${index + 1}/${parts.length}` }
      return callMessagesApi({ http, now: clock.now(), signal }, params, call).catch(async (error: unknown) => {
        if (template) await noteRefusal(sql, service.id, template, error)
        throw error
      })
    })
    return { providerId: ids.at(-1)!, status: 'sent' }
  }

  /** The platform shows it only together with the mark that the message is read. */
  async typing({ service, message, signal }: { service: TouchpointService; message: string; signal: AbortSignal }) {
    const { http, clock } = this.options
    const params = usable(parseWhatsappParams, service.params)
    if (params.readMarks) await markRead({ http, now: clock.now(), signal }, params, message, { isTyping: true })
  }
}

/** The platform's word on a template counts until its next list: nobody sends it again meanwhile. */
async function noteRefusal(sql: Sql, service: string, { name, language }: SentTemplate, error: unknown): Promise<void> {
  const status =
    error instanceof DeliveryRefused ? TEMPLATE_REFUSALS.find(([code]) => error.message.includes(code)) : null
  if (status) await noteTemplateStatus(sql, { service, name, language }, status[1], (error as Error).message)
}

/** Codes of the platform, with the state in which the template is. */
const TEMPLATE_REFUSALS = [
  ['132015', 'paused'],
  ['132016', 'disabled'],
] as const
