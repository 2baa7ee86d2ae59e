import WebSocket from 'ws'

/** Subject and user of a screen. */
export interface ScreenOptions {
  url: string
  token: string
  /** One subscription each, on the one socket. */
  conversations: string[]
}

/** Position of a screen in one conversation. */
interface Place {
  /** The last position seen: of the snapshot, then of each message. */
  position: number
  cursor: string | null
}

const DOCUMENT = `subscription Watch($id: ID!, $after: String) {
  conversation(id: $id, after: $after) {
    __typename
    ... on StreamEvent { cursor at }
    ... on ConversationSnapshot { messages { position } }
    ... on MessageAdded { message { position text } }
  }
}`

interface LiveEvent {
  __typename: string
  cursor: string
  at: string
  messages?: { position: number }[]
  message?: { position: number }
}

/** A socket that watches conversations and notes each message's position, so that a hole or a repetition shows. */
export class Screen {
  readonly places: Place[]
  holes = 0
  repeated = 0
  resyncs = 0
  /** Code of the last close; null while it is open. */
  closedWith: number | null = null
  /**
   * Latency of each message of its first conversation, in milliseconds: from the event's own time until it was read.
   */
  latencies: number[] = []
  #ws: WebSocket | null = null

  constructor(private readonly options: ScreenOptions) {
    this.places = options.conversations.map(() => ({ position: -1, cursor: null }))
  }

  /** Goes on after the last event, if there was one. Resolves when it is subscribed; rejects when it is closed before. */
  open(): Promise<void> {
    const { url, token, conversations } = this.options
    return new Promise((resolve, reject) => {
      const ws = new WebSocket(`${url.replace('http', 'ws')}/graphql`, 'graphql-transport-ws', {
        perMessageDeflate: false,
      })
      this.#ws = ws
      this.closedWith = null
      const send = (message: object): void => ws.send(JSON.stringify(message))
      ws.on('open', () => send({ type: 'connection_init', payload: { authorization: `Bearer ${token}` } }))
      ws.on('message', (data) => {
        const { type, id, payload } = JSON.parse(String(data)) as { type: string; id: string; payload?: never }
        if (type === 'next') return this.#receive(Number(id), payload!)
        if (type === 'ping') return send({ type: 'pong' })
        if (type !== 'connection_ack') return reject(new Error(String(data)))
        for (const [index, conversation] of conversations.entries()) {
          const variables = { id: conversation, after: this.places[index]!.cursor }
          send({ id: String(index), type: 'subscribe', payload: { query: DOCUMENT, variables } })
        }
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

  #receive(index: number, { data, errors }: { data?: { conversation: LiveEvent }; errors?: unknown }): void {
    if (!data) throw new Error(JSON.stringify(errors))
    const { cursor, at, messages, message } = data.conversation
    const place = this.places[index]!
    place.cursor = cursor
    if (messages) {
      // A snapshot after the first stands in for events: they were not resumed.
      if (place.position >= 0) this.resyncs += 1
      place.position = messages.at(-1)?.position ?? 0
    }
    if (!message) return
    const step = message.position - place.position
    if (step < 1) this.repeated += 1
    if (step > 1) this.holes += step - 1
    place.position = message.position
    if (index === 0) this.latencies.push(Date.now() - Date.parse(at))
  }
}
