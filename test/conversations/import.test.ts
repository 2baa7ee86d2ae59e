import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { interleave } from '../../src/modules/conversations/messages/merge-messages.js'
import { systemClock } from '../../src/platform/db/clock.js'
import type { MessageRow } from '../../src/modules/messages/message-row.js'
import type { MadeOrganization, MadeUser } from '../support/factories.js'
import { liveClient, subscribe } from '../support/live-client.js'
import { startTestServer, type TestServer } from '../support/test-server.js'
import { until } from '../support/until.js'

interface SentMessage {
  id: string
  text: string
  position: number
  version: number
  role: string
  createdAt: string
  meta: Record<string, unknown> | null
  user: { id: string } | null
}

interface ShownConversation {
  id: string
  name: string
  status: string
  meta: Record<string, unknown>
  channels: string[]
  preview: string | null
  participants: { userId: string; inbox: boolean; follow: boolean; accepted: boolean; active: boolean }[]
}

/** Fields of the events that these tests ask for. */
interface Heard {
  __typename: string
  entries?: { conversation: string }[]
  entry?: { conversation: string; preview?: string }
  conversation?: string
  messages?: SentMessage[]
  message?: SentMessage
}

const IMPORT = `mutation ($conversation: ID!, $origin: ID!) {
  importConversation(conversation: $conversation, origin: $origin) {
  id name status preview channels channelsOffline meta participants { userId inbox follow accepted active } } }`
const MESSAGES = `query ($id: ID!) { conversation(id: $id) { id name status meta channels preview
  participants { userId inbox follow accepted active }
  messages(first: 100) { edges { node { id text position version role type createdAt meta user { id } } } } } }`

describe('/import (4.8, 2.12, 3.1)', () => {
  let server: TestServer
  let organization: MadeOrganization
  let bot: MadeUser
  let ann: MadeUser
  let ben: MadeUser
  let channel: string

  beforeAll(async () => {
    server = await startTestServer()
    organization = await server.makeOrganization({ name: 'Acme' })
    const admin = await server.makeUser({ organization, role: 'admin' })
    bot = await server.makeUser({ organization, role: 'bot' })
    ann = await server.makeUser({ organization, displayName: 'Ann' })
    ben = await server.makeUser({ organization, displayName: 'Ben' })
    const made = await server.gql(
      admin,
      'mutation ($input: CreateChannelInput!) { createChannel(input: $input) { id } }',
      { input: { name: 'Sales', members: [{ user: ann.id }, { user: ben.id }] } },
    )
    channel = made.data.createChannel.id
  })
  afterAll(() => server.close())

  /** A conversation with a contact of its own; the texts are the consumer's. */
  async function makeConversation(...texts: string[]): Promise<string> {
    const { data, errors } = await server.gql(
      bot,
      'mutation ($input: CreateConversationInput!) { createConversation(input: $input) { id } }',
      {
        input: {
          contact: { profile: { name: 'Carl', email: `${systemClock.newId()}@example.com` } },
          touchpoint: 'WEB',
          messages: texts.map((text) => ({ role: 'CONTACT', text })),
        },
      },
    )
    expect(errors).toBeUndefined()
    return data.createConversation.id
  }

  /** One with each text. */
  async function makeConversations<Texts extends string[]>(...texts: Texts): Promise<{ [K in keyof Texts]: string }> {
    const made: string[] = []
    for (const text of texts) made.push(await makeConversation(text))
    return made as { [K in keyof Texts]: string }
  }

  async function send(as: MadeUser, conversation: string, message: object): Promise<string> {
    const { data, errors } = await server.gql(
      as,
      'mutation ($id: ID!, $message: MessageInput!) { sendMessage(conversation: $id, message: $message) { id } }',
      { id: conversation, message },
    )
    expect(errors).toBeUndefined()
    return data.sendMessage.id
  }

  async function read(conversation: string) {
    const { data } = await server.gql(bot, MESSAGES, { id: conversation })
    const messages = data.conversation.messages.edges.map(({ node }: { node: SentMessage }) => node) as SentMessage[]
    return { ...(data.conversation as ShownConversation), messages }
  }

  const importInto = (conversation: string, origin: string, as: MadeUser = ann) =>
    server.gql(as, IMPORT, { conversation, origin })

  /** Reads what one would show who had followed the stream from the beginning. */
  async function replay(conversation: string): Promise<Pick<SentMessage, 'id' | 'position' | 'text' | 'meta'>[]> {
    const events = await server.server.database.query<{ type: string; data: { message?: MessageRow } }>(
      'select type, data from event where stream = $1 order by number',
      [`conversation:${conversation}`],
    )
    const known = new Map<string, MessageRow>()
    for (const { type, data } of events) {
      if (type !== 'message.added' && type !== 'message.changed') continue
      if (type === 'message.changed') expect(known.has(data.message!.id)).toBe(true)
      known.set(data.message!.id, data.message!)
    }
    return [...known.values()]
      .map(({ id, position, text, meta }) => ({ id, position, text: text!, meta }))
      .toSorted((one, other) => one.position - other.position)
  }

  const shownMessages = ({ messages }: { messages: SentMessage[] }) =>
    messages.map(({ id, position, text, meta }) => ({ id, position, text, meta }))

  // [4.8 /import, /import origin name, /import origin status, /import origin messages, /import copies in order, /import
  // copies numbered, /import copies _source, /import copies version] [2.12 merge _target, merge _source, _target] [3.1 origin by
  // /import, origin by /import then name]
  it('archives the origin as TRANSFERRED and interleaves copies by creation time', async () => {
    const target = await makeConversation('t1')
    const origin = await makeConversation('o1')
    await send(bot, target, { role: 'CONTACT', text: 't2' })
    await send(bot, origin, { role: 'CONTACT', text: 'o2', meta: { page: 1 } })
    const answer = await send(ann, target, { role: 'AGENT', text: 't3' })
    const before = await read(origin)

    const { data, errors } = await importInto(target, origin)
    expect(errors).toBeUndefined()
    expect(data.importConversation).toMatchObject({ id: target, status: 'ACTIVE', preview: 't3' })

    const merged = await read(target)
    expect(merged.messages.map(({ text, position }) => `${position} ${text}`)).toEqual([
      '1 t1',
      '2 o1',
      '3 t2',
      '4 o2',
      '5 t3',
      `6 /import ${origin}`,
    ])
    expect(merged.messages[4]!.id).toBe(answer)
    const archived = await read(origin)
    expect(archived).toMatchObject({ name: 'TRANSFERRED', status: 'ARCHIVED', channels: [], meta: { _target: target } })
    const copies = [merged.messages[1]!, merged.messages[3]!]
    archived.messages.forEach((original, index) => {
      const [copy, was] = [copies[index]!, before.messages[index]!]
      expect(original.meta).toEqual({ ...was.meta, _target: copy.id })
      expect(copy).toMatchObject({
        text: was.text,
        role: was.role,
        createdAt: was.createdAt,
        version: was.version + 1,
        user: was.user,
        meta: { ...was.meta, _source: was.id },
      })
      expect(original).toMatchObject({ text: was.text, position: was.position, version: was.version })
    })
    for (const id of [target, origin]) expect(await replay(id)).toEqual(shownMessages(await read(id)))
  })

  // [4.8 /import _noCopy, /import copies version] [2.12 merge _noCopy, card _noCopy] [2.9 version of copies]
  it('does not copy messages with _noCopy, and counts versions up from merge to merge', async () => {
    const [first, second, third] = await makeConversations('one', 'two', 'three')
    const injected = await send(bot, first, { type: 'CARD', text: 'stays here' })
    await server.server.database.query(`update message set meta = '{"_noCopy": true}' where id = $1`, [injected])
    await importInto(second, first)
    await importInto(third, second)
    const { messages } = await read(third)
    const one = messages.find(({ text }) => text === 'one')!
    expect(one).toMatchObject({ version: 3, position: 1 })
    expect(messages.some(({ text }) => text === 'stays here')).toBe(false)
    expect((await read(first)).messages.find(({ id }) => id === injected)!.meta).toEqual({ _noCopy: true })
    const copyInSecond = (await read(second)).messages.find(({ text }) => text === 'one')!
    expect(one.meta).toEqual({ _source: copyInSecond.id })
    expect(copyInSecond.meta!._target).toBe(one.id)
  })

  // [4.8 messages, /import]
  it('is a command message over REST too, and stays in the target (4.8)', async () => {
    const [target, origin] = [await makeConversation('hello'), await makeConversation('again')]
    const sent = await server.rest(bot, 'POST', `/v2/conversations/${target}/messages`, {
      type: 'command',
      text: `/import ${origin}`,
    })
    expect(sent.status).toBe(201)
    const list = await server.rest(bot, 'GET', `/v2/conversations/${target}/messages`)
    expect(list.body.map(({ text }: SentMessage) => text)).toEqual(['hello', 'again', `/import ${origin}`])
    expect(list.body[1].meta._source).toEqual(expect.any(String))
    const archived = await server.rest(bot, 'GET', `/v2/conversations/${origin}`)
    expect(archived.body).toMatchObject({ name: 'TRANSFERRED', status: 'archived', meta: { _target: target } })
  })

  it('delivers delayed messages of the origin in the target, in order', async () => {
    const [target, between, origin] = await makeConversations('hello', 'between', 'again')
    const later = (text: string, delay: number) => ({ role: 'AGENT', text, delay })
    // None is due before both merges.
    server.clock.standAt()
    const { errors } = await server.gql(
      ann,
      'mutation ($id: ID!, $messages: [MessageInput!]!) { sendMessages(conversation: $id, messages: $messages) { id } }',
      { id: origin, messages: [later('first', 400), later('second', 400), later('third', 500)] },
    )
    expect(errors).toBeUndefined()
    await importInto(between, origin)
    await importInto(target, between)
    server.clock.goOn()
    const texts = await until(
      async () => (await read(target)).messages.map(({ text }) => text),
      (all) => all.includes('third'),
    )
    expect(texts.slice(-3)).toEqual(['first', 'second', 'third'])
  })

  it('removes the origin from queues and inboxes; its assignees and followers move to the target', async () => {
    const target = await makeConversation()
    const origin = await makeConversation('help')
    const client = liveClient(server.url, await server.tokenFor(ann))
    const queue = subscribe<Heard>(
      client,
      'queue',
      `subscription { queue { __typename
      ... on QueueSnapshot { entries { conversation } } ... on QueueEntryAdded { entry { conversation } }
      ... on QueueEntryRemoved { conversation channel reason } } }`,
    )
    const inbox = subscribe<Heard>(
      client,
      'inbox',
      `subscription { inbox { __typename
      ... on InboxEntryAdded { entry { conversation preview } } ... on InboxEntryRemoved { conversation } } }`,
    )
    expect((await queue.next()).entries).toContainEqual({ conversation: origin })
    await inbox.next()
    await send(bot, origin, { type: 'COMMAND', text: '/assign', meta: { users: [ann.id] } })
    await server.gql(ben, 'mutation ($id: ID!) { followConversation(conversation: $id) { id } }', { id: origin })
    await inbox.next(({ __typename, entry }) => __typename === 'InboxEntryAdded' && entry?.conversation === origin)

    await importInto(target, origin, bot)
    const seen = [await queue.next(), await queue.next()]
    expect(seen).toContainEqual({ __typename: 'QueueEntryRemoved', conversation: origin, channel, reason: 'ARCHIVED' })
    expect(seen).toContainEqual({ __typename: 'QueueEntryAdded', entry: { conversation: target } })
    const comesOrGoes = ({ __typename }: Heard) => __typename !== 'InboxEntryChanged'
    const news = [await inbox.next(comesOrGoes), await inbox.next(comesOrGoes)]
    expect(news).toContainEqual({ __typename: 'InboxEntryRemoved', conversation: origin })
    expect(news).toContainEqual({ __typename: 'InboxEntryAdded', entry: { conversation: target, preview: 'help' } })
    expect((await read(origin)).participants).toEqual([
      { userId: ann.id, inbox: false, follow: false, accepted: false, active: false },
      { userId: ben.id, inbox: false, follow: true, accepted: false, active: false },
    ])
    expect((await read(target)).participants).toEqual([
      { userId: ann.id, inbox: true, follow: false, accepted: false, active: false },
      { userId: ben.id, inbox: false, follow: true, accepted: false, active: false },
    ])
    await client.dispose()
  })

  describe('and the status of the target', () => {
    async function closed(): Promise<string> {
      const id = await makeConversation('hi')
      await send(ann, id, { role: 'AGENT', text: 'bye' })
      await send(ann, id, { type: 'COMMAND', text: '/leave' })
      expect((await read(id)).status).toBe('CLOSED')
      return id
    }

    it('a closed one is queued when the merged conversation awaits an answer', async () => {
      const target = await closed()
      const origin = await makeConversation('unanswered')
      expect((await importInto(target, origin)).data.importConversation).toMatchObject({
        status: 'QUEUED',
        preview: 'unanswered',
      })
      const trace = await server.gql(bot, '{ conversation(id: "' + target + '") { routingTrace { trigger } } }')
      expect(trace.data.conversation.routingTrace[0]).toEqual({ trigger: '/import' })
    })

    it('a closed one stays closed when the last consumer message was answered', async () => {
      const origin = await makeConversation('early question')
      await send(ann, origin, { role: 'AGENT', text: 'early answer' })
      const target = await closed()
      const { data } = await importInto(target, origin)
      expect(data.importConversation).toMatchObject({ status: 'CLOSED', preview: 'bye' })
    })

    it('a closed one is queued when the origin was waiting in a queue, answered or not', async () => {
      const origin = await closed()
      await send(ann, origin, { type: 'COMMAND', text: '/notify' })
      const target = await closed()
      expect((await importInto(target, origin)).data.importConversation.status).toBe('QUEUED')
    })

    it('an active one stays active, and is queued on /leave if the merged one awaits an answer', async () => {
      const target = await makeConversation('hi')
      await send(ann, target, { role: 'AGENT', text: 'hello' })
      const origin = await makeConversation('and this?')
      expect((await importInto(target, origin)).data.importConversation.status).toBe('ACTIVE')
      await send(ann, target, { type: 'COMMAND', text: '/leave' })
      expect((await read(target)).status).toBe('QUEUED')
    })
  })

  it('renumbers every message behind the first copy, and emits events', async () => {
    const origin = await makeConversation('o1', 'o2', 'o3')
    const target = await makeConversation(...Array.from({ length: 40 }, (_, index) => `t${index}`))
    const client = liveClient(server.url, await server.tokenFor(ann))
    const live = subscribe<Heard>(
      client,
      'conversation',
      `subscription ($id: ID!) { conversation(id: $id) { __typename
      ... on ConversationSnapshot { messages { id position } }
      ... on MessageAdded { message { id position } }
      ... on MessageChanged { message { id position } } } }`,
      { id: target },
    )
    const known = new Map<string, number>((await live.next()).messages!.map(({ id, position }) => [id, position]))
    await importInto(target, origin)
    const { messages } = await read(target)
    expect(messages.map(({ position }) => position)).toEqual(Array.from({ length: 44 }, (_, index) => index + 1))
    expect(messages.slice(0, 4).map(({ text }) => text)).toEqual(['o1', 'o2', 'o3', 't0'])
    for (let count = 0; count < 44; count++) {
      const { message } = await live.next((event) => event.message !== undefined)
      known.set(message!.id, message!.position)
    }
    expect([...known]).toHaveLength(44)
    for (const { id, position } of messages) expect(known.get(id)).toBe(position)
    await client.dispose()
  })

  it('can be sent together with other messages, and copies likes', async () => {
    const [target, origin] = [await makeConversation('liked'), await makeConversation('from there')]
    const liked = (await read(target)).messages[0]!.id
    // So that the liked message moves.
    await server.server.database.query(
      `update message set created_at = created_at - interval '1 hour' where conversation_id = $1`,
      [origin],
    )
    const { errors } = await server.gql(
      ann,
      `mutation ($id: ID!, $messages: [MessageInput!]!) {
      sendMessages(conversation: $id, messages: $messages) { id } }`,
      {
        id: target,
        messages: [
          { type: 'COMMAND', text: '/action like', meta: { message: liked } },
          { type: 'COMMAND', text: `/import ${origin}` },
          { role: 'AGENT', text: 'done' },
        ],
      },
    )
    expect(errors).toBeUndefined()
    const { messages } = await read(target)
    expect(messages.map(({ text }) => text)).toEqual([
      'from there',
      'liked',
      '/action like',
      `/import ${origin}`,
      'done',
    ])
    const rows = await server.server.database.query('select likes, position from message where id = $1', [liked])
    expect(rows).toEqual([{ likes: [ann.id], position: 2 }])
    expect(await replay(target)).toEqual(shownMessages(await read(target)))
  })

  it('works in a conversation create (4.7)', async () => {
    const origin = await makeConversation('earlier words')
    const { data, errors } = await server.gql(
      bot,
      'mutation ($input: CreateConversationInput!) { createConversation(input: $input) { id status } }',
      {
        input: {
          contact: { profile: { name: 'Dora', email: 'dora@example.com' } },
          touchpoint: 'WEB',
          messages: [
            { role: 'BOT', text: 'welcome back' },
            { type: 'COMMAND', text: `/import ${origin}` },
          ],
        },
      },
    )
    expect(errors).toBeUndefined()
    expect(data.createConversation.status).toBe('QUEUED')
    const { messages } = await read(data.createConversation.id)
    expect(messages.map(({ text, position }) => `${position} ${text}`)).toEqual([
      '1 earlier words',
      '2 welcome back',
      `3 /import ${origin}`,
    ])
  })

  describe('is refused', () => {
    const refusal = async (conversation: string, origin: string, as: MadeUser = ann) => {
      const { errors } = await importInto(conversation, origin, as)
      return { code: errors?.[0]?.extensions.code, message: errors?.[0]?.message }
    }

    const unprocessable = (message: string) => ({ code: 'UNPROCESSABLE', message })
    const notFound = { code: 'NOT_FOUND', message: 'Conversation not found' }

    it('into itself', async () => {
      const id = await makeConversation('me')
      expect(await refusal(id, id)).toEqual(unprocessable('a conversation cannot be imported into itself'))
      expect((await read(id)).messages).toHaveLength(1)
    })

    it('for an archived origin, and into an archived target', async () => {
      const [one, two, three] = await makeConversations('1', '2', '3')
      await importInto(one, two)
      expect(await refusal(three, two)).toEqual(unprocessable('the conversation to import is archived'))
      expect(await refusal(two, three)).toEqual(unprocessable('the conversation is archived'))
      const late = await server.rest(bot, 'POST', `/v2/conversations/${two}/messages`, {
        role: 'contact',
        text: 'late',
      })
      expect(late).toMatchObject({ status: 422, body: { status: 'archived', target: one } })
      expect((await read(three)).messages).toHaveLength(1)
    })

    it('across organizations, even if the caller sees both', async () => {
      const below = await server.makeOrganization({ parent: organization })
      const { data } = await server.gql(
        bot,
        'mutation ($input: CreateConversationInput!) { createConversation(input: $input) { id } }',
        { input: { organization: below.id, contact: { profile: { email: 'x@example.com' } }, touchpoint: 'WEB' } },
      )
      const target = await makeConversation('above')
      expect(await refusal(target, data.createConversation.id)).toEqual(
        unprocessable('the conversation to import belongs to another organization'),
      )
    })

    it('of a team conversation into one with a consumer', async () => {
      const { data } = await server.gql(
        ann,
        'mutation { createConversation(input: { type: AGENT, messages: [{ text: "secret" }] }) { id } }',
      )
      expect((await refusal(await makeConversation('hi'), data.createConversation.id)).code).toBe('UNPROCESSABLE')
    })

    it("as not found for another tenant's origin, an unknown one and an invalid id", async () => {
      const foreign = await server.makeOrganization()
      const foreignBot = await server.makeUser({ organization: foreign, role: 'bot' })
      const { data } = await server.gql(
        foreignBot,
        'mutation ($input: CreateConversationInput!) { createConversation(input: $input) { id } }',
        { input: { contact: { profile: { name: 'Y', email: 'y@example.com' } }, touchpoint: 'WEB' } },
      )
      const target = await makeConversation('mine')
      for (const origin of [data.createConversation.id, systemClock.newId(), 'nothing']) {
        expect(await refusal(target, origin)).toEqual(notFound)
      }
      expect(await refusal(data.createConversation.id, target)).toEqual(notFound)
      const delayed = await server.gql(
        ann,
        'mutation ($id: ID!, $message: MessageInput!) { sendMessage(conversation: $id, message: $message) { id } }',
        { id: target, message: { type: 'COMMAND', text: `/import ${data.createConversation.id}`, delay: 20 } },
      )
      expect(delayed.errors?.[0]?.extensions.code).toBe('NOT_FOUND')
      expect((await read(target)).messages.map(({ text }) => text)).toEqual(['mine'])
    })
  })

  it('for exactly one of two opposite concurrent imports, without a deadlock', async () => {
    const pairs = await Promise.all(
      Array.from({ length: 12 }, (_, index) => makeConversations(`a${index}`, `b${index}`)),
    )
    const outcomes = await Promise.all(
      pairs.map(([one, two]) => Promise.all([importInto(one!, two!), importInto(two!, one!)])),
    )
    for (const [index, [forth, back]] of outcomes.entries()) {
      const refused = [forth, back].filter(({ errors }) => errors)
      expect(refused).toHaveLength(1)
      expect(refused[0]!.errors![0]!.extensions.code).toBe('UNPROCESSABLE')
      const [winner] = forth.errors ? [pairs[index]![1]!] : [pairs[index]![0]!]
      const texts = (await read(winner)).messages.map(({ text }) => text)
      expect(texts).toHaveLength(3)
      expect(texts.slice(0, 2).toSorted()).toEqual([`a${index}`, `b${index}`])
    }
  })
})

describe('interleave', () => {
  const message = (text: string, at: number, position: number) =>
    ({ id: text, text, createdAt: new Date(at), position }) as unknown as MessageRow
  const placed = (present: MessageRow[], copies: MessageRow[]) =>
    interleave(present, copies).map(({ text, position }) => `${position} ${text}`)

  it('keeps the positions before the first copy, including gaps', () => {
    const present = [message('a', 1, 3), message('b', 2, 7), message('c', 9, 8)]
    expect(placed(present, [message('x', 5, 1)])).toEqual(['3 a', '7 b', '8 x', '9 c'])
  })

  it('puts existing messages before copies of the same time, each in their own order', () => {
    const present = [message('a', 1, 1), message('b', 1, 2)]
    expect(placed(present, [message('x', 1, 1), message('y', 1, 2)])).toEqual(['1 a', '2 b', '3 x', '4 y'])
  })

  it('gives every message a unique position, even if clocks went backwards', () => {
    const present = [message('a', 5, 1), message('b', 2, 2), message('c', 6, 3)]
    expect(placed(present, [message('x', 3, 1)])).toEqual(['2 b', '3 x', '4 a', '5 c'])
  })
})
