import { WebSocket } from 'ws'
import type { GraphqlRequests, OperationKind } from './graphql-requests.js'
import type { Random } from './random.js'
import type { Tally } from './tally.js'
import { hostileText, mutate } from './values.js'
import type { Caller } from './world.js'

export interface FrameFuzzerOptions {
  url: string
  callers: readonly Caller[]
  graphql: GraphqlRequests
  random: Random
  tally: Tally
  wrongness: number
}

/** Stays below the bound on messages a second. */
const PAUSE_MS = 12
const SOCKETS = 8
/** As this server closes a socket over its own fault. */
const FAULTS: ReadonlySet<number> = new Set([1006, 1011, 4500])

interface Answer {
  id?: string
  type: string
  payload?: unknown
}

/** Sends frames of graphql-transport-ws on several sockets, most of them sound. */
export class FrameFuzzer {
  #sent = 0

  constructor(private readonly options: FrameFuzzerOptions) {}

  async send(frames: number): Promise<void> {
    await Promise.all(
      Array.from({ length: SOCKETS }, async () => {
        while (this.#sent < frames) await this.#useSocket(frames)
      }),
    )
  }

  /** One socket's life: until all is sent, or it is closed for what was sent. */
  async #useSocket(frames: number): Promise<void> {
    const { callers, random, tally, url } = this.options
    const known = callers.filter(({ token }) => token !== '')
    const ws = new WebSocket(`${url.replace('http', 'ws')}/graphql`, 'graphql-transport-ws')
    const waiting = new Map<string, (answer: Answer | number) => void>()
    let isClosed = false
    ws.on('error', () => undefined)
    ws.on('close', (code) => {
      isClosed = true
      for (const resolve of waiting.values()) resolve(code)
      if (FAULTS.has(code)) tally.fault('a socket', `was closed with ${code}`)
    })
    ws.on('message', (data) => {
      const answer = JSON.parse(String(data)) as Answer
      waiting.get(answer.id ?? answer.type)?.(answer)
    })
    const answered = (key: string): Promise<Answer | number | null> =>
      new Promise((resolve) => {
        const timer = setTimeout(() => resolve(null), tally.msMax)
        waiting.set(key, (answer) => {
          clearTimeout(timer)
          waiting.delete(key)
          resolve(answer)
        })
        if (isClosed) waiting.get(key)?.(1005)
      })
    await new Promise((resolve) => ws.once('open', resolve).once('close', resolve))
    const acknowledged = answered('connection_ack')
    ws.send(JSON.stringify({ type: 'connection_init', payload: random.pick(known).headers }))
    // A socket that is refused counts as a frame: callers who have lost their access would open sockets for ever.
    if (!isAcknowledged(await acknowledged)) {
      this.#sent += 1
      tally.count('frames', 401, 0, () => 'connection_init')
    }
    for (let id = 1; !isClosed && this.#sent < frames; id += 1) {
      this.#sent += 1
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
      await this.#exchange(ws, String(id), answered)
    }
    ws.close()
  }

  async #exchange(
    ws: WebSocket,
    id: string,
    answered: (key: string) => Promise<Answer | number | null>,
  ): Promise<void> {
    const { graphql, random, tally, wrongness } = this.options
    const kind = random.pick<OperationKind>(['query', 'query', 'mutation', 'subscription'])
    const message: unknown = { id, type: 'subscribe', payload: graphql.make(kind, wrongness) }
    const isBroken = random.isLucky(0.03)
    const since = performance.now()
    const answer = answered(id)
    const text = isBroken ? this.#broken(message) : JSON.stringify(message)
    ws.send(text)
    // Frames that are none close the socket, or are about another id.
    const found = isBroken
      ? await Promise.race([answer, new Promise<null>((resolve) => setTimeout(resolve, 200, null))])
      : await answer
    if (found === null && !isBroken) return tally.fault('no answer', text)
    const said = JSON.stringify(found)
    const isFault =
      said.includes('INTERNAL_SERVER_ERROR') ||
      said.includes('"UNAVAILABLE"') ||
      (typeof found === 'number' && FAULTS.has(found))
    const isGood = typeof found === 'object' && found?.type === 'next' && !('errors' in (found.payload as object))
    const isEnded = typeof found === 'object' && found?.type === 'complete'
    tally.count(
      'frames',
      isFault ? 500 : isGood || isEnded ? 200 : 400,
      performance.now() - since,
      () => `${text} -> ${said}`,
    )
    if (ws.readyState === WebSocket.OPEN) ws.send(JSON.stringify({ id, type: 'complete' }))
  }

  #broken(message: unknown): string {
    const { random } = this.options
    if (random.isLucky(0.7)) return JSON.stringify(mutate(message, random)) ?? 'null'
    const text = hostileText(random)
    return random.pick([text, `{"id":"1","type":"${text}"}`, JSON.stringify(message).slice(0, -2)])
  }
}

const isAcknowledged = (answer: Answer | number | null): boolean =>
  typeof answer === 'object' && answer?.type === 'connection_ack'
