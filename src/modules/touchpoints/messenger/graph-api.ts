import { DeliveryRefused } from '../adapter.js'
import { GraphRefused, graphProblem, sentId, type GraphErrors } from '../graph-errors.js'
import { GRAPH_VERSION } from '../graph-version.js'
import type { HubPart } from '../hub-parts.js'
import { appSecretProof } from '../hub-signature.js'
import { declared, type ReplyKind } from '../human-window.js'
import { callProvider, type ProviderClient } from '../provider-call.js'
import { needed } from '../provider-params.js'
import type { MessengerParams } from './messenger-params.js'

export interface SendCall {
  recipient: string
  message: HubPart & { metadata: string }
  kind: ReplyKind
}

const INVALID_PARAMETER = 100
/** The token is refused: an administrator gives the service a new one. */
const ERRORS: GraphErrors = { held: new Map([[190, '']]), meaning: () => null }

/** Tells whether a parameter was refused: nothing was sent, and a call with other parameters may succeed. */
export const isParameterRefused = (error: unknown): boolean =>
  error instanceof GraphRefused && error.error === INVALID_PARAMETER

/**
 * Sends one message by the Send API (`POST /me/messages`). @returns its id (`mid`)
 * @throws GraphRefused, DeliveryFailed; DeliveryUnknown when it may have been accepted: the API has no idempotency key
 */
export async function callSendApi(
  client: ProviderClient,
  params: MessengerParams,
  { recipient, message, kind }: SendCall,
): Promise<string> {
  const given = await callProvider(client, {
    method: 'POST',
    url: graphUrl(params, 'me/messages', {}),
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ recipient: { id: recipient }, ...declared(kind), message }),
  })
  return sentId(given, ERRORS)
}

/**
 * Fetches a person's name (`GET /<psid>`); null when the platform does not give it. @throws DeliveryFailed,
 * DeliveryUnknown
 */
export async function fetchPersonName(
  client: ProviderClient,
  params: MessengerParams,
  person: string,
): Promise<string | null> {
  const url = graphUrl(params, encodeURIComponent(person), { fields: 'first_name,last_name' })
  const { status, answer } = await callProvider(client, { method: 'GET', url })
  if (status !== 200) return null
  const names = [answer.first_name, answer.last_name].filter((name) => typeof name === 'string')
  return names.join(' ').trim() || null
}

/** Fetches the page that the token is of (`GET /me`). @throws DeliveryRefused, DeliveryFailed, DeliveryUnknown */
export async function fetchPage(
  client: ProviderClient,
  params: MessengerParams,
): Promise<{ id: string; name: string }> {
  const url = graphUrl(params, 'me', { fields: 'id,name' })
  const given = await callProvider(client, { method: 'GET', url })
  if (given.status !== 200) throw new DeliveryRefused(graphProblem(given))
  const { id, name } = given.answer
  return { id: String(id), name: String(name) }
}

function graphUrl(params: MessengerParams, path: string, query: Record<string, string>): string {
  const token = needed(params.pageAccessToken, 'pageAccessToken')
  const proof = appSecretProof(needed(params.appSecret, 'appSecret'), token)
  const all = new URLSearchParams({ ...query, access_token: token, appsecret_proof: proof })
  return `${params.apiUrl}/${GRAPH_VERSION}/${path}?${all.toString()}`
}
