import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import type { MadeUser } from '../support/factories.js'
import { until } from '../support/until.js'
import { liveClient, subscribe } from '../support/live-client.js'
import { startConversationFixture, type ConversationFixture } from './conversation-fixture.js'

let fixture: ConversationFixture
beforeAll(async () => {
  fixture = await startConversationFixture()
})
afterAll(() => fixture.close())

const markOf = async (id: string, as: MadeUser | string = fixture.ann): Promise<string> => {
  const { value } = await fixture.run<{ mark: string }>(as, 'query ($id: ID!) { conversation(id: $id) { mark } }', {
    id,
  })
  return value.mark
}

/** A conversation that Ann has accepted and answered, and its mark. */
const begin = async (): Promise<{ id: string; mark: string }> => {
  const { id } = await fixture.inStatus('ACTIVE')
  return { id, mark: await markOf(id) }
}
const say = (as: MadeUser | string, id: string, message: object) => fixture.send(as, id, { role: 'AGENT', ...message })
const counted = async (id: string) => {
  const [row] = await fixture.server.database.query<{ count: number }>(
    'select count(*)::int as count from message where conversation_id = $1',
    [id],
  )
  return row!.count
}

describe('a message with the mark that its author saw', () => {
  it('is sent if nobody else has done anything since', async () => {
    const { id, mark } = await begin()
    expect(await say(fixture.ann, id, { text: 'one', mark })).not.toHaveProperty('code')
    // What the author did itself is no news.
    expect(await say(fixture.ann, id, { text: 'two', mark })).not.toHaveProperty('code')
    expect(await fixture.command(fixture.ann, id, '/accept')).not.toHaveProperty('code')
    expect(await say(fixture.ann, id, { text: 'three', mark })).not.toHaveProperty('code')
  })

  it('is held with the news, and sent with the new mark', async () => {
    const { id, mark } = await begin()
    const news = await fixture.send(fixture.bot, id, { role: 'CONTACT', text: 'never mind' })
    const before = await counted(id)
    const held = await say(fixture.ann, id, { text: 'an answer', mark })
    expect(held).toMatchObject({
      code: 'UNPROCESSABLE',
      details: {
        reason: 'MOVED_ON',
        field: 'mark',
        status: 'ACTIVE',
        mark: await markOf(id),
        news: [{ id: news.value.id, position: news.value.position, kind: 'CONSUMER' }],
      },
    })
    expect(await counted(id)).toBe(before)
    expect(await say(fixture.ann, id, { text: 'an answer', mark: held.details.mark })).not.toHaveProperty('code')
  })

  it.each([
    ['a colleague answers', 'ANSWER', (id: string) => say(fixture.ben, id, { text: 'mine' })],
    ['a colleague notes', 'NOTE', (id: string) => say(fixture.ben, id, { text: 'mind', isBackchannel: true })],
    ['a bot tells the team', 'NOTE', (id: string) => fixture.send(fixture.bot, id, { role: 'BOT', text: 'found' })],
    ['a colleague hands it to the queue', 'COMMAND', (id: string) => fixture.command(fixture.bot, id, '/enqueue')],
  ])('is held when %s', async (_what, kind, act) => {
    const { id, mark } = await begin()
    expect(await act(id)).not.toHaveProperty('code')
    const held = await say(fixture.ann, id, { text: 'blind', mark })
    expect(held.details).toMatchObject({ reason: 'MOVED_ON' })
    expect((held.details.news as { kind: string }[]).map((each) => each.kind)).toContain(kind)
  })

  it('is held when somebody else has accepted, edited or deleted, which adds no message that counts', async () => {
    const accepted = await begin()
    await fixture.command(fixture.ben, accepted.id, '/accept')
    expect((await say(fixture.ann, accepted.id, { text: 'blind', mark: accepted.mark })).details).toMatchObject({
      reason: 'MOVED_ON',
      news: [],
    })

    const first = async (id: string) => (await fixture.show(id)).messages.edges[0]!.node.id
    const edited = await begin()
    const edit = 'mutation ($id: ID!, $patch: UpdateMessageInput!) { updateMessage(id: $id, patch: $patch) { id } }'
    await fixture.run(fixture.admin, edit, { id: await first(edited.id), patch: { text: 'goodbye' } })
    expect((await say(fixture.ann, edited.id, { text: 'blind', mark: edited.mark })).details.reason).toBe('MOVED_ON')

    const deleted = await begin()
    await fixture.run(fixture.admin, 'mutation ($id: ID!) { deleteMessage(id: $id) }', { id: await first(deleted.id) })
    expect((await say(fixture.ann, deleted.id, { text: 'blind', mark: deleted.mark })).details.reason).toBe('MOVED_ON')
  })

  it('is not held by what tells nothing: joining, following, likes, comments, names', async () => {
    const { id, mark } = await begin()
    const message = (await fixture.show(id)).messages.edges[0]!.node.id
    for (const text of ['/join', '/follow', '/unfollow', '/set @name Order 7'])
      expect(await fixture.command(fixture.ben, id, text)).not.toHaveProperty('code')
    await fixture.command(fixture.ben, id, '/action like', { meta: { message } })
    expect(await say(fixture.ann, id, { text: 'still true', mark })).not.toHaveProperty('code')
  })

  it('is held after a merge, whoever merged: messages came before those that were seen', async () => {
    const { id } = await begin()
    const origin = await fixture.create({ messages: [{ role: 'CONTACT', text: 'another question' }] })
    const mark = await markOf(id)
    const merge = 'mutation ($id: ID!, $origin: ID!) { importConversation(conversation: $id, origin: $origin) { id } }'
    expect(await fixture.run(fixture.ann, merge, { id, origin: origin.id })).not.toHaveProperty('code')
    expect((await say(fixture.ann, id, { text: 'blind', mark })).details.reason).toBe('MOVED_ON')
    expect(await say(fixture.ann, id, { text: 'read', mark: await markOf(id) })).not.toHaveProperty('code')
    // The origin names the conversation that has the messages.
    expect((await say(fixture.ann, origin.id, { text: 'late', mark })).details).toMatchObject({
      reason: 'CONVERSATION_STATUS',
      target: id,
    })
  })

  it('is answered again when it was sent, whatever came since', async () => {
    const { id, mark } = await begin()
    const message = { text: 'once', mark, id: fixture.clock.newId() }
    const first = await say(fixture.ann, id, message)
    const keyed = await fixture.send(fixture.ann, id, { role: 'AGENT', text: 'keyed', mark }, 'key-1')
    await fixture.send(fixture.bot, id, { role: 'CONTACT', text: 'news' })
    expect((await say(fixture.ann, id, message)).value).toEqual(first.value)
    expect((await fixture.send(fixture.ann, id, { role: 'AGENT', text: 'keyed', mark }, 'key-1')).value).toEqual(
      keyed.value,
    )
    expect((await say(fixture.ann, id, { ...message, id: fixture.clock.newId() })).details.reason).toBe('MOVED_ON')
  })

  it('is refused as a mistake if no state of the conversation has it', async () => {
    const [{ id, mark }, other] = [await begin(), await begin()]
    for (const wrong of ['', '7', 'x.y.z', `${mark}0`, 5])
      expect((await say(fixture.ann, id, { text: 'x', mark: wrong })).code).toBe('BAD_USER_INPUT')
    const [position, turn, of] = mark.split('.')
    for (const future of [`${Number(position) + 1}.${turn}.${of}`, `${position}.${Number(turn) + 1}.${of}`, other.mark])
      expect(await say(fixture.ann, id, { text: 'x', mark: future })).toMatchObject({
        code: 'BAD_USER_INPUT',
        details: { field: 'mark' },
      })
    const create = await fixture.tryCreate({ messages: [{ role: 'CONTACT', text: 'x', mark }] })
    expect(create).toMatchObject({ code: 'BAD_USER_INPUT', details: { field: 'messages[0].mark' } })
  })

  it('holds a list of messages as a whole', async () => {
    const { id, mark } = await begin()
    await fixture.send(fixture.bot, id, { role: 'CONTACT', text: 'news' })
    const before = await counted(id)
    const send = `mutation ($id: ID!, $messages: [MessageInput!]!) { sendMessages(conversation: $id, messages: $messages) { id } }`
    const messages = [{ text: 'one' }, { text: 'two', mark }]
    expect((await fixture.run(fixture.ann, send, { id, messages })).details).toMatchObject({
      reason: 'MOVED_ON',
      field: 'messages[1].mark',
    })
    expect(await counted(id)).toBe(before)
  })
})

describe('a hand-over and a leaving', () => {
  it('are held alike', async () => {
    const { id, mark } = await begin()
    await fixture.send(fixture.bot, id, { role: 'CONTACT', text: 'news' })
    const handOver = `mutation ($id: ID!, $user: ID!, $mark: String) {
      handOverConversation(conversation: $id, user: $user, mark: $mark) { status participants { userId } } }`
    const leave = 'mutation ($id: ID!, $mark: String) { leaveConversation(conversation: $id, mark: $mark) { status } }'
    expect((await fixture.run(fixture.ann, handOver, { id, user: fixture.ben.id, mark })).details.reason).toBe(
      'MOVED_ON',
    )
    expect((await fixture.run(fixture.ann, leave, { id, mark })).details.reason).toBe('MOVED_ON')
    expect((await fixture.show(id)).participants.map(({ userId }) => userId)).toEqual([fixture.ann.id])
    const now = await markOf(id)
    expect(
      (await fixture.run<{ participants: object[] }>(fixture.ann, handOver, { id, user: fixture.ben.id, mark: now }))
        .value.participants,
    ).toEqual([{ userId: fixture.ben.id }])
    expect(await fixture.run(fixture.ben, leave, { id, mark: await markOf(id) })).not.toHaveProperty('code')
  })
})

describe('a delayed message', () => {
  const draftOf = async (id: string) => {
    const drafts = await fixture.run<{ conversation: string; text: string; heldBecause: object | null }[]>(
      fixture.ann,
      '{ drafts { conversation text mail { to cc bcc subject } heldBecause { mark status news { kind } } } }',
    )
    return drafts.value.find(({ conversation }) => conversation === id)
  }

  it('is checked when it is sent and when it is due: then it comes back as a draft that says why', async () => {
    const { id, mark } = await begin()
    const text = 'a second thought'
    const mail = { to: ['a@boats.example', 'b@boats.example'], cc: ['c@boats.example'], subject: 'Us' }
    expect(await say(fixture.ann, id, { text, mark, mail, delay: 5_000 })).not.toHaveProperty('code')
    await fixture.send(fixture.bot, id, { role: 'CONTACT', text: 'news' })
    expect((await say(fixture.ann, id, { text: 'too late', mark, delay: 5_000 })).details.reason).toBe('MOVED_ON')
    fixture.clock.advance(6_000)
    const draft = await until(
      () => draftOf(id),
      (found) => found !== undefined,
    )
    expect(draft).toEqual({
      conversation: id,
      text,
      mail: { to: 'a@boats.example, b@boats.example', cc: 'c@boats.example', bcc: '', subject: 'Us' },
      heldBecause: { mark: await markOf(id), status: 'ACTIVE', news: [{ kind: 'CONSUMER' }] },
    })
    expect((await fixture.show(id)).messages.edges.map(({ node }) => node.text)).not.toContain(text)
    const save = `mutation ($id: ID!) { saveDraft(conversation: $id, text: "edited") { text heldBecause { mark } } }`
    expect((await fixture.run(fixture.ann, save, { id })).value).toEqual({ text: 'edited', heldBecause: null })
  })

  it('is sent when nothing came', async () => {
    const { id, mark } = await begin()
    await say(fixture.ann, id, { text: 'as promised', mark, delay: 5_000 })
    fixture.clock.advance(6_000)
    await until(
      async () => (await fixture.show(id)).messages.edges.map(({ node }) => node.text),
      (texts) => texts.includes('as promised'),
    )
    expect(await draftOf(id)).toBeUndefined()
  })
})

describe('marks on a screen', () => {
  it('follow from a snapshot and events, and are the ones that the server has', async () => {
    const { id } = await begin()
    const client = liveClient(fixture.url, await fixture.tokenFor(fixture.ann))
    const query = `subscription ($id: ID!) { conversation(id: $id) { __typename
      ... on ConversationSnapshot { conversation { mark } } ... on ConversationChanged { conversation { mark } }
      ... on MessageAdded { mark message { position } } } }`
    type Event = { __typename: string; mark?: string; conversation?: { mark: string }; message?: { position: number } }
    const live = subscribe<Event>(client, 'conversation', query, { id })
    let mark = (await live.next()).conversation!.mark
    expect(mark).toBe(await markOf(id))
    const follow = async (last: string) => {
      while (mark !== last) {
        const event = await live.next()
        mark = event.mark ?? event.conversation?.mark ?? mark
      }
    }
    const message = (await fixture.show(id)).messages.edges[0]!.node.id
    const edit = 'mutation ($id: ID!, $patch: UpdateMessageInput!) { updateMessage(id: $id, patch: $patch) { id } }'
    for (const act of [
      () => fixture.send(fixture.bot, id, { role: 'CONTACT', text: 'news' }),
      () => fixture.run(fixture.admin, edit, { id: message, patch: { text: 'edited' } }),
      () => fixture.command(fixture.ben, id, '/accept'),
      () => fixture.run(fixture.admin, 'mutation ($id: ID!) { deleteMessage(id: $id) }', { id: message }),
      () => fixture.command(fixture.ben, id, '/leave'),
    ]) {
      expect(await act()).not.toHaveProperty('code')
      const last = await markOf(id)
      await follow(last)
      expect(await say(fixture.ann, id, { text: 'seen', mark })).not.toHaveProperty('code')
      await follow(await markOf(id))
    }
    live.stop()
    await client.dispose()
  })
})

describe('a consumer', () => {
  const guest = async (id: string) => {
    const make = 'mutation ($id: ID!) { createGuestToken(conversation: $id) { token } }'
    return (await fixture.run<{ token: string }>(fixture.bot, make, { id })).value.token
  }
  const crossed = async (id: string) => {
    const query = 'query ($id: ID!) { message(id: $id) { crossedAnswer } }'
    return (await fixture.run<{ crossedAnswer: boolean | null }>(fixture.bot, query, { id })).value.crossedAnswer
  }

  it('is never held, has no mark, and says what its page showed: agents read what crossed an answer', async () => {
    const { id, mark } = await begin()
    const token = await guest(id)
    expect(await markOf(id, token)).toBeNull()
    const [hello] = (await fixture.show(id)).messages.edges
    const seen = hello!.node.id
    const early = await fixture.send(token, id, { text: 'are you there?', seen })
    expect(await crossed(early.value.id)).toBe(true)
    const late = await fixture.send(token, id, { text: 'thanks', seen: early.value.id })
    expect(await crossed(late.value.id)).toBe(false)
    await fixture.send(fixture.ann, id, { role: 'AGENT', text: 'for the team', isBackchannel: true })
    const unaware = await fixture.send(token, id, { text: 'hm', seen: late.value.id })
    expect(await crossed(unaware.value.id)).toBe(false)
    const silent = await fixture.send(token, id, { text: 'and?' })
    expect(await crossed(silent.value.id)).toBeNull()
    const unknown = await fixture.send(token, id, { text: 'and!', seen: fixture.clock.newId() })
    expect(await crossed(unknown.value.id)).toBeNull()
    expect(await fixture.send(token, id, { text: 'x', mark })).toMatchObject({ code: 'BAD_USER_INPUT' })
    expect(await say(fixture.ann, id, { text: 'x', seen })).toMatchObject({ code: 'BAD_USER_INPUT' })
  })
})
