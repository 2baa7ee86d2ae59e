import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import type { MadeUser } from '../support/factories.js'
import {
  newContact,
  startConversationFixture,
  texts,
  until,
  type ConversationFixture,
  type Outcome,
  type SentMessage,
} from './conversation-fixture.js'

let fixture: ConversationFixture
beforeAll(async () => {
  fixture = await startConversationFixture()
})
afterAll(() => fixture.close())

const ACCEPT = `mutation ($id: ID!) { acceptConversation(conversation: $id, ifQueued: true) {
  status participants { userId accepted } } }`

describe('acceptConversation with ifQueued', () => {
  it('has exactly one winner, whom the losers learn, in each of 200 races', async () => {
    const agents = [fixture.ann, fixture.ben, await fixture.makeAgent(), await fixture.makeAgent()]
    const names = ['Ann', 'Ben', 'The agent', 'The agent']
    const conversations = await inGroups(
      Array.from({ length: 200 }, () => () => fixture.create({ messages: [{ role: 'CONTACT', text: 'hello' }] })),
    )
    const races = conversations.map(({ id }, index) => async () => {
      const racers = agents.slice(0, 2 + (index % 3))
      const outcomes = await Promise.all(
        racers.map((agent) =>
          fixture.run<{ status: string; participants: { userId: string; accepted: boolean }[] }>(agent, ACCEPT, { id }),
        ),
      )
      const winners = outcomes.flatMap(({ code }, at) => (code === undefined ? [at] : []))
      expect(winners).toHaveLength(1)
      const winner = racers[winners[0]!]!
      expect(outcomes[winners[0]!]!.value).toEqual({
        status: 'ACTIVE',
        participants: [{ userId: winner.id, accepted: true }],
      })
      for (const [at, outcome] of outcomes.entries()) {
        if (at === winners[0]) continue
        expect(outcome).toMatchObject({
          code: 'UNPROCESSABLE',
          details: { reason: 'ALREADY_ACCEPTED', acceptedBy: winner.id, status: 'ACTIVE' },
        })
        expect(outcome.message).toContain(names[winners[0]!])
      }
    })
    await inGroups(races)
    const rows = await fixture.server.database.query<{ messages: number; accepted: number }>(
      `select (select count(*) from message m where m.conversation_id = c.id) as messages,
         (select count(*) from participant p where p.conversation_id = c.id and p.accepted) as accepted
       from conversation c where c.id = any($1::uuid[])`,
      [conversations.map(({ id }) => id)],
    )
    // A refused command leaves no message.
    expect(new Set(rows.map((row) => JSON.stringify(row)))).toEqual(new Set(['{"messages":2,"accepted":1}']))
  })
})

describe('concurrent writes to one conversation', () => {
  it('are committed together in one order, each seeing those before it', async () => {
    const { id, messages } = await fixture.inStatus('ACTIVE')
    const before = messages.edges[0]!.node.id
    const comers = await Promise.all(Array.from({ length: 6 }, () => fixture.makeAgent()))
    const comeAndGo = async (agent: MadeUser): Promise<Outcome<SentMessage>[]> => [
      await fixture.command(agent, id, '/join'),
      await fixture.command(agent, id, '/leave'),
      await fixture.command(agent, id, '/join'),
    ]
    const outcomes = await Promise.all(
      comers.flatMap((agent, index) => [
        comeAndGo(agent),
        fixture.send(fixture.bot, id, { role: 'CONTACT', text: `question ${index}` }),
        fixture.send(fixture.ann, id, { role: 'AGENT', text: `answer ${index}` }),
        // These read what came before them: it is written by then.
        fixture.command(agent, id, '/action like', { meta: { message: before } }),
        fixture.command(agent, id, `/action comment "comment ${index}"`, { meta: { message: before } }),
      ]),
    )
    expect(outcomes.flat().filter(({ code }) => code !== undefined)).toEqual([])
    const { database } = fixture.server
    const rows = await database.query<{ position: number; transaction: string; likes: string[]; comments: unknown[] }>(
      'select position, xmin::text as transaction, likes, comments from message where conversation_id = $1 order by position',
      [id],
    )
    expect(rows.map(({ position }) => position)).toEqual(rows.map((_row, index) => index + 1))
    expect(new Set(rows.map(({ transaction }) => transaction)).size).toBeLessThan(rows.length)
    expect(rows.reduce((sum, { likes }) => sum + likes.length, 0)).toBe(comers.length)
    expect(rows.reduce((sum, { comments }) => sum + comments.length, 0)).toBe(comers.length)
    const events = await database.query<{ number: number; type: string; data: { participants: { userId: string }[] } }>(
      'select number, type, data from event where stream = $1 order by number',
      [`conversation:${id}`],
    )
    expect(events.map(({ number }) => number)).toEqual(events.map((_event, index) => index + 1))
    const told = events.findLast(({ type }) => type === 'participants.changed')!.data.participants
    const stored = (await fixture.show(id)).participants
    const of = (participants: object[]) =>
      participants
        .map((each) => ({ ...stored[0], ...each }))
        .map(({ userId, unreadCount, inbox, accepted, active }) => ({ userId, unreadCount, inbox, accepted, active }))
    expect(of(told)).toEqual(of(stored))
    expect(stored).toHaveLength(comers.length + 1)
  })
})

describe('likes (section 8)', () => {
  // [2.9 likes limit] [8 Likes]
  it('are at most 100, and each user has one, however they race', async () => {
    const { id, messages } = await fixture.inStatus('ACTIVE')
    const message = messages.edges[0]!.node.id
    const users = await Promise.all(Array.from({ length: 110 }, () => fixture.makeAgent()))
    const likes = [...users, ...users.slice(0, 10)].map(
      (user) => () => fixture.command(user, id, '/action like', { meta: { message } }),
    )
    const outcomes = await inGroups(likes, 40)
    const refused = outcomes.filter(({ code }) => code !== undefined)
    expect(new Set(refused.map(({ code }) => code))).toEqual(new Set(['UNPROCESSABLE']))
    const shown = (await fixture.show(id)).messages.edges.find(({ node }) => node.id === message)!.node.likes
    expect(shown).toHaveLength(100)
    expect(new Set(shown).size).toBe(100)
  })
})

describe("a bot's limits in a conversation (section 8)", () => {
  let bot: MadeUser
  beforeAll(async () => {
    bot = await fixture.makeUser({ organization: fixture.organization, role: 'bot' })
  })
  const say = (id: string, text: string, more: object = {}) => fixture.send(bot, id, { text, ...more })
  const sayAll = (id: string, all: string[]) => Promise.all(all.map((text) => say(id, text)))
  const sent = (outcomes: Outcome<SentMessage>[]) => outcomes.filter(({ code }) => code === undefined).length
  const numbered = (count: number, prefix: string) =>
    Array.from({ length: count }, (_each, index) => `${prefix} ${index}`)

  // [8 Identical bot messages, bot limits]
  it('allow exactly 8 identical messages in 3 minutes, and report when the next is allowed', async () => {
    const { id } = await fixture.create()
    const begun = performance.now()
    const outcomes = await sayAll(
      id,
      Array.from({ length: 12 }, () => 'Are you there?'),
    )
    const ranSeconds = (performance.now() - begun) / 1_000
    expect(sent(outcomes)).toBe(8)
    for (const { code, details } of outcomes.filter((outcome) => outcome.code)) {
      expect(code).toBe('RATE_LIMITED')
      expect(details.retryAfterSeconds).toBeGreaterThanOrEqual(180 - ranSeconds)
      expect(details.retryAfterSeconds).toBeLessThanOrEqual(180)
    }
    expect((await say(id, 'Another question')).code).toBeUndefined()
    expect((await fixture.send(fixture.bot, id, { text: 'Are you there?' })).code).toBeUndefined()
    const other = await fixture.create()
    expect((await say(other.id, 'Are you there?')).code).toBeUndefined()
    fixture.clock.advance(181_000)
    expect((await say(id, 'Are you there?')).code).toBeUndefined()
    expect(texts(await fixture.show(id)).filter((text) => text === 'Are you there?')).toHaveLength(10)
  })

  it('count all messages of a request, and refuse it as a whole', async () => {
    const { id } = await fixture.create()
    const several = (count: number) =>
      fixture.run(
        bot,
        `mutation ($id: ID!, $messages: [MessageInput!]!) {
        sendMessages(conversation: $id, messages: $messages) { id } }`,
        { id, messages: Array.from({ length: count }, () => ({ text: 'spam' })) },
      )
    expect(await several(9)).toMatchObject({ code: 'RATE_LIMITED' })
    expect(texts(await fixture.show(id))).toEqual([])
    expect((await several(8)).code).toBeUndefined()
    expect(await several(1)).toMatchObject({ code: 'RATE_LIMITED' })
  })

  // [8 Consecutive bot messages, Consecutive bot messages until an agent, Consecutive bot messages until the consumer,
  // bot limits]
  it('allow exactly 20 consecutive messages in an hour, until an agent or the consumer replies', async () => {
    const { id } = await fixture.create({ messages: numbered(3, 'of the create').map((text) => ({ text })) }, bot)
    for (const reply of [
      () => fixture.send(fixture.ann, id, { role: 'AGENT', text: 'I am here' }),
      () => fixture.send(bot, id, { role: 'CONTACT', text: 'so am I' }),
      () => fixture.send(bot, id, { role: 'AGENT', user: fixture.ben.id, text: 'and I' }),
    ]) {
      // Another bot has limits of its own and resets none, and commands do not count.
      await fixture.send(fixture.bot, id, { text: `in between ${Math.random()}` })
      await fixture.command(bot, id, '/set key value')
      const outcomes = await sayAll(id, numbered(24, String(Math.random())))
      expect(sent(outcomes)).toBe(20)
      const refused = outcomes.find(({ code }) => code)!
      expect(refused).toMatchObject({ code: 'RATE_LIMITED' })
      expect(refused.details.retryAfterSeconds).toBeGreaterThan(3_500)
      expect(await say(id, 'one more', { isBackchannel: true })).toMatchObject({ code: 'RATE_LIMITED' })
      expect(await say(id, 'one more', { role: 'AGENT' })).toMatchObject({ code: 'RATE_LIMITED' })
      expect((await reply()).code).toBeUndefined()
    }
    expect(sent(await sayAll(id, numbered(24, 'x')))).toBe(20)
    fixture.clock.advance(3_601_000)
    expect(sent(await sayAll(id, numbered(24, 'y')))).toBe(20)
  })

  // [8 Consecutive bot messages until an agent, bot limits]
  it('are reset by a person only, never by another bot that answers as agent', async () => {
    const other = await fixture.makeUser({ organization: fixture.organization, role: 'bot' })
    const { id } = await fixture.create()
    const takeTurns = async (): Promise<number[]> => {
      const sentBy = [0, 0]
      for (let turn = 0; turn < 30; turn++) {
        for (const [index, user] of [bot, other].entries()) {
          const { code } = await fixture.send(user, id, { role: 'AGENT', text: `${index} ${turn} ${Math.random()}` })
          if (code === undefined) sentBy[index]! += 1
          else expect(code).toBe('RATE_LIMITED')
        }
      }
      return sentBy
    }
    expect(await takeTurns()).toEqual([20, 20])
    await fixture.send(fixture.ann, id, { role: 'AGENT', text: 'I am here' })
    expect(await takeTurns()).toEqual([20, 20])
    // Nor on behalf of each other.
    expect(await say(id, 'for the other', { role: 'AGENT', user: other.id })).toMatchObject({ code: 'RATE_LIMITED' })
    expect(await say(id, 'mine', { role: 'AGENT' })).toMatchObject({ code: 'RATE_LIMITED' })
  })

  // [8 bot limits]
  it("do not count a create's messages as consecutive, not even delayed ones (open points)", async () => {
    const { id } = await fixture.create(
      { messages: numbered(6, 'of the create').map((text, index) => ({ text, delay: index < 3 ? 0 : 1_000 })) },
      bot,
    )
    fixture.clock.advance(2_000)
    await until(async () => texts(await fixture.show(id)).length === 6)
    expect(sent(await sayAll(id, numbered(24, 'later')))).toBe(20)
  })

  // [8 bot limits answer] [7 429]
  it('are answered with 429 and Retry-After on /v2', async () => {
    const { id } = await fixture.create()
    await sayAll(
      id,
      Array.from({ length: 8 }, () => 'again'),
    )
    const { status, headers } = await fixture.rest(bot, 'POST', `/v2/conversations/${id}/messages`, { text: 'again' })
    expect(status).toBe(429)
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(170)
  })
})

describe('an idempotency key (open points)', () => {
  const key = () => `key-${Math.random()}`
  const messages = [{ role: 'CONTACT', text: 'once' }]

  it('returns the first response again for the same body, and 422 for another', async () => {
    const [one, two] = [key(), key()]
    const input = { contact: newContact(), messages }
    const first = await fixture.tryCreate(input, fixture.bot, one)
    expect(first.code).toBeUndefined()
    expect((await fixture.tryCreate(input, fixture.bot, one)).value).toEqual(first.value)
    expect(await fixture.tryCreate({ ...input, name: 'Else' }, fixture.bot, one)).toMatchObject({
      code: 'UNPROCESSABLE',
      details: { field: 'idempotencyKey' },
    })
    const { id } = first.value
    const sent = await fixture.send(fixture.bot, id, { text: 'hello' }, two)
    expect(await fixture.send(fixture.bot, id, { text: 'hello' }, two)).toEqual(sent)
    expect(await fixture.send(fixture.bot, id, { text: 'hallo' }, two)).toMatchObject({ code: 'UNPROCESSABLE' })
    // A key is the caller's own.
    expect((await fixture.send(fixture.ann, id, { text: 'hello' }, two)).code).toBeUndefined()
    expect(texts(await fixture.show(id))).toEqual(['once', 'hello', 'hello'])
  })

  it('creates one record for concurrent requests', async () => {
    const input = { contact: newContact(), messages }
    const [one, two] = [key(), key()]
    const created = await Promise.all(Array.from({ length: 8 }, () => fixture.tryCreate(input, fixture.bot, one)))
    expect(new Set(created.map(({ value, code }) => code ?? value.id)).size).toBe(1)
    const { id } = created[0]!.value
    const sent = await Promise.all(
      Array.from({ length: 8 }, () => fixture.send(fixture.bot, id, { text: 'hello' }, two)),
    )
    expect(new Set(sent.map((outcome) => outcome.code ?? outcome.value.id)).size).toBe(1)
    expect(texts(await fixture.show(id))).toEqual(['once', 'hello'])
  })

  it('stores nothing for a refused request', async () => {
    const { id } = await fixture.create()
    const one = key()
    expect(await fixture.send(fixture.bot, id, { type: 'COMMAND', text: '/unfollow' }, one)).toMatchObject({
      code: 'UNPROCESSABLE',
    })
    await fixture.command(fixture.bot, id, '/follow')
    expect((await fixture.send(fixture.bot, id, { type: 'COMMAND', text: '/unfollow' }, one)).code).toBeUndefined()
  })

  it('expires after 24 hours, even while its row still exists', async () => {
    const { id } = await fixture.create()
    const one = key()
    await fixture.send(fixture.bot, id, { text: 'today' }, one)
    fixture.clock.advance(24 * 3_600_000 + 1_000)
    const [row] = await fixture.server.database.query<{ count: number }>(
      'select count(*) from idempotency_key where key = $1',
      [one],
    )
    expect(row!.count).toBe(1)
    const bot = await fixture.tokenFor(fixture.bot)
    const next = await fixture.send(bot, id, { text: 'tomorrow' }, one)
    expect(next.code).toBeUndefined()
    expect(await fixture.send(bot, id, { text: 'tomorrow' }, one)).toEqual(next)
    expect(texts(await fixture.show(id, bot))).toEqual(['today', 'tomorrow'])
  })
})

/** Some at a time, all of a group at once. */
async function inGroups<T>(tasks: readonly (() => Promise<T>)[], size = 25): Promise<T[]> {
  const results: T[] = []
  for (let from = 0; from < tasks.length; from += size) {
    results.push(...(await Promise.all(tasks.slice(from, from + size).map((task) => task()))))
  }
  return results
}
