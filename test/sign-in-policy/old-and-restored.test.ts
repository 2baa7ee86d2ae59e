import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import pino from 'pino'
import { backUp, restore } from '../../src/app/backup/commands.js'
import { readConfig } from '../../src/platform/config.js'
import type { MadeOrganization, MadeUser } from '../support/factories.js'
import { makeEmptyDatabase } from '../support/database.js'
import { startTestServer, type TestServer } from '../support/test-server.js'
import { until } from '../support/until.js'

const DAY_MS = 86_400_000
const UPDATE = 'mutation ($p: UpdateSignInPolicyInput!) { updateSignInPolicy(patch: $p) { version } }'
const log = pino({ level: 'silent' })

let folder: string
let server: TestServer
let center: MadeOrganization & { owner: MadeUser }
let admin: MadeUser

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'switchboard-policy-'))
  server = await startTestServer({ DATA_DIR: join(folder, 'original') })
  center = await server.makeContactCenter()
  admin = await server.makeUser({ organization: center, role: 'admin' })
})
afterAll(async () => {
  await server.close()
  await rm(folder, { recursive: true, force: true })
})

async function set(patch: object): Promise<void> {
  const { errors } = await server.gql(await server.tokenFor(admin), UPDATE, { p: patch })
  expect(errors).toBeUndefined()
}
async function makeBot(): Promise<string> {
  const create = 'mutation ($i: CreateUserInput!) { createUser(input: $i) { apiToken } }'
  const i = { email: `${crypto.randomUUID()}@example.com`, role: 'BOT' }
  return (await server.gql(await server.tokenFor(admin), create, { i })).data.createUser.apiToken
}
const statusOf = async (token: string, node: Pick<TestServer, 'rest'> = server): Promise<number> =>
  (await node.rest(token, 'GET', '/v2/users/me')).status

describe('a sign-in policy', () => {
  it('stays as it is under a node of the release before, which knows but its own columns', async () => {
    const { database } = server.server
    // As that release makes a policy, and changes one.
    await database.query(
      `insert into sign_in_policy (id, organization_id, org1, created_at, updated_at, version, max_session_hours)
       values ($1, $2, $2, now(), now(), 1, 720)`,
      [crypto.randomUUID(), center.id],
    )
    const bot = await makeBot()
    expect(await statusOf(bot)).toBe(200)
    await set({ apiTokenMaxDays: 5, idleMinutes: 43_200 })
    await database.query('update sign_in_policy set max_session_hours = 700, version = version + 1 where org1 = $1', [
      center.id,
    ])
    const { data } = await server.gql(
      await server.tokenFor(admin),
      '{ signInPolicy { effective { maxSessionHours apiTokenMaxDays idleMinutes passwordLogin } } }',
    )
    const effective = { maxSessionHours: 700, apiTokenMaxDays: 5, idleMinutes: 43_200, passwordLogin: null }
    expect(data.signInPolicy.effective).toEqual(effective)
    server.clock.advance(5 * DAY_MS)
    // The node may have cached it, for two seconds of the machine's time.
    expect(
      await until(
        () => statusOf(bot),
        (status) => status !== 200,
      ),
    ).toBe(403)
  })

  it('holds in an installation that was restored from a backup, with the ages of what it has', async () => {
    const old = await makeBot()
    server.clock.advance(3 * DAY_MS)
    const young = await makeBot()
    await backUp(
      readConfig({ DATABASE_URL: server.databaseUrl, DATA_DIR: join(folder, 'original') }),
      log,
      join(folder, 'backup'),
    )
    const target = await makeEmptyDatabase()
    const restored = { DATABASE_URL: target.url, DATA_DIR: join(folder, 'restored') }
    await restore(readConfig(restored), log, join(folder, 'backup'))
    const copy = await startTestServer(restored)
    try {
      copy.clock.standAt(server.clock.now())
      expect([await statusOf(old, copy), await statusOf(young, copy)]).toEqual([200, 200])
      copy.clock.advance(2 * DAY_MS)
      expect(
        await until(
          () => statusOf(old, copy),
          (status) => status !== 200,
        ),
      ).toBe(403)
      expect(await statusOf(young, copy)).toBe(200)
    } finally {
      await copy.close()
      await target.drop()
    }
  })
})
