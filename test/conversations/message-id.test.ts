import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { systemClock } from '../../src/platform/db/clock.js'
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
    expect(await fixture.send(ann, other.id, { id, role: 'AGENT', text: 'mine' })).toMatchObject({
      code: 'UNPROCESSABLE',
      message: `id ${id} is that of another message`,
      details: { field: 'id' },
    })
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

  describe('cancels a delayed message', () => {
    const cancel = async (who: MadeUser, conversation: string, id: string): Promise<string> => {
      const { details } = await fixture.run(
        who,
        'mutation ($conversation: ID!, $id: ID!) { cancelMessage(conversation: $conversation, id: $id) }',
        { conversation, id },
      )
      return (details.reason as string | undefined) ?? ''
    }
    const delayed = (id: string) => ({ id, role: 'AGENT', text: 'on second thought', delay: 60_000 })
    const nothingWaits = () =>
      until(
        () => fixture.server.database.query("select 1 from job where kind = 'message.process'"),
        (jobs) => jobs.length === 0,
      )

    it('which is then never sent, however often it is repeated', async () => {
      const { ann, ben } = fixture
      const conversation = await fixture.create({ messages: [{ role: 'CONTACT', text: 'hello' }] })
      const id = systemClock.newId()
      await fixture.send(ann, conversation.id, delayed(id))
      await fixture.send(ann, conversation.id, delayed(id))
      expect(await cancel(ben, conversation.id, id)).toBe('PERMISSION_MISSING')
      expect(await cancel(ann, conversation.id, id.toUpperCase())).toBe('')
      expect(await cancel(ann, conversation.id, id)).toBe('')
      fixture.clock.advance(70_000)
      await nothingWaits()
      expect(await textsOf(conversation.id)).toEqual(['hello'])
      // What arrives after its cancellation, since its answer was lost, is refused as a deleted one is.
      const late = systemClock.newId()
      expect(await cancel(ann, conversation.id, late)).toBe('')
      expect((await fixture.send(ann, conversation.id, delayed(late))).code).toBe('UNPROCESSABLE')
    })

    it('until it was sent, also while it is being processed', async () => {
      const { ann } = fixture
      const conversation = await fixture.create({ messages: [{ role: 'CONTACT', text: 'hello' }] })
      const ids = Array.from({ length: 20 }, () => systemClock.newId())
      for (const id of ids) await fixture.send(ann, conversation.id, { ...delayed(id), text: id, delay: 50 })
      fixture.clock.advance(100)
      const outcomes = await Promise.all(ids.map((id) => cancel(ann, conversation.id, id)))
      await nothingWaits()
      const sent = new Set(await textsOf(conversation.id))
      expect(outcomes.map((outcome) => outcome || 'cancelled')).toEqual(
        ids.map((id) => (sent.has(id) ? 'ALREADY_SENT' : 'cancelled')),
      )
      expect(await cancel(ann, conversation.id, 'no id')).toBe('INVALID_VALUE')
    })

    it('in the conversation that it was merged into, and in no other', async () => {
      const { ann } = fixture
      const [origin, target, other] = await Promise.all(
        ['one', 'two', 'three'].map((text) => fixture.create({ messages: [{ role: 'CONTACT', text }] })),
      )
      const id = systemClock.newId()
      await fixture.send(ann, origin!.id, delayed(id))
      await fixture.command(ann, target!.id, `/import ${origin!.id}`)
      expect(await cancel(ann, other!.id, id)).toBe('ID_TAKEN')
      expect(await cancel(ann, origin!.id, id)).toBe('')
      fixture.clock.advance(70_000)
      await nothingWaits()
      expect(await textsOf(target!.id)).not.toContain('on second thought')
    })
  })

  it('is refused with another content, unless the message was edited since', async () => {
    const conversation = await fixture.create({ messages: [{ role: 'CONTACT', text: 'hello' }] })
    const id = systemClock.newId()
    const send = (more: object) =>
      fixture.send(fixture.ann, conversation.id, { id, role: 'AGENT', text: 'first', ...more })
    expect((await send({})).code).toBeUndefined()
    for (const more of [{ text: 'second' }, { type: 'CARD' }]) {
      expect(await send(more)).toMatchObject({
        code: 'UNPROCESSABLE',
        message: expect.stringContaining(id),
        details: { field: 'id', reason: 'SENT_BEFORE' },
      })
    }
    const edit = 'mutation ($id: ID!) { updateMessage(id: $id, patch: { text: "edited" }) { id } }'
    expect((await fixture.run(fixture.admin, edit, { id })).code).toBeUndefined()
    expect((await send({})).value).toMatchObject({ id, text: 'edited' })
    expect(await textsOf(conversation.id)).toEqual(['hello', 'edited'])
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
    )
    expect((await textsOf(conversation.id)).filter((text) => text === 'later')).toHaveLength(1)
  })

  const IMPORT = 'mutation ($id: ID!, $origin: ID!) { importConversation(conversation: $id, origin: $origin) { id } }'
  const merge = async (origin: string, id: string): Promise<void> => {
    expect((await fixture.run(fixture.ann, IMPORT, { id, origin })).code).toBeUndefined()
  }
  const remove = (id: string) =>
    fixture.run(fixture.admin, 'mutation ($id: ID!) { deleteMessage(id: $id) }', { id }).then(({ code }) => code)

  it('is reserved for a delayed message: nobody else takes it before it is due', async () => {
    const { ann, ben } = fixture
    const [one, other] = [
      await fixture.create({ messages: [{ role: 'CONTACT', text: 'hello' }] }),
      await fixture.create({ messages: [{ role: 'CONTACT', text: 'hello' }] }),
    ]
    const outsider = await fixture.makeUser({ organization: await fixture.makeOrganization(), role: 'admin' })
    const theirs = await fixture.gql(
      outsider,
      `mutation { createConversation(input: { touchpoint: WEB,
        contact: { profile: { name: "C", email: "c@theirs.example" } } }) { id } }`,
    )
    const id = systemClock.newId()
    const mine = { id, role: 'AGENT', text: 'in a moment', delay: 60_000 }
    expect((await fixture.send(ann, one.id, mine)).code).toBeUndefined()
    for (const [who, conversation, text] of [
      [ben, one.id, 'in a moment'],
      [ann, other.id, 'in a moment'],
      [outsider, theirs.data.createConversation.id, 'ours'],
    ] as const) {
      for (const delay of [0, 1_000]) {
        const taken = await fixture.send(who, conversation, { id, role: 'AGENT', text, delay })
        expect(taken).toMatchObject({ code: 'UNPROCESSABLE', message: `id ${id} is that of another message` })
      }
    }
    // Its own repeat is no other message, but what says something else is.
    expect((await fixture.send(ann, one.id, mine)).code).toBeUndefined()
    expect((await fixture.send(ann, one.id, { ...mine, text: 'something else' })).code).toBe('UNPROCESSABLE')
    fixture.clock.advance(61_000)
    await until(
      () => textsOf(one.id),
      (texts) => texts.includes('in a moment'),
    )
    expect(await textsOf(one.id)).toEqual(['hello', 'in a moment'])
  })

  it('is never sent again once its message was deleted', async () => {
    const { id: conversation } = await fixture.create({ messages: [{ role: 'CONTACT', text: 'hello' }] })
    const id = systemClock.newId()
    const message = { id, role: 'AGENT', text: 'regretted' }
    await fixture.send(fixture.ann, conversation, message)
    expect(await remove(id)).toBeUndefined()
    for (const again of [message, { ...message, delay: 10 }]) {
      expect(await fixture.send(fixture.ann, conversation, again)).toMatchObject({
        code: 'UNPROCESSABLE',
        details: { field: 'id', reason: 'MESSAGE_DELETED' },
      })
    }
    expect(await textsOf(conversation)).toEqual(['hello'])
  })

  it('is not sent by the job of a delayed message that was accepted twice and deleted', async () => {
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
    )
    expect(await textsOf(conversation)).toEqual(['hello'])
  })

  it('is remembered by the database, whoever deletes the message, and not with its conversation', async () => {
    const { query } = { query: fixture.server.database.query.bind(fixture.server.database) }
    const sendIn = async (conversation: string): Promise<string> => {
      const id = systemClock.newId()
      expect((await fixture.send(fixture.ann, conversation, { id, role: 'AGENT', text: 'x' })).code).toBeUndefined()
      return id
    }
    const { id: conversation } = await fixture.create({ messages: [{ role: 'CONTACT', text: 'hello' }] })
    const [first, second] = [await sendIn(conversation), await sendIn(conversation)]
    // As a node of an earlier release does.
    await query('delete from message where id = $1', [first])
    await query('delete from conversation where id = $1', [conversation])
    expect(await query('select id from deleted_message where id in ($1, $2)', [first, second])).toEqual([{ id: first }])
  })

  it('belongs to a message that is deleted in the archived conversations too, of which merges made it', async () => {
    const [origin, target, last] = [await fixture.create(), await fixture.create(), await fixture.create()]
    const id = systemClock.newId()
    await fixture.send(fixture.ann, origin.id, { id, role: 'AGENT', text: 'copied twice' })
    await merge(origin.id, target.id)
    await merge(target.id, last.id)
    const stored = () =>
      fixture.server.database.query<{ id: string }>(
        `select id from message where text = 'copied twice' order by conversation_id = $1 desc`,
        [last.id],
      )
    const [copy, ...earlier] = await stored()
    expect(earlier).toHaveLength(2)
    expect(await remove(copy!.id)).toBeUndefined()
    await until(stored, (rows) => rows.length === 0)
  })

  it('is known after a merge, for users, bots and guests', async () => {
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
    expect(await fixture.send(ann, last.id, sent[0]![1])).toMatchObject({ details: { reason: 'MESSAGE_DELETED' } })
    expect((await textsOf(last.id)).filter((text) => text?.startsWith('of a'))).toEqual(['of a bot', 'of a guest'])
  })

  it('must be a UUIDv7, and is ignored in /v2', async () => {
    const conversation = await fixture.create({ messages: [{ role: 'CONTACT', text: 'hello' }] })
    for (const id of ['x', '7c9e6679-7425-40de-944b-e07fc1f90ae7']) {
      expect(await fixture.send(fixture.ann, conversation.id, { id, text: 'no' })).toMatchObject({
        code: 'BAD_USER_INPUT',
        message: `id must be a UUIDv7, not "${id}"`,
        details: { field: 'id' },
      })
    }
    const path = `/v2/conversations/${conversation.id}/messages`
    const sent = await fixture.rest(fixture.bot, 'POST', path, { id: 'x', text: 'yes' })
    expect(sent.status).toBe(201)
    expect(sent.body.id).not.toBe('x')
  })
})
