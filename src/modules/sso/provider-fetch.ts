import type { CustomFetch } from 'openid-client'
import { OutboundFailure, type OutboundHttp } from '../../platform/outbound/outbound-http.js'

/** From the first byte sent to the last one received. */
const TIMEOUT_MS = 8_000
/** Providers' documents and key sets have some kilobytes; what a user is said to be a member of may have more. */
const BYTES_MAX = 512 * 1024
/** Statuses whose answers must have no body. */
const WITHOUT_BODY: ReadonlySet<number> = new Set([101, 204, 205, 304])

/**
 * Returns the `fetch` by which providers are asked: through the guard against private addresses, bounded in time and size.
 * Redirects are not followed.
 */
export function providerFetch(http: Pick<OutboundHttp, 'request'>): CustomFetch {
  return async (url, { method, headers, body, signal }) => {
    const text = body instanceof URLSearchParams ? body.toString() : body
    if (method !== 'GET' && method !== 'POST') throw new Error(`providers are not asked by ${method}`)
    if (text !== undefined && text !== null && typeof text !== 'string') throw new Error('providers are sent text only')
    const answer = await http.request({
      method,
      url,
      headers,
      ...(typeof text === 'string' && { body: text }),
      timeoutMs: TIMEOUT_MS,
      bytesMax: BYTES_MAX,
      ...(signal && { signal }),
    })
    if (answer.isCut) throw new OutboundFailure(`the answer is larger than ${BYTES_MAX / 1024} KiB`, true)
    const isEmpty = WITHOUT_BODY.has(answer.status)
    return new Response(isEmpty ? null : answer.body, {
      status: answer.status,
      headers: Object.entries(answer.headers).flatMap(([name, value]) =>
        typeof value === 'string' ? [[name, value] as [string, string]] : [],
      ),
    })
  }
}
