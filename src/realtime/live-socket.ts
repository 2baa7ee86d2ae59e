import type { Socket } from 'node:net'
import { WebSocket } from 'ws'
import type { Caller } from '../access/caller.js'
import { SocketOperations } from './caller-sockets.js'
import { MessageFrame, NO_ID, type EncodedId, type Frame } from './frames.js'
import { CloseCode, type RealtimeLimits } from './limits.js'
import type { SocketWriteScheduler, OutboxOwner, SocketOutbox } from './socket-write-scheduler.js'

/** What a socket holds under an operation's id, until either side ends it. */
export interface SocketOperation {
  readonly id: string
  /** The socket is gone, or the id was taken anew: ends without a word to the client. */
  drop(): void
}

export interface LiveSocketOptions {
  ws: WebSocket
  socket: Socket
  outbox: SocketWriteScheduler
  limits: RealtimeLimits
  address: string
  origin: string | null
  /** Of a page that may show the web widget and nothing else. */
  isForGuests: boolean
  userAgent: string | null
  acceptLanguage: string | null
  /** The header of the upgrade request; browsers cannot set it. */
  upgradeAuthorization: string | undefined
}

/** A close frame's reason may have 123 bytes. */
const REASON_CHARS_MAX = 120

/** One client's WebSocket: what it may send and hold, and every byte that goes to it. */
export class LiveSocket implements OutboxOwner {
  /** Set by `connection_init`. */
  caller: Caller | null = null
  readonly address: string
  readonly origin: string | null
  readonly isForGuests: boolean
  readonly userAgent: string | null
  readonly acceptLanguage: string | null
  readonly upgradeAuthorization: string | undefined
  readonly operations = new SocketOperations()
  readonly protocol: string
  readonly #ws: WebSocket
  readonly #outbox: SocketOutbox
  readonly #limits: RealtimeLimits
  #heldBytes = 0
  /** Of a snapshot that is on its way: it may be as large as it is. */
  #snapshotBytes = 0
  #turn: Promise<unknown> = Promise.resolve()
  #isClosing = false
  #messages: number
  #messagesAt = performance.now()
  #seenAt = performance.now()
  #pingedAt = performance.now()
  #taken = 0

  constructor(options: LiveSocketOptions) {
    const { ws, socket, outbox, limits } = options
    this.#ws = ws
    this.#outbox = outbox.open(socket, this)
    this.#limits = limits
    this.#messages = limits.messageBurst
    this.protocol = ws.protocol
    this.address = options.address
    this.origin = options.origin
    this.isForGuests = options.isForGuests
    this.userAgent = options.userAgent
    this.acceptLanguage = options.acceptLanguage
    this.upgradeAuthorization = options.upgradeAuthorization
  }

  /** Nothing more is written to it. */
  get isClosing(): boolean {
    return this.#isClosing
  }

  /** Bytes on their way to the client, those held back by subscriptions that are not live yet included. */
  get backlog(): number {
    return this.#outbox.bytes + this.#heldBytes
  }

  /** Counts what subscriptions hold back for later as part of the backlog. */
  hold(bytes: number): void {
    this.#heldBytes += bytes
    if (bytes > 0 && this.backlog - this.#snapshotBytes > this.#limits.backlogBytes) this.#refuse()
  }

  send(text: string): void {
    this.write(new MessageFrame(text), NO_ID)
  }

  /**
   * Writes a frame. What has waited too long ends the socket, before more is added to it: one frame may be larger than
   * the bound.
   */
  write(frame: Frame, id: EncodedId): void {
    if (this.#isClosing) return
    // Without asking the socket itself, which is asked when it is written to.
    const { backlogBytes } = this.#limits
    if (this.#outbox.waitingBytes + this.#heldBytes - this.#snapshotBytes > backlogBytes) this.#refuse()
    else this.#outbox.push(frame, id)
  }

  /** Parts of snapshots of one socket are made and sent one after the other: a slow client holds the memory of one. */
  inTurn<T>(send: () => Promise<T>): Promise<T> {
    const sent = this.#turn.then(send)
    this.#turn = sent.catch(() => undefined)
    return sent
  }

  /**
   * Writes a part of a snapshot, when the client has taken what came before, and resolves when it has taken nearly all of
   * it. The bound on the backlog is one on what comes besides. In a turn only.
   */
  async writeInFull(frame: Frame, id: EncodedId): Promise<void> {
    await this.room()
    this.#snapshotBytes = frame.byteLength(id)
    this.write(frame, id)
    await this.room()
    this.#snapshotBytes = 0
  }

  isOpen(): boolean {
    return this.#ws.readyState === WebSocket.OPEN
  }

  isTooFarBehind(bytes: number): boolean {
    if (bytes + this.#heldBytes - this.#snapshotBytes <= this.#limits.backlogBytes) return false
    this.#refuse()
    return true
  }

  /** Resolves when the client has taken enough of what it was sent for a replay to go on, or is gone. */
  async room(): Promise<void> {
    while (!this.#isClosing && this.#outbox.bytes > this.#limits.replayBacklogBytes) {
      await new Promise((resolve) => setTimeout(resolve, 10))
    }
  }

  /** Counts a message; past the rate the socket is closed. */
  takeMessage(): void {
    const now = performance.now()
    const { messagesPerSecond, messageBurst } = this.#limits
    const refilled = this.#messages + ((now - this.#messagesAt) / 1_000) * messagesPerSecond
    this.#messages = Math.min(messageBurst, refilled) - 1
    this.#messagesAt = now
    this.#seenAt = now
    if (this.#messages < 0) this.close(CloseCode.TOO_MANY_MESSAGES, 'too many messages')
  }

  seen(): void {
    this.#seenAt = performance.now()
  }

  /** Pings a silent peer, and cuts a dead one. */
  heartbeat(): void {
    const now = performance.now()
    const { heartbeatMs } = this.#limits
    const { taken } = this.#outbox
    // On a slow line a pong comes behind all that is to be taken before the ping.
    if (taken > this.#taken) this.#seenAt = now
    this.#taken = taken
    if (now - this.#seenAt > heartbeatMs * 2) return this.#ws.terminate()
    if (this.#isClosing || now - this.#seenAt < heartbeatMs || now - this.#pingedAt < heartbeatMs) return
    this.#pingedAt = now
    this.#ws.ping()
  }

  /** Ends all operations, sends what waits and the close frame; cuts a client that does not answer it. */
  close(code: number, reason: string): void {
    if (this.#isClosing) return
    this.#outbox.flush()
    this.#end()
    this.#ws.close(code, reason.slice(0, REASON_CHARS_MAX))
    setTimeout(() => this.#ws.terminate(), this.#limits.closeWaitMs).unref()
  }

  /** The connection is gone. */
  closed(): void {
    if (!this.#isClosing) this.#end()
  }

  terminate(): void {
    this.#ws.terminate()
  }

  #refuse(): void {
    if (this.#isClosing) return
    this.#outbox.clear()
    this.close(CloseCode.TRY_AGAIN_LATER, 'the client reads too slowly; resume from the last cursor')
  }

  #end(): void {
    this.#isClosing = true
    this.#outbox.clear()
    const operations = [...this.operations.values()]
    this.operations.clear()
    for (const operation of operations) operation.drop()
  }
}
