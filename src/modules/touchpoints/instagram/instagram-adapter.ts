import type { Clock } from '../../../platform/db/clock.js'
import type { Sql } from '../../../platform/db/database.js'
import type { OutboundHttp } from '../../../platform/outbound/outbound-http.js'
import { DeliveryRefused, type DeliveryResult, type OutgoingMessage, type TouchpointAdapter } from '../adapter.js'
import { DeliveryParts } from '../delivery-parts.js'
import { replyKind } from '../human-window.js'
import type { InboundMessageReceiver } from '../inbound-message-receiver.js'
import type { ProviderPace } from '../provider-pace.js'
import { needed, usable } from '../provider-params.js'
import { rememberSent } from '../receive-echo.js'
import { callMessagesApi } from './instagram-api.js'
import { parseInstagramParams } from './instagram-params.js'
import { instagramParts, isFilm } from './instagram-parts.js'

export interface InstagramAdapterOptions {
  sql: Sql
  clock: Clock
  http: OutboundHttp
  inbox: InboundMessageReceiver
  pace: ProviderPace
  /** Pace of films and sound, which also count to the other. */
  filmPace: ProviderPace
}

/** Sends messages as a professional account of Instagram. */
export class InstagramAdapter implements TouchpointAdapter {
  readonly type = 'instagram'
  readonly deduplicates = false

  constructor(private readonly options: InstagramAdapterOptions) {}

  /**
   * Sends the message's parts in order; a repeat continues after those that the platform accepted. An outcome that is
   * unknown is told by the echo of the message, as far as its words tell which it is.
   */
  async send({ id, service, message, attachment, recipient, signal }: OutgoingMessage): Promise<DeliveryResult> {
    const { sql, http, clock, inbox, pace, filmPace } = this.options
    const params = usable(parseInstagramParams, service.params)
    const parts = instagramParts(message.id, message, attachment)
    if (parts.length === 0) throw new DeliveryRefused('the message has no content that the platform can show')
    const from = 'an account'
    const kind = await replyKind(sql, { message, service: service.id, recipient, now: clock.now(), from })
    // By the contact center as well: nothing proves that the account of a service is its own.
    const turn = { sender: `${service.org1}:${needed(params.accountId, 'accountId')}`, person: recipient }
    const ids = await new DeliveryParts(sql, id).makeAll(parts, async (part) => {
      if (isFilm(part)) await filmPace.turn(turn, signal)
      await pace.turn(turn, signal)
      const call = { recipient, kind, message: part }
      const mid = await callMessagesApi({ http, now: clock.now(), signal }, params, call)
      await rememberSent({ inbox }, service, mid)
      return mid
    })
    return { providerId: ids.at(-1)!, status: 'sent' }
  }
}
