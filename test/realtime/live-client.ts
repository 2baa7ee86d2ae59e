import { WebSocket, type ClientOptions } from 'ws'
import { PATIENCE_MS } from '../support/until.js'

export interface Message {
  id?: string
  type: string
  // What arrives is what the tests look at.
  payload?: any // oxlint-disable-line typescript/no-explicit-any
}

/** A bare client of graphql-transport-ws that keeps what it hears. */
export class LiveClient {
  readonly messages: Message[] = []
  readonly closed: Promise<{ code: number; reason: string }>
  readonly #waiting = new Set<() => void>()
  #isClosed = false

  static readonly #open = new Set<WebSocket>()

  constructor(readonly ws: WebSocket) {
    LiveClient.#open.add(ws)
    ws.on('message', (data) => {
      this.messages.push(JSON.parse(String(data)) as Message)
      this.#wake()
    })
    ws.on('error', () => undefined)
    this.closed = new Promise((resolve) => {
      ws.on('close', (code, reason) => {
        this.#isClosed = true
        LiveClient.#open.delete(ws)
        resolve({ code, reason: String(reason) })
        this.#wake()
      })
    })
  }

  /** Cuts what a test has left open. */
  static cutAll(): void {
    for (const ws of LiveClient.#open) ws.terminate()
  }

  /** An open socket, not initialised. */
  static async open(url: string, options: ClientOptions & { protocol?: string } = {}): Promise<LiveClient> {
    const client = new LiveClient(new WebSocket(url, options.protocol ?? 'graphql-transport-ws', options))
    await new Promise<void>((resolve, reject) => {
      client.ws.once('open', resolve)
      client.ws.once('error', reject)
    })
    return client
  }

  static async connect(url: string, user = 'someone'): Promise<LiveClient> {
    const client = await LiveClient.open(url)
    client.send({ type: 'connection_init', payload: { authorization: `Bearer ${user}` } })
    await client.until(({ type }) => type === 'connection_ack')
    return client
  }

  send(message: Message | Record<string, unknown>): void {
    this.ws.send(JSON.stringify(message))
  }

  subscribe(id: string, query: string, variables?: Record<string, unknown>): void {
    this.send({ id, type: 'subscribe', payload: { query, variables } })
  }

  /** Messages of one operation. */
  of(id: string): Message[] {
    return this.messages.filter((message) => message.id === id)
  }

  /** Event objects of one subscription, named by its root field. */
  // oxlint-disable-next-line typescript/no-explicit-any
  events(id: string): any[] {
    return this.of(id)
      .filter(({ type }) => type === 'next')
      .map(({ payload }) => Object.values(payload.data ?? {})[0])
  }

  /** The first message that fits, once it is there. */
  async until(fits: (message: Message) => boolean): Promise<Message> {
    await this.when(() => this.messages.some(fits))
    return this.messages.find(fits)!
  }

  async when(isTrue: () => boolean): Promise<void> {
    const end = Date.now() + PATIENCE_MS
    while (!isTrue()) {
      if (Date.now() > end || (this.#isClosed && !isTrue())) {
        throw new Error(`it did not come: ${JSON.stringify(this.messages.slice(-5)).slice(0, 1_000)}`)
      }
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, 100)
        this.#waiting.add(() => {
          clearTimeout(timer)
          resolve()
        })
      })
    }
  }

  async close(): Promise<void> {
    this.ws.close()
    await this.closed
  }

  #wake(): void {
    const waiting = [...this.#waiting]
    this.#waiting.clear()
    for (const wake of waiting) wake()
  }
}
