import { Readable } from 'node:stream'
import type { Clock } from '../../../platform/db/clock.js'
import type { Sql } from '../../../platform/db/database.js'
import type { OutboundHttp } from '../../../platform/outbound/outbound-http.js'
import type { Sealer } from '../../../platform/sealing/sealer.js'
import type { TouchpointService } from '../adapter.js'
import { isKnown } from '../inbound-content.js'
import type { InboundAttachment } from '../inbound-files.js'
import type { InboundMessageReceiver } from '../inbound-message-receiver.js'
import { fetchMedia } from '../provider-media.js'
import { chosenButton } from './chosen-button.js'
import type { InboundText } from './inbound-text.js'
import { setOptOut } from '../../services/opt-outs.js'
import { optOutWord } from './opt-out-words.js'
import { parseSmsParams } from './sms-params.js'
import { basicAuth } from './twilio-api.js'

export interface ReceiveTextOptions {
  sql: Sql
  sealer: Sealer
  clock: Clock
  inbox: InboundMessageReceiver
  http: OutboundHttp
  attachmentBytesMax: number
}

const E164 = /^\+[1-9]\d{6,14}$/

/**
 * Turns a consumer's text into a message, once (4.7, rule 6). STOP and START take effect first, and the answer to a
 * choice presses its button.
 * @param isLastTry media that cannot be fetched are left out, and the message says so
 * @throws Error when media could not be fetched, to be retried
 */
export async function receiveText(
  options: ReceiveTextOptions,
  service: TouchpointService,
  text: InboundText,
  isLastTry = false,
): Promise<void> {
  const { sql, inbox } = options
  // Checked first: a repeated old STOP must not undo a START.
  if (await isKnown(sql, service.id, text.sid)) return
  const from = E164.test(text.from) ? { telephone: text.from } : { handle: text.from }
  const optOut = await obey(options, service, text)
  const { attachments, missing } = await fetchAll(options, service, text, isLastTry)
  const body = [text.body, ...missing].filter(Boolean).join('\n')
  if (body === '' && attachments.length === 0) {
    await inbox.ignore(service, text.sid, 'the message is empty')
    return
  }
  const button = optOut || attachments.length > 0 ? null : await chosenButton(sql, service, { from, text: body })
  await inbox.receive({
    service,
    providerId: text.sid,
    from,
    message: {
      ...(button ? { type: 'postback', text: button.payload, actions: [button] } : body && { text: body }),
      meta: { ...(button && { answer: body }), ...(optOut && { optOut }) },
    },
    attachments,
  })
}

/** @returns the request that the text makes; null when it makes none, or is a START without a STOP */
async function obey(
  { sql, clock }: ReceiveTextOptions,
  service: TouchpointService,
  { from, body, optOut }: InboundText,
): Promise<'stop' | 'start' | null> {
  const word = optOut ?? optOutWord(body)
  if (word === null) return null
  const isChanged = await setOptOut(sql, { service: service.id, address: from }, word, clock.now())
  return word === 'stop' || isChanged ? word : null
}

async function fetchAll(
  { http, attachmentBytesMax }: ReceiveTextOptions,
  service: TouchpointService,
  { sid, media }: InboundText,
  isLastTry: boolean,
): Promise<{ attachments: InboundAttachment[]; missing: string[] }> {
  const { apiUrl, accountSid = '', authToken = '' } = parseSmsParams(service.params)
  const attachments: InboundAttachment[] = []
  const missing: string[] = []
  for (const [index, { url, type }] of media.entries()) {
    // The account's credentials are sent to the provider only.
    const isProvider = new URL(url).origin === new URL(apiUrl).origin
    const authorization = isProvider ? basicAuth(accountSid, authToken) : undefined
    const bytes = await fetchMedia(http, { url, authorization, bytesMax: attachmentBytesMax }).catch(
      (error: unknown) => {
        if (!isLastTry) throw error
        return null
      },
    )
    if (bytes) attachments.push({ fileName: `${sid}-${index + 1}`, content: Readable.from([bytes]) })
    else missing.push(`[${type || 'media'} that could not be fetched]`)
  }
  return { attachments, missing }
}
