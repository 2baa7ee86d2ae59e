import { quoteValue } from '../../../platform/errors.js'
import { DeliveryFailed, DeliveryRefused, DeliveryUnknown, ServiceRefused } from '../adapter.js'
import { callProvider, type ProviderAnswer, type ProviderClient } from '../provider-call.js'
import { needed } from '../provider-params.js'
import type { SmsParams } from './sms-params.js'

export interface TwilioText {
  to: string
  body: string
  /** URL that receives its status changes; absent for one that nobody follows. */
  statusCallback?: string
}

export interface TakenText {
  /** The provider's id of the message. */
  sid: string
  /** Null when the provider does not give it: with a messaging service it decides later. */
  segments: number | null
}

/** Nothing was taken. Any other failure of the provider may follow a text that it took: a status tells. */
const UNAVAILABLE = 503

/**
 * Sends one text (`POST /2010-04-01/Accounts/{sid}/Messages.json`).
 * @throws DeliveryRefused for a text that would be refused again; DeliveryFailed; DeliveryUnknown when it may have been
 *   accepted: the API has no idempotency key
 */
export async function sendByTwilio(client: ProviderClient, params: SmsParams, text: TwilioText): Promise<TakenText> {
  const { from, messagingServiceSid, apiUrl } = params
  const accountSid = needed(params.accountSid, 'accountSid')
  const form = new URLSearchParams({ To: text.to, Body: text.body })
  if (text.statusCallback !== undefined) form.set('StatusCallback', text.statusCallback)
  if (messagingServiceSid !== undefined) form.set('MessagingServiceSid', messagingServiceSid)
  if (from !== undefined || messagingServiceSid === undefined) form.set('From', needed(from, 'from'))
  const answer = await callProvider(client, {
    method: 'POST',
    url: `${apiUrl}/2010-04-01/Accounts/${accountSid}/Messages.json`,
    headers: {
      authorization: basicAuth(accountSid, needed(params.authToken, 'authToken')),
      'content-type': 'application/x-www-form-urlencoded',
    },
    body: form.toString(),
  })
  return readAnswer(answer)
}

/** Reads the account's name and state (`GET /2010-04-01/Accounts/{sid}.json`). @throws as {@link sendByTwilio} */
export async function fetchTwilioAccount(client: ProviderClient, params: SmsParams): Promise<string> {
  const accountSid = needed(params.accountSid, 'accountSid')
  const { status, answer } = await callProvider(client, {
    method: 'GET',
    url: `${params.apiUrl}/2010-04-01/Accounts/${accountSid}.json`,
    headers: { authorization: basicAuth(accountSid, needed(params.authToken, 'authToken')) },
  })
  if (status !== 200) throw new DeliveryRefused(problemOf(status, answer))
  const [name, state] = [answer.friendly_name, answer.status].map((each) => (typeof each === 'string' ? each : '?'))
  return `the provider knows the account ${quoteValue(name)}; it is ${state}`
}

export function basicAuth(accountSid: string, authToken: string): string {
  return `Basic ${Buffer.from(`${accountSid}:${authToken}`).toString('base64')}`
}

function readAnswer({ status, answer, retryAfterMs }: ProviderAnswer): TakenText {
  if (status >= 200 && status < 300) {
    if (typeof answer.sid !== 'string')
      throw new DeliveryUnknown(`the provider answered ${status} without a message's id`)
    const segments = Number(answer.num_segments)
    return { sid: answer.sid, segments: Number.isInteger(segments) && segments > 0 ? segments : null }
  }
  const problem = problemOf(status, answer)
  if (status >= 500 && status !== UNAVAILABLE) throw new DeliveryUnknown(problem)
  if (status === 429 || status === UNAVAILABLE) throw new DeliveryFailed(problem, retryAfterMs)
  // The account's token, or the account itself.
  if (status === 401) throw new ServiceRefused(problem)
  throw new DeliveryRefused(problem)
}

/** For example `the provider refused: 21211 Invalid 'To' Phone Number`; a redirect counts as a refusal. */
function problemOf(status: number, { code, message }: Record<string, unknown>): string {
  const words = typeof message === 'string' ? message.slice(0, 300) : `status ${status}`
  return `the provider refused: ${typeof code === 'number' ? `${code} ` : ''}${words}`
}
