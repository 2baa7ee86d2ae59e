import type { ServerResponse } from 'node:http'
import type { ExecutionResult } from 'graphql'
import { WebSocket } from 'ws'
import type { StreamRequest } from '../graphql/stream-request.js'
import { EventFrame } from './frames.js'
import { CloseCode } from './limits.js'
import type { LivePeer, LiveSocket } from './live-socket.js'
import { accept, type ProtocolOptions } from './protocol.js'
import type { ByteSink } from './socket-write-scheduler.js'
import { Subscription } from './subscription.js'

/** Not sent to the client: the connection ended without a word. */
const ABNORMAL = 1006
const NORMAL = 1000
/** Closures after which the client comes back with its cursor: the stream ends without `complete`. */
const RETURNING: ReadonlySet<number> = new Set([CloseCode.RESTART, CloseCode.TRY_AGAIN_LATER])
const COMMENT = Buffer.from(':\n\n')
const COMPLETE = EventFrame.of('complete', '')

/** A response as the peer of a live socket. Proxies that buffer answers or cut silent ones need its headers and comments. */
export class EventStreamPeer implements LivePeer, ByteSink {
  readonly protocol = 'text/event-stream'
  /** As a WebSocket would have been closed. */
  closeCode = ABNORMAL

  constructor(private readonly response: ServerResponse) {}

  begin(headers: StreamRequest['headers']): void {
    const { response } = this
    for (const [name, value] of Object.entries(headers)) if (value !== undefined) response.setHeader(name, value)
    response.writeHead(200, {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store, no-transform',
      'x-accel-buffering': 'no',
    })
    // The client sees at once that it is connected.
    response.write(COMMENT)
  }

  get readyState(): number {
    return this.writable ? WebSocket.OPEN : WebSocket.CLOSED
  }

  get writable(): boolean {
    return !this.response.writableEnded && !this.response.destroyed
  }

  get writableLength(): number {
    return this.response.writableLength
  }

  get bytesWritten(): number {
    return this.response.socket?.bytesWritten ?? 0
  }

  write(bytes: Buffer): boolean {
    return this.response.write(bytes)
  }

  cork(): void {
    this.response.cork()
  }

  uncork(): void {
    this.response.uncork()
  }

  /** Writes a sign of life: bytes that the client accepts show that it is there. */
  ping(): void {
    if (this.writable) this.response.write(COMMENT)
  }

  close(code: number, reason: string): void {
    this.closeCode = code
    if (!this.writable) return
    if (code !== NORMAL && !RETURNING.has(code)) {
      const errors = [
        { message: reason, extensions: { code: code === CloseCode.FORBIDDEN ? 'FORBIDDEN' : 'RATE_LIMITED' } },
      ]
      this.response.write(EventFrame.of('next', JSON.stringify({ errors })).take())
      this.response.write(COMPLETE.take())
    }
    this.response.end()
  }

  terminate(): void {
    this.response.destroy()
  }
}

const ID = '1'

/** Runs the operation of a stream, and ends it after the operation. */
export async function runStream(options: ProtocolOptions, live: LiveSocket, request: StreamRequest): Promise<void> {
  const { payload, lastEventId, isReading } = request
  const { operations, newContext } = options
  const sources = new Map(options.sources.map((source) => [source.field, source]))
  const tell = (result: ExecutionResult | { errors: readonly unknown[] }): void =>
    live.sendFrame(EventFrame.of('next', JSON.stringify(result)))
  try {
    const accepted = await accept(options, sources, live, { id: ID, payload, after: lastEventId, isReading })
    if (Array.isArray(accepted)) tell({ errors: accepted })
    else if (!(accepted.answer instanceof Subscription)) tell(accepted.answer)
    // Its events go directly to the response.
    else await accepted.answer.next()
  } catch (error) {
    const { errors = [] } = operations.refuse(newContext(live), error)
    tell({ errors })
  }
  live.sendFrame(COMPLETE)
  live.close(NORMAL, '')
}
