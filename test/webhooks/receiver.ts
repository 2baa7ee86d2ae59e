import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { checkDelivery } from '../support/openapi-answers.js'
import { until } from '../support/until.js'

export interface Received {
  headers: IncomingMessage['headers']
  /** The bytes as they came. */
  body: string
  /** The envelope. */
  json: any // oxlint-disable-line typescript/no-explicit-any
}

export interface ReceiverAnswer {
  status?: number
  headers?: Record<string, string>
  body?: string
  /** Milliseconds until it answers. */
  delayMs?: number
  /** It answers after that. */
  after?: Promise<void>
  /** Cuts the connection instead of answering. */
  isCut?: boolean
}

export interface Receiver {
  url: string
  /** POSTs that were taken with 2xx, and those that were not, in order. */
  received: Received[]
  handshakes: URL[]
  /** Answers a POST: 200 and nothing unless set. */
  answer: (received: Received) => ReceiverAnswer
  /** Answers the handshake: the challenge unless set. */
  answerHandshake: (challenge: string) => ReceiverAnswer
  /** Most POSTs that were under way at once. */
  busiest: number
  /** Waits for the first POST that fits, from where the last call ended. */
  next(fits?: (received: Received) => boolean): Promise<Received>
  /** Waits until as many POSTs as that have come. */
  count(wanted: number): Promise<Received[]>
  /** Deliveries that the OpenAPI document does not describe: none, or `close` throws the first. */
  undescribed: Error[]
  /** @throws Error for the first delivery that the OpenAPI document does not describe */
  close(): Promise<void>
}

/** A receiver of webhooks on loopback. */
export async function startReceiver(port = 0): Promise<Receiver> {
  let seen = 0
  let busy = 0
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const url = new URL(request.url!, 'http://receiver')
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    let answer: ReceiverAnswer
    if (request.method === 'GET') {
      receiver.handshakes.push(url)
      answer = receiver.answerHandshake(url.searchParams.get('challenge') ?? '')
    } else {
      receiver.busiest = Math.max(receiver.busiest, ++busy)
      const body = Buffer.concat(chunks).toString()
      const received = { headers: request.headers, body, json: JSON.parse(body) as unknown }
      receiver.received.push(received)
      try {
        checkDelivery(received.json as { event: string })
      } catch (error) {
        receiver.undescribed.push(error as Error)
      }
      answer = receiver.answer(received)
    }
    if (answer.delayMs) await new Promise((resolve) => setTimeout(resolve, answer.delayMs))
    await answer.after
    if (request.method === 'POST') busy--
    if (answer.isCut) return void request.socket.destroy()
    response.writeHead(answer.status ?? 200, answer.headers).end(answer.body ?? '')
  }
  const server = createServer((request, response) => void handle(request, response))
  const receiver: Receiver = {
    url: '',
    received: [],
    handshakes: [],
    busiest: 0,
    answer: () => ({}),
    answerHandshake: (challenge) => ({ body: challenge }),
    next: (fits = () => true) =>
      until(() => {
        while (seen < receiver.received.length) {
          const received = receiver.received[seen++]!
          if (fits(received)) return received
        }
        return null
      }),
    async count(wanted) {
      await until(
        () => receiver.received.length,
        (count) => count >= wanted,
      )
      return receiver.received
    },
    undescribed: [],
    async close() {
      server.closeAllConnections()
      await new Promise<void>((resolve) => void server.close(() => resolve()))
      if (receiver.undescribed[0]) throw receiver.undescribed[0]
    },
  }
  await new Promise<void>((resolve) => void server.listen(port, '127.0.0.1', resolve))
  receiver.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`
  return receiver
}
