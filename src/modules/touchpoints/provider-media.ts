import type { OutboundHttp } from '../../platform/outbound/outbound-http.js'

export interface MediaRequest {
  url: string
  /** Sent to the address's own origin only, not to targets of redirects. */
  authorization?: string
  bytesMax: number
}

const REDIRECTS_MAX = 3
const TIMEOUT_MS = 30_000

/**
 * Downloads a consumer's file from the provider. Follows redirects, each with the same protection as the first address.
 * @returns null for a file that does not exist (any more), is too large, or has no valid address
 * @throws OutboundFailure without an answer; Error for an answer that may be temporary
 */
export async function fetchMedia(
  http: OutboundHttp,
  { url, authorization, bytesMax }: MediaRequest,
): Promise<Buffer | null> {
  const { origin } = new URL(url)
  let address = url
  for (let redirects = 0; redirects <= REDIRECTS_MAX; redirects++) {
    const isOwn = new URL(address).origin === origin
    const answer = await http.requestBytes({
      method: 'GET',
      url: address,
      headers: isOwn && authorization !== undefined ? { authorization } : {},
      timeoutMs: TIMEOUT_MS,
      bytesMax,
    })
    const { status, headers } = answer
    if (status === 200) return answer.isCut ? null : answer.bytes
    if (status === 429 || status >= 500) throw new Error(`the request for the media failed with status ${status}`)
    const next = status >= 300 && status < 400 ? URL.parse(headers.location ?? '', address) : null
    if (next?.protocol !== 'https:' && next?.protocol !== 'http:') return null
    address = next.href
  }
  return null
}
