import { Readable } from 'node:stream'
import type { Context } from '../../../platform/context.js'
import type { Clock } from '../../../platform/db/clock.js'
import type { Sql } from '../../../platform/db/database.js'
import { isPlainObject } from '../../../platform/json.js'
import type { OutboundHttp } from '../../../platform/outbound/outbound-http.js'
import type { Sealer } from '../../../platform/sealing/sealer.js'
import type { ConversationWriter } from '../../conversations/writer/conversation-writer.js'
import { DeliveryRefused, type TouchpointService } from '../adapter.js'
import { isKnown, locationMessage, receiveClick } from '../inbound-content.js'
import type { InboundAttachment } from '../inbound-files.js'
import type { InboundMessageReceiver } from '../inbound-message-receiver.js'
import { fetchMedia } from '../provider-media.js'
import { refuseUnknown } from '../refuse-unknown.js'
import { takeEdit } from '../take-edit.js'
import { callBotApi, fileAddress } from './bot-api.js'
import { leaveGroup } from './leave-group.js'
import { noteBlocking } from './note-blocking.js'
import type { TelegramContent, TelegramEvent } from './telegram-events.js'
import { parseTelegramParams } from './telegram-params.js'

export interface ReceiveTelegramOptions {
  sql: Sql
  sealer: Sealer
  clock: Clock
  inbox: InboundMessageReceiver
  writer: ConversationWriter
  http: OutboundHttp
  attachmentBytesMax: number
  systemContext: (requestId: string) => Context
}

type MessageEvent = Extract<TelegramEvent, { kind: 'message' }>
type ClickEvent = Extract<TelegramEvent, { kind: 'click' }>
type MediaContent = Extract<TelegramContent, { kind: 'media' }>

const ANSWER_MS_MAX = 3_000
/** The platform hands over no larger ones to bots. */
const MEDIA_BYTES_MAX = 20 * 1_048_576

export interface ReceivedUpdate {
  service: TouchpointService
  /** The bot that got it: the service may have another one by now, whose numbers mean something else. */
  bot: string
  event: TelegramEvent
  /** A file that cannot be fetched is then named in the text. */
  isLastTry: boolean
}

/**
 * Does what an update says, once.
 * @throws Error when a file could not be fetched, to be retried
 */
export async function receiveTelegram(
  options: ReceiveTelegramOptions,
  { service, bot, event, isLastTry }: ReceivedUpdate,
): Promise<void> {
  switch (event.kind) {
    case 'message':
      return takeMessage(options, { service, bot, isLastTry }, event)
    case 'edited':
      return takeEdit(options, service, {
        id: `edit:${bot}:${event.update}`,
        target: messageId(bot, event),
        text: event.text,
      })
    case 'click':
      return takeClick(options, { service, bot }, event)
    case 'blocking':
      return noteBlocking(options.sql, { service: service.id, address: event.chat, ...event })
    case 'group':
      return leaveGroup({ http: options.http, now: options.clock.now() }, parseTelegramParams(service.params), event)
    case 'other':
      return
    default:
      refuseUnknown(event)
  }
}

/** Names a message within all chats of a bot: each bot counts its own. */
const messageId = (bot: string, { chat, id }: { chat: string; id: string }): string => `${bot}:${chat}:${id}`

async function takeMessage(
  options: ReceiveTelegramOptions,
  { service, bot, isLastTry }: Omit<ReceivedUpdate, 'event'>,
  event: MessageEvent,
): Promise<void> {
  const { inbox, sql } = options
  const { chat: handle, content, from } = event
  const providerId = messageId(bot, event)
  if (content.kind === 'media' && (await isKnown(sql, service.id, providerId))) return
  const sentAt = event.at > 0 ? new Date(event.at) : undefined
  const inbound = { service, providerId, sentAt, from: { handle, ...(from.name !== null && { name: from.name }) } }
  switch (content.kind) {
    case 'text':
    case 'words':
      await inbox.receive({ ...inbound, message: { text: content.text } })
      return
    case 'location':
      await inbox.receive({ ...inbound, message: locationMessage(content) })
      return
    case 'media': {
      const file = await fetchFile(options, service, content, isLastTry)
      const text = [content.caption, 'missing' in file ? file.missing : null].filter(Boolean).join('\n')
      const attachments = 'missing' in file ? [] : [file]
      await inbox.receive({ ...inbound, message: text ? { text } : {}, attachments })
      return
    }
    case 'ignored':
      await inbox.ignore(service, providerId, content.why)
  }
}

async function takeClick(
  options: ReceiveTelegramOptions,
  { service, bot }: Pick<ReceivedUpdate, 'service' | 'bot'>,
  { chat: handle, id, from, reference: payload, title }: ClickEvent,
): Promise<void> {
  await stopSpinner(options, service, id)
  const providerId = `click:${bot}:${id}`
  const inbound = { service, providerId, from: { handle, ...(from.name !== null && { name: from.name }) } }
  await receiveClick(options, inbound, { senders: [handle], payload, title })
}

/** Best effort: the person's app shows a button as pressed until then, for half a minute at most. */
async function stopSpinner(
  { http, clock }: ReceiveTelegramOptions,
  { params }: TouchpointService,
  click: string,
): Promise<void> {
  const client = { http, now: clock.now(), signal: AbortSignal.timeout(ANSWER_MS_MAX) }
  const call = { method: 'answerCallbackQuery', body: { callback_query_id: click } }
  await callBotApi(client, parseTelegramParams(params), call).catch(() => undefined)
}

/** @returns the file, or words that take its place */
async function fetchFile(
  { clock, http, attachmentBytesMax }: ReceiveTelegramOptions,
  service: TouchpointService,
  { type, file, fileName, bytes }: MediaContent,
  isLastTry: boolean,
): Promise<InboundAttachment | { missing: string }> {
  const missing = { missing: `[${type} that could not be fetched]` }
  if (bytes > MEDIA_BYTES_MAX) return { missing: `[${type} of more than 20 MB, which the platform keeps to itself]` }
  const params = parseTelegramParams(service.params)
  try {
    const call = { method: 'getFile', body: { file_id: file } }
    const found = await callBotApi({ http, now: clock.now() }, params, call)
    const path = isPlainObject(found) ? found.file_path : null
    // It becomes part of an address beside the token.
    if (typeof path !== 'string' || !/^(?!.*\.\.)[\w./-]{1,500}$/.test(path)) return missing
    const content = await fetchMedia(http, { url: fileAddress(params, path), bytesMax: attachmentBytesMax })
    if (!content) return missing
    const ending = /\.\w{1,10}$/.exec(path)?.[0] ?? ''
    return { fileName: fileName ?? `${type}${ending}`, content: Readable.from([content]) }
  } catch (error) {
    if (isLastTry || error instanceof DeliveryRefused) return missing
    throw error
  }
}
