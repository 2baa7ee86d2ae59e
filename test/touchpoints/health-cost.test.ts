import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { readHealth } from '../../src/modules/touchpoints/service-health.js'
import type { ReadSql } from '../../src/platform/db/sql.js'
import { startProviderFixture, type ProviderFixture } from './provider-fixture.js'

let fixture: ProviderFixture
let service: string
let now: Date
beforeAll(async () => {
  fixture = await startProviderFixture()
  service = await fixture.makeService('sms', { from: '+31201234567', accountSid: 'AC1', authToken: 'a-token-of-it' })
  now = fixture.app.clock.now()
  await passThrough()
})
afterAll(() => fixture.app.close())

/** Makes what passed through the service in a day, without the messages: it sends much, and few people answer. */
async function passThrough(): Promise<void> {
  const { database } = fixture.app.server
  const values = [service, now]
  await database.query('alter table delivery drop constraint delivery_message_id_fkey')
  await database.query(
    `insert into delivery (id, organization_id, org1, conversation_id, message_id, touchpoint, service_id, recipient, status, reason,
       created_at, updated_at)
     select gen_random_uuid(), $3, $3, gen_random_uuid(), gen_random_uuid(), 'sms', $1, '+31612345678',
       case when n % 4000 = 1 then 'failed' when n % 5000 = 2 then 'queued' else (array['sent', 'delivered'])[n % 2 + 1] end,
       case when n % 4000 = 1 then 'unreachable' end, at, at
     from generate_series(1, 19000) n, lateral (select $2::timestamptz - make_interval(secs => n * 4) as at) t`,
    [...values, fixture.organization.id],
  )
  await database.query(
    `insert into inbound_message (service_id, provider_id, received_at, sent_at, ignored, is_by_contact)
     select $1, 'in-' || n, $2::timestamptz - make_interval(secs => n * 4),
       case when n % 100 = 50 then $2::timestamptz - make_interval(secs => n * 4 + 7) end,
       case when n % 50 > 0 then 'this server has sent it' end, n % 50 = 0
     from generate_series(1, 19000) n`,
    values,
  )
  await database.query('vacuum analyze delivery, inbound_message')
}

interface Plan {
  'Relation Name'?: string
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  Plans?: Plan[]
}

const plansOf = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(plansOf)]

describe('the health of a service', () => {
  it('has the lag of those messages that consumers sent, also where most of what passed was sent to them', async () => {
    const [health] = await readHealth(fixture.app.server.database, [service], now)
    expect(health).toMatchObject({ lag_p95_seconds: 7, waiting: 4, refusals: [{ reason: 'unreachable', count: 5 }] })
    expect(health!.last_in_at).toEqual(new Date(now.getTime() - 200_000))
    expect(health!.last_out_at).toEqual(new Date(now.getTime() - 12_000))
  })

  it('is read from the rows of which it tells', async () => {
    let plan: Plan | undefined
    const explaining: ReadSql = {
      async query(text, values) {
        const [row] = await fixture.app.server.database.query<{ 'QUERY PLAN': { Plan: Plan }[] }>(
          `explain (analyze, format json) ${text}`,
          values,
        )
        plan = row!['QUERY PLAN'][0]!.Plan
        return []
      },
    }
    await readHealth(explaining, [service], now)
    const readOf = (table: string): number =>
      plansOf(plan!)
        .filter((each) => each['Relation Name'] === table)
        .map((each) => (each['Actual Rows'] + (each['Rows Removed by Filter'] ?? 0)) * each['Actual Loops'])
        // Of a node that is run several times, the mean is told, rounded.
        .reduce((sum, rows) => sum + Math.round(rows), 0)
    // The failed and waiting ones, and the last one of each status that is sent.
    expect(readOf('delivery')).toBe(5 + 4 + 2)
    // Those with a time, and the last one.
    expect(readOf('inbound_message')).toBe(190 + 1)
  })
})
