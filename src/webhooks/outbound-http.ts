import * as http from 'node:http'
import * as https from 'node:https'
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
 * Speaks to addresses that clients name. Unless allowed, a connection to anything but a public address is refused, where
 * it is made: it makes no difference how the address is written, or what a name resolved to before. Redirects are
 * answers like others: they are not followed.
 */
export class OutboundHttp {
  readonly #http: http.Agent
  readonly #https: https.Agent

  constructor(options: { allowPrivate: boolean }) {
    const agent = {
      keepAlive: true,
      maxSockets: SOCKETS_PER_HOST_MAX,
      allowPrivateIPAddress: options.allowPrivate,
      allowMetaIPAddress: options.allowPrivate,
    }
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
    const isTls = url.startsWith('https:')
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
        readBody(response, bytesMax).then(({ text, isCut }) => {
          resolve({ status: response.statusCode!, headers: response.headers, body: text, isCut })
        }, fail)
      })
      request.end(body)
    })
  }
}

class StaleConnection extends Error {}

async function readBody(response: http.IncomingMessage, bytesMax: number): Promise<{ text: string; isCut: boolean }> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of response as AsyncIterable<Buffer>) {
    bytes += chunk.length
    chunks.push(chunk)
    if (bytes > bytesMax) break
  }
  return { text: Buffer.concat(chunks).subarray(0, bytesMax).toString(), isCut: bytes > bytesMax }
}

function inWords(
  error: Error,
  { request, signal, timeoutMs }: { request: http.ClientRequest; signal: AbortSignal; timeoutMs: number },
): Error {
  if (signal.aborted) return new Error(`no answer within ${timeoutMs / 1_000} s`)
  const { code } = error as NodeJS.ErrnoException
  if (request.reusedSocket && (code === 'ECONNRESET' || code === 'EPIPE')) return new StaleConnection(error.message)
  if (/is not allowed\. Because/.test(error.message)) return new Error('the address is private or reserved: not allowed')
  return error
}
