import { isPlainObject } from '../../../platform/json.js'
import { DeliveryUnknown } from '../adapter.js'
import { GRAPH_VERSION } from '../graph-version.js'
import { callProvider, type ProviderAnswer, type ProviderClient } from '../provider-call.js'
import { needed } from '../provider-params.js'
import { outcomeOf } from './whatsapp-errors.js'
import type { WhatsappParams } from './whatsapp-params.js'
import type { WhatsappPart } from './whatsapp-parts.js'

export interface WhatsappCall {
  /** A telephone number in digits, or the id that is scoped to the business. */
  recipient: string
  part: WhatsappPart
  /** Comes back with each status of the message. */
  callback: string
}

/**
 * Sends one message (`POST /<number>/messages`). @returns its id (`wamid`)
 * @throws DeliveryRefused, DeliveryFailed; DeliveryUnknown when it may have been accepted: a status may tell later
 */
export async function callMessagesApi(
  client: ProviderClient,
  params: WhatsappParams,
  { recipient, part, callback }: WhatsappCall,
): Promise<string> {
  // A contact who has not written yet is known by its profile's number, which has a `+`.
  const to = /^\+?\d+$/.test(recipient) ? { to: recipient.replace('+', '') } : { recipient }
  const message = { ...to, recipient_type: 'individual', ...part, biz_opaque_callback_data: callback }
  const { status, answer, retryAfterMs } = await post(client, params, message)
  if (status < 200 || status >= 300) throw outcomeOf({ status, answer, retryAfterMs })
  const [taken] = Array.isArray(answer.messages) ? answer.messages : []
  if (isPlainObject(taken) && typeof taken.id === 'string') return taken.id
  throw new DeliveryUnknown(`the platform answered ${status} without a message's id`)
}

/** Marks a person's message as read, with all before it, and shows perhaps that somebody types. Best effort. */
export async function markRead(
  client: ProviderClient,
  params: WhatsappParams,
  message: string,
  { isTyping = false }: { isTyping?: boolean } = {},
): Promise<void> {
  const typing = isTyping && { typing_indicator: { type: 'text' } }
  await post(client, params, { status: 'read', message_id: message, ...typing })
}

/** The number that the token and the params name, as the platform knows it. @throws DeliveryRefused and others */
export async function fetchNumber(
  client: ProviderClient,
  params: WhatsappParams,
): Promise<{ number: string; name: string; quality: string }> {
  const id = needed(params.phoneNumberId, 'phoneNumberId')
  const query = '?fields=display_phone_number,verified_name,quality_rating'
  const given = await get(client, params, `${id}${query}`)
  if (given.status !== 200) throw outcomeOf(given)
  const { display_phone_number: number, verified_name: name, quality_rating: quality } = given.answer
  return { number: String(number), name: String(name), quality: String(quality ?? 'unknown') }
}

/** Fetches the address of a person's file, which holds for five minutes; null if there is none. @throws Error for a failure that may pass */
export async function fetchMediaAddress(
  client: ProviderClient,
  params: WhatsappParams,
  media: string,
): Promise<{ url: string; sha256: string | null } | null> {
  const { status, answer } = await get(client, params, media)
  if (status === 429 || status >= 500) throw new Error(`the platform answered ${status} to a request for media`)
  if (status !== 200 || typeof answer.url !== 'string' || !URL.canParse(answer.url)) return null
  return { url: answer.url, sha256: typeof answer.sha256 === 'string' ? answer.sha256 : null }
}

/** Header of every request, and of those for files. @throws DeliveryRefused without a token */
export function bearer(params: WhatsappParams): string {
  return `Bearer ${needed(params.accessToken, 'accessToken')}`
}

/** Returns the address of something at the platform. */
export function graphAddress({ apiUrl }: WhatsappParams, path: string): string {
  return `${apiUrl}/${GRAPH_VERSION}/${path}`
}

function post(client: ProviderClient, params: WhatsappParams, body: object): Promise<ProviderAnswer> {
  return callProvider(client, {
    method: 'POST',
    url: graphAddress(params, `${needed(params.phoneNumberId, 'phoneNumberId')}/messages`),
    headers: { 'content-type': 'application/json', authorization: bearer(params) },
    body: JSON.stringify({ messaging_product: 'whatsapp', ...body }),
  })
}

function get(client: ProviderClient, params: WhatsappParams, path: string): Promise<ProviderAnswer> {
  const url = graphAddress(params, path)
  return callProvider(client, { method: 'GET', url, headers: { authorization: bearer(params) } })
}
