import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import pg from 'pg'
import { MainProcess } from '../support/main-process.js'
import { PostgresServer } from '../support/postgres-server.js'
import { isInstalled } from '../support/programs.js'

const LOCATIONS = '{ locations(last: 100) { edges { node { name } } } }'
const withPrograms = isInstalled('pg_basebackup') && isInstalled('initdb') ? describe : describe.skip

withPrograms('a standby', () => {
  let primary: PostgresServer
  let standby: PostgresServer
  let server: MainProcess | undefined
  beforeAll(async () => {
    primary = await PostgresServer.create()
    standby = await primary.standby()
  })
  afterAll(async () => {
    server?.kill()
    await server?.ended
    primary?.remove()
    standby?.remove()
  })

  it('in DATABASE_URL ends the start with what to name instead', async () => {
    const refused = await MainProcess.spawn({ DATABASE_URL: standby.url })
    expect(await refused.ended).toBe(1)
    expect(refused.output).toMatch(
      /cannot use the database .* \(DATABASE_URL\): .*the server is a standby, in recovery: name the primary/,
    )
    expect(refused.output).not.toContain('    at ')
  })

  it('in DATABASE_REPLICA_URL that stays an hour behind is said, and shows nobody the past', async () => {
    const client = new pg.Client({ connectionString: standby.url })
    await client.connect()
    server = await MainProcess.start({ DATABASE_URL: primary.url, DATABASE_REPLICA_URL: standby.url })
    const headers = await server.signIn()
    await client.query('select pg_wal_replay_pause()')
    await client.end()
    const create = 'mutation { createLocation(input: { name: "Harbour" }) { id } }'
    await server.run(create, {}, headers)
    await server.until(() => server!.output.includes('a replica is behind: the primary serves its reads'), 60_000)
    for (const position of ['0/1', 'FF/0', 'primary']) {
      const seen = await server.run(LOCATIONS, {}, { ...headers, 'switchboard-position': position })
      expect(JSON.stringify(seen)).toContain('Harbour')
    }
    expect(await server.stop()).toBe(0)
  })
})
