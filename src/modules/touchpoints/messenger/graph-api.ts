import { isPlainObject } from '../../../platform/json.js'
import { DeliveryFailed, DeliveryRefused, DeliveryUnknown, ServiceRefused } from '../adapter.js'
import { GRAPH_VERSION } from '../graph-version.js'
import { callProvider, type ProviderAnswer, type ProviderClient } from '../provider-call.js'
import { needed } from '../provider-params.js'
import { appSecretProof } from '../hub-signature.js'
import type { MessengerParams } from './messenger-params.js'
import type { MessengerPart } from './messenger-parts.js'

export interface SendCall {
  recipient: string
  message: MessengerPart & { metadata: string }
  /** An answer within 24 hours, or a human agent's answer within seven days. */
  kind: 'RESPONSE' | 'HUMAN_AGENT'
}

/** A refused parameter: nothing was sent, and a call with other parameters may succeed. */
export class ParameterRefused extends DeliveryRefused {}

/** Nothing was taken. Any other failure without a code may follow a message that was taken. */
const UNAVAILABLE = 503
const INVALID_PARAMETER = 100
/** According to the platform's error table, the message may have been sent all the same. */
const UNKNOWN_ERROR = 1
/** The token is refused: an administrator gives the service a new one. */
const TOKEN_REFUSED = 190
/** Temporary errors: too many calls of the app or page or to this person, or a temporary failure. */
const PASSING_ERRORS: ReadonlySet<number> = new Set([2, 4, 17, 32, 341, 613, 1200, 80006])

/**
 * Sends one message by the Send API (`POST /me/messages`). @returns its id (`mid`)
 * @throws ParameterRefused, DeliveryRefused, DeliveryFailed; DeliveryUnknown when it may have been accepted: the API
 *   has no idempotency key
 */
export async function callSendApi(
  client: ProviderClient,
  params: MessengerParams,
  { recipient, message, kind }: SendCall,
): Promise<string> {
  const type = kind === 'RESPONSE' ? { messaging_type: kind } : { messaging_type: 'MESSAGE_TAG', tag: kind }
  const answer = await callProvider(client, {
    method: 'POST',
    url: graphUrl(params, 'me/messages', {}),
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ recipient: { id: recipient }, ...type, message }),
  })
  return readAnswer(answer)
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
  const { status, answer } = await callProvider(client, { method: 'GET', url })
  const { id, name, error } = answer
  if (status !== 200) throw new DeliveryRefused(problemOf(status, isPlainObject(error) ? error : {}))
  return { id: String(id), name: String(name) }
}

function graphUrl(params: MessengerParams, path: string, query: Record<string, string>): string {
  const token = needed(params.pageAccessToken, 'pageAccessToken')
  const proof = appSecretProof(needed(params.appSecret, 'appSecret'), token)
  const all = new URLSearchParams({ ...query, access_token: token, appsecret_proof: proof })
  return `${params.apiUrl}/${GRAPH_VERSION}/${path}?${all.toString()}`
}

function readAnswer({ status, answer, retryAfterMs }: ProviderAnswer): string {
  if (status >= 200 && status < 300) {
    if (typeof answer.message_id === 'string') return answer.message_id
    throw new DeliveryUnknown(`the platform answered ${status} without a message's id`)
  }
  const error = isPlainObject(answer.error) ? answer.error : {}
  const problem = problemOf(status, error)
  const isPassing = error.is_transient === true || PASSING_ERRORS.has(Number(error.code))
  if (error.code === UNKNOWN_ERROR || (status >= 500 && status !== UNAVAILABLE && !isPassing)) {
    throw new DeliveryUnknown(problem)
  }
  if (error.code === TOKEN_REFUSED) throw new ServiceRefused(problem)
  if (isPassing || status === 429 || status === UNAVAILABLE) throw new DeliveryFailed(problem, retryAfterMs)
  throw error.code === INVALID_PARAMETER ? new ParameterRefused(problem) : new DeliveryRefused(problem)
}

/** For example `the platform refused: 551 This person isn't available right now.` */
function problemOf(status: number, { code, error_subcode: subcode, message }: Record<string, unknown>): string {
  const words = typeof message === 'string' ? message.slice(0, 300) : `status ${status}`
  const codes = [code, subcode].filter((each) => typeof each === 'number').join('/')
  return `the platform refused: ${codes ? `${codes} ` : ''}${words}`
}
