import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { connectAndCut, GAUGES, settle } from '../../bench/checks/leaks.js'
import { readGauge } from '../../bench/checks/stalled.js'
import { startConversationFixture, until, type ConversationFixture } from '../conversations/conversation-fixture.js'

const CONNECTS = 120

let fixture: ConversationFixture
beforeAll(async () => {
  fixture = await startConversationFixture()
})
afterAll(() => fixture.close())

/** `bench -- --only leaks` does it 20,000 times and looks at the heap. */
test(`${CONNECTS} sockets with ten silent subscriptions each leave nothing when they are cut`, async () => {
  const conversations = await Promise.all(Array.from({ length: 20 }, async () => (await fixture.create()).id))
  const tokens = await Promise.all([fixture.ann, fixture.ben].map((agent) => fixture.tokenFor(agent)))
  const turns = Array.from({ length: CONNECTS }, (_each, turn) => turn).values()
  const work = async (): Promise<void> => {
    for (const turn of turns) await connectAndCut(fixture.url, tokens, conversations, turn)
  }
  await Promise.all(Array.from({ length: 12 }, work))
  await settle(fixture.url)
  expect(await Promise.all(GAUGES.map((name) => readGauge(fixture.url, `switchboard_${name}`)))).toEqual([0, 0, 0, 0])
  // A connection that was cut counts for 5 s more.
  const rows = await until(
    () =>
      fixture.server.database.query(
        'select subscription_id from queue_subscriber union all select subscription_id from conversation_viewer',
      ),
    ({ length }) => length === 0,
  )
  expect(rows).toEqual([])
})
