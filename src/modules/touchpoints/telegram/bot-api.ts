import { isPlainObject } from '../../../platform/json.js'
import type { StreamedBody } from '../../../platform/outbound/outbound-http.js'
import { DeliveryFailed, DeliveryRefused, DeliveryUnknown, ServiceRefused } from '../adapter.js'
import { callProvider, type ProviderAnswer, type ProviderClient } from '../provider-call.js'
import { needed } from '../provider-params.js'
import type { TelegramParams } from './telegram-params.js'

export interface BotCall {
  method: string
  body?: object
  /** A body in place of `body`, with its content type. */
  form?: { type: string; body: StreamedBody }
}

const HOUR_MS = 3_600_000

/**
 * Calls a method of the Bot API. @returns its result
 * @throws DeliveryRefused, DeliveryFailed; DeliveryUnknown when it may have been accepted
 */
export async function callBotApi(
  client: ProviderClient,
  params: TelegramParams,
  { method, body, form }: BotCall,
): Promise<unknown> {
  const given = await callProvider(client, {
    method: 'POST',
    url: `${params.apiUrl}/bot${needed(params.botToken, 'botToken')}/${method}`,
    headers: { 'content-type': form?.type ?? 'application/json' },
    body: form?.body ?? JSON.stringify(body ?? {}),
  })
  const { status, answer } = given
  if (status === 200 && answer.ok === true) return answer.result
  throw outcomeOf(given)
}

/** Address of a person's file. It holds for an hour, and contains the token. */
export function fileAddress({ apiUrl, botToken }: TelegramParams, path: string): string {
  return `${apiUrl}/file/bot${needed(botToken, 'botToken')}/${path}`
}

/** Returns what an answer that is no success means for the delivery. */
function outcomeOf(given: ProviderAnswer): DeliveryRefused | DeliveryFailed | DeliveryUnknown {
  const { status } = given
  const problem = problemOf(given)
  if (status === 429 || status === 503) return new DeliveryFailed(problem, laterMs(given))
  // A token that was revoked, or that names no bot: messages wait for an administrator.
  if (status === 401 || status === 404) return new ServiceRefused(`the token is refused (${problem})`)
  if (status === 403) return new DeliveryRefused(`the consumer cannot be reached (${problem})`, 'blocked')
  return status >= 400 && status < 500 ? new DeliveryRefused(problem) : new DeliveryUnknown(problem)
}

/** The time that the platform asks for, in its answer or its header. */
function laterMs({ answer, retryAfterMs }: ProviderAnswer): number | null {
  const { retry_after: seconds } = isPlainObject(answer.parameters) ? answer.parameters : {}
  return typeof seconds === 'number' && seconds > 0 ? Math.min(seconds * 1_000, HOUR_MS) : retryAfterMs
}

/** For example `the platform refused: 400 Bad Request: chat not found`. */
function problemOf({ status, answer }: ProviderAnswer): string {
  const words = typeof answer.description === 'string' ? ` ${answer.description.slice(0, 300)}` : ''
  return `the platform refused: ${status}${words}`
}
