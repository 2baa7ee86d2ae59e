import { isPlainObject } from '../../../platform/json.js'
import { DeliveryRefused } from '../adapter.js'
import { graphOutcome, graphProblem, REFUSED_ACCESS, sentId, type GraphErrors } from '../graph-errors.js'
import { GRAPH_VERSION } from '../graph-version.js'
import type { HubPart } from '../hub-parts.js'
import { declared, type ReplyKind } from '../human-window.js'
import { callProvider, type ProviderAnswer, type ProviderClient } from '../provider-call.js'
import { needed } from '../provider-params.js'
import type { InstagramParams } from './instagram-params.js'

export interface InstagramCall {
  recipient: string
  message: HubPart
  kind: ReplyKind
}

export interface RenewedToken {
  token: string
  endsInMs: number
}

const PERMISSION = 10
/** Code 10 means two things, which only its subcode tells apart. */
const WINDOW_CLOSED: ReadonlySet<number> = new Set([2_534_022, 2_018_278])
/** The person has blocked the account, does not take its messages, or is not there any more. */
const UNREACHABLE: ReadonlySet<number> = new Set([551, 230])
const UNREACHABLE_BY_SUBCODE: ReadonlySet<number> = new Set([2_534_014, 2_018_001, 1_545_041])
const DAY_MS = 86_400_000
/** The usual time, for a token whose end the platform does not say. */
const ENDS_IN_MS = 60 * DAY_MS

const ERRORS: GraphErrors = {
  held: REFUSED_ACCESS,
  meaning(code, subcode) {
    if (code === PERMISSION && WINDOW_CLOSED.has(subcode)) return 'windowClosed'
    return UNREACHABLE.has(code) || UNREACHABLE_BY_SUBCODE.has(subcode) ? 'blocked' : null
  },
}

/**
 * Sends one message (`POST /<account>/messages`). @returns its id (`mid`)
 * @throws DeliveryRefused, DeliveryFailed; DeliveryUnknown when it may have been accepted: its echo tells
 */
export async function callMessagesApi(
  client: ProviderClient,
  params: InstagramParams,
  { recipient, message, kind }: InstagramCall,
): Promise<string> {
  const given = await callProvider(client, {
    method: 'POST',
    url: graphAddress(params, `${needed(params.accountId, 'accountId')}/messages`),
    headers: { 'content-type': 'application/json', authorization: bearer(params) },
    body: JSON.stringify({ recipient: { id: recipient }, ...declared(kind), message }),
  })
  return sentId(given, ERRORS)
}

/** Fetches a person's name, or the name of their account; null when the platform does not give it. @throws DeliveryFailed, DeliveryUnknown */
export async function fetchPersonName(
  client: ProviderClient,
  params: InstagramParams,
  person: string,
): Promise<string | null> {
  const { status, answer } = await get(client, params, `${encodeURIComponent(person)}?fields=name,username`)
  if (status !== 200) return null
  const names = [answer.name, answer.username].map((name) => (typeof name === 'string' ? name.trim() : ''))
  return names.find(Boolean) ?? null
}

/**
 * Fetches the account that the token is of (`GET /me`): its id as events name it, the id that only the app knows, and its name.
 * @throws DeliveryRefused, DeliveryFailed, DeliveryUnknown
 */
export async function fetchAccount(
  client: ProviderClient,
  params: InstagramParams,
): Promise<{ id: string; ownId: string; name: string }> {
  const given = await get(client, params, 'me?fields=id,user_id,username')
  if (given.status !== 200) throw graphOutcome(given, ERRORS)
  // Some answers have it in a list.
  const [first] = Array.isArray(given.answer.data) ? given.answer.data : [given.answer]
  const { id, user_id: userId, username } = isPlainObject(first) ? first : {}
  return { id: String(userId ?? id), ownId: String(id ?? userId), name: String(username) }
}

/** Fetches the fields of the account's events that come here. @throws DeliveryRefused, DeliveryFailed, DeliveryUnknown */
export async function fetchSubscription(client: ProviderClient, params: InstagramParams): Promise<Set<string>> {
  const given = await get(client, params, `${needed(params.accountId, 'accountId')}/subscribed_apps`)
  if (given.status !== 200) throw graphOutcome(given, ERRORS)
  const apps = Array.isArray(given.answer.data) ? given.answer.data.filter(isPlainObject) : []
  return new Set(
    apps
      .flatMap(({ subscribed_fields: fields }) => (Array.isArray(fields) ? fields : []))
      .map((field) => String(field)),
  )
}

/**
 * Replaces a token by one that lasts for another 60 days (`GET /refresh_access_token`). The platform takes tokens that are 24 hours
 * old at least; the one before goes on until its end. @throws DeliveryRefused, DeliveryFailed, DeliveryUnknown
 */
export async function renewToken(client: ProviderClient, params: InstagramParams): Promise<RenewedToken> {
  const token = needed(params.accessToken, 'accessToken')
  const query = new URLSearchParams({ grant_type: 'ig_refresh_token', access_token: token })
  const url = `${params.apiUrl}/refresh_access_token?${query.toString()}`
  const given = await callProvider(client, { method: 'GET', url })
  if (given.status !== 200) throw graphOutcome(given, ERRORS)
  const { access_token: renewed, expires_in: seconds } = given.answer
  if (typeof renewed !== 'string' || !/^[\x21-\x7e]{1,1000}$/.test(renewed))
    throw new DeliveryRefused(`${graphProblem(given)}: its answer has no token`)
  const isTime = typeof seconds === 'number' && seconds > 0 && seconds < 10 * 365 * 86_400
  return { token: renewed, endsInMs: isTime ? seconds * 1_000 : ENDS_IN_MS }
}

/** Header of every request but the one above. @throws DeliveryRefused without a token */
function bearer(params: InstagramParams): string {
  return `Bearer ${needed(params.accessToken, 'accessToken')}`
}

function graphAddress({ apiUrl }: InstagramParams, path: string): string {
  return `${apiUrl}/${GRAPH_VERSION}/${path}`
}

function get(client: ProviderClient, params: InstagramParams, path: string): Promise<ProviderAnswer> {
  const url = graphAddress(params, path)
  return callProvider(client, { method: 'GET', url, headers: { authorization: bearer(params) } })
}
