import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import pg from 'pg'
import { PrimaryHistory } from '../../src/platform/db/replica.js'
import { startConversationFixture, type ConversationFixture } from '../conversations/conversation-fixture.js'
import { PostgresServer } from '../support/postgres-server.js'
import { isInstalled } from '../support/programs.js'
import { until } from '../support/until.js'

const HEADER = 'switchboard-position'
const LOCATIONS = '{ locations(last: 100) { edges { node { name } } } }'
const REPORT = `{ report(metrics: [ACCEPTED], from: "2026-11-01T00:00:00Z", to: "2026-11-20T00:00:00Z") { totals { count } } }`

describe('the history of the primary', () => {
  it('tells how long ago it was where a replica is, without comparing clocks', () => {
    let now = 0
    const history = new PrimaryHistory(() => now)
    for (; now <= 10_000_000; now += 1_000) history.add(BigInt(now))
    now -= 1_000
    expect(history.ageOf(10_000_000n)).toBe(0)
    expect(history.ageOf(9_998_500n)).toBe(1_000)
    // An hour and a half ago: known to a minute.
    expect(Math.abs(history.ageOf(4_600_000n) - 5_400_000)).toBeLessThan(60_000)
    // A restore leads back.
    history.add(500n)
    expect(history.ageOf(9_000_000n)).toBe(0)
  })
})

const withPrograms = isInstalled('pg_basebackup') && isInstalled('initdb') ? describe : describe.skip

withPrograms('reads of a replica', () => {
  let primary: PostgresServer
  let standby: PostgresServer
  let fixture: ConversationFixture
  let replica: pg.Client
  let token: string
  beforeAll(async () => {
    primary = await PostgresServer.create()
    standby = await primary.standby()
    const urls = { DATABASE_URL: primary.url, DATABASE_REPLICA_URL: standby.url }
    fixture = await startConversationFixture(urls)
    token = await fixture.tokenFor(fixture.admin)
    replica = new pg.Client({ connectionString: standby.url })
    await replica.connect()
  })
  beforeEach(async () => void (await until(async () => (await ask(REPORT)).by === 'replica')))
  afterAll(async () => {
    await replica?.end().catch(() => undefined)
    await fixture?.close()
    primary?.remove()
    standby?.remove()
  })

  const counts = () => ({ ...fixture.server.database.replicas!.counts })

  async function ask(query: string, known?: string, as = token) {
    const before = counts()
    const response = await fetch(`${fixture.url}/graphql`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        authorization: `Bearer ${as}`,
        ...(known !== undefined && { [HEADER]: known }),
      },
      body: JSON.stringify({ query }),
    })
    const body = (await response.json()) as { data: any; errors?: unknown; extensions?: unknown } // oxlint-disable-line typescript/no-explicit-any
    expect(body.errors).toBeUndefined()
    const after = counts()
    const by =
      after.replica > before.replica ? 'replica' : after.primary > before.primary ? 'primary in its place' : 'primary'
    return { ...body, by, position: response.headers.get(HEADER) }
  }

  let locations = 0
  const addLocation = async (): Promise<{ name: string; position: string }> => {
    const name = `Office ${++locations}`
    const { position, extensions } = await ask(`mutation { createLocation(input: { name: "${name}" }) { id } }`)
    expect(extensions).toEqual({ position })
    return { name, position: position! }
  }
  const position = async (): Promise<string> => (await addLocation()).position
  const lag = async (): Promise<number> => {
    const metrics = await (await fetch(`${fixture.url}/metrics`)).text()
    const [, seconds] = /^switchboard_replica_lag_seconds\{replica="[^"]+"\} (\S+)$/m.exec(metrics)!
    return seconds === '+Inf' ? Infinity : Number(seconds)
  }
  const namesOf = ({ data }: { data: { locations: { edges: { node: { name: string } }[] } } }): string[] =>
    data.locations.edges.map(({ node }) => node.name)

  it('show each write to the caller that says what it knows of, at once and later', async () => {
    for (let times = 0; times < 20; times++) {
      const { name, position: known } = await addLocation()
      expect(namesOf(await ask(LOCATIONS, known))).toContain(name)
    }
    const { name, position: known } = await addLocation()
    await until(async () => (await ask(LOCATIONS, known)).by === 'replica')
    expect(namesOf(await ask(LOCATIONS, known))).toContain(name)
  })

  it('are those of the primary for callers that say nothing, and for what writes', async () => {
    const known = await position()
    await until(async () => (await ask(LOCATIONS, known)).by === 'replica')
    expect((await ask(LOCATIONS)).by).toBe('primary')
    expect((await ask(LOCATIONS, 'primary')).by).toBe('primary')
    expect((await ask('{ me { id } }', known)).by).toBe('primary')
  })

  it('by /v2 go by the same header', async () => {
    const made = await fixture.rest(fixture.admin, 'POST', '/v2/locations', { name: 'Harbour' })
    const known = made.headers.get(HEADER)!
    const list = await fixture.rest(fixture.admin, 'GET', '/v2/locations?limit=100&sort=-createdAt', undefined, {
      [HEADER]: known,
    })
    expect(JSON.stringify(list.body)).toContain('Harbour')
    expect(list.headers.get(HEADER)).toBeNull()
    await until(async () => {
      const before = counts().replica
      await fixture.rest(fixture.admin, 'GET', '/v2/locations', undefined, { [HEADER]: known })
      return counts().replica > before
    })
  })

  it('of reports are served by it to all, and never decide who may what', async () => {
    await until(async () => (await ask(REPORT)).by === 'replica')
    const agent = await fixture.makeAgent()
    const its = await fixture.tokenFor(agent)
    const known = await position()
    await replica.query('select pg_wal_replay_pause()')
    try {
      await fixture.run(fixture.admin, `mutation { deleteUser(id: "${agent.id}") }`)
      const response = await fetch(`${fixture.url}/graphql`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${its}`, [HEADER]: known },
        body: JSON.stringify({ query: LOCATIONS }),
      })
      expect((await response.text()).match(/"code":"(\w+)"/)?.[1]).toBe('UNAUTHENTICATED')
    } finally {
      await replica.query('select pg_wal_replay_resume()')
    }
  })

  it('fall back to the primary while it is behind, and say how far', async () => {
    const known = await position()
    await until(async () => (await ask(LOCATIONS, known)).by === 'replica')
    await replica.query('select pg_wal_replay_pause()')
    try {
      const later = await addLocation()
      const seen = await ask(LOCATIONS, later.position)
      expect(seen.by).toBe('primary in its place')
      expect(namesOf(seen)).toContain(later.name)
      await until(async () => (await ask(REPORT)).by === 'primary in its place')
      // It may also have been asked in vain for once: how far it is behind is told later then.
      await until(lag, (seconds) => Number.isFinite(seconds) && seconds >= 5)
    } finally {
      await replica.query('select pg_wal_replay_resume()')
    }
    await until(async () => (await ask(REPORT)).by === 'replica')
  })

  it('need no replica that is there', async () => {
    const known = await position()
    await replica.end()
    standby.stop('immediate')
    for (let times = 0; times < 5; times++) expect((await ask(LOCATIONS, known)).data.locations).toBeDefined()
    await until(async () => (await ask(REPORT)).by === 'primary in its place')
    await until(lag, (seconds) => seconds === Infinity)
    standby.start()
    await until(async () => (await ask(REPORT)).by === 'replica')
  })
})
