import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals'
import { pruneVersions } from '../../src/modules/sla/prune-versions.js'
import { startConversationFixture, type ConversationFixture } from '../conversations/conversation-fixture.js'

let fixture: ConversationFixture
beforeAll(async () => {
  fixture = await startConversationFixture()
})
beforeEach(async () => {
  await sql('delete from conversation')
  await sql('delete from sla_policy')
  await sql('delete from sla_policy_version')
  await sql('delete from schedule')
  await sql('delete from schedule_version')
})
afterAll(() => fixture.close())

const sql = <T>(text: string, values: unknown[] = []): Promise<T[]> => fixture.server.database.query<T>(text, values)
const prune = (): Promise<void> => fixture.server.database.sqlTransaction((tx) => pruneVersions(tx))
const anHourPasses = async (): Promise<void> => {
  for (const table of ['sla_policy_version', 'schedule_version'])
    await sql(`update ${table} set unused_since = unused_since - interval '61 minutes'`)
}
async function must<T>(query: string, variables: Record<string, unknown>): Promise<T> {
  const { value, message } = await fixture.run<T>(fixture.admin, query, variables)
  expect(message).toBeUndefined()
  return value
}
const make = async (kind: 'Schedule' | 'SlaPolicy', input: object): Promise<string> =>
  (
    await must<{ id: string }>(`mutation ($input: Create${kind}Input!) { create${kind}(input: $input) { id } }`, {
      input,
    })
  ).id
const change = (kind: 'Schedule' | 'SlaPolicy', id: string, patch: object): Promise<unknown> =>
  must(`mutation ($id: ID!, $patch: Update${kind}Input!) { update${kind}(id: $id, patch: $patch) { id } }`, {
    id,
    patch,
  })
const versions = async (): Promise<string[]> => {
  const rows = await sql<{ is: string }>(
    `select 'policy ' || version as is from sla_policy_version union all select 'schedule ' || version from schedule_version`,
  )
  return rows.map(({ is }) => is).toSorted()
}
const targets = (minutes: number): object[] => [{ clock: 'NEXT_RESPONSE', minutes }]
const spans = (closes: string): object[] => [{ days: ['MON', 'TUE', 'WED', 'THU', 'FRI'], opens: '09:00', closes }]

it('deletes replaced versions an hour after nothing counts by them, and those of an open case not before', async () => {
  const schedule = await make('Schedule', { name: 'Office', timezone: 'UTC', spans: spans('17:00') })
  const policy = await make('SlaPolicy', { name: 'Standard', schedule, targets: targets(5) })
  const { id } = await fixture.create({ messages: [{ role: 'CONTACT', text: 'hello' }] })
  // The case has no clock yet, and counts by the first versions.
  expect(await sql('select 1 from clock')).toEqual([])
  await change('Schedule', schedule, { spans: spans('18:00') })
  await change('SlaPolicy', policy, { targets: targets(6) })
  await change('Schedule', schedule, { spans: spans('19:00') })
  await change('SlaPolicy', policy, { targets: targets(7) })
  await prune()
  expect(await versions()).toHaveLength(6)
  await anHourPasses()
  await prune()
  expect(await versions()).toEqual(['policy 1', 'policy 3', 'schedule 1', 'schedule 3'])
  await sql('delete from conversation where id = $1', [id])
  await prune()
  await anHourPasses()
  await prune()
  expect(await versions()).toEqual(['policy 3', 'schedule 3'])
})

it('gets to all of them, however many are still used', async () => {
  const { id } = await fixture.create({ messages: [{ role: 'CONTACT', text: 'hello' }] })
  await sql(
    `insert into sla_policy_version (policy_id, version, organization_id, terms, created_at)
     select $1, n, $1, '{"targets": []}', now() + n * interval '1 ms' from generate_series(1, 7000) n`,
    [fixture.organization.id],
  )
  await sql(
    `insert into clock (conversation_id, nth, kind, org1, policy_id, policy_version, state, started_at, used_ms)
     select $1, n, 'queue', $2, $2, n, 'met', now(), 0 from generate_series(1, 6900) n`,
    [id, fixture.organization.id],
  )
  for (let run = 0; run < 2; run++) await prune()
  const unused = await sql('select 1 from sla_policy_version where unused_since is not null')
  expect(unused).toHaveLength(100)
  await anHourPasses()
  for (let run = 0; run < 2; run++) await prune()
  expect((await sql('select 1 from sla_policy_version')).length).toBe(6_900)
})
