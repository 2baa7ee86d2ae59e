import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import pg from 'pg'
import type { MadeUser } from '../support/factories.js'
import { startTestServer, type GraphqlAnswer, type TestServer } from '../support/test-server.js'
import { until } from '../support/until.js'

const MAX = 100
const CREATE = 'mutation ($input: CreateServiceInput!) { createService(input: $input) { id } }'

let app: TestServer
let admin: MadeUser
let blocker: pg.Client
let watcher: pg.Client

const create = (type: string): Promise<GraphqlAnswer<unknown>> =>
  app.gql(admin, CREATE, {
    input: {
      type,
      name: 'S',
      status: 'INACTIVE',
      params: type === 'webhook' ? { url: 'https://receiver.example/' } : {},
    },
  })

const countOf = async (): Promise<number> => {
  const { rows } = await watcher.query<{ count: number }>(
    'select count(*)::int as count from webhook where organization_id = $1',
    [admin.organization.id],
  )
  return rows[0]!.count
}

beforeAll(async () => {
  app = await startTestServer()
  admin = await app.makeUser({ organization: await app.makeOrganization(), role: 'admin' })
  ;[blocker, watcher] = [1, 2].map(() => new pg.Client({ connectionString: app.databaseUrl })) as [pg.Client, pg.Client]
  await Promise.all([blocker.connect(), watcher.connect()])
})
afterAll(async () => {
  await Promise.all([blocker.end(), watcher.end()])
  await app.close()
})

describe('the number of services that an organization may have for its events', () => {
  it('holds also where they are created at once, of whatever type', async () => {
    const before = await Promise.all(Array.from({ length: MAX - 1 }, () => create('webhook')))
    expect(before.filter(({ errors }) => errors)).toEqual([])
    // Whoever has counted cannot add yet: all that count before somebody has added get this far.
    await blocker.query('begin; lock table webhook in exclusive mode')
    const creating = ['webhook', 'events', 'feed', 'webhook', 'events'].map(create)
    await until(async () => {
      const { rows } = await watcher.query<{ count: number }>(
        `select count(*)::int as count from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
           and query ~ 'insert into webhook \\(|from organization where id = \\$1 for no key update'`,
      )
      return rows[0]!.count >= 2
    })
    await blocker.query('commit')
    const answers = await Promise.all(creating)
    const refused = answers.flatMap(({ errors }) => errors ?? [])
    expect(refused.map(({ extensions }) => extensions.reason)).toEqual(Array(4).fill('TOO_MANY'))
    expect(await countOf()).toBe(MAX)
  })
})
