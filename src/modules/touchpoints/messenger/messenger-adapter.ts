import type { Clock } from '../../../platform/db/clock.js'
import type { Sql } from '../../../platform/db/database.js'
import type { OutboundHttp } from '../../../platform/outbound/outbound-http.js'
import { DeliveryRefused, type DeliveryResult, type OutgoingMessage, type TouchpointAdapter } from '../adapter.js'
import { DeliveryParts } from '../delivery-parts.js'
import { replyKind } from '../human-window.js'
import type { ProviderClient } from '../provider-call.js'
import { usable } from '../provider-params.js'
import { callSendApi, isParameterRefused, type SendCall } from './graph-api.js'
import { parseMessengerParams, type MessengerParams } from './messenger-params.js'
import { messengerParts } from './messenger-parts.js'
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
    const from = 'a page'
    const kind = await replyKind(sql, { message, service: service.id, recipient, now: clock.now(), from })
    const ids = await new DeliveryParts(sql, id).makeAll(parts, (part, index) => {
      const call = { recipient, kind, message: { ...part, metadata: `${id}:${index}` } }
      return sendPart({ http, now: clock.now(), signal }, params, call)
    })
    return { providerId: ids.at(-1)!, status: 'sent' }
  }
}

/** Repeats without the platform's extensions if it refuses them because the site is not registered for the page. */
async function sendPart(client: ProviderClient, params: MessengerParams, call: SendCall): Promise<string> {
  try {
    return await callSendApi(client, params, call)
  } catch (error) {
    const plain = isParameterRefused(error) ? withoutExtensions(call.message) : null
    if (!plain) throw error
    return callSendApi(client, params, { ...call, message: { ...plain, metadata: call.message.metadata } })
  }
}
