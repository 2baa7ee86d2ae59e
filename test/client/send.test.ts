import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { Switchboard } from '@switchboard/client'
import { startConversationFixture, type ConversationFixture } from '../conversations/conversation-fixture.js'

let fixture: ConversationFixture
beforeAll(async () => {
  fixture = await startConversationFixture()
})
afterAll(() => fixture.close())

const shownTexts = async (id: string): Promise<string[]> => {
  const { data } = await fixture.gql(fixture.ann, TEXTS, { id })
  return data.conversation.messages.edges.map(({ node }: { node: { text: string } }) => node.text)
}
const TEXTS = 'query ($id: ID!) { conversation(id: $id) { messages { edges { node { text } } } } }'

describe('a message that the client sends', () => {
  it('is stored once, however many responses are lost', async () => {
    const { id } = await fixture.create({ messages: [{ role: 'CONTACT', text: 'hello' }] })
    let lost = 0
    // The server has done it; the answer does not come through.
    const lossy: typeof fetch = async (...request) => {
      const response = await fetch(...request)
      if (lost++ < 2) throw new TypeError('terminated')
      return response
    }
    const client = new Switchboard({
      serverUrl: fixture.server.url,
      token: await fixture.tokenFor(fixture.ann),
      fetch: lossy,
    })
    const sent = await client.sendMessage(id, { type: 'CHAT', role: 'AGENT', text: 'once' })
    expect([sent.position, lost]).toEqual([2, 3])
    expect(await shownTexts(id)).toEqual(['hello', 'once'])
  })

  it('fails immediately if a retry cannot help, and stops when the caller aborts', async () => {
    const { id } = await fixture.create()
    const token = await fixture.tokenFor(fixture.ann)
    const client = new Switchboard({ serverUrl: fixture.server.url, token })
    await expect(
      client.sendMessage(id, { type: 'CARD', text: 'no items', actions: [], meta: { _x: 1 } }),
    ).rejects.toMatchObject({ name: 'Refused' })
    const gone = new Switchboard({ serverUrl: 'http://127.0.0.1:9', token })
    await expect(gone.sendMessage(id, { text: 'nobody hears' }, AbortSignal.timeout(400))).rejects.toThrow(
      /aborted|timeout/,
    )
  })
})
