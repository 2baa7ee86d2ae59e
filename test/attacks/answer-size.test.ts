import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { startConversationFixture, type ConversationFixture } from '../conversations/conversation-fixture.js'

let fixture: ConversationFixture
beforeAll(async () => {
  fixture = await startConversationFixture()
})
afterAll(() => fixture.close())

it('a document that names a long text many times is refused before its answer is written', async () => {
  const { id } = await fixture.create({})
  for (let count = 0; count < 10; count += 1) {
    const { code } = await fixture.send(fixture.bot, id, { role: 'CONTACT', text: '\u0001'.repeat(60_000) })
    expect(code).toBeUndefined()
  }
  const texts = Array.from({ length: 90 }, (_, index) => `t${index}: text`).join(' ')
  const query = `query ($id: ID!) { conversation(id: $id) { messages(first: 20) { edges { node { ${texts} } } } } }`
  const { status, errors } = await fixture.gql(fixture.admin, query, { id })
  expect([status, errors?.[0]?.extensions.code]).toEqual([422, 'UNPROCESSABLE'])
  expect(errors![0]!.message).toMatch(/^the answer has more than \d+ characters/)
})
