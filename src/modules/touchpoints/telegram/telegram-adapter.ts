import type { AttachmentStore } from '../../attachments/attachment-store.js'
import type { Clock } from '../../../platform/db/clock.js'
import type { Sql } from '../../../platform/db/database.js'
import { isPlainObject } from '../../../platform/json.js'
import type { OutboundHttp } from '../../../platform/outbound/outbound-http.js'
import {
  DeliveryRefused,
  DeliveryUnknown,
  type DeliveryResult,
  type OutgoingMessage,
  type SentMessage,
  type TouchpointAdapter,
} from '../adapter.js'
import { DeliveryParts } from '../delivery-parts.js'
import type { ProviderClient } from '../provider-call.js'
import type { ProviderPace } from '../provider-pace.js'
import { needed, usable } from '../provider-params.js'
import { callBotApi } from './bot-api.js'
import { fileForm } from './file-form.js'
import { parseTelegramParams, type TelegramParams } from './telegram-params.js'
import { telegramParts, type TelegramPart } from './telegram-parts.js'

export interface TelegramAdapterOptions {
  sql: Sql
  clock: Clock
  http: OutboundHttp
  pace: ProviderPace
  store: AttachmentStore
}

type Outgoing = Pick<OutgoingMessage, 'id' | 'service' | 'recipient' | 'message' | 'attachment' | 'signal'>

/** The platform reads a file more slowly than a text. */
const UPLOAD_MS_MAX = 50_000

/** Sends messages by a bot of Telegram. */
export class TelegramAdapter implements TouchpointAdapter {
  readonly type = 'telegram'
  readonly deduplicates = false

  constructor(private readonly options: TelegramAdapterOptions) {}

  /** Sends the message's parts in order; a repeat continues after those that the platform accepted. */
  async send(outgoing: Outgoing): Promise<DeliveryResult> {
    const { sql } = this.options
    const { id, service, message, attachment } = outgoing
    const params = usable(parseTelegramParams, service.params)
    const parts = telegramParts(message.id, message, attachment)
    if (parts.length === 0) throw new DeliveryRefused('the message has no content that the platform can show')
    const providerIds = await new DeliveryParts(sql, id).makeAll(parts, (part) =>
      this.#sendPart(params, outgoing, part),
    )
    return { providerId: providerIds.at(-1)!, status: 'sent', providerIds }
  }

  /**
   * Changes what was sent; parts that the message no longer has are removed. None is sent, since a repeat could send it twice.
   * @throws DeliveryRefused also for a message that has more parts than were sent
   */
  async edit(outgoing: Outgoing): Promise<void> {
    const { sql } = this.options
    const { id, service, message, attachment, recipient } = outgoing
    const params = usable(parseTelegramParams, service.params)
    const parts = telegramParts(message.id, message, attachment)
    const progress = new DeliveryParts(sql, id)
    const taken = await progress.taken()
    if (parts.length > taken.size) throw new DeliveryRefused('it has more parts than were sent')
    for (const [index, part] of parts.entries()) await this.#editPart(params, outgoing, part, taken.get(index)!)
    const surplus = [...taken].filter(([part]) => part >= parts.length)
    if (surplus.length === 0) return
    await this.remove({
      service,
      recipient,
      providerIds: surplus.map(([, providerId]) => providerId),
      signal: outgoing.signal,
    })
    await progress.forgetFrom(parts.length)
  }

  /** Removes messages from the chat, where the platform still does: for 48 hours. Those that are gone are skipped. */
  async remove({ service, recipient, providerIds, signal }: SentMessage): Promise<void> {
    const params = usable(parseTelegramParams, service.params)
    const body = { chat_id: Number(recipient), message_ids: providerIds.map((each) => numberOf(each, params)) }
    await this.options.pace.turn({ sender: needed(params.bot, 'botToken'), person: recipient }, signal)
    await callBotApi(this.#client(signal), params, { method: 'deleteMessages', body })
  }

  async #sendPart(params: TelegramParams, outgoing: Outgoing, part: TelegramPart): Promise<string> {
    const { attachment, recipient, signal } = outgoing
    const bot = needed(params.bot, 'botToken')
    await this.options.pace.turn({ sender: bot, person: recipient }, signal)
    const body = { chat_id: Number(recipient), ...part.body }
    const { method, file, instead } = part
    try {
      const sent =
        file === undefined
          ? await callBotApi(this.#client(signal), params, { method, body })
          : await callBotApi({ ...this.#client(signal), timeoutMs: UPLOAD_MS_MAX }, params, {
              method,
              form: await fileForm(this.options.store, attachment!, file, body),
            })
      if (isPlainObject(sent) && typeof sent.message_id === 'number') return `${bot}:${sent.message_id}`
      throw new DeliveryUnknown("the platform answered without a message's id")
    } catch (error) {
      if (instead === undefined || !(error instanceof DeliveryRefused) || error.code !== null) throw error
      return this.#sendPart(params, outgoing, instead)
    }
  }

  /** A file stays as it is: a message's file cannot be changed. */
  async #editPart(
    params: TelegramParams,
    { recipient, signal }: Outgoing,
    { method, body, file }: TelegramPart,
    providerId: string,
  ): Promise<void> {
    if (file !== undefined) return
    const { photo, caption, text, link_preview_options, reply_markup } = body
    const place = { chat_id: Number(recipient), message_id: numberOf(providerId, params) }
    // Other keyboards cannot be changed.
    const keyboard = isPlainObject(reply_markup) && 'inline_keyboard' in reply_markup ? { reply_markup } : {}
    const call =
      method === 'sendPhoto'
        ? {
            method: 'editMessageMedia',
            body: { ...place, media: { type: 'photo', media: photo, caption }, ...keyboard },
          }
        : { method: 'editMessageText', body: { ...place, text, link_preview_options, ...keyboard } }
    await this.options.pace.turn({ sender: needed(params.bot, 'botToken'), person: recipient }, signal)
    try {
      await callBotApi(this.#client(signal), params, call)
    } catch (error) {
      const isSame = error instanceof DeliveryRefused && error.message.includes('message is not modified')
      if (!isSame) throw error
    }
  }

  #client(signal: AbortSignal): ProviderClient {
    const { clock, http } = this.options
    return { http, now: clock.now(), signal }
  }
}

/** The platform's number of a message: bots count their own, and that of another bot would name another message. */
function numberOf(providerId: string, { bot }: TelegramParams): number {
  const [of, number] = providerId.split(':')
  if (of !== bot) throw new DeliveryRefused('it was sent by another bot than the service has now')
  return Number(number)
}
