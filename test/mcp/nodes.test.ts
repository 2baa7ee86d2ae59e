import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { must, startConversationFixture, type ConversationFixture } from '../conversations/conversation-fixture.js'
import { startTestServer, type TestServer } from '../support/test-server.js'
import { connectOfficial, type Version } from './official-client.js'

const VERSIONS: readonly Version[] = ['2025-11-25', '2026-07-28']

/** Two nodes on one database, without Redis. */
let fixture: ConversationFixture
let other: TestServer
beforeAll(async () => {
  fixture = await startConversationFixture()
  other = await startTestServer({}, { beside: fixture })
})
afterAll(async () => {
  await other.close()
  await fixture.close()
})

it.each(VERSIONS)(
  'all of 200 calls are answered that go to two nodes in turns, each write once: %s',
  async (version) => {
    const { id } = await must(fixture.tryCreate({ messages: [{ role: 'CONTACT', text: 'hello' }] }, fixture.admin))
    const client = await connectOfficial([fixture.url, other.url], await fixture.tokenFor(fixture.ann), version)
    try {
      let answered = 0
      for (let turn = 0; turn < 100; turn++) {
        const note = { conversation: id, text: `note ${turn}`, idempotencyKey: `${version} ${turn}` }
        const first = await client.callTool({ name: 'note', arguments: note })
        // A repeat, which comes to the other node.
        const again = await client.callTool({ name: 'note', arguments: note })
        answered += [first, again].filter(({ isError }) => !isError).length
        expect(again.structuredContent.id).toBe(first.structuredContent.id)
      }
      expect(answered).toBe(200)
      const count = 'select count(*)::int as count from message where conversation_id = $1'
      expect(await fixture.server.database.query(count, [id])).toEqual([{ count: 101 }])
    } finally {
      await client.close()
    }
  },
)
