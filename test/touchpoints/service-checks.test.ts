import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { letNextComeDue } from '../support/next-job.js'
import { until } from '../support/until.js'
import { startProviderFixture, type ProviderFixture } from './provider-fixture.js'
import { bodyOf, errorOf, NUMBER, startCloudApi, type CloudApi } from './whatsapp/cloud-api.js'

const METRICS = 'token-of-whoever-reads-metrics'

let fixture: ProviderFixture
let cloud: CloudApi
let service: string
let numbers = 0

beforeAll(async () => {
  fixture = await startProviderFixture({ SERVICE_CHECK_MINUTES: '15', METRICS_TOKEN: METRICS })
  cloud = await startCloudApi()
})
afterAll(async () => {
  await fixture.app.close()
  await cloud.close()
})
beforeEach(async () => {
  for (const { id } of await fixture.app.server.database.query<{ id: string }>('select id from service'))
    await must(fixture.admin, 'mutation ($id: ID!) { deleteService(id: $id) }', { id })
  service = await made()
})

async function must(as: ProviderFixture['admin'], document: string, variables: object) {
  // Checks are minutes apart: tokens end meanwhile.
  const { data, errors } = await fixture.app.gql(await fixture.app.tokenFor(as), document, variables as never)
  expect(errors).toBeUndefined()
  return data
}

async function made(params: object = {}): Promise<string> {
  numbers += 1
  const { createService } = await must(
    fixture.admin,
    'mutation ($input: CreateServiceInput!) { createService(input: $input) { id } }',
    { input: { type: 'whatsapp', params: { ...NUMBER, apiUrl: cloud.url, ...params } } },
  )
  return createService.id
}

const healthOf = async (id: string) =>
  (
    await must(
      fixture.admin,
      `query ($id: ID!) { service(id: $id) { status problem health { state checkedAt code message fix failures failingSince quality
        lastInAt lastOutAt lagP95Seconds tokenEndsAt waiting waitingSince refusals { code reason count } unnamed { name count } } } }`,
      { id },
    )
  ).service

/** Waits for the next check of the service. */
async function checked(id = service) {
  const before = (await healthOf(id)).health.checkedAt
  // Once: the check after it would be due as well.
  await letNextComeDue(fixture.app, 'service.check', { service: id })
  return until(async () => {
    const now = await healthOf(id)
    return now.health.checkedAt !== before && now
  })
}

const jobsOf = async (id: string): Promise<number> => {
  const rows = await fixture.app.server.database.query(
    `select 1 from job where kind = 'service.check' and payload ->> 'service' = $1`,
    [id],
  )
  return rows.length
}
const refuse = (): void => void cloud.faults.push(errorOf(190, `Invalid token ${NUMBER.accessToken}`, 401))

describe('a service that is checked', () => {
  it('is in order, with the rating of its provider, and was not before it was looked at', async () => {
    expect((await healthOf(service)).health).toMatchObject({ state: 'UNCHECKED', checkedAt: null, quality: null })
    expect((await checked()).health).toMatchObject({
      state: 'OK',
      code: null,
      message: null,
      fix: null,
      failures: 0,
      quality: 'GREEN',
    })
    const metrics = await fetch(`${fixture.app.url}/metrics`, { headers: { authorization: `Bearer ${METRICS}` } })
    expect(await metrics.text()).toContain('switchboard_service_checks_total{type="whatsapp",outcome="ok"} 1')
  })

  it('fails with the third failure in a row, which is told once, and works again with the next success', async () => {
    const told = async (): Promise<number> => {
      const rows = await fixture.app.server.database.query(
        `select 1 from event where type = 'service.error' and data ->> 'id' = $1`,
        [service],
      )
      return rows.length
    }
    for (const failures of [1, 2, 3, 4]) {
      refuse()
      const { health } = await checked()
      expect(health).toMatchObject({
        state: failures < 3 ? 'DOUBTFUL' : 'FAILING',
        code: 'TOKEN',
        message: expect.stringContaining('Invalid token ********'),
        fix: expect.stringContaining('new token'),
        failures,
      })
      const isFailing = failures >= 3
      await until(async () => (await healthOf(service)).status === (isFailing ? 'FAILING' : 'ACTIVE'))
      expect(await told()).toBe(isFailing ? 1 : 0)
    }
    expect((await healthOf(service)).problem).toContain('the access token is refused')
    const failing = async (): Promise<string | undefined> => {
      const metrics = await fetch(`${fixture.app.url}/metrics`, { headers: { authorization: `Bearer ${METRICS}` } })
      return /^switchboard_services_failing\{.*$/m.exec(await metrics.text())?.[0]
    }
    await until(async () => (await failing()) === 'switchboard_services_failing{type="whatsapp"} 1')
    // Something that works all the same ends it, such as a send; the next check that fails tells it again.
    await fixture.app.server.database.query(`update service set status = 'active', problem = null where id = $1`, [
      service,
    ])
    refuse()
    expect((await checked()).health).toMatchObject({ state: 'FAILING' })
    await until(async () => (await healthOf(service)).status === 'FAILING')
    expect(await told()).toBe(2)
    expect(await checked()).toMatchObject({ health: { failures: 0, code: null } })
    await until(async () => (await healthOf(service)).status === 'ACTIVE')
    expect(await healthOf(service)).toMatchObject({ problem: null, health: { state: 'OK' } })
    await until(async () => (await failing()) === undefined)
  })

  it('begins anew when it is saved, and is left alone when it is switched off or deleted', async () => {
    for (let failure = 0; failure < 2; failure += 1) {
      refuse()
      await checked()
    }
    const update = 'mutation ($id: ID!, $patch: UpdateServiceInput!) { updateService(id: $id, patch: $patch) { id } }'
    await must(fixture.admin, update, { id: service, patch: { name: 'Again' } })
    expect((await healthOf(service)).health).toMatchObject({ state: 'UNCHECKED', failures: 0 })
    refuse()
    expect((await checked()).health).toMatchObject({ state: 'DOUBTFUL', failures: 1 })
    await must(fixture.admin, update, { id: service, patch: { status: 'INACTIVE' } })
    const asked = cloud.requests.length
    await letNextComeDue(fixture.app, 'service.check', { service })
    await until(async () => (await jobsOf(service)) === 0)
    expect(cloud.requests).toHaveLength(asked)
    expect((await healthOf(service)).health.state).toBe('OFF')
  })

  it('is checked once each time, however many jobs there are for it', async () => {
    await checked()
    const { database } = fixture.app.server
    await database.query(
      `insert into job (id, kind, key, share, payload, run_at, created_at)
       select gen_random_uuid(), kind, key, share, payload, run_at, created_at from job
       where kind = 'service.check' and payload ->> 'service' = $1`,
      [service],
    )
    const asked = cloud.requests.length
    await checked()
    await until(async () => (await jobsOf(service)) === 1)
    expect(cloud.requests).toHaveLength(asked + 1)
  })

  it('shows what passes through it: last messages, refusals by reason, events that have no use', async () => {
    const { url } = fixture.hook('whatsapp', service)
    const person = '31612340001'
    // The platform took it half a minute ago.
    const seconds = String(Math.floor(fixture.app.clock.now().getTime() / 1_000) - 30)
    const message = { id: 'wamid.health', from: person, timestamp: seconds, type: 'text', text: { body: 'Hello' } }
    const value = { contacts: [{ wa_id: person, profile: { name: 'Carl' } }], messages: [message] }
    expect(await cloud.call(url, bodyOf(value))).toBe(200)
    for (let call = 0; call < 2; call += 1) await cloud.call(url, bodyOf({}, 'account_review_update'))
    const [said] = await until(async () => {
      const rows = await fixture.receivedBy(service)
      return rows.length > 0 && rows
    })
    const token = await fixture.app.tokenFor(fixture.agent)
    await fixture.becomes(await fixture.answer(said!.conversation_id, { text: 'Hi' }, token), 'sent')
    cloud.faults.push(errorOf(131_026, 'Message undeliverable'))
    await fixture.becomes(await fixture.answer(said!.conversation_id, { text: 'Not' }, token), 'failed')
    const { health } = await healthOf(service)
    expect(health.lagP95Seconds).toBeGreaterThanOrEqual(30)
    expect(health).toMatchObject({
      tokenEndsAt: null,
      lastInAt: expect.any(String),
      lastOutAt: expect.any(String),
      waiting: 0,
      waitingSince: null,
      refusals: [{ code: null, reason: expect.stringContaining('131026'), count: 1 }],
      unnamed: [{ name: 'account_review_update', count: 2 }],
    })
  })

  it('is in doubt for a week before its token ends, whatever the checks find', async () => {
    await checked()
    const endsIn = async (days: number) => {
      await fixture.app.server.database.query(
        `insert into service_token (service_id, since, ends_at, due_at) values ($1, $2, $2::timestamptz + make_interval(days => $3), $2)
         on conflict (service_id) do update set ends_at = excluded.ends_at`,
        [service, fixture.app.clock.now(), days],
      )
      return (await healthOf(service)).health
    }
    expect(await endsIn(8)).toMatchObject({ state: 'OK', fix: null, tokenEndsAt: expect.any(String) })
    expect(await endsIn(6)).toMatchObject({ state: 'DOUBTFUL', code: null, fix: expect.stringContaining('new token') })
    // Checks that fail say what helps against that.
    cloud.faults.push({ status: 503, body: '{}' })
    expect((await checked()).health).toMatchObject({ state: 'DOUBTFUL', code: 'UNREACHABLE' })
  })

  it('has no health if it is no way to the consumer', async () => {
    const { createService } = await must(
      fixture.admin,
      'mutation ($input: CreateServiceInput!) { createService(input: $input) { id } }',
      { input: { type: 'events', params: {} } },
    )
    expect((await healthOf(createService.id)).health).toBeNull()
  })
})
