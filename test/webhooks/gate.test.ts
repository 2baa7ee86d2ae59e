import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import pg from 'pg'
import { insertCenter } from '../../src/modules/organizations/center-rows.js'
import { systemClock } from '../../src/platform/db/clock.js'
import { Database } from '../../src/platform/db/database.js'
import { hasListeners } from '../../src/platform/events/outbox.js'
import { activateWebhook } from '../../src/modules/webhooks/webhook-listeners.js'
import { makeDatabase, type TestDatabase } from '../support/database.js'
import { until } from '../support/until.js'

let made: TestDatabase
let database: Database
let writer: pg.Client
beforeAll(async () => {
  made = await makeDatabase()
  database = await openDatabase(made.url)
  await database.migrate()
  writer = new pg.Client({ connectionString: made.url })
  await writer.connect()
})
afterAll(async () => {
  await writer?.end()
  await database?.close()
  await made?.drop()
})

const openDatabase = (url: string): Promise<Database> =>
  Database.open({ url, poolSize: 2, entities: [], log: { warn: () => undefined } })

/** A webhook that is not told anything yet. */
async function makeWebhook(): Promise<string> {
  const { id: organization } = await insertCenter(database, systemClock, 'Acme')
  const service = systemClock.newId()
  await database.query(
    `insert into service (id, organization_id, org1, created_at, updated_at, type, params)
     values ($1, $2, $2, now(), now(), 'webhook', '{}')`,
    [service, organization],
  )
  await database.query(`insert into webhook (service_id, organization_id, status) values ($1, $2, 'unverified')`, [
    service,
    organization,
  ])
  return service
}

/** As a transaction that appends events: it reads whether anybody listens, which takes the gate. */
async function write(): Promise<boolean> {
  await writer.query('begin')
  try {
    await writer.query(`set local lock_timeout = '2s'`)
    return await hasListeners({ query: async (text) => (await writer.query(text)).rows })
  } finally {
    await writer.query('rollback')
  }
}

/** Stands for a node that stops the moment it has closed the gate: nothing that it would say comes any more. */
async function stopsAtGate(target: string): Promise<{ url: string; close(): void }> {
  const { hostname, port, username, password, pathname } = new URL(target)
  const host = decodeURIComponent(hostname)
  const sockets = new Set<Socket>()
  const proxy = createServer((client) => {
    const server = connect(
      host.startsWith('/') ? { path: `${host}/.s.PGSQL.${port || 5432}` } : { host, port: Number(port) },
    )
    for (const socket of [client, server]) {
      sockets.add(socket)
      socket.on('error', () => undefined)
    }
    server.pipe(client)
    let isStopped = false
    client.on('data', (chunk: Buffer) => {
      if (!isStopped) server.write(chunk)
      isStopped ||= chunk.includes('lock table event_gate') || chunk.includes('begin_listening')
    })
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  return {
    url: `postgresql://${username}:${password}@127.0.0.1:${(proxy.address() as AddressInfo).port}${pathname}`,
    close: () => {
      proxy.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}

describe('the gate of the event log', () => {
  it('does not block writers of other nodes when the node that closed it stops', async () => {
    const service = await makeWebhook()
    const stopping = await stopsAtGate(made.url)
    const node = await openDatabase(stopping.url)
    const activating = activateWebhook(node, service).catch(() => false)
    // It has the gate, or is done with it.
    await until(async () => {
      const [row] = await database.query<{ closed: boolean }>(
        `select exists (select 1 from pg_locks where relation = 'event_gate'::regclass and mode = 'ExclusiveLock' and granted)
           or exists (select 1 from event_listener where listener_id = $1) as closed`,
        [service],
      )
      return row!.closed
    })
    expect(await write()).toBe(true)
    stopping.close()
    await activating
    await node.close()
  })

  it('does not block writers while it waits for a stopped one', async () => {
    const service = await makeWebhook()
    const stopped = new pg.Client({ connectionString: made.url })
    await stopped.connect()
    await stopped.query('begin')
    await hasListeners({ query: async (text) => (await stopped.query(text)).rows })
    let isOver = false
    const activating = activateWebhook(database, service).finally(() => (isOver = true))
    while (!isOver) await write()
    expect(await activating).toBe(false)
    await stopped.end()
    expect(await activateWebhook(database, service)).toBe(true)
  })
})
