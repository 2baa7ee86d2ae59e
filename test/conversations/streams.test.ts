import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import type { MadeUser } from '../support/factories.js'
import { until } from '../support/until.js'
import { startConversationFixture, texts, type ConversationFixture } from './conversation-fixture.js'
import { streamsOf, textRead } from './streams-fixture.js'

let fixture: ConversationFixture
let streams: ReturnType<typeof streamsOf>
beforeAll(async () => {
  fixture = await startConversationFixture()
  streams = streamsOf(fixture)
})
afterAll(() => fixture.close())

const waiting = () => fixture.create({ messages: [{ role: 'CONTACT', text: 'where is my order?' }] })
const makeBot = (): Promise<MadeUser> => fixture.makeUser({ organization: fixture.organization, role: 'bot' })
const guestOf = async (id: string): Promise<string> => {
  const make = 'mutation ($id: ID!) { createGuestToken(conversation: $id) { token } }'
  return (await fixture.run<{ token: string }>(fixture.bot, make, { id })).value.token
}
const openOf = async (id: string, as: MadeUser | string = fixture.admin) =>
  (
    await fixture.run<{ streams: { id: string; text: string }[] }>(
      as,
      'query ($id: ID!) { conversation(id: $id) { streams { id text } } }',
      { id },
    )
  ).value.streams
const markOf = async (id: string) =>
  (await fixture.run<{ mark: string }>(fixture.bot, 'query ($id: ID!) { conversation(id: $id) { mark } }', { id }))
    .value.mark
const endingsOf = async (id: string) => {
  const query = 'query ($id: ID!) { conversation(id: $id) { messages(first: 50) { edges { node { text ending } } } } }'
  const { value } = await fixture.run<{ messages: { edges: { node: { text: string; ending: string | null } }[] } }>(
    fixture.admin,
    query,
    { id },
  )
  return value.messages.edges.map(({ node }) => [node.text, node.ending])
}
const partsLeft = async (id: string): Promise<number> => {
  const [row] = await fixture.server.database.query<{ count: number }>(
    'select count(*)::int as count from message_stream_part where stream_id = $1',
    [id],
  )
  return row!.count
}
/** A stream with a text in it, in a conversation that waits. */
const begun = async (text = 'Your order') => {
  const { id } = await waiting()
  const { value } = await streams.begin(fixture.bot, id)
  if (text) await streams.append(fixture.bot, value.id, 0, text)
  return { id, stream: value.id }
}

describe('a message that is written in front of its readers', () => {
  it('is one message once it is whole, which accepts and answers as any other', async () => {
    const { id } = await waiting()
    const guest = await streams.watch(await guestOf(id), id)
    const agent = await streams.watch(fixture.ann, id)
    for (const each of [guest, agent]) await each.next(({ __typename }) => __typename === 'ConversationSnapshot')
    const { value: stream } = await streams.begin(fixture.bot, id)
    expect(stream).toMatchObject({ length: 0, ending: null, text: '' })
    expect((await streams.append(fixture.bot, stream.id, 0, 'Your order ')).value).toBe(11)
    expect((await streams.append(fixture.bot, stream.id, 11, 'is on its way.')).value).toBe(25)
    expect(await openOf(id)).toEqual([{ id: stream.id, text: 'Your order is on its way.' }])
    expect((await fixture.show(id)).status).toBe('QUEUED')

    expect((await streams.finish(fixture.bot, stream.id, 25)).value).toEqual({
      id: stream.id,
      text: 'Your order is on its way.',
      ending: null,
    })
    for (const each of [guest, agent]) {
      const added = await each.next(({ __typename }) => __typename === 'MessageAdded')
      expect(added.message).toMatchObject({ id: stream.id, text: 'Your order is on its way.', position: 2 })
      await until(() => textRead(each.events, stream.id) === 'Your order is on its way.')
      await until(() => each.events.some(({ ending }) => ending === 'DONE'))
      expect(each.events.find(({ messageId }) => messageId === stream.id)).toMatchObject({ name: 'Bot', offset: 0 })
      expect(each.events.filter(({ __typename }) => __typename === 'MessageAdded')).toHaveLength(1)
      await each.close()
    }
    expect(await fixture.show(id)).toMatchObject({ status: 'ACTIVE', preview: 'Your order is on its way.' })
    expect(await openOf(id)).toEqual([])
    expect(await partsLeft(stream.id)).toBe(0)
    // A repeat is answered.
    expect((await streams.finish(fixture.bot, stream.id, 25)).value.id).toBe(stream.id)
    expect(texts(await fixture.show(id))).toHaveLength(2)
  })

  it('counts in reports how long the consumer waited for its first text', async () => {
    const bot = await makeBot()
    const quarter = 900_000
    const from = Math.floor(fixture.clock.now().getTime() / quarter) * quarter
    const { id } = await waiting()
    const { value: stream } = await streams.begin(bot, id)
    await streams.append(bot, stream.id, 0, '')
    await streams.append(bot, stream.id, 0, 'Your order ')
    await streams.append(bot, stream.id, 11, 'is on its way.')
    expect(await streams.finish(bot, stream.id, 25)).not.toHaveProperty('code')
    const greeted = await fixture.create({ messages: [] })
    const { value: greeting } = await streams.begin(bot, greeted.id)
    await streams.append(bot, greeting.id, 0, 'Welcome!')
    await fixture.send(fixture.admin, greeted.id, { role: 'CONTACT', text: 'where is my order?' })
    expect(await streams.finish(bot, greeting.id, 8)).not.toHaveProperty('code')

    const rows = await fixture.server.database.query<{ kind: string; ms: number; userId: string }>(
      `select kind, ms::int, user_id as "userId" from milestone
       where conversation_id = any($1::uuid[]) and kind in ('firstText', 'agentTurn') order by conversation_id, kind`,
      [[id, greeted.id]],
    )
    const [whole, first, ofGreeting, ...others] = rows
    expect(whole).toMatchObject({ kind: 'agentTurn', userId: bot.id })
    expect(first).toMatchObject({ kind: 'firstText', userId: bot.id })
    expect(first!.ms).toBeLessThanOrEqual(whole!.ms)
    expect(first!.ms).toBeGreaterThan(0)
    expect([ofGreeting?.kind, others]).toEqual(['agentTurn', []])

    const report = `query ($from: DateTime!, $to: DateTime!, $bot: ID!) {
      report(metrics: [FIRST_TEXT_TIME], from: $from, to: $to, timezone: "UTC", filter: { users: [$bot] }) {
        totals { count averageMs } } }`
    const span = { from: new Date(from), to: new Date(from + 4 * quarter) }
    const { data, errors } = await fixture.gql(fixture.admin, report, { ...span, bot: bot.id })
    expect(errors).toBeUndefined()
    expect(data.report.totals).toEqual([{ count: 1, averageMs: first!.ms }])
  })

  it('begins once with its id, however often it is begun', async () => {
    const { id } = await waiting()
    const own = fixture.clock.newId()
    const all = await Promise.all([1, 2, 3].map(() => streams.begin(fixture.bot, id, { id: own })))
    expect(all.map(({ value }) => value.id)).toEqual([own, own, own])
    expect(await openOf(id)).toHaveLength(1)
    expect(await streams.begin(await makeBot(), id, { id: own })).toHaveProperty('code')
    await streams.append(fixture.bot, own, 0, 'x')
    await streams.finish(fixture.bot, own, 1)
    expect((await streams.begin(fixture.bot, id, { id: own })).value).toMatchObject({ id: own, ending: 'DONE' })
    const sent = await fixture.send(fixture.bot, id, { role: 'AGENT', text: 'whole', id: fixture.clock.newId() })
    expect(await streams.begin(fixture.bot, id, { id: sent.value.id })).toHaveProperty('code', 'UNPROCESSABLE')
  })

  it('gives its id to no message of anybody else, so that it can end in every way', async () => {
    const ends = [
      (id: string) => fixture.command(fixture.ann, id, '/accept'),
      (id: string) => fixture.send(fixture.ann, id, { role: 'AGENT', text: 'I am here' }),
    ]
    for (const end of ends) {
      const { id, stream } = await begun()
      const guest = await guestOf(id)
      for (const [as, role] of [
        [guest, 'CONTACT'],
        [fixture.bot, 'AGENT'],
        [fixture.ann, 'AGENT'],
      ] as const)
        expect(await fixture.send(as, id, { id: stream, role, text: 'mine' })).toMatchObject({ code: 'UNPROCESSABLE' })
      expect(await end(id)).not.toHaveProperty('code')
      expect(await endingsOf(id)).toContainEqual(['Your order', 'TAKEN_OVER'])
    }
    const { stream } = await begun()
    const elsewhere = await waiting()
    expect(await streams.begin(fixture.bot, elsewhere.id, { id: stream })).toMatchObject({ code: 'UNPROCESSABLE' })
  })

  it('takes tokens that are split within a character', async () => {
    const { id, stream } = await begun('')
    const text = 'Done 👍🏽!'
    const guest = await streams.watch(await guestOf(id), id)
    await guest.next(({ __typename }) => __typename === 'ConversationSnapshot')
    for (let at = 0; at < text.length; at += 1)
      expect((await streams.append(fixture.bot, stream, at, text[at]!)).value).toBe(at + 1)
    await until(() => textRead(guest.events, stream) === text)
    expect((await streams.finish(fixture.bot, stream, text.length)).value.text).toBe(text)
    await guest.close()
    const half = await begun('half ')
    await streams.append(fixture.bot, half.stream, 5, '\u{1F44D}'[0]!)
    expect((await streams.finish(fixture.bot, half.stream, 6)).value.text).toBe('half \u{FFFD}')
  })

  it('answers a repeat, and refuses a gap with the length', async () => {
    const { stream } = await begun('abcdef')
    expect((await streams.append(fixture.bot, stream, 0, 'abcdef')).value).toBe(6)
    expect((await streams.append(fixture.bot, stream, 2, 'cd')).value).toBe(6)
    for (const [offset, text] of [
      [7, 'x'],
      [0, 'abX'],
      [4, 'efgh'],
    ] as const) {
      expect(await streams.append(fixture.bot, stream, offset, text)).toMatchObject({
        code: 'UNPROCESSABLE',
        details: { reason: 'STREAM_OFFSET', field: 'offset', length: 6 },
      })
    }
    expect(await streams.finish(fixture.bot, stream, 5)).toMatchObject({
      details: { reason: 'STREAM_OFFSET', field: 'length', length: 6 },
    })
    expect((await streams.append(fixture.bot, stream, 6, '')).value).toBe(6)
  })

  it('stores and shows each unit once, whatever many send at the same time', async () => {
    const { id, stream } = await begun('')
    const agent = await streams.watch(fixture.ann, id)
    await agent.next(({ __typename }) => __typename === 'ConversationSnapshot')
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, index) => streams.append(fixture.bot, stream, index, String(index % 10))),
    )
    const taken = answers.filter(({ code }) => !code).length
    expect(taken).toBeGreaterThan(0)
    const [open] = await openOf(id)
    expect(open!.text).toBe('012345678901'.slice(0, open!.text.length))
    await until(() => textRead(agent.events, stream) === open!.text)
    await agent.close()
  })

  it('shows whoever comes late the whole text, alone', async () => {
    const { id, stream } = await begun('Your ')
    const first = await streams.watch(fixture.ann, id)
    const snapshot = await first.next(({ __typename }) => __typename === 'ConversationSnapshot')
    expect(snapshot.conversation!.streams).toMatchObject([
      { id: stream, text: 'Your ', length: 5, userId: fixture.bot.id },
    ])
    // What was under way as it began to watch comes before this.
    await streams.append(fixture.bot, stream, 5, 'order ')
    await until(() => textRead(first.events, stream) === 'Your order ')
    // The whole that it gets itself, which may come after a part.
    await until(() => first.events.some(({ offset }) => offset === 0))
    const { cursor } = snapshot as unknown as { cursor: string }
    const before = first.events.length
    const second = await streams.watch(fixture.ann, id, { after: cursor })
    await until(() => textRead(second.events, stream) === 'Your order ')
    await streams.append(fixture.bot, stream, 11, 'is late.')
    for (const each of [first, second]) await until(() => textRead(each.events, stream) === 'Your order is late.')
    expect(second.events.some(({ __typename }) => __typename === 'ConversationSnapshot')).toBe(false)
    expect(first.events.slice(before).map(({ offset }) => offset)).toEqual([11])
    for (const each of [first, second]) await each.close()
  })

  it('is for the team alone as a note, and for the guest of its conversation alone', async () => {
    const { id } = await waiting()
    const other = await guestOf((await waiting()).id)
    const guest = await streams.watch(await guestOf(id), id)
    await guest.next(({ __typename }) => __typename === 'ConversationSnapshot')
    const { value: note } = await streams.begin(fixture.bot, id, { isBackchannel: true })
    await streams.append(fixture.bot, note.id, 0, 'the customer is angry')
    const { value: said } = await streams.begin(fixture.bot, id)
    await streams.append(fixture.bot, said.id, 0, 'Sorry')
    await until(() => textRead(guest.events, said.id) === 'Sorry')
    expect(JSON.stringify(guest.events)).not.toContain('angry')
    expect((await openOf(id, await guestOf(id))).map(({ text }) => text)).toEqual(['Sorry'])
    expect((await openOf(id)).map(({ text }) => text)).toEqual(['the customer is angry', 'Sorry'])
    for (const stopped of [note.id, said.id])
      expect(await streams.stop(other, stopped)).toHaveProperty('code', 'NOT_FOUND')
    expect(await streams.stop(await guestOf(id), note.id)).toHaveProperty('code', 'NOT_FOUND')
    expect((await streams.stop(await guestOf(id), said.id)).value).toMatchObject({ text: 'Sorry', ending: 'STOPPED' })
    await guest.close()
  })

  it('sends parts to nobody who does not select them', async () => {
    const { id, stream } = await begun('x')
    const { liveClient, subscribe } = await import('../support/live-client.js')
    const client = liveClient(fixture.url, await fixture.tokenFor(fixture.ann))
    const plain = subscribe<{ __typename: string }>(
      client,
      'conversation',
      'subscription ($id: ID!) { conversation(id: $id) { __typename ... on MessageAdded { message { id } } } }',
      { id },
    )
    await plain.next()
    await streams.append(fixture.bot, stream, 1, 'y')
    await streams.finish(fixture.bot, stream, 2)
    await plain.next(({ __typename }) => __typename === 'MessageAdded')
    expect(plain.events.map(({ __typename }) => __typename)).not.toContain('MessageStreamed')
    await client.dispose()
  })
})

describe('a stream ends', () => {
  it.each([
    ['its author', () => fixture.bot],
    ['an agent', () => fixture.ann],
  ])('when %s stops it: what was shown stays, and nothing is added', async (_, who) => {
    const { id, stream } = await begun()
    expect((await streams.stop(who(), stream)).value).toMatchObject({
      id: stream,
      text: 'Your order',
      ending: 'STOPPED',
    })
    expect((await streams.stop(who(), stream)).value).toMatchObject({ id: stream })
    expect(await endingsOf(id)).toEqual([
      ['where is my order?', null],
      ['Your order', 'STOPPED'],
    ])
    expect((await fixture.show(id)).status).toBe('QUEUED')
    for (const refused of [
      await streams.append(fixture.bot, stream, 10, 'more'),
      await streams.finish(fixture.bot, stream, 10),
    ])
      expect(refused).toMatchObject({ details: { reason: 'STREAM_ENDED', ending: 'STOPPED' } })
    expect(await partsLeft(stream)).toBe(0)
  })

  it('with nothing if nothing was shown', async () => {
    const { id, stream } = await begun('')
    const agent = await streams.watch(fixture.ann, id)
    await agent.next(({ __typename }) => __typename === 'ConversationSnapshot')
    expect(await streams.finish(fixture.bot, stream, 0)).toMatchObject({ details: { reason: 'STREAM_EMPTY' } })
    expect((await streams.stop(fixture.bot, stream)).value).toBeNull()
    await until(() => agent.events.some(({ ending }) => ending === 'STOPPED'))
    expect(await endingsOf(id)).toHaveLength(1)
    await agent.close()
  })

  it.each<[string, (id: string) => Promise<unknown>, string | null]>([
    ['a person answers', (id) => fixture.send(fixture.ann, id, { role: 'AGENT', text: 'I take it' }), 'I take it'],
    ['a person accepts', (id) => fixture.command(fixture.ann, id, '/accept', {}), '/accept'],
    [
      'a person accepts while it is queued',
      (id) =>
        fixture.run(
          fixture.ann,
          'mutation ($id: ID!) { acceptConversation(conversation: $id, ifQueued: true) { id } }',
          { id },
        ),
      '/accept',
    ],
  ])('taken over when %s, before what that person does', async (_, act, text) => {
    const { id, stream } = await begun()
    expect(await act(id)).not.toHaveProperty('code')
    expect((await endingsOf(id)).map(([said, ending]) => [String(said).split(' {')[0], ending])).toEqual([
      ['where is my order?', null],
      ['Your order', 'TAKEN_OVER'],
      [text, null],
    ])
    const { participants, status } = await fixture.show(id)
    expect(status).toBe('ACTIVE')
    expect(participants.filter(({ accepted }) => accepted).map(({ userId }) => userId)).toEqual([fixture.ann.id])
    expect(await streams.append(fixture.bot, stream, 10, '!')).toMatchObject({
      details: { reason: 'STREAM_ENDED', ending: 'TAKEN_OVER' },
    })
  })

  it('taken over by a hand-over, a closing and a merge', async () => {
    const bot = await makeBot()
    const mine = async () => {
      const { id } = await waiting()
      await fixture.send(bot, id, { role: 'AGENT', text: 'hi' })
      const { value } = await streams.begin(bot, id)
      await streams.append(bot, value.id, 0, 'half')
      return { id, stream: value.id }
    }
    const given = await mine()
    const handOver = `mutation ($id: ID!, $channel: ID!) { handOverConversation(conversation: $id, channel: $channel) { id status } }`
    expect(await fixture.run(bot, handOver, { id: given.id, channel: fixture.channel })).not.toHaveProperty('code')
    expect(await endingsOf(given.id)).toContainEqual(['half', 'TAKEN_OVER'])
    const closed = await mine()
    await fixture.command(bot, closed.id, '/leave')
    expect(await endingsOf(closed.id)).toContainEqual(['half', 'TAKEN_OVER'])
    const [origin, target] = [await mine(), await mine()]
    expect(await fixture.command(fixture.ann, target.id, `/import ${origin.id}`)).not.toHaveProperty('code')
    expect(await endingsOf(origin.id)).toContainEqual(['half', 'TAKEN_OVER'])
    expect((await endingsOf(target.id)).filter(([text]) => text === 'half')).toEqual([['half', 'TAKEN_OVER']])
    expect(await openOf(origin.id)).toEqual([])
    expect(await openOf(target.id)).toHaveLength(1)
    expect(await streams.begin(bot, origin.id)).toMatchObject({ details: { reason: 'CONVERSATION_STATUS' } })
    expect((await streams.finish(bot, target.stream, 4)).value.text).toBe('half')
  })

  it('stopped when the consumer asks for a person, and when its bot is paused', async () => {
    const asked = await begun()
    await fixture.run(await guestOf(asked.id), 'mutation ($id: ID!) { askForPerson(conversation: $id) }', {
      id: asked.id,
    })
    expect(await endingsOf(asked.id)).toContainEqual(['Your order', 'STOPPED'])
    const bot = await makeBot()
    const { id } = await waiting()
    const { value } = await streams.begin(bot, id)
    await streams.append(bot, value.id, 0, 'half')
    await fixture.run(fixture.admin, 'mutation ($id: ID!) { pauseBot(id: $id) { id } }', { id: bot.id })
    await until(async () => (await openOf(id)).length === 0)
    expect(await endingsOf(id)).toContainEqual(['half', 'STOPPED'])
    expect(await streams.append(bot, value.id, 4, '!')).toHaveProperty('code', 'FORBIDDEN')
    expect(await streams.begin(bot, id)).toMatchObject({ details: { reason: 'BOT_PAUSED' } })
  })

  it('lost after 15 seconds without a part, and its conversation waits for a person', async () => {
    const bot = await makeBot()
    const { id } = await waiting()
    await fixture.send(bot, id, { role: 'AGENT', text: 'Let me see' })
    fixture.clock.standAt()
    const { value } = await streams.begin(bot, id)
    try {
      await streams.append(bot, value.id, 0, 'Your')
      fixture.clock.advance(10_000)
      await streams.append(bot, value.id, 4, '')
      fixture.clock.advance(10_000)
      expect((await streams.append(bot, value.id, 4, ' order')).value).toBe(10)
      fixture.clock.advance(16_000)
      await until(async () => (await openOf(id)).length === 0)
    } finally {
      fixture.clock.goOn()
    }
    expect((await endingsOf(id)).slice(1)).toEqual([
      ['Let me see', null],
      ['Your order', 'LOST'],
    ])
    const { status, participants } = await fixture.show(id)
    expect(status).toBe('QUEUED')
    expect(participants.some(({ userId, accepted }) => userId === bot.id && accepted)).toBe(false)
    expect(await streams.append(bot, value.id, 10, '!')).toMatchObject({ details: { ending: 'LOST' } })
  })

  it('without the wait of the consumer, whom half an answer does not answer', async () => {
    const milestones = async (id: string) =>
      fixture.server.database.query<{ kind: string; user_id: string | null; detail: string | null }>(
        `select kind, user_id, detail from milestone
         where conversation_id = $1 and kind in ('consumerTurn', 'agentTurn') order by nth`,
        [id],
      )
    const { id } = await begun()
    await fixture.command(fixture.ann, id, '/accept')
    expect(await endingsOf(id)).toContainEqual(['Your order', 'TAKEN_OVER'])
    expect(await milestones(id)).toEqual([{ kind: 'consumerTurn', user_id: null, detail: null }])
    await fixture.send(fixture.ann, id, { role: 'AGENT', text: 'It is on its way.' })
    expect(await milestones(id)).toMatchObject([
      { kind: 'consumerTurn' },
      { kind: 'agentTurn', user_id: fixture.ann.id },
    ])

    const second = await begun()
    await fixture.send(fixture.ann, second.id, { role: 'AGENT', text: 'It is on its way.' })
    expect(await endingsOf(second.id)).toContainEqual(['Your order', 'TAKEN_OVER'])
    expect(await milestones(second.id)).toMatchObject([
      { kind: 'consumerTurn' },
      { kind: 'agentTurn', user_id: fixture.ann.id },
    ])

    // Whoever was answered and asks for a person begins to wait.
    const third = await begun()
    await streams.finish(fixture.bot, third.stream, 'Your order'.length)
    const ask = 'mutation ($id: ID!) { askForPerson(conversation: $id) }'
    expect(await fixture.run(await guestOf(third.id), ask, { id: third.id })).not.toHaveProperty('code')
    expect(await milestones(third.id)).toEqual([
      { kind: 'consumerTurn', user_id: null, detail: null },
      { kind: 'agentTurn', user_id: fixture.bot.id, detail: null },
      { kind: 'consumerTurn', user_id: null, detail: null },
    ])
  })

  it('taken over with the conversation, where another stream of its bot is lost', async () => {
    const { id } = await waiting()
    const bot = await makeBot()
    await fixture.command(bot, id, '/accept')
    const [lost, other] = [(await streams.begin(bot, id)).value.id, (await streams.begin(bot, id)).value.id]
    for (const each of [lost, other]) await streams.append(bot, each, 0, 'Let me see')
    fixture.clock.advance(10_000)
    await streams.append(bot, other, 10, '.')
    fixture.clock.advance(6_000)
    await until(async () => (await fixture.show(id)).status === 'QUEUED')
    expect(await streams.finish(bot, other, 11)).toMatchObject({ details: { reason: 'STREAM_ENDED' } })
    expect((await fixture.show(id)).status).toBe('QUEUED')
    expect((await endingsOf(id)).map(([, ending]) => ending)).toEqual(
      expect.arrayContaining(['LOST', 'TAKEN_OVER']) as unknown as string[],
    )
  })

  it('lost as a note of a bot that does not have the conversation: the answered consumer waits for nobody', async () => {
    const { id } = await waiting()
    await fixture.send(fixture.bot, id, { role: 'AGENT', text: 'On its way.' })
    const copilot = await makeBot()
    const { value: note } = await streams.begin(copilot, id, { isBackchannel: true })
    await streams.append(copilot, note.id, 0, 'In short')
    fixture.clock.advance(16_000)
    await until(async () => (await endingsOf(id)).some(([, ending]) => ending === 'LOST'))
    const [row] = await fixture.server.database.query<{ awaiting_reply: boolean; status: string }>(
      'select awaiting_reply, status from conversation where id = $1',
      [id],
    )
    expect(row).toEqual({ awaiting_reply: false, status: 'active' })
  })

  it('lost without another queueing where a person has the conversation', async () => {
    const { id } = await fixture.inStatus('ACTIVE')
    const { value } = await streams.begin(fixture.bot, id, { isBackchannel: true })
    await streams.append(fixture.bot, value.id, 0, 'a thought')
    fixture.clock.advance(16_000)
    await until(async () => (await openOf(id)).length === 0)
    expect((await fixture.show(id)).status).toBe('ACTIVE')
    expect(await endingsOf(id)).toContainEqual(['a thought', 'LOST'])
  })

  it('at 64 KiB and after 5 minutes', async () => {
    const { id, stream } = await begun('')
    const part = 'é'.repeat(8_000)
    for (const at of [0, 8_000, 16_000, 24_000]) await streams.append(fixture.bot, stream, at, part)
    expect(await streams.append(fixture.bot, stream, 32_000, 'x'.repeat(2_000))).toMatchObject({
      details: { reason: 'STREAM_ENDED', ending: 'LIMIT', length: 32_000 },
    })
    expect((await endingsOf(id))[1]).toEqual([part.repeat(4), 'LIMIT'])
    const old = await begun()
    fixture.clock.standAt()
    try {
      for (let seconds = 0; seconds < 300; seconds += 12) {
        fixture.clock.advance(12_000)
        const { code, details } = await streams.append(fixture.bot, old.stream, 10, '')
        if (code) expect(details).toMatchObject({ ending: 'LIMIT' })
      }
      await until(async () => (await openOf(old.id)).length === 0)
    } finally {
      fixture.clock.goOn()
    }
    expect(await endingsOf(old.id)).toContainEqual(['Your order', 'LIMIT'])
  })
})

describe('a stream with the mark of what its author saw', () => {
  it('is not begun on what moved on, and is held at its end', async () => {
    const { id } = await waiting()
    const mark = await markOf(id)
    const { value } = await streams.begin(fixture.bot, id, { mark })
    await streams.append(fixture.bot, value.id, 0, 'Yes')
    const news = await fixture.send(await guestOf(id), id, { text: 'no, the other one' })
    expect(await streams.begin(fixture.bot, id, { mark })).toMatchObject({ details: { reason: 'MOVED_ON' } })
    const held = await streams.finish(fixture.bot, value.id, 3)
    expect(held).toMatchObject({
      code: 'UNPROCESSABLE',
      details: { reason: 'MOVED_ON', news: [{ id: news.value.id, kind: 'CONSUMER' }] },
    })
    expect(await openOf(id)).toHaveLength(1)
    expect(await streams.finish(fixture.bot, value.id, 3, 'nonsense')).toHaveProperty('code', 'BAD_USER_INPUT')
    expect((await streams.finish(fixture.bot, value.id, 3, held.details.mark as string)).value.text).toBe('Yes')
  })

  it('changes no mark while it grows', async () => {
    const { id } = await waiting()
    const { value } = await streams.begin(fixture.bot, id)
    const mark = await markOf(id)
    await streams.append(fixture.bot, value.id, 0, 'Yes')
    expect(await markOf(id)).toBe(mark)
  })
})

describe('what is refused', () => {
  it('is what a stream cannot be', async () => {
    const { id } = await waiting()
    for (const [message, field] of [
      [{ text: 'x' }, 'message.text'],
      [{ delay: 5 }, 'message.delay'],
      [{ type: 'COMMAND' }, 'message.type'],
      [{ contentType: 'TEXT_HTML' }, 'message.contentType'],
      [{ role: 'CONTACT' }, 'message.role'],
    ] as const)
      expect(await streams.begin(fixture.bot, id, message)).toMatchObject({
        code: 'BAD_USER_INPUT',
        details: { field },
      })
    expect(await streams.begin(await guestOf(id), id)).toHaveProperty('code', 'FORBIDDEN')
    const { value } = await streams.begin(fixture.bot, id)
    for (const [offset, text, field] of [
      [-1, 'x', 'offset'],
      [0, 'x'.repeat(16_385), 'text'],
      [0, 'a\0b', 'text'],
    ] as const)
      expect(await streams.append(fixture.bot, value.id, offset, text)).toMatchObject({
        code: 'BAD_USER_INPUT',
        details: { field },
      })
  })

  it("is another's stream, and another tenant's", async () => {
    const { id, stream } = await begun()
    const bot = await makeBot()
    const stranger = await fixture.makeUser({ organization: await fixture.makeOrganization(), role: 'bot' })
    for (const [who, code] of [
      [bot, 'FORBIDDEN'],
      [stranger, 'NOT_FOUND'],
      [await guestOf(id), 'NOT_FOUND'],
    ] as const) {
      expect(await streams.append(who, stream, 10, '!')).toHaveProperty('code', code)
      expect(await streams.finish(who, stream, 10)).toHaveProperty('code', code)
    }
    expect(await streams.stop(stranger, stream)).toHaveProperty('code', 'NOT_FOUND')
    expect(await streams.begin(stranger, id)).toHaveProperty('code', 'NOT_FOUND')
    for (const none of ['nothing', fixture.clock.newId()])
      expect(await streams.append(fixture.bot, none, 0, '!')).toHaveProperty('code', 'NOT_FOUND')
  })

  it('is a third stream in a conversation, and the fifty-first of a bot', async () => {
    const { id } = await begun()
    await streams.begin(fixture.bot, id)
    expect(await streams.begin(fixture.bot, id)).toMatchObject({
      code: 'RATE_LIMITED',
      details: { reason: 'STREAM_LIMIT' },
    })
    const bot = await makeBot()
    const conversations = await Promise.all(Array.from({ length: 26 }, waiting))
    // None is lost meanwhile.
    fixture.clock.standAt()
    try {
      for (const each of conversations.slice(0, 25))
        for (let count = 0; count < 2; count += 1) expect(await streams.begin(bot, each.id)).not.toHaveProperty('code')
      expect(await streams.begin(bot, conversations[25]!.id)).toMatchObject({
        code: 'RATE_LIMITED',
        details: { reason: 'STREAM_LIMIT', retryAfterSeconds: 1 },
      })
    } finally {
      fixture.clock.goOn()
    }
  })

  it('is more than 20 parts in a second', async () => {
    const { stream } = await begun('')
    const answers: Awaited<ReturnType<typeof streams.append>>[] = []
    const add = () => streams.append(fixture.bot, stream, 0, '')
    await until(async () => {
      answers.push(...(await Promise.all(Array.from({ length: 60 }, add))))
      return answers.some(({ code }) => code === 'RATE_LIMITED')
    })
    expect(answers.filter(({ code }) => code && code !== 'RATE_LIMITED')).toEqual([])
  })
})

describe('erasure', () => {
  it.each([
    ['contact', 'deleteContact', ({ contactId }: { contactId: string }) => contactId],
    ['conversation', 'deleteConversation', ({ id }: { id: string }) => id],
  ])('of the %s leaves no part of what was being written', async (_, verb, idOf) => {
    const shown = await fixture.inStatus('CLOSED')
    const { value } = await streams.begin(fixture.bot, shown.id)
    const guest = await streams.watch(fixture.ann, shown.id)
    await guest.next(({ __typename }) => __typename === 'ConversationSnapshot')
    const writing = Promise.all(
      Array.from({ length: 8 }, (_unused, index) => streams.append(fixture.bot, value.id, index, 'x')),
    )
    const erased = await fixture.run(fixture.admin, `mutation ($id: ID!) { ${verb}(id: $id) }`, { id: idOf(shown) })
    expect(erased).not.toHaveProperty('code')
    await writing
    await until(async () => (await streams.append(fixture.bot, value.id, 0, 'x')).code === 'NOT_FOUND')
    expect(await partsLeft(value.id)).toBe(0)
    expect(await fixture.server.database.query('select 1 from message_stream where id = $1', [value.id])).toEqual([])
    await guest.close()
  })
})
