import { passes, pauseMs, Refused } from './request.js'

/** Events of a {@link LiveTalk}. */
export interface LiveListener<Event> {
  /** Asked before each connection. @param isRefused the last token was not accepted. Null: do not connect. */
  token(isRefused: boolean): Promise<string | null>
  /** Cursor to go on from. */
  variables(): object
  event(event: Event): void
  connection(isOpen: boolean): void
  /** The server refused the subscription itself. */
  refused(message: string, code: string): void
}

interface Message<Event> {
  type: string
  payload?: { data?: Record<string, Event> } | { message: string; extensions?: { code?: string } }[]
}

const FIRST_PAUSE_MS = 400
/** A connection that answers no ping within this time is dead, whatever the socket says. */
const PING_MS = 15_000
const PONG_MS = 10_000
const FORBIDDEN = 4403

/**
 * One subscription over graphql-transport-ws that comes back after whatever ended it.
 */
export class LiveTalk<Event> {
  #socket: WebSocket | null = null
  #failures = 0
  #isRefused = false
  #isStopped = false
  #isConnecting = false
  #pause: ReturnType<typeof setTimeout> | undefined
  #ping: ReturnType<typeof setTimeout> | undefined

  constructor(
    private readonly url: string,
    private readonly query: string,
    private readonly listener: LiveListener<Event>,
  ) {
    document.addEventListener('visibilitychange', this.retryNow)
    void this.#connect()
  }

  stop(): void {
    this.#isStopped = true
    document.removeEventListener('visibilitychange', this.retryNow)
    clearTimeout(this.#pause)
    this.#drop()
  }

  readonly retryNow = (): void => {
    if (this.#isStopped || this.#socket || document.hidden) return
    clearTimeout(this.#pause)
    this.#failures = 0
    void this.#connect()
  }

  async #connect(): Promise<void> {
    if (this.#isConnecting) return
    this.#isConnecting = true
    try {
      const token = await this.listener.token(this.#isRefused)
      if (this.#isStopped || token === null) return
      this.#isRefused = false
      this.#open(token)
    } catch {
      this.#retry()
    } finally {
      this.#isConnecting = false
    }
  }

  #open(token: string): void {
    const socket = (this.#socket = new WebSocket(this.url, 'graphql-transport-ws'))
    const send = (message: object): void => socket.send(JSON.stringify(message))
    socket.addEventListener('open', () =>
      send({ type: 'connection_init', payload: { authorization: `Bearer ${token}` } }),
    )
    socket.addEventListener('message', ({ data }) => {
      if (socket === this.#socket) this.#receive(JSON.parse(data as string) as Message<Event>, send)
    })
    socket.addEventListener('close', ({ code }) => {
      if (socket !== this.#socket) return
      if (code === FORBIDDEN) this.#isRefused = true
      this.#retry()
    })
  }

  #receive({ type, payload }: Message<Event>, send: (message: object) => void): void {
    clearTimeout(this.#ping)
    this.#ping = setTimeout(() => {
      send({ type: 'ping' })
      this.#ping = setTimeout(() => this.#retry(), PONG_MS)
    }, PING_MS)
    if (type === 'connection_ack') {
      this.listener.connection(true)
      send({ id: '1', type: 'subscribe', payload: { query: this.query, variables: this.listener.variables() } })
    } else if (type === 'ping') send({ type: 'pong' })
    else if (type === 'next') this.#next(payload)
    else if (type === 'error') this.#refused(payload)
    else if (type === 'complete') this.#retry()
  }

  #next(payload: Message<Event>['payload']): void {
    const data = payload && 'data' in payload ? payload.data : null
    const [event] = Object.values(data ?? {})
    if (!event) return
    this.#failures = 0
    this.listener.event(event)
  }

  #refused(payload: Message<Event>['payload']): void {
    const [{ message, extensions } = { message: '' }] = Array.isArray(payload) ? payload : []
    const code = extensions?.code ?? 'UNAVAILABLE'
    if (!passes(new Refused(message, code))) this.listener.refused(message, code)
    this.#retry()
  }

  /** Resumes where the events ended, after a pause. */
  #retry(): void {
    this.#drop()
    if (this.#isStopped) return
    this.listener.connection(false)
    clearTimeout(this.#pause)
    this.#pause = setTimeout(() => void this.#connect(), pauseMs(FIRST_PAUSE_MS, this.#failures++))
  }

  #drop(): void {
    clearTimeout(this.#ping)
    const socket = this.#socket
    this.#socket = null
    socket?.close()
  }
}
