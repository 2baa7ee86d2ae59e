import { afterAll, beforeAll, expect, it, jest } from '@jest/globals'
import { costOfDeliveries } from '../../src/modules/conversations/writer/write-cost.js'
import { readPartitionHead } from '../../src/modules/webhooks/delivery-store.js'
import { WebhookOutbox } from '../../src/modules/webhooks/record-events.js'
import type { Sql } from '../../src/platform/db/database.js'
import type { Sealer } from '../../src/platform/sealing/sealer.js'
import { startTestServer, type TestServer } from '../support/test-server.js'
import { createHooks, type Hooks } from './hooks.js'

const MESSAGES = { events: ['message.create.*'] }

let app: TestServer
let hooks: Hooks
beforeAll(async () => {
  app = await startTestServer({ WEBHOOK_ALLOW_PRIVATE: 'true' })
  hooks = createHooks(app)
})
afterAll(async () => {
  await hooks?.close()
  await app?.close()
})

interface Plan {
  'Index Name'?: string
  'Relation Name'?: string
  Plans?: Plan[]
}

const plansOf = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(plansOf)]

it('the next delivery of a partition is read by its partition, though nothing was pending when statistics were made', async () => {
  const { admin } = await hooks.center()
  const hook = await hooks.register(admin, MESSAGES)
  const conversation = await hooks.converse(admin)
  for (let index = 0; index < 60; index++) await hooks.say(admin, conversation, `${index}`)
  await hook.receiver.count(60)
  const { database } = app.server
  await database.query('vacuum analyze webhook_delivery')
  let plan: Plan | undefined
  const explaining = {
    async query(text: string, values: unknown[]) {
      const [row] = await database.query<{ 'QUERY PLAN': { Plan: Plan }[] }>(`explain (format json) ${text}`, values)
      plan = row!['QUERY PLAN'][0]!.Plan
      return []
    },
  } as unknown as Sql
  const lease = { serviceId: hook.id, partition: `conversation:${conversation}` }
  await readPartitionHead(explaining, {} as Sealer, lease, 1)
  const indexes = plansOf(plan!)
    .filter((each) => each['Relation Name'] === 'webhook_delivery')
    .map((each) => each['Index Name'])
  expect(indexes).toEqual(['webhook_delivery_next'])
})

it('deliveries are a cost of the message that causes them', async () => {
  const { admin } = await hooks.center()
  for (let index = 0; index < 3; index++) await hooks.register(admin, MESSAGES)
  const conversation = await hooks.converse(admin)
  const record = jest.spyOn(WebhookOutbox.prototype, 'record')
  await hooks.say(admin, conversation, 'hello')
  const recorded = await Promise.all(record.mock.results.map(({ value }) => value as Promise<Map<string, number>>))
  record.mockRestore()
  expect(recorded.flatMap((each) => [...each])).toEqual([[conversation, 3]])
  expect(costOfDeliveries(40)).toBe(5)
})
