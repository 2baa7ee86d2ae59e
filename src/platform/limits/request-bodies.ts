import { errorCodes, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import type { Readable } from 'node:stream'
import { DomainError, RequestAborted, Unavailable } from '../errors.js'
import { BytesInFlight, type Flight, type SenderShare } from './bytes-in-flight.js'
import { refuseSmallChunks } from './chunk-size.js'
import { atLeastRate } from './least-rate.js'
import { onceEnded } from './request-end.js'

const MEBIBYTE = 1024 * 1024
/** Held in memory by all requests together. Behind an untrusted proxy all have one address. */
const MEMORY_LIMITS = {
  total: 256 * MEBIBYTE,
  perAddress: 128 * MEBIBYTE,
  unknown: { total: 128 * MEBIBYTE, perAddress: 32 * MEBIBYTE },
}
/** Parts of the memory that one caller, one customer with all of its callers, and one contact center may hold. */
const SHARES = { caller: 32 * MEBIBYTE, customer: 64 * MEBIBYTE, center: 128 * MEBIBYTE }
/** Those of guests leave room for sign-ins, and for the guests of others. */
const GUESTS_SHARES = { caller: 4 * MEBIBYTE, customer: 32 * MEBIBYTE, center: 64 * MEBIBYTE }
/** Uploads being written to disk. */
const DISK_LIMITS = { total: 1_024 * MEBIBYTE, perAddress: 512 * MEBIBYTE }
/** The longest JSON without credentials, or with wrong ones: a sign-in has some hundred bytes. */
export const ANONYMOUS_BYTES_MAX = 65_536
/** A 413 with the framework's message. */
const TooLarge = errorCodes.FST_ERR_CTP_BODY_TOO_LARGE

/** The sender of a body; `key` is absent for a service, whose calls are its organization's. */
export interface Sender {
  kind: string
  key?: string
  path: readonly (string | undefined)[]
}

/** Reads all request bodies, so that every one held is counted. */
export class RequestBodies {
  readonly memory: BytesInFlight
  readonly disk: BytesInFlight
  readonly #flights = new WeakMap<FastifyRequest, Flight & { reply: FastifyReply }>()
  readonly #known = new WeakMap<FastifyRequest, string>()
  readonly #sent = new WeakMap<FastifyRequest, number>()
  readonly #withoutRoom = new WeakSet<FastifyRequest>()
  readonly #admitted = new WeakSet<FastifyRequest>()

  constructor(memory = new BytesInFlight(MEMORY_LIMITS), disk = new BytesInFlight(DISK_LIMITS)) {
    this.memory = memory
    this.disk = disk
  }

  /** Counts a request's bytes until it is answered or refused, or its connection ends. */
  watch(app: FastifyInstance): void {
    app.addHook('onRequest', async (request, reply) => {
      const { headers } = request
      if (headers['content-length'] === undefined && headers['transfer-encoding'] === undefined) return
      const flight = this.memory.open(request.ip, () => request.raw.destroy())
      this.#flights.set(request, { ...flight, reply })
      onceEnded(reply.raw, () => flight.end())
    })
  }

  /**
   * Refuses by its headers a body for which there is no room now: reading some of it first would cost more than all
   * else. @throws Unavailable
   */
  refuseWithoutRoom(request: FastifyRequest): void {
    const announced = announcedBy(request)
    try {
      this.#flights.get(request)?.reserve(announced)
    } catch (error) {
      this.#noteRefusal(request, announced, error)
      throw error
    }
  }

  #noteRefusal(request: FastifyRequest, bytes: number, error: unknown): void {
    this.#sent.set(request, bytes)
    if (error instanceof Unavailable) this.#withoutRoom.add(request)
  }

  /** Counts the request's body among those of callers who have proven who they are. @param sender id of the caller */
  know(request: FastifyRequest, sender: string): void {
    this.#known.set(request, sender)
    this.#flights.get(request)?.know()
  }

  /** Counts the request's body as its sender's, its customer's and its contact center's: of a guest, as the guests' part. */
  attribute(request: FastifyRequest, { kind, key, path: [center, customer] }: Sender): void {
    const bytes = kind === 'guest' ? GUESTS_SHARES : SHARES
    const shares = [
      { sender: key, bytes: bytes.caller },
      { sender: customer, bytes: bytes.customer },
      { sender: center, bytes: bytes.center },
    ].filter((share): share is SenderShare => share.sender !== undefined)
    this.#flights.get(request)?.attribute(shares.map((share) => ({ ...share, sender: `${kind} ${share.sender}` })))
  }

  isKnown(request: FastifyRequest): boolean {
    return this.#known.has(request)
  }

  /** Returns the id of the caller; undefined of one who has not proven who they are. */
  senderOf(request: FastifyRequest): string | undefined {
    return this.#known.get(request)
  }

  /** Returns the length of a body that was read, or refused: what came of it, or was announced to come. */
  bytesOf(request: FastifyRequest): number {
    return this.#sent.get(request) ?? 0
  }

  /** Tells whether a body was refused since there was no room for it. */
  isWithoutRoom(request: FastifyRequest): boolean {
    return this.#withoutRoom.has(request)
  }

  /** Lets a request have the body of its route: its credentials are right, also those of a guest. */
  admit(request: FastifyRequest): void {
    this.#admitted.add(request)
  }

  isAdmitted(request: FastifyRequest): boolean {
    return this.#admitted.has(request)
  }

  /**
   * Reads the whole body, at most as long as its route allows, or `bytesMax`.
   * @throws FastifyError (413), Unavailable, BadUserInput for chunks of a few bytes
   */
  async read(
    request: FastifyRequest,
    payload: Readable,
    bytesMax: number = request.routeOptions.bodyLimit,
  ): Promise<Buffer> {
    const flight = this.#flights.get(request)
    const announced = announcedBy(request)
    let received = 0
    const count = (bytes: number): void => {
      received += bytes
      if (received > bytesMax) throw new TooLarge()
      flight?.add(bytes)
    }
    try {
      if (announced > bytesMax) throw new TooLarge()
      flight?.reserve(announced)
      const body = await readWhole(payload, count)
      this.#sent.set(request, body.length)
      refuseSmallChunks(request.raw)
      return body
    } catch (error) {
      // The rest of the body is not read.
      flight?.reply.header('connection', 'close')
      this.#noteRefusal(request, Math.max(announced, received), error)
      throw abortedOr(request, error)
    }
  }

  /** Counts each part of a body while it is being written to disk. @throws Unavailable */
  async *onItsWay(request: FastifyRequest, chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    const flight = this.disk.open(request.ip)
    try {
      for await (const chunk of atLeastRate(chunks, () => request.raw.destroy())) {
        flight.add(chunk.length)
        yield chunk
      }
      refuseSmallChunks(request.raw)
    } finally {
      flight.end()
    }
  }
}

/**
 * Returns the error that a body could not be read for. The one of a client that hung up has the code of a lost
 * connection, which anybody further up would take for the database's.
 */
export function abortedOr({ raw }: FastifyRequest, error: unknown): unknown {
  return raw.readableAborted && !(error instanceof DomainError) ? new RequestAborted() : error
}

function announcedBy({ headers }: FastifyRequest): number {
  return Number(headers['content-length'] ?? 0)
}

/** @param count is told of each part, and throws to read no more */
async function readWhole(payload: Readable, count: (bytes: number) => void): Promise<Buffer> {
  const chunks: Buffer[] = []
  // Destroying it would close the connection before the answer is sent.
  const received = payload.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>
  for await (const chunk of atLeastRate(received, () => payload.destroy())) {
    count(chunk.length)
    chunks.push(chunk)
  }
  return chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)
}
