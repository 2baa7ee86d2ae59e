import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { startConversationFixture, type ConversationFixture } from './conversation-fixture.js'

let fixture: ConversationFixture
beforeAll(async () => {
  fixture = await startConversationFixture({ ROUTING_TRACE_DAYS: '30' })
})
afterAll(() => fixture.close())

it('why a conversation was routed is kept for as long as is set, and for as long as it is queued', async () => {
  const traces = async (id: string) =>
    (await fixture.show(id, await fixture.tokenFor(fixture.admin))).routingTrace.length
  const queued = await fixture.inStatus('QUEUED')
  const active = await fixture.inStatus('ACTIVE')
  expect([await traces(queued.id), await traces(active.id)]).toEqual([1, 1])
  const { maintenance } = fixture.server
  await maintenance.run()
  expect(await traces(active.id)).toBe(1)
  fixture.clock.advance(31 * 86_400_000)
  await maintenance.run()
  expect([await traces(queued.id), await traces(active.id)]).toEqual([1, 0])
})
