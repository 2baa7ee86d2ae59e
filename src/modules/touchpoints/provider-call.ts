import { isPlainObject } from '../../platform/json.js'
import {
  OutboundFailure,
  type OutboundAnswer,
  type OutboundHttp,
  type OutboundRequest,
} from '../../platform/outbound/outbound-http.js'
import { retryAfterMs } from '../../platform/outbound/retries.js'
import { DeliveryFailed, DeliveryUnknown } from './adapter.js'

export interface ProviderAnswer {
  status: number
  /** The body as an object; empty when it is none. */
  answer: Record<string, unknown>
  /** Delay requested by the provider, in milliseconds; null when there is none. */
  retryAfterMs: number | null
}

export interface ProviderClient {
  /** With `keepAlive: false`, so that a request is never repeated on another connection. */
  http: OutboundHttp
  now: Date
  signal?: AbortSignal
  /** Maximum size of the answer; 64 KB by default. */
  bytesMax?: number
  /** 20 s by default. */
  timeoutMs?: number
}

const TIMEOUT_MS = 20_000
const ANSWER_BYTES_MAX = 65_536

/**
 * Calls a provider that answers in JSON. Any status counts as an answer.
 * @throws DeliveryFailed when it was not reached; DeliveryUnknown when it may have accepted the request without an
 *   answer
 */
export async function callProvider(
  { http, now, signal, bytesMax = ANSWER_BYTES_MAX, timeoutMs = TIMEOUT_MS }: ProviderClient,
  request: Pick<OutboundRequest, 'method' | 'url' | 'headers' | 'body'>,
): Promise<ProviderAnswer> {
  const headers = { accept: 'application/json', ...request.headers }
  let given: OutboundAnswer
  try {
    given = await http.request({ ...request, headers, timeoutMs, bytesMax, signal })
  } catch (error) {
    if (!(error instanceof OutboundFailure)) throw error
    if (error.mayHaveArrived) throw new DeliveryUnknown(`the provider did not answer: ${error.message}`)
    throw new DeliveryFailed(`the provider was not reached: ${error.message}`)
  }
  return {
    status: given.status,
    answer: objectOf(given.body),
    retryAfterMs: retryAfterMs(given.headers['retry-after'], now),
  }
}

function objectOf(body: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(body)
    return isPlainObject(value) ? value : {}
  } catch {
    return {}
  }
}
