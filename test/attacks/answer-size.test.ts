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

it('a document that names long lists of messages many times is refused before they are built', async () => {
  const { id } = await fixture.create({})
  const actions = Array.from({ length: 30 }, () => ({ type: 'postback', text: 't', payload: 'p' }))
  const items = Array.from({ length: 100 }, () => ({ title: 'T', actions }))
  for (let count = 0; count < 5; count += 1) {
    const { code } = await fixture.send(fixture.bot, id, { type: 'CARD', items })
    expect(code).toBeUndefined()
  }
  const shown = 'items { title description actions { type text uri payload } }'
  const ask = async (fields: string) => {
    const query = `query ($id: ID!) { conversation(id: $id) { messages(first: 20) { edges { node { ${fields} } } } } }`
    const { status, data, errors } = await fixture.gql(fixture.admin, query, { id })
    return { status, message: errors?.[0]?.message, messages: data?.conversation?.messages.edges }
  }
  const whole = await ask(shown)
  expect(whole.messages.at(-1).node.items).toHaveLength(100)
  // 60 times 15,000 actions would take gigabytes.
  const many = await ask(Array.from({ length: 60 }, (_each, index) => `a${index}: ${shown}`).join(' '))
  expect(many).toMatchObject({ status: 422, message: expect.stringMatching(/values in lists within its records/) })
  expect(await ask('id')).toMatchObject({ status: 200 })
})
