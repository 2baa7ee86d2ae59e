import type { Clock } from '../../../platform/db/clock.js'
import type { Sql } from '../../../platform/db/database.js'
import type { OutboundHttp } from '../../../platform/outbound/outbound-http.js'
import { DeliveryRefused, type DeliveryResult, type OutgoingMessage, type TouchpointAdapter } from '../adapter.js'
import { noteTemplateStatus } from '../../services/stored-templates.js'
import { sentTemplateOf, type SentTemplate } from '../../services/template-message.js'
import { DeliveryParts } from '../delivery-parts.js'
import { usable } from '../provider-params.js'
import { callMessagesApi } from './whatsapp-api.js'
import { parseWhatsappParams } from './whatsapp-params.js'
import { templatePart } from './template-part.js'
import { whatsappParts } from './whatsapp-parts.js'

export interface WhatsappAdapterOptions {
  sql: Sql
  clock: Clock
  http: OutboundHttp
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
    const { sql, http, clock } = this.options
    const params = usable(parseWhatsappParams, service.params)
    const template = sentTemplateOf(message)
    const parts = template ? [templatePart(template)] : whatsappParts(message.id, message, attachment)
    if (parts.length === 0) throw new DeliveryRefused('the message has no content that the platform can show')
    const progress = new DeliveryParts(sql, id)
    const taken = await progress.taken()
    let providerId: string | null = null
    for (const [index, part] of parts.entries()) {
      providerId = taken.get(index) ?? null
      if (providerId !== null) continue
      const callback = `${id}:${index + 1}/${parts.length}`
      const call = { recipient, part, callback }
      providerId = await callMessagesApi({ http, now: clock.now(), signal }, params, call).catch(
        async (error: unknown) => {
          if (template) await noteRefusal(sql, service.id, template, error)
          throw error
        },
      )
      if (!(await progress.note(index, providerId))) break
    }
    return { providerId, status: 'sent' }
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
  ['132015', 'PAUSED'],
  ['132016', 'DISABLED'],
] as const
