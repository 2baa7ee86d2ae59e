import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { startTestServer } from '../../support/test-server.js'
import { storedParams } from '../../support/stored-params.js'
import { until } from '../../support/until.js'
import { letNextComeDue } from '../../support/next-job.js'
import { ACCOUNT, errorOf } from './account-api.js'
import { startInstagramFixture, type InstagramFixture } from './instagram-fixture.js'

const DAY_MS = 86_400_000
const JOB = 'instagram.token'

let fixture: InstagramFixture
let service: string
beforeAll(async () => {
  fixture = await startInstagramFixture()
})
afterAll(() => fixture.close())
beforeEach(async () => {
  const { api, ask } = fixture
  // Those of the tests before have tokens too.
  await sql("update service set status = 'inactive'")
  const create = 'mutation ($input: CreateServiceInput!) { createService(input: $input) { id } }'
  const input = { type: 'instagram', params: { ...ACCOUNT, apiUrl: api.url } }
  service = (await ask(create, { input })).createService.id
  api.renewals.splice(0)
})

const sql = <T>(text: string, values: unknown[] = []): Promise<T[]> => fixture.app.server.database.query(text, values)
const tokenOf = async (): Promise<string> =>
  (await storedParams<{ accessToken: string }>(fixture.app.server, service)).accessToken
const endOf = async (): Promise<Date | null> =>
  (await sql<{ at: Date | null }>('select ends_at as at from service_token where service_id = $1', [service]))[0]!.at
const jobs = async (): Promise<number> =>
  (
    await sql("select 1 from job where kind = $1 and payload ->> 'service' = $2 and run_at < 'infinity'", [
      JOB,
      service,
    ])
  ).length
/** Lets the job that is there run, and waits for its end. */
const tried = async (): Promise<void> => {
  await until(async () => {
    await letNextComeDue(fixture.app, JOB, { service })
    return (await jobs()) === 0
  })
}
const shown = async () =>
  (await fixture.ask('query ($id: ID!) { service(id: $id) { status problem version params } }', { id: service }))
    .service
/** The maintenance of a node. */
const maintained = () => fixture.app.server.maintenance.run()
const save = (patch: object) =>
  fixture.ask('mutation ($id: ID!, $patch: UpdateServiceInput!) { updateService(id: $id, patch: $patch) { id } }', {
    id: service,
    patch,
  })

describe('the access token of an account', () => {
  it('is replaced after it was entered, which tells its end, and again when it is 30 days old', async () => {
    const { api, app } = fixture
    const { version } = await shown()
    await tried()
    expect(api.renewals).toEqual([ACCOUNT.accessToken])
    const first = await tokenOf()
    expect(first).toBe(api.tokens.at(-1))
    expect((await endOf())!.getTime() - app.clock.now().getTime()).toBeGreaterThan(59 * DAY_MS)
    expect(await shown()).toMatchObject({ status: 'ACTIVE', version, params: { accessToken: '********' } })
    // Sealed, as all secrets: in no table in clear.
    const clear = await sql('select 1 from service where to_jsonb(service)::text like $1', [`%${first}%`])
    expect(clear).toEqual([])
    app.clock.advance(29 * DAY_MS)
    await maintained()
    expect([await jobs(), api.renewals.length]).toEqual([0, 1])
    app.clock.advance(2 * DAY_MS)
    await maintained()
    await tried()
    expect(api.renewals).toEqual([ACCOUNT.accessToken, first])
    expect(await tokenOf()).toBe(api.tokens.at(-1))
  })

  it('is replaced by one of two nodes, in whichever order they try', async () => {
    const { api, app } = fixture
    await tried()
    app.clock.advance(31 * DAY_MS)
    const other = await startTestServer({ WEBHOOK_ALLOW_PRIVATE: 'true' }, { beside: app })
    try {
      await Promise.all([maintained(), other.server.maintenance.run()])
      await Promise.all([maintained(), other.server.maintenance.run()])
      await tried()
      expect(api.renewals).toHaveLength(2)
      expect(await tokenOf()).toBe(api.tokens.at(-1))
    } finally {
      await other.close()
    }
  })

  it('stays the one that an administrator gives the service meanwhile', async () => {
    const { api } = fixture
    api.tokens.push('IGAA-by-hand')
    api.renewalFaults.push(() => save({ params: { ...ACCOUNT, accessToken: 'IGAA-by-hand', apiUrl: api.url } }))
    await until(async () => {
      await letNextComeDue(fixture.app, JOB, { service })
      return api.renewals.length > 0
    })
    // The next one is of the administrator's token.
    await tried()
    expect(api.renewals).toEqual([ACCOUNT.accessToken, 'IGAA-by-hand'])
    expect(await tokenOf()).toBe(api.tokens.at(-1))
  })

  it('is no problem of the service if one is refused that an administrator replaces at that moment', async () => {
    const { api } = fixture
    const known = api.tokens.splice(0, api.tokens.length, 'IGAA-in-time')
    let isSaved = false
    api.renewalFaults.push(async () => {
      await save({ params: { ...ACCOUNT, accessToken: 'IGAA-in-time', apiUrl: api.url } })
      isSaved = true
    })
    // That of the administrator's token comes later.
    await until(async () => {
      await letNextComeDue(fixture.app, JOB, { service })
      return isSaved
    })
    await until(async () => (await jobs()) === 1)
    api.tokens.push(...known)
    expect(await shown()).toMatchObject({ status: 'ACTIVE', problem: null })
  })

  it('stays as it is while the service is saved with its mask, also with the version that was read before', async () => {
    const { api } = fixture
    const { params, version } = await shown()
    await tried()
    const replaced = await tokenOf()
    await save({ name: 'Harbour', params, ifVersion: version })
    expect(await tokenOf()).toBe(replaced)
    expect([await jobs(), api.renewals.length]).toEqual([0, 1])
  })

  it('that is too young is tried again a day later, and a refusal then is the problem of the service', async () => {
    const { api, app } = fixture
    api.renewalFaults.push(errorOf(100, 'The token is too young'))
    await tried()
    expect(await shown()).toMatchObject({ status: 'ACTIVE', problem: null })
    app.clock.advance(DAY_MS - 3_600_000)
    await maintained()
    expect(await jobs()).toBe(0)
    app.clock.advance(3_700_000)
    api.renewalFaults.push(errorOf(100, `Cannot refresh ${ACCOUNT.accessToken}`))
    await maintained()
    await tried()
    expect(await shown()).toMatchObject({
      status: 'FAILING',
      problem: expect.stringMatching(/cannot be replaced before it ends: .*Cannot refresh \*{8}/),
    })
    expect(await tokenOf()).toBe(ACCOUNT.accessToken)
    // The next day it is taken, which ends the problem.
    app.clock.advance(DAY_MS + 1)
    await maintained()
    await tried()
    expect(await shown()).toMatchObject({ status: 'ACTIVE', problem: null })
    expect(await tokenOf()).toBe(api.tokens.at(-1))
  })

  it('that is refused as such is the problem of the service at once; a fault of the platform is none', async () => {
    const { api, app } = fixture
    api.renewalFaults.push({ status: 500, body: '<html>' })
    await tried()
    expect(await shown()).toMatchObject({ status: 'ACTIVE', problem: null })
    api.renewalFaults.push(errorOf(190, 'Error validating access token: Session has expired'))
    app.clock.advance(DAY_MS + 1)
    await maintained()
    await tried()
    expect(await shown()).toMatchObject({
      status: 'FAILING',
      problem: expect.stringContaining('the access token is refused'),
    })
  })

  it('is forgotten with the service, and not asked for while that is switched off', async () => {
    const { api, app } = fixture
    await tried()
    await save({ status: 'INACTIVE' })
    app.clock.advance(40 * DAY_MS)
    await maintained()
    expect([await jobs(), api.renewals.length]).toEqual([0, 1])
    await save({ status: 'ACTIVE' })
    await maintained()
    await tried()
    expect(api.renewals).toHaveLength(2)
    await save({ type: 'messenger', params: { pageId: '1' } })
    expect(await sql('select 1 from service_token where service_id = $1', [service])).toEqual([])
  })
})
