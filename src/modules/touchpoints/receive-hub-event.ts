import { inboundNamedSql } from '../../platform/db/erased-name.js'
import { Readable } from 'node:stream'
import type { Clock } from '../../platform/db/clock.js'
import type { Sql } from '../../platform/db/database.js'
import { BadUserInput, Forbidden } from '../../platform/errors.js'
import type { OutboundHttp } from '../../platform/outbound/outbound-http.js'
import type { Sealer } from '../../platform/sealing/sealer.js'
import type { TouchpointService } from './adapter.js'
import { clickedButton } from './clicked-button.js'
import type { HubAttachment, HubEvent } from './hub-events.js'
import type { InboundAttachment } from './inbound-files.js'
import type { InboundMessage } from './inbound-message.js'
import type { InboundMessageReceiver } from './inbound-message-receiver.js'
import type { ProviderClient } from './provider-call.js'
import { fetchMedia } from './provider-media.js'

export interface ReceiveHubOptions {
  sql: Sql
  sealer: Sealer
  clock: Clock
  inbox: InboundMessageReceiver
  http: OutboundHttp
  attachmentBytesMax: number
  /** Asks the platform for a person's name; null when it does not give it. @throws Error */
  fetchName(client: ProviderClient, service: TouchpointService, person: string): Promise<string | null>
}

export type SaidEvent = Extract<HubEvent, { kind: 'message' | 'postback' | 'echo' }>

/** A name is optional, so the wait for it is short. */
const NAME_MS_MAX = 3_000
/** Types whose files are stored; others become text. */
const MEDIA_TYPES: ReadonlySet<string> = new Set(['image', 'file', 'audio', 'video'])

/**
 * Turns a person's message or click into a message, once; or one that the organization wrote elsewhere.
 * @param isLastTry attachments that cannot be fetched are replaced by their address
 * @throws Error when an attachment could not be fetched, to be retried
 */
export async function receiveHubEvent(
  options: ReceiveHubOptions,
  service: TouchpointService,
  event: SaidEvent,
  isLastTry: boolean,
): Promise<void> {
  const { sql, inbox } = options
  const { sender: handle, mid: providerId } = event
  const rows = await sql.query<{ seen: boolean; known: boolean }>(
    `select exists (select 1 from ${inboundNamedSql('$1', '$2')} i) as seen,
       exists (select 1 from contact_handle where service_id = $1 and address = $3) as known`,
    [service.id, providerId, handle],
  )
  const { seen, known } = rows[0]!
  if (seen) return
  const isOwn = event.kind === 'echo'
  const name = known || isOwn ? null : await nameOf(options, service, handle)
  const sentAt = event.at > 0 ? new Date(event.at) : undefined
  const inbound = { service, providerId, sentAt, from: { handle, ...(name !== null && { name }) }, isOwn }
  const click = await clickOf(sql, service, event)
  if (click) {
    try {
      await inbox.receive({ ...inbound, message: click })
      return
    } catch (error) {
      // The payload's messages are invalid or not allowed for a consumer: the click counts all the same (2.10).
      if (!(error instanceof BadUserInput) && !(error instanceof Forbidden)) throw error
    }
  }
  const { attachments, words, meta } = await contentOf(options, event, isLastTry)
  const text = [event.kind === 'postback' ? event.title : event.text, ...words].filter(Boolean).join('\n')
  if (text === '' && attachments.length === 0) {
    await inbox.ignore(service, providerId, 'the message is empty')
    return
  }
  await inbox.receive({ ...inbound, message: { ...(text && { text }), ...(meta && { meta }) }, attachments })
}

async function clickOf(
  sql: Sql,
  service: TouchpointService,
  event: SaidEvent,
): Promise<InboundMessage['message'] | null> {
  if (event.payload === null) return null
  const { sender, payload } = event
  const [title, type] =
    event.kind === 'postback' ? [event.title, 'postback' as const] : [event.text ?? payload, 'reply' as const]
  const button = await clickedButton(sql, { service: service.id, senders: [sender], payload, title, type })
  return button && { type: 'postback', text: button.payload, actions: [button] }
}

/** Best effort: the platform only gives names of people who allow it. */
function nameOf(
  { http, clock, fetchName }: ReceiveHubOptions,
  service: TouchpointService,
  person: string,
): Promise<string | null> {
  const client = { http, now: clock.now(), signal: AbortSignal.timeout(NAME_MS_MAX) }
  return fetchName(client, service, person).catch(() => null)
}

async function contentOf(
  { http, attachmentBytesMax }: ReceiveHubOptions,
  event: SaidEvent,
  isLastTry: boolean,
): Promise<{ attachments: InboundAttachment[]; words: string[]; meta: InboundMessage['message'] | null }> {
  const given = event.kind === 'postback' ? [] : event.attachments
  const attachments: InboundAttachment[] = []
  const words: string[] = []
  for (const [index, attachment] of given.entries()) {
    const { type, url } = attachment
    const bytes =
      url !== null && MEDIA_TYPES.has(type)
        ? await fetchMedia(http, { url, bytesMax: attachmentBytesMax }).catch((error: unknown) => {
            if (!isLastTry) throw error
            return null
          })
        : null
    if (bytes) attachments.push({ fileName: `${type}-${index + 1}`, content: Readable.from([bytes]) })
    else words.push(attachmentInWords(attachment))
  }
  const place = given.find((attachment) => attachment.place)?.place ?? null
  return { attachments, words, meta: place && { location: place } }
}

function attachmentInWords({ type, title, url, place }: HubAttachment): string {
  const where = place ? `${place.latitude}, ${place.longitude}` : url
  return [title ?? (where === null ? `[${type}]` : null), where].filter(Boolean).join('\n')
}
