import * as http from 'node:http'
import * as https from 'node:https'
import { pipeline, type Readable } from 'node:stream'
import { RequestFilteringHttpAgent, RequestFilteringHttpsAgent } from 'request-filtering-agent'
import { tracing } from '../tracing/tracing.js'
import { isNotAllowed, isReservedIpv6, lookupPublic, NOT_ALLOWED } from './public-addresses.js'

export interface OutboundRequest {
  method: 'GET' | 'POST'
  url: string
  headers?: Readonly<Record<string, string>>
  body?: string | Uint8Array | StreamedBody
  /** From the first byte sent to the last one received. */
  timeoutMs: number
  /** Maximum size of the answer; the rest is not read. Depends on its status and what it begins with, if given as a function. */
  bytesMax: number | ((status: number, beginning: Buffer) => number)
  /** Aborts the request, which then fails like a timeout. */
  signal?: AbortSignal
}

/** A body that is read while it is sent: for requests that are never repeated. */
export interface StreamedBody {
  bytes: number
  content: Readable
}

export interface OutboundAnswer {
  status: number
  headers: http.IncomingHttpHeaders
  body: string
  isCut: boolean
}

/** An answer with a binary body. */
export type OutboundBytes = Omit<OutboundAnswer, 'body'> & { bytes: Buffer }

export interface OutboundHttpOptions {
  allowPrivate: boolean
  userAgent: string
  /**
   * Reuses connections, and repeats a request when the receiver has closed the idle connection: only for receivers that
   * recognize repeats. Otherwise each request has its own connection and is sent at most once.
   */
  keepAlive: boolean
  /** Connections to one host; further requests wait for one. 16 by default. */
  socketsPerHost?: number
}

/** Reason for which there is no answer; the message is for an administrator. */
export class OutboundFailure extends Error {
  constructor(
    message: string,
    /** The connection was established: the receiver may have processed the request. */
    readonly mayHaveArrived: boolean,
  ) {
    super(message)
    this.name = new.target.name
  }
}

const SOCKETS_PER_HOST = 16

/**
 * Sends requests to addresses given by clients. Unless allowed, connections to anything but a public address are
 * refused, when the connection is made: it makes no difference how the address is written or what a name resolved to
 * earlier. Redirects are returned, not followed.
 */
export class OutboundHttp {
  readonly #http: http.Agent
  readonly #https: https.Agent
  readonly #isGuarded: boolean
  readonly #userAgent: string

  constructor({ allowPrivate, userAgent, keepAlive, socketsPerHost = SOCKETS_PER_HOST }: OutboundHttpOptions) {
    const agent = {
      keepAlive,
      maxSockets: socketsPerHost,
      allowPrivateIPAddress: allowPrivate,
      allowMetaIPAddress: allowPrivate,
      ...(!allowPrivate && { lookup: lookupPublic }),
    }
    this.#isGuarded = !allowPrivate
    this.#userAgent = userAgent
    this.#http = new RequestFilteringHttpAgent(agent)
    this.#https = new RequestFilteringHttpsAgent(agent)
  }

  /** @throws OutboundFailure for a refused address, a failed connection, a timeout */
  async request(request: OutboundRequest): Promise<OutboundAnswer> {
    const { bytes, ...answer } = await this.requestBytes(request)
    return { ...answer, body: bytes.toString() }
  }

  /** Like {@link request}, for a binary answer. */
  async requestBytes(request: OutboundRequest): Promise<OutboundBytes> {
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

  #send(request: OutboundRequest): Promise<OutboundBytes> {
    const url = new URL(request.url)
    return tracing().outgoing(
      request.method,
      url,
      (trace) => this.#exchange({ ...request, headers: { ...request.headers, ...trace } }, url),
      ({ status }) => status,
    )
  }

  #exchange(
    { method, url, headers, body, timeoutMs, bytesMax, signal: given }: OutboundRequest,
    { protocol, hostname }: URL,
  ): Promise<OutboundBytes> {
    const isTls = protocol === 'https:'
    const literal = hostname.replace(/^\[|\]$/g, '')
    if (this.#isGuarded && isReservedIpv6(literal)) return Promise.reject(new OutboundFailure(NOT_ALLOWED, false))
    const timeout = AbortSignal.timeout(timeoutMs)
    const signal = given ? AbortSignal.any([timeout, given]) : timeout
    return new Promise((resolve, reject) => {
      const request = (isTls ? https : http).request(url, {
        method,
        agent: isTls ? this.#https : this.#http,
        signal,
        headers: {
          'user-agent': this.#userAgent,
          ...(body !== undefined && { 'content-length': String(bytesOf(body)) }),
          ...headers,
        },
      })
      let isConnected = false
      request.on('socket', (socket) => {
        isConnected = request.reusedSocket
        if (!isConnected) socket.once(isTls ? 'secureConnect' : 'connect', () => (isConnected = true))
      })
      const fail = (error: Error): void => {
        const words = signal.aborted ? `no answer within ${timeoutMs / 1_000} s` : error.message
        if (isStale(error, request, signal)) reject(new StaleConnection(words))
        else if (isNotAllowed(error)) reject(new OutboundFailure(NOT_ALLOWED, false))
        else reject(new OutboundFailure(words, isConnected))
      }
      request.on('error', fail)
      request.on('response', (response) => {
        response.on('error', fail)
        const { statusCode: status, headers: fields } = response
        readBody(response, bytesMax)
          .then((read) => resolve({ status: status!, headers: fields, ...read }))
          .catch(fail)
      })
      if (body === undefined || isWhole(body)) request.end(body)
      else pipeline(body.content, request, (error) => error && fail(error))
    })
  }
}

function isWhole(body: NonNullable<OutboundRequest['body']>): body is string | Uint8Array {
  return typeof body === 'string' || body instanceof Uint8Array
}

function bytesOf(body: NonNullable<OutboundRequest['body']>): number {
  return isWhole(body) ? Buffer.byteLength(body) : body.bytes
}

class StaleConnection extends Error {}

function isStale(error: Error, { reusedSocket }: http.ClientRequest, { aborted }: AbortSignal): boolean {
  const { code } = error as NodeJS.ErrnoException
  return reusedSocket && !aborted && (code === 'ECONNRESET' || code === 'EPIPE')
}

async function readBody(
  response: http.IncomingMessage,
  bytesMax: OutboundRequest['bytesMax'],
): Promise<{ bytes: Buffer; isCut: boolean }> {
  const chunks: Buffer[] = []
  let bytes = 0
  let most = 0
  for await (const chunk of response as AsyncIterable<Buffer>) {
    if (bytes === 0) most = typeof bytesMax === 'number' ? bytesMax : bytesMax(response.statusCode!, chunk)
    bytes += chunk.length
    chunks.push(chunk)
    if (bytes > most) break
  }
  return { bytes: Buffer.concat(chunks).subarray(0, most), isCut: bytes > most }
}
