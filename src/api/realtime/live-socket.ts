import { WebSocket } from 'ws'
import type { Caller } from '../../platform/access/caller.js'
import { SocketOperations } from './caller-sockets.js'
import { MessageFrame, NextFrames, type EventFrame, NO_ID, type EncodedId, type Frame } from './frames.js'
import { CloseCode, type RealtimeLimits } from './limits.js'
import { LARGE_ANSWER_BYTES, type UnreadAnswers, type UnreadConnection } from '../../platform/limits/unread-answers.js'
import type { ByteSink, SocketWriteScheduler, OutboxOwner, SocketOutbox } from './socket-write-scheduler.js'

/** The client's end: a WebSocket, or a response that is a stream of server-sent events. */
export interface LivePeer {
  readonly protocol: string
  readonly readyState: number
  ping(): void
  close(code: number, reason: string): void
  terminate(): void
}

export interface LiveSocketOptions {
  ws: LivePeer
  socket: ByteSink
  /** True for a stream of server-sent events, which has one operation. */
  isEventStream?: boolean
  outbox: SocketWriteScheduler
  unread: UnreadAnswers
  limits: RealtimeLimits
  address: string
  origin: string | null
  /** True for a page that may show the web widget and nothing else. */
  isForGuests: boolean
  userAgent: string | null
  acceptLanguage: string | null
  /** The header of the upgrade request; browsers cannot set it. */
  upgradeAuthorization: string | undefined
}

/** A close frame's reason may have 123 bytes. */
const REASON_CHARS_MAX = 120

/** Close codes of clients that leave: normal closure, and none given. */
const LEAVING: ReadonlySet<number> = new Set([1000, 1005])
/** Close codes of this server after which clients connect again. */
const RETURNING: ReadonlySet<number> = new Set([CloseCode.RESTART, CloseCode.TRY_AGAIN_LATER])

/** One client's WebSocket or event stream: enforces its limits, and sends all its data. */
export class LiveSocket implements OutboxOwner, UnreadConnection {
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
  readonly #ws: LivePeer
  readonly #isEventStream: boolean
  readonly #outbox: SocketOutbox
  readonly #limits: RealtimeLimits
  readonly #unread: UnreadAnswers
  #heldBytes = 0
  /** Bytes of a snapshot being sent, which the backlog limit does not include. */
  #snapshotBytes = 0
  /** The same of large answers to queries and mutations, which have a limit of their own. */
  #answerBytes = 0
  #turn: Promise<unknown> = Promise.resolve()
  #isClosing = false
  /** Few wait for it. */
  #onGone: Set<() => void> | null = null
  #messages: number
  /** Messages before the sign-in. */
  #unknown = 0
  #messagesAt = performance.now()
  #seenAt = performance.now()
  #pingedAt = performance.now()
  #taken = 0

  constructor(options: LiveSocketOptions) {
    const { ws, socket, outbox, limits } = options
    this.#ws = ws
    this.#isEventStream = options.isEventStream === true
    this.#outbox = outbox.open(socket, this)
    this.#limits = limits
    this.#unread = options.unread
    this.#messages = limits.messageBurst
    this.protocol = ws.protocol
    this.address = options.address
    this.origin = options.origin
    this.isForGuests = options.isForGuests
    this.userAgent = options.userAgent
    this.acceptLanguage = options.acceptLanguage
    this.upgradeAuthorization = options.upgradeAuthorization
  }

  /** Tells whether nothing more is written to it. */
  get isClosing(): boolean {
    return this.#isClosing
  }

  /** Bytes that the client has not yet accepted, including frames buffered for subscriptions that are not live yet. */
  get backlog(): number {
    return this.#outbox.bytes + this.#heldBytes
  }

  /** Counts buffered frames of subscriptions as part of the backlog. */
  hold(bytes: number): void {
    this.#heldBytes += bytes
    if (bytes > 0 && this.backlog - this.#exemptBytes > this.#limits.backlogBytes) this.#refuse()
  }

  send(text: string): void {
    this.sendFrame(new MessageFrame(text))
  }

  /** Sends an answer. */
  sendFrame(frame: MessageFrame | EventFrame): void {
    const bytes = frame.byteLength()
    if (bytes > LARGE_ANSWER_BYTES) this.#exempt(bytes)
    this.write(frame, NO_ID)
  }

  /** A single answer may exceed any limit but that of answers themselves; many at once may not. */
  #exempt(bytes: number): void {
    this.#forgetAnswers()
    if (this.#answerBytes > 0 && this.#answerBytes + bytes > this.#limits.answersBytes) this.#refuse()
    else this.#answerBytes += bytes
  }

  #forgetAnswers(): void {
    if (this.#outbox.bytes <= this.#limits.replayBacklogBytes) this.#answerBytes = 0
  }

  get #exemptBytes(): number {
    return this.#snapshotBytes + this.#answerBytes
  }

  /**
   * Writes a frame. A backlog beyond the limit closes the socket before more is added, since a single frame may exceed
   * the limit.
   */
  write(frame: Frame, id: EncodedId): void {
    if (this.#isClosing) return
    // Does not query the socket itself; that happens on writing.
    const { backlogBytes } = this.#limits
    if (this.#outbox.waitingBytes + this.#heldBytes - this.#exemptBytes > backlogBytes) this.#refuse()
    else this.#outbox.push(this.#isEventStream && frame instanceof NextFrames ? frame.event : frame, id)
  }

  /** Runs one task after the other, for parts of snapshots: a slow client then only uses the memory of one. */
  inTurn<T>(send: () => Promise<T>): Promise<T> {
    const sent = this.#turn.then(send)
    this.#turn = sent.catch(() => undefined)
    return sent
  }

  /**
   * Writes a part of a snapshot once the client has accepted everything before, and resolves when it has accepted
   * nearly all of it. The backlog limit applies to other frames only. Must be called within {@link inTurn}.
   */
  async writeInFull(frame: Frame, id: EncodedId): Promise<void> {
    await this.waitForRoom()
    this.#snapshotBytes = frame.byteLength(id)
    this.write(frame, id)
    await this.waitForRoom()
    this.#snapshotBytes = 0
  }

  isOpen(): boolean {
    return this.#ws.readyState === WebSocket.OPEN
  }

  isTooFarBehind(bytes: number): boolean {
    if (bytes + this.#heldBytes - this.#exemptBytes <= this.#limits.backlogBytes) return false
    this.#refuse()
    return true
  }

  get unreadBytes(): number {
    return this.#outbox.bytes
  }

  addsLarge(): void {
    this.#unread.wrote(this)
  }

  /** Ends it at once: all connections together hold too much. */
  cut(): void {
    this.#end(true)
    this.#ws.terminate()
  }

  /** Resolves when the client has accepted enough for a replay to continue, or the socket is closed. */
  async waitForRoom(bytes = this.#limits.replayBacklogBytes): Promise<void> {
    while (!this.#isClosing && this.#outbox.bytes > bytes) {
      await new Promise((resolve) => setTimeout(resolve, 10))
    }
  }

  /** Counts a message; beyond the rate, or what is needed to sign in, the socket is closed. */
  takeMessage(bytes: number): void {
    const now = performance.now()
    const { messagesPerSecond, messageBurst } = this.#limits
    const refilled = this.#messages + ((now - this.#messagesAt) / 1_000) * messagesPerSecond
    this.#messages = Math.min(messageBurst, refilled) - 1
    this.#messagesAt = now
    this.#seenAt = now
    if (this.#messages < 0) this.close(CloseCode.TOO_MANY_MESSAGES, 'too many messages')
    if (!this.caller) this.#takeUnknown(bytes)
  }

  #takeUnknown(bytes: number): void {
    const { unknownBytes, unknownMessages } = this.#limits
    this.#unknown += 1
    if (this.#unknown > unknownMessages) this.close(CloseCode.TOO_MANY_MESSAGES, 'too many messages before the sign-in')
    if (bytes <= unknownBytes) return
    this.close(CloseCode.BAD_REQUEST, `a message before the sign-in may have ${unknownBytes} bytes`)
  }

  /** Pings a silent peer, and terminates a dead one. */
  heartbeat(): void {
    const now = performance.now()
    const { heartbeatMs } = this.#limits
    const { taken } = this.#outbox
    if (this.#answerBytes > 0) this.#forgetAnswers()
    // On a slow connection a pong arrives after all data before the ping.
    if (taken > this.#taken) this.#seenAt = now
    this.#taken = taken
    if (now - this.#seenAt > heartbeatMs * 2) return this.#ws.terminate()
    if (this.#isClosing || now - this.#seenAt < heartbeatMs || now - this.#pingedAt < heartbeatMs) return
    this.#pingedAt = now
    this.#ws.ping()
  }

  /** Ends all operations, sends waiting frames and the close frame; terminates a client that does not answer it. */
  close(code: number, reason: string): void {
    if (this.#isClosing) return
    this.#outbox.flush()
    this.#end(RETURNING.has(code))
    this.#ws.close(code, reason.slice(0, REASON_CHARS_MAX))
    setTimeout(() => this.#ws.terminate(), this.#limits.closeWaitMs).unref()
  }

  /** The connection was closed: nothing is written any more. {@link closed} must follow. */
  gone(): void {
    this.#isClosing = true
    this.#outbox.clear()
    for (const end of this.#onGone ?? []) end()
    this.#onGone = null
  }

  /** Calls `end` once the connection has ended. @returns a function that forgets it */
  onGone(end: () => void): () => void {
    if (this.#isClosing) end()
    const all = (this.#onGone ??= new Set())
    all.add(end)
    return () => all.delete(end)
  }

  /** Ends all operations of a closed connection. A client that closed it on purpose has left; others are likely to come back. */
  closed(code: number): void {
    this.#end(!LEAVING.has(code))
  }

  terminate(): void {
    this.#ws.terminate()
  }

  #refuse(): void {
    if (this.#isClosing) return
    this.#outbox.clear()
    this.close(CloseCode.TRY_AGAIN_LATER, 'the client reads too slowly; resume from the last cursor')
  }

  #end(isLost: boolean): void {
    this.#isClosing = true
    this.#outbox.clear()
    const operations = [...this.operations.values()]
    this.operations.clear()
    for (const operation of operations) operation.drop(isLost)
  }
}
