import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import type { Clock } from '../../../platform/db/clock.js'
import type { Sql } from '../../../platform/db/database.js'
import type { OutboundHttp } from '../../../platform/outbound/outbound-http.js'
import type { Sealer } from '../../../platform/sealing/sealer.js'
import type { TouchpointService } from '../adapter.js'
import { isKnown, locationMessage, receiveClick } from '../inbound-content.js'
import type { InboundAttachment } from '../inbound-files.js'
import type { Consumer, InboundMessage } from '../inbound-message.js'
import type { InboundMessageReceiver } from '../inbound-message-receiver.js'
import { fetchMedia } from '../provider-media.js'
import { bearer, fetchMediaAddress, markRead } from './whatsapp-api.js'
import type { WhatsappContent, WhatsappEvent, WhatsappMedia, WhatsappPerson } from './whatsapp-events.js'
import { parseWhatsappParams } from './whatsapp-params.js'

export interface ReceiveWhatsappOptions {
  sql: Sql
  sealer: Sealer
  clock: Clock
  inbox: InboundMessageReceiver
  http: OutboundHttp
  attachmentBytesMax: number
}

type MessageEvent = Extract<WhatsappEvent, { kind: 'message' | 'echo' }>

const READ_MS_MAX = 3_000

/**
 * Turns a person's message into a message, once; or one that the organization wrote with the app.
 * @param isLastTry a file that cannot be fetched is then named in the text
 * @throws Error when a file could not be fetched, to be retried
 */
export async function receiveWhatsapp(
  options: ReceiveWhatsappOptions,
  service: TouchpointService,
  event: MessageEvent,
  isLastTry: boolean,
): Promise<void> {
  const { sql, inbox } = options
  if (event.content.kind === 'media' && (await isKnown(sql, service.id, event.id))) return
  if (event.content.kind === 'ignored') {
    await inbox.ignore(service, event.id, event.content.why)
    return
  }
  const sentAt = event.at > 0 ? new Date(event.at) : undefined
  const isOwn = event.kind === 'echo'
  const person = isOwn ? event.to : event.from
  const inbound = { service, providerId: event.id, sentAt, from: consumerOf(person), isOwn }
  await take(options, inbound, { content: event.content, person }, isLastTry)
  const params = parseWhatsappParams(service.params)
  if (isOwn || !params.readMarks) return
  const client = { http: options.http, now: options.clock.now(), signal: AbortSignal.timeout(READ_MS_MAX) }
  // Best effort: the consumer sees it a message later.
  await markRead(client, params, event.id).catch(() => undefined)
}

async function take(
  options: ReceiveWhatsappOptions,
  inbound: Omit<InboundMessage, 'message'>,
  { content, person }: { content: WhatsappContent; person: WhatsappPerson },
  isLastTry: boolean,
): Promise<void> {
  const { inbox } = options
  const { service } = inbound
  switch (content.kind) {
    case 'text':
    case 'words':
      await inbox.receive({ ...inbound, message: { text: content.text } })
      return
    case 'location':
      await inbox.receive({ ...inbound, message: locationMessage(content) })
      return
    case 'click': {
      const { reference: payload, title } = content
      return receiveClick(options, inbound, { senders: addressesOf(person), payload, title })
    }
    case 'media': {
      const { caption } = content.media
      const file = await fetchFile(options, service, content, isLastTry)
      const text = [caption, file ? null : `[${content.type} that could not be fetched]`].filter(Boolean).join('\n')
      const attachments = file ? [file] : []
      await inbox.receive({ ...inbound, message: text ? { text } : {}, attachments })
      return
    }
    case 'ignored':
  }
}

/** Fetches a person's file at once: its address holds for five minutes. */
async function fetchFile(
  { clock, http, attachmentBytesMax }: ReceiveWhatsappOptions,
  service: TouchpointService,
  { type, media }: { type: string; media: WhatsappMedia },
  isLastTry: boolean,
): Promise<InboundAttachment | null> {
  const params = parseWhatsappParams(service.params)
  try {
    const place = await fetchMediaAddress({ http, now: clock.now() }, params, media.id)
    if (!place) return null
    // The token goes to the platform alone, and to hosts that it names for its files.
    const bytes = await fetchMedia(http, {
      url: place.url,
      authorization: bearer(params),
      bytesMax: attachmentBytesMax,
    })
    if (!bytes || !isWhole(bytes, place.sha256 ?? media.sha256)) return null
    return { fileName: media.fileName ?? type, content: Readable.from([bytes]) }
  } catch (error) {
    if (!isLastTry) throw error
    return null
  }
}

/** Compares a file with the hash that the platform gave for it, in hexadecimal or base64. */
function isWhole(bytes: Buffer, sha256: string | null): boolean {
  if (sha256 === null) return true
  const hash = createHash('sha256').update(bytes).digest()
  return [hash.toString('hex'), hash.toString('base64')].includes(sha256)
}

/** The id that is scoped to the business comes first: it stays when the number is hidden. */
export function addressesOf({ userId, phone }: WhatsappPerson): string[] {
  return [userId, phone].filter((address) => address !== null)
}

function consumerOf(person: WhatsappPerson): Consumer {
  const [handle, ...others] = addressesOf(person)
  return {
    handle,
    ...(others.length > 0 && { alsoHandles: others }),
    ...(person.phone !== null && { telephone: `+${person.phone}` }),
    ...(person.name !== null && { name: person.name }),
  }
}
