import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { systemClock } from '../../src/db/clock.js'
import { startConversationFixture, until, type ConversationFixture } from './conversation-fixture.js'

describe("a message's id of the client's choice", () => {
  let fixture: ConversationFixture
  beforeAll(async () => {
    fixture = await startConversationFixture()
  })
  afterAll(() => fixture.close())

  const textsOf = async (conversation: string): Promise<(string | null)[]> => {
    const rows = await fixture.server.database.query<{ text: string | null }>(
      'select text from message where conversation_id = $1 order by position',
      [conversation],
    )
    return rows.map(({ text }) => text)
  }

  it('makes sending again, at once or later, give the message that was sent', async () => {
    const { ann } = fixture
    const conversation = await fixture.create({ messages: [{ role: 'CONTACT', text: 'hello' }] })
    const id = systemClock.newId()
    const send = () => fixture.send(ann, conversation.id, { id: id.toUpperCase(), role: 'AGENT', text: 'once' })
    const answers = await Promise.all([send(), send(), send()])
    expect(answers.map(({ code, value }) => code ?? (value as { id: string }).id)).toEqual([id, id, id])
    expect((await send()).code).toBeUndefined()
    expect((await textsOf(conversation.id)).filter((text) => text === 'once')).toHaveLength(1)
  })

  it('is refused when it is that of another message', async () => {
    const { ann, ben, bot } = fixture
    const [one, other] = [
      await fixture.create({ messages: [{ role: 'CONTACT', text: 'hello' }] }),
      await fixture.create({ messages: [{ role: 'CONTACT', text: 'hello' }] }),
    ]
    const id = systemClock.newId()
    expect((await fixture.send(ann, one.id, { id, role: 'AGENT', text: 'mine' })).code).toBeUndefined()
    expect((await fixture.send(ann, other.id, { id, role: 'AGENT', text: 'mine' })).code).toBe('UNPROCESSABLE')
    expect((await fixture.send(ben, one.id, { id, role: 'AGENT', text: 'mine' })).code).toBe('UNPROCESSABLE')
    expect((await fixture.send(bot, one.id, { id, role: 'CONTACT', text: 'mine' })).code).toBe('UNPROCESSABLE')
    expect(await textsOf(other.id)).toEqual(['hello'])
    // Two at once, in two conversations: one of them has it, and nobody else's write suffers.
    const both = systemClock.newId()
    const [first, second, bystander] = await Promise.all([
      fixture.send(ann, one.id, { id: both, text: 'first' }),
      fixture.send(ann, other.id, { id: both, text: 'second' }),
      fixture.send(ann, other.id, { text: 'bystander' }),
    ])
    expect([first.code, second.code].toSorted()).toEqual(['UNPROCESSABLE', undefined])
    expect(bystander.code).toBeUndefined()
  })

  it('holds for a delayed message, which is processed once', async () => {
    const conversation = await fixture.create({ messages: [{ role: 'CONTACT', text: 'hello' }] })
    const id = systemClock.newId()
    for (let count = 0; count < 2; count++) {
      const { code } = await fixture.send(fixture.ann, conversation.id, {
        id,
        role: 'AGENT',
        text: 'later',
        delay: 200,
      })
      expect(code).toBeUndefined()
    }
    fixture.clock.advance(1_000)
    await until(
      () => fixture.server.database.query('select 1 from job'),
      (jobs) => jobs.length === 0,
      10_000,
    )
    expect((await textsOf(conversation.id)).filter((text) => text === 'later')).toHaveLength(1)
  })

  it('must be a UUIDv7, and means nothing in /v2', async () => {
    const conversation = await fixture.create({ messages: [{ role: 'CONTACT', text: 'hello' }] })
    for (const id of ['x', '7c9e6679-7425-40de-944b-e07fc1f90ae7']) {
      expect(await fixture.send(fixture.ann, conversation.id, { id, text: 'no' })).toMatchObject({
        code: 'BAD_USER_INPUT',
      })
    }
    const path = `/v2/conversations/${conversation.id}/messages`
    const sent = await fixture.rest(fixture.bot, 'POST', path, { id: 'x', text: 'yes' })
    expect(sent.status).toBe(201)
    expect(sent.body.id).not.toBe('x')
  })
})
