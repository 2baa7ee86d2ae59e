import { handleProtocols } from 'graphql-ws'
import type { IncomingMessage, Server } from 'node:http'
import type { Socket } from 'node:net'
import type { Logger } from 'pino'
import { WebSocketServer, type WebSocket } from 'ws'
import type { AccessChanges } from '../../platform/access/access-changes.js'
import type { Authenticator } from '../../platform/access/authenticator.js'
import { Context, type LoaderMemory } from '../../platform/context.js'
import { pacedMs, type Clock } from '../../platform/db/clock.js'
import type { Database } from '../../platform/db/database.js'
import { RateLimited, Unauthenticated, Unavailable } from '../../platform/errors.js'
import type { Dispatcher } from '../../platform/events/dispatcher.js'
import { Gathered } from '../../platform/events/gathered.js'
import type { LiveSource } from '../../platform/events/live-feed.js'
import type { OperationGate } from '../graphql/apollo.js'
import type { Operations } from '../graphql/operations.js'
import type { NetworkRate } from '../../platform/limits/network-rate.js'
import type { UnreadAnswers } from '../../platform/limits/unread-answers.js'
import type { Metrics } from '../../platform/metrics.js'
import { refuseShape, REQUEST_VALUES_MAX, UNKNOWN_VALUES_MAX } from '../../platform/request-json.js'
import { LoopTurns } from '../../platform/fairness/loop-turns.js'
import { openShares, SUBSCRIPTION_LIMITS } from '../../platform/fairness/shares.js'
import { AccessWatch } from './access-watch.js'
import { CallerSockets } from './caller-sockets.js'
import { endInTurn } from './end-in-turn.js'
import { closeEvenly } from './close-evenly.js'
import { FanOutGroups } from './fan-out-groups.js'
import { CloseCode, isKnownCode, REALTIME_LIMITS, type RealtimeLimits } from './limits.js'
import { LiveSocket } from './live-socket.js'
import { MessageOrder } from './message-order.js'
import { SocketWriteScheduler } from './socket-write-scheduler.js'
import { PresenceEnds } from './presence-span.js'
import type { EventStreams, StreamRequest } from '../graphql/stream-request.js'
import { EventStreamPeer, runStream } from './event-stream.js'
import { createProtocol, type ProtocolConnection, type ProtocolOptions } from './protocol.js'
import { LoaderCache } from './loader-cache.js'
import { ChunkedSweep } from './chunked-sweep.js'
import { SharedReads } from './shared-reads.js'
import { addressOf, isAllowedOrigin, refuseUpgrade, type UpgradeConfig } from './upgrade.js'

export interface RealtimeOptions {
  config: UpgradeConfig
  operations: Operations
  /** The way of every operation. */
  gate: OperationGate
  sources: readonly LiveSource[]
  authenticator: Authenticator
  database: Database
  dispatcher: Dispatcher
  clock: Clock
  log: Logger
  metrics: Metrics
  unreadAnswers: UnreadAnswers
  limits?: Partial<RealtimeLimits>
  /** The sites whose pages may have the web widget: guests may open sockets there. */
  guestOrigins?: { isAllowed(origin: string): Promise<boolean> }
}

export interface RealtimeStats {
  sockets: number
  /** Running operations, subscriptions and others. */
  operations: number
  /** Groups of subscribers that share each execution. */
  groups: number
  /** Bytes that clients have not yet accepted. */
  backlogBytes: number
}

/** The WebSocket side of `/graphql`. */
export interface Realtime extends AccessChanges, EventStreams {
  attach(server: Server, rate: NetworkRate): void
  /**
   * Accepts no more sockets and closes all with 1012, evenly over `spreadMs`, so that their clients do not all connect to
   * other nodes at the same moment; resolves when they are closed and presence has ended.
   */
  drain(spreadMs?: number): Promise<void>
  stats(): RealtimeStats
  /** Checks immediately whether these users and contacts of guests, or everybody, still have access. */
  recheck(ids?: ReadonlySet<string>): Promise<void>
}

const PATH = '/graphql'
/** Number of parts in which sockets are checked. */
const ROUND_PARTS = 2
const BACKLOG_BYTES = [0, 1_024, 16_384, 65_536, 262_144, 1_048_576]

export function createRealtime(options: RealtimeOptions): Realtime {
  return new RealtimeServer(options)
}

class RealtimeServer implements Realtime {
  readonly #limits: RealtimeLimits
  readonly #sockets = new Set<LiveSocket>()
  readonly #socketsByAddress = new Map<string, number>()
  readonly #outbox = new SocketWriteScheduler()
  readonly #groups: FanOutGroups
  readonly #loaderCache = new LoaderCache()
  readonly #presenceEnds: PresenceEnds
  readonly #callers: CallerSockets
  readonly #watch: AccessWatch
  readonly #connect: (socket: LiveSocket) => ProtocolConnection
  readonly #protocol: ProtocolOptions
  readonly #ws: WebSocketServer
  /** A thousand sockets that come back at once take turns with everything else. */
  readonly #turns = new LoopTurns()
  readonly #rounds = new ChunkedSweep(this.#sockets, ROUND_PARTS)
  readonly #roundTimer: NodeJS.Timeout
  /** Users, and contacts of guests, whose access has changed: all guests of a bot at once, whose sockets are looked for together. */
  readonly #changed = new Gathered<string>((ids) => this.#recheckChanged(ids))
  #isDraining = false
  #onDrained: (() => void) | null = null

  constructor(private readonly options: RealtimeOptions) {
    const { database, log, metrics } = options
    const limits = { ...REALTIME_LIMITS, ...options.limits }
    this.#limits = limits
    this.#presenceEnds = new PresenceEnds(log)
    const reads = new SharedReads(database)
    this.#groups = new FanOutGroups({ ...options, reads, loaderCache: this.#loaderCache })
    this.#callers = new CallerSockets(limits)
    this.#watch = new AccessWatch({ ...options, sockets: this.#sockets })
    this.#protocol = {
      ...options,
      limits,
      reads,
      groups: this.#groups,
      callers: this.#callers,
      turns: this.#turns,
      setUps: openShares('subscriptions', SUBSCRIPTION_LIMITS, metrics),
      presenceEnds: this.#presenceEnds,
      newContext: (socket, memory) => this.#newContext(socket, memory),
    }
    this.#connect = createProtocol(this.#protocol)
    this.#ws = new WebSocketServer({
      noServer: true,
      clientTracking: false,
      maxPayload: limits.messageBytes,
      perMessageDeflate: false,
      // One frame of a socket in each turn of the event loop: tens of thousands arrive in one piece.
      allowSynchronousEvents: false,
      handleProtocols,
    })
    this.#roundTimer = setInterval(() => this.#look(), pacedMs(options.clock, limits.roundMs / ROUND_PARTS))
    this.#roundTimer.unref()
    metrics.distribution(
      'socket_backlog_bytes',
      'Bytes that the client has not yet accepted, per socket.',
      BACKLOG_BYTES,
      () => this.#sockets.values().map(({ backlog }) => backlog),
    )
    metrics.gauge('sockets', 'Open WebSockets of this node.', () => this.#sockets.size)
    metrics.gauge('subscriptions', 'Running operations on sockets.', () => this.stats().operations)
    metrics.gauge(
      'socket_backlog_total_bytes',
      'Bytes that clients have not yet accepted.',
      () => this.stats().backlogBytes,
    )
    metrics.gauge('delivery_groups', 'Groups of subscribers that share executions.', () => this.#groups.size)
    metrics.gauge('watched_streams', 'Streams that this node follows.', () => options.dispatcher.watchedCount)
  }

  attach(server: Server, rate: NetworkRate): void {
    server.on('upgrade', (request, socket, head) => {
      // Handles errors of the connection until `ws` takes it over.
      socket.on('error', () => socket.destroy())
      rate.count(addressOf(request, this.options.config), 'socket').then(
        () => this.#upgrade(request, socket as Socket, head),
        (error: Error) => refuseUpgrade(socket, 429, error.message),
      )
    })
  }

  async drain(spreadMs = 0): Promise<void> {
    this.#isDraining = true
    const gone = new Promise<void>((resolve) => {
      this.#onDrained = resolve
    })
    await closeEvenly([...this.#sockets], spreadMs)
    if (this.#sockets.size > 0) await gone
    clearInterval(this.#roundTimer)
    await this.#presenceEnds.settled()
  }

  stats(): RealtimeStats {
    let operations = 0
    let backlogBytes = 0
    for (const socket of this.#sockets) {
      operations += socket.operations.size
      backlogBytes += socket.backlog
    }
    return { sockets: this.#sockets.size, operations, groups: this.#groups.size, backlogBytes }
  }

  recheck(ids?: ReadonlySet<string>): Promise<void> {
    return this.#watch.recheck(ids)
  }

  userChanged(user: string): void {
    this.#loaderCache.forget()
    this.#changed.add(user)
  }

  #recheckChanged(ids: ReadonlySet<string>): void {
    this.recheck(ids).catch((error: unknown) =>
      this.options.log.warn({ err: error, users: ids.size }, 'failed to recheck the access of users'),
    )
  }

  async #upgrade(request: IncomingMessage, socket: Socket, head: Buffer): Promise<void> {
    const { config } = this.options
    const refuse = (status: number, message: string): void => refuseUpgrade(socket, status, message)
    if (request.url?.split('?', 1)[0] !== PATH) return refuse(404, `sockets are opened at ${PATH}`)
    // Who is connected goes on first: the time for its sign-in runs.
    await this.#turns.enterLast()
    const address = addressOf(request, config)
    if (this.#isDraining) return refuse(503, 'the server is stopping; retry')
    const isForGuests = !isAllowedOrigin(request, config)
    if (isForGuests && !(await this.#isOriginOfGuests(request.headers.origin!))) {
      return refuse(403, 'pages of this origin may not open sockets here')
    }
    // A drain that began meanwhile does not know of it.
    if (this.#isDraining) return refuse(503, 'the server is stopping; retry')
    if ((this.#socketsByAddress.get(address) ?? 0) >= this.#limits.socketsPerAddress) {
      return refuse(429, 'too many sockets from this address')
    }
    this.#ws.handleUpgrade(request, socket, head, (ws) => {
      endInTurn(socket, this.#turns)
      this.#open(ws, request, socket, { address, isForGuests })
    })
  }

  async stream(request: StreamRequest): Promise<void> {
    const { caller, address, origin, userAgent, acceptLanguage, response } = request
    await this.#turns.enterLast()
    if (this.#isDraining) throw new Unavailable('the server is stopping; retry')
    if (!caller) throw new Unauthenticated('authentication is required')
    if ((this.#socketsByAddress.get(address) ?? 0) >= this.#limits.socketsPerAddress) {
      throw new RateLimited('too many streams from this address', 1)
    }
    // It closed while it waited for its turn: nothing would tell of its end any more.
    if (response.destroyed) return request.began()
    const peer = new EventStreamPeer(response)
    const live = new LiveSocket({
      ws: peer,
      socket: peer,
      isEventStream: true,
      outbox: this.#outbox,
      unread: this.options.unreadAnswers,
      limits: this.#limits,
      isForGuests: false,
      upgradeAuthorization: undefined,
      ...{ address, origin, userAgent, acceptLanguage },
    })
    this.#callers.enter(caller, live.operations)
    live.caller = caller
    this.#count(live)
    request.began()
    peer.begin(request.headers)
    response.once('close', () => {
      live.gone()
      this.#closed(live, peer.closeCode)
    })
    await runStream(this.#protocol, live, request)
  }

  async #isOriginOfGuests(origin: string): Promise<boolean> {
    const { guestOrigins, log } = this.options
    try {
      return (await guestOrigins?.isAllowed(origin)) === true
    } catch (error) {
      log.warn({ err: error }, 'failed to read which sites may show the widget')
      return false
    }
  }

  #open(
    ws: WebSocket,
    request: IncomingMessage,
    socket: Socket,
    from: { address: string; isForGuests: boolean },
  ): void {
    const { headers } = request
    const live = new LiveSocket({
      ws,
      socket,
      outbox: this.#outbox,
      unread: this.options.unreadAnswers,
      limits: this.#limits,
      ...from,
      origin: headers.origin ?? null,
      userAgent: headers['user-agent'] ?? null,
      acceptLanguage: headers['accept-language'] ?? null,
      upgradeAuthorization: headers.authorization,
    })
    this.#count(live)
    const connection = this.#connect(live)
    const order = new MessageOrder(this.#turns)
    ws.on('message', (data, isBinary) => {
      if (live.isClosing) return
      const text = String(data)
      live.takeMessage(text.length)
      if (isBinary) live.close(CloseCode.UNSUPPORTED_DATA, 'messages must be text')
      order.run(() => {
        if (!live.isClosing && this.#isOfFittingShape(live, text)) void connection.onMessage(text)
      })
    })
    ws.on('ping', () => live.takeMessage(0))
    ws.on('pong', () => live.takeMessage(0))
    // `ws` closes the connection with the appropriate code, such as 1009 for a frame that is too large.
    ws.on('error', (error) => this.options.log.debug({ err: error }, 'socket failed'))
    ws.on('close', (code, reason) => {
      live.gone()
      this.#turns.run(() => {
        this.#closed(live, code)
        connection
          .onClosed(code, String(reason))
          .catch((error: unknown) => this.options.log.error({ err: error }, 'failed to close a socket'))
      })
    })
  }

  /** Closes the socket if a message would cost more to parse than to send. */
  #isOfFittingShape(live: LiveSocket, text: string): boolean {
    try {
      refuseShape(text, 'message', this.#valuesMaxOf(live))
      return true
    } catch (error) {
      live.close(CloseCode.BAD_REQUEST, (error as Error).message)
      return false
    }
  }

  #valuesMaxOf({ caller }: LiveSocket): number {
    if (caller?.kind === 'user') return REQUEST_VALUES_MAX
    return caller ? UNKNOWN_VALUES_MAX : this.#limits.unknownValues
  }

  #count(live: LiveSocket): void {
    this.#sockets.add(live)
    this.#socketsByAddress.set(live.address, (this.#socketsByAddress.get(live.address) ?? 0) + 1)
  }

  #closed(live: LiveSocket, code: number): void {
    live.closed(code)
    this.options.metrics.socketCloses.inc({ code: isKnownCode(code) ? code : 'other' })
    if (live.caller) this.#callers.leave(live.caller)
    this.#sockets.delete(live)
    const left = (this.#socketsByAddress.get(live.address) ?? 1) - 1
    if (left > 0) this.#socketsByAddress.set(live.address, left)
    else this.#socketsByAddress.delete(live.address)
    if (this.#isDraining && this.#sockets.size === 0) this.#onDrained?.()
  }

  /** Checks the next part of the sockets. */
  #look(): void {
    const part = this.#rounds.next()
    for (const socket of part) socket.heartbeat()
    if (!this.#isDraining) this.#watch.look(part)
  }

  #newContext(socket: LiveSocket, memory?: LoaderMemory): Context {
    const { caller, address, origin, userAgent, acceptLanguage } = socket
    const { database, clock, log } = this.options
    const onGone = (end: () => void): (() => void) => socket.onGone(end)
    const client = { address, origin, userAgent, acceptLanguage, onGone }
    return new Context({ database, clock, log, caller, requestId: clock.newId(), memory, ...client })
  }
}
