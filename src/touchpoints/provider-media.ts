import type { OutboundHttp } from '../outbound/outbound-http.js'

export interface MediaRequest {
  url: string
  /** Sent to the address's own site, and to no other that it leads to. */
  authorization?: string
  bytesMax: number
}

const REDIRECTS_MAX = 3
const TIMEOUT_MS = 30_000

/**
 * What a consumer sent besides words, from where the provider keeps it. Redirects are followed, each as guarded as the
 * first.
 * @returns null for what is not there (any more), is too large, or leads nowhere
 * @throws OutboundFailure for no answer; Error for an answer that may be another one later
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
    if (status === 429 || status >= 500) throw new Error(`the media was answered with status ${status}`)
    const next = status >= 300 && status < 400 ? URL.parse(headers.location ?? '', address) : null
    if (next?.protocol !== 'https:' && next?.protocol !== 'http:') return null
    address = next.href
  }
  return null
}
