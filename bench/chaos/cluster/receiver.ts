import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type pg from 'pg'
import { eventId } from '../../../src/modules/webhooks/outgoing-event.js'
import type { Api } from '../api.js'
import { sleep } from '../victim.js'

const DELIVERY_MS_MAX = 20_000

/** Deliveries that a receiver which drops the ids it knows has lost, or was given under the id of something else. */
export interface Deliveries {
  expected: number
  missing: number
  /** Ids that came with two different messages. */
  shared: number
}

/** Receives `message.create` by a webhook. */
export class Receiver {
  /** Messages by the event's id. */
  readonly #received = new Map<string, Set<string>>()
  readonly #server: Server
  /** Events before it was registered are not for it. */
  #since = new Date(0)

  private constructor() {
    this.#server = createServer((request, response) => {
      const chunks: Buffer[] = []
      request.on('data', (chunk: Buffer) => chunks.push(chunk))
      request.on('end', () => {
        if (request.method === 'GET') {
          return void response.end(new URL(request.url!, 'http://receiver').searchParams.get('challenge'))
        }
        const { id, data } = JSON.parse(Buffer.concat(chunks).toString()) as Delivered
        this.#received.set(id, (this.#received.get(id) ?? new Set()).add(data.message.id))
        response.writeHead(204).end()
      })
    })
  }

  static async open(owner: Api, sql: pg.Client): Promise<Receiver> {
    const receiver = new Receiver()
    await new Promise<void>((resolve) => receiver.#server.listen(0, '127.0.0.1', resolve))
    const url = `http://127.0.0.1:${(receiver.#server.address() as AddressInfo).port}/`
    const params = { url, events: ['message.create.*'] }
    const { id } = await owner.rest<{ id: string }>('POST', '/services', { type: 'webhook', params }, 'the receiver')
    for (const until = performance.now() + DELIVERY_MS_MAX; ; await sleep(50)) {
      const { rows } = await sql.query<{ status: string; now: Date }>(
        'select status, clock_timestamp() as now from service where id = $1',
        [id],
      )
      receiver.#since = rows[0]!.now
      if (rows[0]!.status === 'active') return receiver
      if (performance.now() > until) throw new Error(`the receiver is ${rows[0]!.status}`)
    }
  }

  /** Waits for what is under way. */
  async judge(sql: pg.Client): Promise<Deliveries> {
    for (const until = performance.now() + DELIVERY_MS_MAX; ; await sleep(500)) {
      const deliveries = await this.#compare(sql)
      if (deliveries.missing === 0 || performance.now() > until) return deliveries
    }
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }

  async #compare(sql: pg.Client): Promise<Deliveries> {
    const { rows } = await sql.query<LoggedMessage>(LOGGED, [this.#since])
    const missing = rows.filter(({ epoch, message, number, ...event }) => {
      const id = eventId(epoch, { ...event, number: Number(number) })
      return !this.#received.get(id)?.has(message)
    })
    const shared = [...this.#received.values()].filter(({ size }) => size > 1)
    return { expected: rows.length, missing: missing.length, shared: shared.length }
  }
}

interface Delivered {
  id: string
  data: { message: { id: string } }
}

interface LoggedMessage {
  stream: string
  number: string
  tag: number
  at: Date
  epoch: number
  message: string
}

const LOGGED = `
select e.stream, e.number, e.tag, e.at, i.epoch, e.data -> 'message' ->> 'id' as message
from event e cross join installation i where e.type = 'message.added' and e.at > $1`
