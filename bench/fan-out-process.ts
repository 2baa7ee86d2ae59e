import pino from 'pino'
import { WebSocketServer } from 'ws'
import type { AddressInfo } from 'node:net'
import { scopesOfRole, type Role } from '../src/access/scopes.js'
import { readConfig } from '../src/config.js'
import { systemClock } from '../src/db/clock.js'
import type { StoredEvent } from '../src/events/event.js'
import { appendEvents } from '../src/events/streams.js'
import { createServer, type Server } from '../src/server.js'
import { cpuMicros, serve } from './processes.js'
import type { SeededUser } from './seed.js'

/** Events in turn: `burst` at once, and the next ones after `gapMs`. */
export interface Pace {
  events: number
  burst: number
  gapMs: number
}

export interface Published {
  /** When each event was handed over, in milliseconds since 1970. */
  at: number[]
  cpuMicros: number
}

let server: Server | undefined
let floor: WebSocketServer | undefined
const log = pino({ level: 'silent' })

/** The product and the floor in one process: the same runtime, heap and socket count for both. */
serve({
  async start({ databaseUrl }: { databaseUrl: string }): Promise<{ url: string; floorUrl: string }> {
    const config = readConfig({ PORT: '0', HOST: '127.0.0.1', DATABASE_URL: databaseUrl, GRAPHQL_COST_PER_MINUTE: '1000000000' })
    server = await createServer(config, { log })
    floor = new WebSocketServer({ port: 0, host: '127.0.0.1', perMessageDeflate: false })
    await new Promise((resolve) => floor!.on('listening', resolve))
    return { url: `${server.url}/graphql`, floorUrl: `http://127.0.0.1:${(floor.address() as AddressInfo).port}/` }
  },

  async token({ id, organization, role }: SeededUser): Promise<string> {
    const { database, signer } = server!
    const family = systemClock.newId()
    await database.query(
      `insert into token_family (id, user_id, created_at, expires_at) values ($1, $2, now(), now() + interval '1 day')`,
      [family, id],
    )
    return (await signer.signAccess({ user: id, organization, scopes: scopesOfRole(role as Role), family })).token
  },

  /** Commits events like the stream's newest, one transaction a burst, and publishes each as a resolver would. */
  async product({ stream, ...pace }: Pace & { stream: string }): Promise<Published> {
    const { database, dispatcher } = server!
    const [template] = await database.query<StoredEvent>(
      `select stream, type, data from event where stream = $1 and type = 'message.added' order by number desc limit 1`, [stream])
    return publish(pace, async (count) => {
      const events = Array.from({ length: count }, () => template!)
      dispatcher.publish(await database.sqlTransaction((sql) => appendEvents(sql, events, new Date())))
    })
  },

  /** The same bytes to every client of a bare `ws` server, made into a buffer once. */
  async floor({ text, ...pace }: Pace & { text: string }): Promise<Published> {
    return publish(pace, async (count) => {
      for (let sent = 0; sent < count; sent += 1) {
        const data = Buffer.from(text)
        for (const client of floor!.clients) client.send(data, { binary: false })
      }
    })
  },

  async close(): Promise<void> {
    for (const client of floor?.clients ?? []) client.terminate()
    floor?.close()
    await server?.close()
  },
})

/** The CPU counted ends a while after the last event, when the sockets have been written to. */
async function publish({ events, burst, gapMs }: Pace, send: (count: number) => Promise<void>): Promise<Published> {
  const at: number[] = []
  const before = cpuMicros()
  while (at.length < events) {
    const count = Math.min(burst, events - at.length)
    const now = performance.timeOrigin + performance.now()
    for (let index = 0; index < count; index += 1) at.push(now)
    await send(count)
    await new Promise((resolve) => setTimeout(resolve, gapMs))
  }
  return { at, cpuMicros: cpuMicros() - before }
}
