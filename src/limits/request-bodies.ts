import { errorCodes, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import type { Readable } from 'node:stream'
import { DomainError, RequestAborted } from '../errors.js'
import { BytesInFlight, type Flight } from './bytes-in-flight.js'

const MEBIBYTE = 1024 * 1024
/** Held in memory by all requests together. Behind an untrusted proxy all have one address. */
const MEMORY_LIMITS = { total: 256 * MEBIBYTE, perAddress: 128 * MEBIBYTE }
/** Uploads being written to disk. */
const DISK_LIMITS = { total: 1_024 * MEBIBYTE, perAddress: 512 * MEBIBYTE }
/** A 413 with the framework's message. */
const TooLarge = errorCodes.FST_ERR_CTP_BODY_TOO_LARGE

/** Reads all request bodies, so that every one held is counted. */
export class RequestBodies {
  readonly memory: BytesInFlight
  readonly disk: BytesInFlight
  readonly #flights = new WeakMap<FastifyRequest, Flight & { reply: FastifyReply }>()

  constructor(memory = new BytesInFlight(MEMORY_LIMITS), disk = new BytesInFlight(DISK_LIMITS)) {
    this.memory = memory
    this.disk = disk
  }

  /** Counts a request's bytes until it is answered or its connection ends. */
  watch(app: FastifyInstance): void {
    app.addHook('onRequest', async (request, reply) => {
      const { headers } = request
      if (headers['content-length'] === undefined && headers['transfer-encoding'] === undefined) return
      const flight = this.memory.open(request.ip)
      this.#flights.set(request, { ...flight, reply })
      reply.raw.once('close', () => flight.end())
    })
  }

  /**
   * Refuses by its headers a body for which there is no room now: reading some of it first would cost more than all
   * else. @throws Unavailable
   */
  refuseWithoutRoom(request: FastifyRequest): void {
    this.#flights.get(request)?.expect(Number(request.headers['content-length'] ?? 0))
  }

  /** Reads the whole body, at most as long as its route allows. @throws FastifyError (413), Unavailable */
  async read(request: FastifyRequest, payload: Readable): Promise<Buffer> {
    const flight = this.#flights.get(request)
    try {
      return await readWhole(payload, request, flight)
    } catch (error) {
      // The rest of the body is not read.
      flight?.reply.header('connection', 'close')
      throw abortedOr(request, error)
    }
  }

  /** Counts each part of a body while it is being written to disk. @throws Unavailable */
  async *onItsWay(request: FastifyRequest, chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    const flight = this.disk.open(request.ip)
    try {
      for await (const chunk of chunks) {
        flight.add(chunk.length)
        yield chunk
      }
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

async function readWhole(
  payload: Readable,
  { headers, routeOptions: { bodyLimit } }: FastifyRequest,
  flight: Flight | undefined,
): Promise<Buffer> {
  const announced = Number(headers['content-length'] ?? 0)
  if (announced > bodyLimit) throw new TooLarge()
  flight?.expect(announced)
  const chunks: Buffer[] = []
  let length = 0
  // Destroying it would close the connection before the answer is sent.
  for await (const chunk of payload.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    length += chunk.length
    if (length > bodyLimit) throw new TooLarge()
    flight?.add(chunk.length)
    chunks.push(chunk)
  }
  return chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks, length)
}
