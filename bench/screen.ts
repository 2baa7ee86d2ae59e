import WebSocket from 'ws'

/** What a screen watches, and as whom. */
export interface ScreenOptions {
  url: string
  token: string
  conversation: string
}

const DOCUMENT = `subscription Watch($id: ID!, $after: String) {
  conversation(id: $id, after: $after) {
    __typename
    ... on StreamEvent { cursor at }
    ... on ConversationSnapshot { resync messages { position } }
    ... on MessageAdded { message { position text } }
  }
}`

interface LiveEvent {
  __typename: string
  cursor: string
  at: string
  resync?: boolean
  messages?: { position: number }[]
  message?: { position: number }
}

/** A socket that watches one conversation and notes each message's position, so that a hole or a repetition shows. */
export class Screen {
  /** The last position seen: of the snapshot, then of each message. */
  position = -1
  holes = 0
  repeated = 0
  resyncs = 0
  /** Code of the last close; null while it is open. */
  closedWith: number | null = null
  /** When it had each message after `at`, in milliseconds: from the event's own time. */
  latencies: number[] = []
  #cursor: string | null = null
  #ws: WebSocket | null = null

  constructor(private readonly options: ScreenOptions) {}

  /** Goes on after the last event, if there was one. Resolves when it is subscribed; rejects when it is closed before. */
  open(): Promise<void> {
    const { url, token, conversation } = this.options
    return new Promise((resolve, reject) => {
      const ws = new WebSocket(`${url.replace('http', 'ws')}/graphql`, 'graphql-transport-ws', { perMessageDeflate: false })
      this.#ws = ws
      this.closedWith = null
      const send = (message: object): void => ws.send(JSON.stringify(message))
      ws.on('open', () => send({ type: 'connection_init', payload: { authorization: `Bearer ${token}` } }))
      ws.on('message', (data) => {
        const { type, payload } = JSON.parse(String(data)) as { type: string; payload?: never }
        if (type === 'next') return this.#receive(payload!)
        if (type === 'ping') return send({ type: 'pong' })
        if (type !== 'connection_ack') return reject(new Error(String(data)))
        const variables = { id: conversation, after: this.#cursor }
        send({ id: '1', type: 'subscribe', payload: { query: DOCUMENT, variables } })
        resolve()
      })
      ws.on('error', reject)
      ws.on('close', (code, reason) => {
        if (this.#ws === ws) this.closedWith = code
        reject(new Error(`closed with ${code} ${String(reason)}`))
      })
    })
  }

  cut(): void {
    this.#ws?.terminate()
  }

  /** Reads no more. */
  stall(): void {
    this.#ws?.pause()
  }

  resume(): void {
    this.#ws?.resume()
  }

  #receive({ data, errors }: { data?: { conversation: LiveEvent }; errors?: unknown }): void {
    if (!data) throw new Error(JSON.stringify(errors))
    const event = data.conversation
    this.#cursor = event.cursor
    if (event.messages) {
      // A snapshot after the first stands in for events: they were not resumed.
      if (this.position >= 0) this.resyncs += 1
      this.position = event.messages.at(-1)?.position ?? 0
    }
    if (!event.message) return
    const step = event.message.position - this.position
    if (step < 1) this.repeated += 1
    if (step > 1) this.holes += step - 1
    this.position = event.message.position
    this.latencies.push(Date.now() - Date.parse(event.at))
  }
}
