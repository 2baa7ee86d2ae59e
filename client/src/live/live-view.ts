import { createClient, type Client } from 'graphql-ws'
import { pause } from '../pause.js'
import { isPassingCode, type TokenSource } from '../request.js'

/**
 * A piece of a screen: the document that keeps it right, and how an event of it changes the state. `Event` is the union of
 * the events that the document selects.
 */
export interface LiveDocument<State, Event extends LiveEvent = LiveEvent> {
  /** A subscription with one field and the variable `$after`, which selects `__typename`, `cursor`, `at` and `isStored`. */
  query: string
  /** @returns the next state. @throws OutOfStep when the event does not fit the state. */
  apply(state: State | null, event: Event): State
}

/** Fields of every event; the rest depends on its type. */
export interface LiveEvent {
  __typename: string
  cursor: string
  at: string
  /** Select it: only events that are stored are recognized when they come again. */
  isStored?: boolean
}

/** An event does not match the state: the view fetches the state again, rather than show a wrong one. */
export class OutOfStep extends Error {}

/** The credentials are spent for good: throw it from `token` to have all views end. */
export class SignedOut extends Error {}

export interface LiveClientOptions {
  serverUrl: string
  /** Asked before each connection; the last one is refused when the server closed with 4403. */
  token: TokenSource
  webSocketImpl?: unknown
  /** Upper bounds of the first pause before a reconnect and of the longest one, in milliseconds. */
  pauseMs?: { first: number; longest: number }
  /** Called when the server has accepted the socket, and when the socket has closed for any reason. */
  onConnection?: (isOpen: boolean) => void
}

interface Refusal {
  message: string
  extensions?: { code?: string; retryAfterSeconds?: number }
}

const FORBIDDEN = 4403
/** The client's own close code for a `token` that failed. */
const CLIENT_ERROR = 4005
/**
 * Tells whether an event has come before. Those that are not stored come with the cursor of what was stored last; without the
 * mark, nothing is known. @param last the cursor of the event before it
 */
export function isRepeated({ cursor, isStored }: Pick<LiveEvent, 'cursor' | 'isStored'>, last: unknown): boolean {
  return isStored === true && cursor === last
}

/** A connection that answers no ping within the second time is dead, whatever the socket says. */
const PING_MS = 15_000
const PONG_MS = 10_000

/**
 * Views that stay right for hours on one socket. It comes back after whatever closed it, after a random pause that grows
 * with each attempt, so that a thousand screens do not come back in the same moment.
 */
export class LiveClient {
  /** Made when it is first needed: those who only send need no WebSocket, which Node below 22 does not have. */
  #made: Client | null = null
  readonly #connect: () => Client
  readonly #pauseMs: { first: number; longest: number }
  readonly #views = new Set<{ close(): void }>()
  #isRefused = false
  #signedOut: SignedOut | null = null
  #pongTimer: ReturnType<typeof setTimeout> | undefined
  /** Ends the pauses under way. */
  #retry = new AbortController()
  /** Close codes so far, newest last. */
  readonly closes: number[] = []

  constructor(options: LiveClientOptions) {
    const { serverUrl, token, webSocketImpl, pauseMs = { first: 500, longest: 20_000 }, onConnection } = options
    this.#pauseMs = pauseMs
    this.#connect = () =>
      createClient({
        url: `${serverUrl.replace(/^http/, 'ws')}/graphql`,
        webSocketImpl,
        connectionParams: async () => ({ authorization: `Bearer ${await this.#token(token)}` }),
        shouldRetry: () => this.#signedOut === null,
        retryAttempts: Infinity,
        retryWait: (attempt) => this.pause(attempt),
        keepAlive: PING_MS,
        connectionAckWaitTimeout: PONG_MS,
        on: {
          connected: () => {
            this.#isRefused = false
            onConnection?.(true)
          },
          ping: (isReceived) => isReceived || this.#awaitPong(),
          pong: (isReceived) => isReceived && clearTimeout(this.#pongTimer),
          closed: (event) => {
            clearTimeout(this.#pongTimer)
            const { code } = event as { code: number }
            this.closes.push(code)
            if (code === FORBIDDEN) this.#isRefused = true
            onConnection?.(false)
          },
        },
      })
  }

  get #client(): Client {
    return (this.#made ??= this.#connect())
  }

  /** Null until its end, and then why every view ends. */
  get signedOut(): SignedOut | null {
    return this.#signedOut
  }

  open<State, Event extends LiveEvent>(
    document: LiveDocument<State, Event>,
    options: LiveViewOptions<State, Event> = {},
  ): LiveView<State, Event> {
    const view = new LiveView(this, this.#client, document, options)
    this.#views.add(view)
    view.start()
    return view
  }

  forget(view: { close(): void }): void {
    this.#views.delete(view)
  }

  /** Resolves after a random time below a bound that doubles with each attempt, the first being 0. */
  pause(attempt: number, atLeastMs = 0): Promise<void> {
    const bound = Math.min(this.#pauseMs.longest, this.#pauseMs.first * 2 ** Math.min(attempt, 20))
    return pause(atLeastMs + Math.random() * bound, this.#retry.signal)
  }

  /** Ends the pauses under way: a person asks, or the network is back. */
  retryNow(): void {
    this.#retry.abort()
    this.#retry = new AbortController()
  }

  /** Cuts a socket that may be dead without knowing it, as after a sleep; it comes back and goes on. */
  reconnect(): void {
    this.#made?.terminate()
    this.retryNow()
  }

  async close(): Promise<void> {
    for (const view of this.#views) view.close()
    this.retryNow()
    clearTimeout(this.#pongTimer)
    // It rejects when it was about to come back.
    await Promise.resolve(this.#made?.dispose()).catch(() => undefined)
  }

  async #token(token: LiveClientOptions['token']): Promise<string> {
    try {
      return typeof token === 'string' ? token : await token(this.#isRefused)
    } catch (error) {
      if (error instanceof SignedOut) this.#signedOut = error
      throw error
    }
  }

  #awaitPong(): void {
    clearTimeout(this.#pongTimer)
    this.#pongTimer = setTimeout(() => this.#made?.terminate(), PONG_MS)
  }
}

/** Position from which a view goes on: that of another one. */
export interface LivePosition<State> {
  state: State
  cursor: string
}

export interface LiveViewOptions<State, Event extends LiveEvent = LiveEvent> {
  from?: LivePosition<State> | null
  /** Variables of the document, without `after`. */
  variables?: Record<string, unknown>
  onChange?: (state: State, event: Event) => void
  /** It is not allowed any longer, or its subject is gone; what is shown is no longer true. */
  onEnd?: (error: Error) => void
}

/** One piece of a screen, kept equal to the server's. */
export class LiveView<State, Event extends LiveEvent = LiveEvent> {
  state: State | null = null
  /** Position of the view: sent with each reconnect, so that the server goes on after it. */
  cursor: string | null = null
  /** Since the start: snapshots that replaced the state, events that had been applied, and those that did not fit. */
  readonly counts = { snapshots: 0, repeated: 0, outOfStep: 0 }
  #isClosed = false
  #unsubscribe: () => void = () => undefined
  /** Failures without an event between them. */
  #failures = 0

  constructor(
    private readonly live: LiveClient,
    private readonly client: Client,
    private readonly document: LiveDocument<State, Event>,
    private readonly options: LiveViewOptions<State, Event>,
  ) {
    if (!options.from) return
    this.state = options.from.state
    this.cursor = options.from.cursor
  }

  start(): void {
    if (this.#isClosed) return
    // Read again by the client at each reconnect: `#receive` moves it on.
    const variables = { ...this.options.variables, after: this.cursor }
    let isCurrent = true
    const over = (next: () => void): void => {
      if (!isCurrent) return
      isCurrent = false
      unsubscribe()
      next()
    }
    const unsubscribe = this.client.subscribe<Record<string, Event>>(
      { query: this.document.query, variables },
      {
        next: ({ data, errors }) => {
          if (!isCurrent) return
          try {
            if (errors?.[0] || !data) throw new OutOfStep(errors?.[0]?.message ?? 'an event without data')
            this.#receive(Object.values(data)[0]!)
            variables.after = this.cursor
          } catch (error) {
            if (!(error instanceof OutOfStep)) throw error
            over(() => this.#startAnew())
          }
        },
        error: (error) => over(() => this.#failed(error)),
        complete: () => over(() => this.#failed({ code: 1_000 })),
      },
    )
    this.#unsubscribe = () => over(() => undefined)
  }

  close(): void {
    this.#isClosed = true
    this.#unsubscribe()
    this.live.forget(this)
  }

  #receive(event: Event): void {
    const isSnapshot = event.__typename.endsWith('Snapshot')
    if (isRepeated(event, this.cursor)) {
      this.counts.repeated += 1
      return
    }
    this.state = this.document.apply(this.state, event)
    this.cursor = event.cursor
    this.#failures = 0
    if (isSnapshot) this.counts.snapshots += 1
    this.options.onChange?.(this.state, event)
  }

  /** Without a cursor: the server begins with a snapshot. */
  #startAnew(): void {
    this.counts.outOfStep += 1
    this.cursor = null
    void this.live.pause(this.#failures++).then(() => this.start())
  }

  /** @param reason the server's refusals, or a close that the client does not come back from by itself */
  #failed(reason: unknown): void {
    if (this.#isClosed) return
    const refusal = Array.isArray(reason) ? (reason[0] as Refusal) : null
    const isOver = refusal && !isPassingCode(refusal.extensions?.code ?? '')
    const { signedOut } = this.live
    if (isOver || (signedOut && (reason as { code?: number }).code === CLIENT_ERROR) || reason === signedOut) {
      this.close()
      this.options.onEnd?.(signedOut ?? new Error(refusal?.message ?? 'signed out'))
      return
    }
    const atLeastMs = (refusal?.extensions?.retryAfterSeconds ?? 0) * 1_000
    void this.live.pause(this.#failures++, atLeastMs).then(() => this.start())
  }
}
