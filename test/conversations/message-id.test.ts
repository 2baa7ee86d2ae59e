import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { systemClock } from '../../src/db/clock.js'
import type { MadeUser } from '../support/factories.js'
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

  it('makes a repeated send return the first message, immediately or later', async () => {
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

  const IMPORT = 'mutation ($id: ID!, $origin: ID!) { importConversation(conversation: $id, origin: $origin) { id } }'
  const merge = async (origin: string, id: string): Promise<void> => {
    expect((await fixture.run(fixture.ann, IMPORT, { id, origin })).code).toBeUndefined()
  }
  const remove = (id: string) =>
    fixture.run(fixture.admin, 'mutation ($id: ID!) { deleteMessage(id: $id) }', { id }).then(({ code }) => code)

  it('is never sent again once its message was deleted', async () => {
    const { id: conversation } = await fixture.create({ messages: [{ role: 'CONTACT', text: 'hello' }] })
    const id = systemClock.newId()
    const message = { id, role: 'AGENT', text: 'regretted' }
    await fixture.send(fixture.ann, conversation, message)
    expect(await remove(id)).toBeUndefined()
    for (const again of [message, { ...message, delay: 10 }]) {
      expect(await fixture.send(fixture.ann, conversation, again)).toMatchObject({
        code: 'UNPROCESSABLE',
        details: { field: 'id', reason: 'deleted' },
      })
    }
    expect(await textsOf(conversation)).toEqual(['hello'])
  })

  it('is not sent by the delay of a message that was accepted twice, and deleted', async () => {
    const { id: conversation } = await fixture.create({ messages: [{ role: 'CONTACT', text: 'hello' }] })
    const id = systemClock.newId()
    for (const delay of [60, 400])
      await fixture.send(fixture.ann, conversation, { id, role: 'AGENT', text: 'later', delay })
    await until(
      () => textsOf(conversation),
      (texts) => texts.includes('later'),
    )
    expect(await remove(id)).toBeUndefined()
    await until(
      () => fixture.server.database.query(`select 1 from job where kind = 'message.process'`),
      (jobs) => jobs.length === 0,
      10_000,
    )
    expect(await textsOf(conversation)).toEqual(['hello'])
  })

  it('is known in the conversation that its own was merged into, of users, bots and guests', async () => {
    const { ann, bot } = fixture
    const origin = await fixture.create({ messages: [{ role: 'CONTACT', text: 'hello' }] })
    const target = await fixture.create({ messages: [{ role: 'CONTACT', text: 'target' }] })
    const last = await fixture.create({ messages: [{ role: 'CONTACT', text: 'last' }] })
    const { value: guest } = await fixture.run<{ token: string }>(
      bot,
      'mutation ($id: ID!) { createGuestToken(conversation: $id) { token } }',
      { id: origin.id },
    )
    const sent: [as: MadeUser | string, message: { id: string; role: string; text: string }][] = [
      [ann, { id: systemClock.newId(), role: 'AGENT', text: 'of a user' }],
      [bot, { id: systemClock.newId(), role: 'CONTACT', text: 'of a bot' }],
      [guest.token, { id: systemClock.newId(), role: 'CONTACT', text: 'of a guest' }],
    ]
    for (const [as, message] of sent) expect((await fixture.send(as, origin.id, message)).code).toBeUndefined()
    for (const [from, into] of [
      [origin.id, target.id],
      [target.id, last.id],
    ] as const) {
      await merge(from, into)
      const before = await textsOf(into)
      for (const [as, message] of sent) {
        const { value, code } = await fixture.send(as, into, message)
        expect(code).toBeUndefined()
        const [stored] = await fixture.server.database.query<{ id: string }>(
          'select id from message where conversation_id = $1 and text = $2',
          [into, message.text],
        )
        expect(value).toMatchObject({ id: stored!.id, text: message.text })
      }
      expect(await textsOf(into)).toEqual(before)
    }
    // Nor does it come back when the conversation where it was sent, or the copy itself, has gone.
    await fixture.run(fixture.admin, 'mutation ($id: ID!) { deleteConversation(id: $id) }', { id: origin.id })
    expect((await fixture.send(ann, last.id, sent[0]![1])).code).toBeUndefined()
    const [copy] = await fixture.server.database.query<{ id: string }>(
      `select id from message where conversation_id = $1 and text = 'of a user'`,
      [last.id],
    )
    expect(await remove(copy!.id)).toBeUndefined()
    expect(await fixture.send(ann, last.id, sent[0]![1])).toMatchObject({ details: { reason: 'deleted' } })
    expect((await textsOf(last.id)).filter((text) => text?.startsWith('of a'))).toEqual(['of a bot', 'of a guest'])
  })

  it('must be a UUIDv7, and is ignored in /v2', async () => {
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
