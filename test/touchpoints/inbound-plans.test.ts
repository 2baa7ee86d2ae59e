import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { inboundNamedSql } from '../../src/platform/db/erased-name.js'
import { startProviderFixture, type ProviderFixture } from './provider-fixture.js'

let fixture: ProviderFixture
beforeAll(async () => {
  fixture = await startProviderFixture()
})
afterAll(() => fixture.app.close())

interface Plan {
  'Relation Name'?: string
  'Actual Rows': number
  'Rows Removed by Filter'?: number
  Plans?: Plan[]
}

const plansOf = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(plansOf)]

describe('a message that a service was told before', () => {
  it('is found without reading the others of a busy service, also by a plan that was made when it was new', async () => {
    const { database } = fixture.app.server
    const busy = await fixture.makeService('sms', { from: '+31201234567', accountSid: 'AC1', authToken: 'token' })
    await database.query('alter table inbound_message set (autovacuum_enabled = off)')
    const fill = (from: number, to: number) =>
      `insert into inbound_message (service_id, provider_id, received_at, ignored)
       select '${busy}', 'in-' || n, now(), 'of no use' from generate_series(${from}, ${to}) n`
    await database.query(fill(1, 200))
    const plan = await database.sqlTransaction(async (sql) => {
      await sql.query('set local plan_cache_mode = force_generic_plan')
      await sql.query(
        `prepare named(uuid, text, text) as select i.message_id from ${inboundNamedSql('$1', '$2', '$3')} i`,
      )
      await sql.query(`execute named('${busy}', 'in-3', 'in-4')`)
      await sql.query(fill(201, 5_000))
      const rows = await sql.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
        `explain (analyze, format json) execute named('${busy}', 'in-4000', 'in-4001')`,
      )
      await sql.query('deallocate named')
      return rows[0]!['QUERY PLAN'][0].Plan
    })
    const reads = plansOf(plan).filter((each) => each['Relation Name'] === 'inbound_message')
    expect(reads.length).toBeGreaterThan(0)
    for (const read of reads) expect(read['Rows Removed by Filter'] ?? 0).toBe(0)
    expect(plan['Actual Rows']).toBe(2)
  })
})

describe('statements', () => {
  it('are not compiled: those that take sets as JSON would be, each time', async () => {
    const settings = 'select setting, source from pg_settings where name = $1'
    const set = [{ setting: 'off', source: 'session' }]
    expect(await fixture.app.server.database.query(settings, ['jit'])).toEqual(set)
  })
})
