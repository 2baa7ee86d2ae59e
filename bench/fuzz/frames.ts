import { WebSocket } from 'ws'
import { outcomeOfErrors, type GraphqlError, type Outcome } from './bounds.js'
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
      if (FAULTS.has(code)) tally.fault('frames', 'a socket', `was closed with ${code}`)
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
      tally.sent('frames')
      tally.count('frames', { status: 401 }, 0, () => 'connection_init')
    }
    for (let id = 1; !isClosed && this.#sent < frames; id += 1) {
      this.#sent += 1
      tally.sent('frames')
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
    if (found === null && !isBroken) return tally.fault('frames', 'no answer', text)
    tally.count('frames', outcomeOf(found), performance.now() - since, () => `${text} -> ${JSON.stringify(found)}`)
    if (ws.readyState === WebSocket.OPEN) ws.send(JSON.stringify({ id, type: 'complete' }))
  }

  #broken(message: unknown): string {
    const { random } = this.options
    if (random.isLucky(0.7)) return JSON.stringify(mutate(message, random)) ?? 'null'
    const text = hostileText(random)
    return random.pick([text, `{"id":"1","type":"${text}"}`, JSON.stringify(message).slice(0, -2)])
  }
}

/** @param found an answer, what the socket was closed with, or null for a frame that was none */
function outcomeOf(found: Answer | number | null): Outcome {
  if (typeof found === 'number') return { status: FAULTS.has(found) ? 500 : 400 }
  if (found === null) return { status: 400 }
  const { type, payload } = found
  const errors = type === 'error' ? payload : (payload as { errors?: unknown } | undefined)?.errors
  if (Array.isArray(errors)) return outcomeOfErrors(errors as GraphqlError[])
  return { status: type === 'next' || type === 'complete' ? 200 : 400 }
}

const isAcknowledged = (answer: Answer | number | null): boolean =>
  typeof answer === 'object' && answer?.type === 'connection_ack'
