import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import pg from 'pg'
import { Database } from '../../src/platform/db/database.js'
import { PrimaryConnector } from '../../src/platform/db/primary-connector.js'
import { waitForDatabase } from '../../src/platform/db/wait-for-database.js'
import { addressOf, PostgresServer } from '../support/postgres-server.js'
import { isInstalled } from '../support/programs.js'

const withPrograms = isInstalled('pg_basebackup') && isInstalled('initdb') ? describe : describe.skip
const CUT = /another server is the primary/
const PORT = 'select inet_server_port() as port'

/** As a pool opens it. */
async function open(connector: PrimaryConnector): Promise<pg.Client> {
  const client = new connector.Client()
  client.on('error', () => undefined)
  await new Promise<void>((resolve, reject) =>
    client.connect((error: Error | undefined) => (error ? reject(error) : resolve())),
  )
  await connector.prepare(client)
  return client
}

const failureOf = async (client: pg.Client): Promise<unknown> =>
  client.query('select pg_sleep(60)').then(
    () => null,
    ({ message }: Error) => message,
  )

withPrograms('of several hosts of which more than one says to be the primary', () => {
  /** Each was promoted beside the one before it, which goes on and does not know. */
  let servers: [PostgresServer, PostgresServer, PostgresServer]
  const clients: pg.Client[] = []
  beforeAll(async () => {
    const first = await PostgresServer.create()
    const second = await first.standby()
    second.promote()
    const third = await second.standby()
    third.promote()
    servers = [first, second, third]
  })
  afterAll(async () => {
    await Promise.all(clients.map((client) => client.end().catch(() => undefined)))
    for (const server of servers ?? []) server.remove()
  })

  const opened = async (connector: PrimaryConnector): Promise<pg.Client> => {
    const client = await open(connector)
    clients.push(client)
    return client
  }

  it('the newest is taken, not the first that is newer, and older connections are cut', async () => {
    const connector = new PrimaryConnector(addressOf(...servers))
    const client = await opened(connector)
    const failure = failureOf(client)
    expect(await connector.lookElsewhere()).toBe(true)
    expect(await failure).toMatch(CUT)
    expect(new URL(connector.address).host).toBe(servers[2].host)
    // Nothing is older any more.
    const next = await opened(connector)
    expect(await connector.lookElsewhere()).toBe(false)
    expect((await next.query<{ port: number }>(PORT)).rows).toEqual([{ port: servers[2].port }])
  })

  it('an older one is not newer for who has opened connections outside pools only', async () => {
    const connector = new PrimaryConnector(addressOf(servers[2], servers[0]))
    const client = await connector.connect()
    clients.push(client)
    expect(await connector.lookElsewhere()).toBe(false)
    expect(new URL(connector.address).host).toBe(servers[2].host)
    expect((await client.query<{ port: number }>(PORT)).rows).toEqual([{ port: servers[2].port }])
  })

  it('around a pooler, the connections of the pool are cut as well', async () => {
    const warned: string[] = []
    const database = await Database.open({
      // As through a pooler that had led to the first one.
      url: addressOf(servers[0], servers[2]),
      directUrl: addressOf(servers[2], servers[0]),
      poolSize: 2,
      waitMs: 10_000,
      entities: [],
      log: { warn: (_fields, message) => void warned.push(message) },
    })
    try {
      expect(await database.query(PORT)).toEqual([{ port: servers[0].port }])
      await database.lookElsewhere()
      expect(warned).toContain('the primary did not answer: another host is the primary now')
      expect(await database.query(PORT)).toEqual([{ port: servers[2].port }])
    } finally {
      await database.close()
    }
  })

  it('a connection in doubt is used only if it leads to a primary', async () => {
    const standby = await servers[2].standby()
    try {
      // As a pooler that leads to a standby by now.
      const pool = new pg.Pool({ connectionString: standby.url, max: 1 })
      pool.on('error', () => undefined)
      waitForDatabase(pool, 4_000)
      standby.stop()
      const waiting = pool.query('select 1').then(
        () => 'served',
        ({ message }: Error) => message,
      )
      // The first attempt is refused.
      await new Promise((resolve) => setTimeout(resolve, 50))
      standby.start()
      expect(await waiting).toMatch(/not available/)
      await pool.end()
    } finally {
      standby.remove()
    }
  })
})

withPrograms('a machine without power', () => {
  let primary: PostgresServer
  let standby: PostgresServer
  const clients: pg.Client[] = []
  beforeAll(async () => {
    primary = await PostgresServer.create()
    standby = await primary.standby()
  })
  afterAll(async () => {
    primary?.resume()
    await Promise.all(clients.map((client) => client.end().catch(() => undefined)))
    primary?.remove()
    standby?.remove()
  })

  it('loses its connections as soon as another one has found the next primary', async () => {
    const connector = new PrimaryConnector(addressOf(primary, standby))
    const silent = await open(connector)
    clients.push(silent)
    const failure = failureOf(silent)
    primary.freeze()
    standby.promote()
    // The first attempt takes its limit, and the next one goes to the other host.
    await expect(open(connector)).rejects.toThrow(/timeout/)
    clients.push(await open(connector))
    expect(await failure).toMatch(CUT)
  })
})
