import { lookup, type LookupAddress } from 'node:dns'
import * as http from 'node:http'
import * as https from 'node:https'
import { BlockList, isIPv6, type LookupFunction } from 'node:net'
import { RequestFilteringHttpAgent, RequestFilteringHttpsAgent } from 'request-filtering-agent'

export interface OutboundRequest {
  method: 'GET' | 'POST'
  url: string
  headers?: Readonly<Record<string, string>>
  body?: string
  /** From the first byte sent to the last one received. */
  timeoutMs: number
  /** Of the answer; what is beyond is not read. */
  bytesMax: number
}

export interface OutboundAnswer {
  status: number
  headers: http.IncomingHttpHeaders
  body: string
  isCut: boolean
}

const SOCKETS_PER_HOST_MAX = 16
const USER_AGENT = 'Switchboard-Webhooks/2'

/**
 * Speaks to addresses that clients name. Unless allowed, a connection to anything but a public address is refused,
 * where it is made: it makes no difference how the address is written, or what a name resolved to before. Redirects
 * are answers like others: they are not followed.
 */
export class OutboundHttp {
  readonly #http: http.Agent
  readonly #https: https.Agent
  readonly #isGuarded: boolean

  constructor(options: { allowPrivate: boolean }) {
    const agent = {
      keepAlive: true,
      maxSockets: SOCKETS_PER_HOST_MAX,
      allowPrivateIPAddress: options.allowPrivate,
      allowMetaIPAddress: options.allowPrivate,
      ...(!options.allowPrivate && { lookup: lookupPublic }),
    }
    this.#isGuarded = !options.allowPrivate
    this.#http = new RequestFilteringHttpAgent(agent)
    this.#https = new RequestFilteringHttpsAgent(agent)
  }

  /** @throws Error in words for an administrator: refused address, no connection, timeout. */
  async request(request: OutboundRequest): Promise<OutboundAnswer> {
    try {
      return await this.#send(request)
    } catch (error) {
      if (!(error instanceof StaleConnection)) throw error
      // The receiver closed the idle connection while the request was on its way.
      return this.#send(request)
    }
  }

  close(): void {
    this.#http.destroy()
    this.#https.destroy()
  }

  #send({ method, url, headers, body, timeoutMs, bytesMax }: OutboundRequest): Promise<OutboundAnswer> {
    const { protocol, hostname } = new URL(url)
    const isTls = protocol === 'https:'
    const literal = hostname.replace(/^\[|\]$/g, '')
    if (this.#isGuarded && isReservedIpv6(literal)) return Promise.reject(notAllowed())
    const signal = AbortSignal.timeout(timeoutMs)
    return new Promise((resolve, reject) => {
      const request = (isTls ? https : http).request(url, {
        method,
        agent: isTls ? this.#https : this.#http,
        signal,
        headers: {
          'user-agent': USER_AGENT,
          ...(body !== undefined && { 'content-length': String(Buffer.byteLength(body)) }),
          ...headers,
        },
      })
      const fail = (error: Error): void => reject(inWords(error, { request, signal, timeoutMs }))
      request.on('error', fail)
      request.on('response', (response) => {
        response.on('error', fail)
        const { statusCode: status, headers: fields } = response
        readBody(response, bytesMax).then((read) => resolve({ status: status!, headers: fields, ...read })).catch(fail)
      })
      request.end(body)
    })
  }
}

class StaleConnection extends Error {}

/**
 * Of IPv6 only 2000::/3 has been given out. The agent knows the private and reserved blocks, but takes those without a
 * name for public, among them ::/96, which some systems route as IPv4.
 */
const RESERVED_IPV6 = new BlockList()
RESERVED_IPV6.addSubnet('::', 3, 'ipv6')
RESERVED_IPV6.addSubnet('4000::', 2, 'ipv6')
RESERVED_IPV6.addSubnet('8000::', 1, 'ipv6')

function isReservedIpv6(address: string): boolean {
  return isIPv6(address) && RESERVED_IPV6.check(address, 'ipv6')
}

/** The system's lookup, for the agent to check further. */
const lookupPublic: LookupFunction = (hostname, options, callback) => {
  lookup(hostname, options, (error, found: string | LookupAddress[], family) => {
    const addresses = typeof found === 'string' ? [found] : (found ?? []).map(({ address }) => address)
    if (!error && addresses.some(isReservedIpv6)) callback(notAllowed(), '')
    else callback(error, found, family)
  })
}

function notAllowed(): Error {
  return new Error('the address is private or reserved: not allowed')
}

async function readBody(response: http.IncomingMessage, bytesMax: number): Promise<{ body: string; isCut: boolean }> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of response as AsyncIterable<Buffer>) {
    bytes += chunk.length
    chunks.push(chunk)
    if (bytes > bytesMax) break
  }
  return { body: Buffer.concat(chunks).subarray(0, bytesMax).toString(), isCut: bytes > bytesMax }
}

function inWords(
  error: Error,
  { request, signal, timeoutMs }: { request: http.ClientRequest; signal: AbortSignal; timeoutMs: number },
): Error {
  if (signal.aborted) return new Error(`no answer within ${timeoutMs / 1_000} s`)
  const { code } = error as NodeJS.ErrnoException
  if (request.reusedSocket && (code === 'ECONNRESET' || code === 'EPIPE')) return new StaleConnection(error.message)
  if (/is not allowed\. Because/.test(error.message)) return notAllowed()
  return error
}
