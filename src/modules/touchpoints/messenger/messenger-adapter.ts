import type { Clock } from '../../../platform/db/clock.js'
import type { Sql } from '../../../platform/db/database.js'
import type { OutboundHttp } from '../../../platform/outbound/outbound-http.js'
import { DeliveryRefused, type DeliveryResult, type OutgoingMessage, type TouchpointAdapter } from '../adapter.js'
import { DeliveryParts } from '../delivery-parts.js'
import type { ProviderClient } from '../provider-call.js'
import { usable } from '../provider-params.js'
import { callSendApi, ParameterRefused, type SendCall } from './graph-api.js'
import { parseMessengerParams, type MessengerParams } from './messenger-params.js'
import { messengerParts } from './messenger-parts.js'
import { replyKind } from './reply-window.js'
import { withoutExtensions } from './web-view.js'

export interface MessengerAdapterOptions {
  sql: Sql
  clock: Clock
  http: OutboundHttp
}

/** Sends messages as a page of the Messenger Platform. */
export class MessengerAdapter implements TouchpointAdapter {
  readonly type = 'messenger'
  readonly deduplicates = false

  constructor(private readonly options: MessengerAdapterOptions) {}

  /** Makes the message's calls in order; a repeat continues after the parts that the platform accepted. */
  async send({ id, service, message, attachment, recipient, signal }: OutgoingMessage): Promise<DeliveryResult> {
    const { sql, http, clock } = this.options
    const params = usable(parseMessengerParams, service.params)
    const parts = messengerParts(message.id, message, attachment)
    if (parts.length === 0) throw new DeliveryRefused('the message has no content that the platform can show')
    const kind = await replyKind(sql, { message, service: service.id, recipient, now: clock.now() })
    const progress = new DeliveryParts(sql, id)
    const taken = await progress.taken()
    let providerId: string | null = null
    for (const [index, part] of parts.entries()) {
      providerId = taken.get(index) ?? null
      if (providerId !== null) continue
      const call = { recipient, kind, message: { ...part, metadata: `${id}:${index}` } }
      providerId = await sendPart({ http, now: clock.now(), signal }, params, call)
      if (!(await progress.note(index, providerId))) break
    }
    return { providerId, status: 'sent' }
  }
}

/** Repeats without the platform's extensions if it refuses them because the site is not registered for the page. */
async function sendPart(client: ProviderClient, params: MessengerParams, call: SendCall): Promise<string> {
  try {
    return await callSendApi(client, params, call)
  } catch (error) {
    const plain = error instanceof ParameterRefused ? withoutExtensions(call.message) : null
    if (!plain) throw error
    return callSendApi(client, params, { ...call, message: { ...plain, metadata: call.message.metadata } })
  }
}
