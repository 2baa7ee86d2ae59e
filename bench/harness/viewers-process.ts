import WebSocket from 'ws'
import { quantile } from './figures.js'
import { serve } from './processes.js'

/** Readers of one message that is being written. */
export interface ViewersOptions {
  /** Nodes, at which they are in turns; each comes back at the next one. */
  urls: string[]
  tokens: string[]
  conversation: string
  count: number
}

/** A token as {@link tokenAt} makes it tells when it was written: base 36 of milliseconds, and a space. */
const TOKEN_LENGTH = 9
const OPENING_AT_ONCE = 50
const WAIT_MS_MAX = 60_000

const DOCUMENT = `subscription ($id: ID!, $after: String) { conversation(id: $id, after: $after) {
  __typename ... on StreamEvent { cursor }
  ... on ConversationSnapshot { conversation { streams { id text } } }
  ... on MessageStreamed { messageId offset text }
  ... on MessageAdded { message { id text } } } }`

interface LiveEvent {
  cursor?: string
  conversation?: { streams: { id: string; text: string }[] }
  messageId?: string
  offset?: number
  text?: string
  message?: { id: string; text: string }
}

/** One socket that puts a message together from what it is shown. */
class Viewer {
  text = ''
  /** The message that it became. */
  whole: string | null = null
  gaps = 0
  /** True once it has been cut off: what it is given then was written before. */
  isBack = false
  latencies: number[] = []
  #cursor: string | null = null
  #ws: WebSocket | undefined
  #turn: number

  constructor(
    private readonly options: ViewersOptions,
    private readonly index: number,
  ) {
    this.#turn = index
  }

  /** Resolves when it is subscribed; rejects when it is closed before. */
  open(): Promise<void> {
    const { urls, tokens, conversation } = this.options
    const url = urls[this.#turn++ % urls.length]!
    return new Promise((resolve, reject) => {
      const ws = new WebSocket(`${url.replace('http', 'ws')}/graphql`, 'graphql-transport-ws', {
        perMessageDeflate: false,
      })
      this.#ws = ws
      const send = (message: object): void => ws.send(JSON.stringify(message))
      const authorization = `Bearer ${tokens[this.index % tokens.length]}`
      ws.on('open', () => send({ type: 'connection_init', payload: { authorization } }))
      ws.on('message', (data) => {
        const { type, payload } = JSON.parse(String(data)) as { type: string; payload?: never }
        if (type === 'next') return this.#receive(payload!)
        if (type === 'ping') return send({ type: 'pong' })
        if (type !== 'connection_ack') return reject(new Error(String(data)))
        send({
          id: '1',
          type: 'subscribe',
          payload: { query: DOCUMENT, variables: { id: conversation, after: this.#cursor } },
        })
        resolve()
      })
      ws.on('error', reject)
      ws.on('close', () => reject(new Error('closed')))
    })
  }

  cut(): void {
    this.isBack = true
    this.#ws?.terminate()
  }

  #receive({ data, errors }: { data?: { conversation: LiveEvent }; errors?: unknown }): void {
    if (!data) throw new Error(JSON.stringify(errors))
    const { cursor, conversation, messageId, offset = 0, text = '', message } = data.conversation
    if (cursor !== undefined) this.#cursor = cursor
    if (conversation) this.text = conversation.streams[0]?.text ?? this.text
    if (message) this.whole = message.text
    if (messageId === undefined || text === '') return
    // The whole follows.
    if (offset > this.text.length) return void (this.gaps += 1)
    const known = this.text.length
    if (offset + text.length > known) this.text = this.text.slice(0, offset) + text
    if (!this.isBack) this.#note(known)
  }

  /** Notes how old each token is that was not there before. */
  #note(known: number): void {
    const now = Date.now()
    for (
      let at = Math.floor(known / TOKEN_LENGTH) * TOKEN_LENGTH;
      at + TOKEN_LENGTH <= this.text.length;
      at += TOKEN_LENGTH
    )
      this.latencies.push(now - Number.parseInt(this.text.slice(at, at + TOKEN_LENGTH - 1), 36))
  }
}

let viewers: Viewer[] = []

serve({
  /** Opens them, some at a time. */
  async open(options: ViewersOptions): Promise<void> {
    viewers = Array.from({ length: options.count }, (_, index) => new Viewer(options, index))
    const queue = viewers.values()
    const work = async (): Promise<void> => {
      for (const viewer of queue) await viewer.open()
    }
    await Promise.all(Array.from({ length: OPENING_AT_ONCE }, work))
  },

  /** Cuts off some of them, chosen at random, which come back at once. */
  async cut(count: number): Promise<void> {
    const chosen = Array.from({ length: count }, () => viewers[Math.floor(Math.random() * viewers.length)]!)
    await Promise.all(
      chosen.map(async (viewer) => {
        viewer.cut()
        for (let isIn = false; !isIn;) {
          isIn = await viewer.open().then(
            () => true,
            () => new Promise<false>((resolve) => void setTimeout(resolve, 100, false)),
          )
        }
      }),
    )
  },

  /** The longest text that anybody has read. */
  async longest(): Promise<string> {
    return viewers.reduce((longest, { text }) => (text.length > longest.length ? text : longest), '')
  },

  /** Waits until all have the message. @returns how many have read its text as it grew, or another */
  async compare(text: string): Promise<{ equal: number; other: number; gaps: number; cut: number }> {
    const end = Date.now() + WAIT_MS_MAX
    while (Date.now() < end && viewers.some(({ whole }) => whole === null)) await pause()
    const equal = viewers.filter((viewer) => viewer.whole === text && text.startsWith(viewer.text)).length
    return {
      equal,
      other: viewers.length - equal,
      gaps: viewers.reduce((sum, { gaps }) => sum + gaps, 0),
      cut: viewers.filter(({ isBack }) => isBack).length,
    }
  },

  async latency(): Promise<{ p50: number; p95: number; count: number }> {
    const all = viewers.flatMap(({ latencies }) => latencies)
    return { p50: quantile(all, 0.5), p95: quantile(all, 0.95), count: all.length }
  },
})

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 20))
}
