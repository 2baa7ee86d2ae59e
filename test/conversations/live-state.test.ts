import { isDeepStrictEqual } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import type { Client } from 'graphql-ws'
import { readCursor, writeCursor } from '../../src/platform/events/cursor.js'
import type { StreamPosition } from '../../src/platform/events/event.js'
import type { MadeUser } from '../support/factories.js'
import { liveClient, subscribe, type LiveSubscription } from '../support/live-client.js'
import { rule, startConversationFixture, until, type ConversationFixture } from './conversation-fixture.js'

interface LiveEvent {
  __typename: string
  cursor: string
  resync?: boolean
  entries?: Entry[]
  entry?: Entry
  channel?: string
  conversation?: string | Record<string, unknown>
  participants?: object[]
  messages?: Message[]
  message?: Message
  messageId?: string
}
type Entry = { conversation: string; channel?: string }
type Message = { id: string; position: number }

const CONVERSATION = `id status name touchpoint touchpoints { web { selected serviceIds } email { selected serviceIds } } category categoryIndex language channels channelsOffline
  meta forms { formId values completedAt } results { formId values completedAt } queuedAt contact { profile { name } }`
const PARTICIPANT = 'userId name role unreadCount inbox accepted active follow createdAt updatedAt'
const MESSAGE =
  'id position type role isBackchannel userId text meta likes comments { userId messageId text } updatedAt'
const QUEUE_ENTRY = `channel conversation organization name contactName touchpoint category language preview queuedAt
  meta`
const INBOX_ENTRY = `conversation organization name contactName status touchpoint category language preview unreadCount
  active accepted follow lastMessageAt`
const HEAD = '__typename ... on StreamEvent { cursor at }'

const DOCUMENTS = {
  queue: `subscription ($after: String) { queue(after: $after) { ${HEAD}
    ... on QueueSnapshot { resync entries { ${QUEUE_ENTRY} } }
    ... on QueueEntryAdded { entry { ${QUEUE_ENTRY} } }
    ... on QueueEntryChanged { entry { ${QUEUE_ENTRY} } }
    ... on QueueEntryRemoved { channel conversation reason } } }`,
  inbox: `subscription ($after: String) { inbox(after: $after) { ${HEAD}
    ... on InboxSnapshot { resync entries { ${INBOX_ENTRY} } }
    ... on InboxEntryAdded { entry { ${INBOX_ENTRY} } }
    ... on InboxEntryChanged { entry { ${INBOX_ENTRY} } }
    ... on InboxEntryRemoved { conversation } } }`,
  myConversations: `subscription ($after: String) { myConversations(after: $after) { ${HEAD}
    ... on MyConversationsSnapshot { resync entries { ${INBOX_ENTRY} } }
    ... on MyConversationAdded { entry { ${INBOX_ENTRY} } }
    ... on MyConversationChanged { entry { ${INBOX_ENTRY} } }
    ... on MyConversationRemoved { conversation } } }`,
  conversation: `subscription ($id: ID!, $after: String) { conversation(id: $id, after: $after) { ${HEAD}
    ... on ConversationSnapshot {
      resync conversation { ${CONVERSATION} } participants { ${PARTICIPANT} } messages { ${MESSAGE} } }
    ... on MessageAdded { message { ${MESSAGE} } }
    ... on MessageChanged { message { ${MESSAGE} } }
    ... on MessageRemoved { messageId }
    ... on ConversationChanged { conversation { ${CONVERSATION} } }
    ... on ParticipantsChanged { participants { ${PARTICIPANT} } } } }`,
} as const
type Field = keyof typeof DOCUMENTS

/** Rebuilds what a client shows after a snapshot and the events since, by nothing but what the schema says of them. */
function rebuild(events: readonly LiveEvent[]): object {
  let entries = new Map<string, Entry>()
  let messages: Message[] = []
  let rest: { conversation?: unknown; participants?: unknown } = {}
  const keyOf = ({ conversation, channel }: Pick<LiveEvent, 'conversation' | 'channel'>) => `${conversation} ${channel}`
  for (const event of events) {
    switch (event.__typename) {
      case 'QueueSnapshot':
      case 'InboxSnapshot':
      case 'MyConversationsSnapshot':
        entries = new Map(event.entries!.map((entry) => [keyOf(entry), entry]))
        break
      case 'QueueEntryAdded':
      case 'InboxEntryAdded':
      case 'MyConversationAdded':
        expect(entries.has(keyOf(event.entry!))).toBe(false)
        entries.set(keyOf(event.entry!), event.entry!)
        break
      case 'QueueEntryChanged':
      case 'InboxEntryChanged':
      case 'MyConversationChanged':
        expect(entries.has(keyOf(event.entry!))).toBe(true)
        entries.set(keyOf(event.entry!), event.entry!)
        break
      case 'QueueEntryRemoved':
      case 'InboxEntryRemoved':
      case 'MyConversationRemoved':
        expect(entries.delete(keyOf(event))).toBe(true)
        break
      case 'ConversationSnapshot':
        messages = event.messages!
        rest = { conversation: event.conversation, participants: event.participants }
        break
      case 'MessageAdded':
        expect(messages.at(-1)?.position ?? 0).toBeLessThan(event.message!.position)
        messages = [...messages, event.message!]
        break
      case 'MessageChanged':
        messages = messages.map((message) => (message.id === event.message!.id ? event.message! : message))
        break
      case 'MessageRemoved':
        messages = messages.filter(({ id }) => id !== event.messageId)
        break
      case 'ConversationChanged':
        rest = { ...rest, conversation: event.conversation }
        break
      case 'ParticipantsChanged':
        rest = { ...rest, participants: event.participants }
    }
  }
  const sorted = [...entries].toSorted(([one], [other]) => (one < other ? -1 : 1))
  return { ...rest, entries: Object.fromEntries(sorted), messages: messages.slice(-SNAPSHOT_MESSAGES) }
}
const SNAPSHOT_MESSAGES = 50
/** Times that each of four workers does each of the steps. */
const ROUNDS = 6

let fixture: ConversationFixture
const clients: Client[] = []
beforeAll(async () => {
  fixture = await startConversationFixture()
})
afterAll(async () => {
  await Promise.all(clients.map((client) => client.dispose()))
  await fixture.close()
})

type Live = LiveSubscription<LiveEvent> & { cut(): Promise<void> }
async function open(as: MadeUser | string, field: Field, variables: Record<string, unknown> = {}): Promise<Live> {
  const client = liveClient(fixture.url, typeof as === 'string' ? as : await fixture.tokenFor(as))
  clients.push(client)
  const live = subscribe<LiveEvent>(client, field, DOCUMENTS[field], variables)
  return Object.assign(live, { cut: async () => client.dispose() })
}

async function stateNow(as: MadeUser, field: Field, variables: Record<string, unknown> = {}): Promise<object> {
  const fresh = await open(as, field, variables)
  const state = rebuild([await fresh.next()])
  await fresh.cut()
  return state
}

describe('a state rebuilt from a snapshot and its events', () => {
  it('equals the state fetched again, after any commands by several users', async () => {
    const { ann, ben, bot, admin } = fixture
    const second = await fixture.makeChannel('Second', [ann])
    await fixture.run(
      admin,
      `mutation ($id: ID!) {
        updateOrganization(id: $id, patch: { categories: [{ name: "Boats" }, { name: "Cars" }] }) { id } }`,
      { id: fixture.organization.id },
    )
    await fixture.makeWorkflow([
      rule({ channels: [fixture.channel] }, { priority: 2 }),
      rule(
        { channels: [second], users: [ben.id] },
        { conditions: { any: [{ fact: 'conversation', path: '.category', operator: 'equal', value: 'Boats' }] } },
      ),
      rule({ channels: [second], delay: 1 }),
    ])
    const conversations = await Promise.all(
      Array.from({ length: 4 }, () => fixture.create({ messages: [{ role: 'CONTACT', text: 'hello' }] })),
    )
    const watched: [MadeUser, Field, Record<string, unknown>][] = [
      [ann, 'queue', {}],
      [ben, 'queue', {}],
      [ann, 'inbox', {}],
      [ben, 'inbox', {}],
      [ann, 'myConversations', {}],
      [ben, 'myConversations', {}],
      ...conversations.map(({ id }): [MadeUser, Field, Record<string, unknown>] => [ann, 'conversation', { id }]),
    ]
    const lives = await Promise.all(watched.map(([as, field, variables]) => open(as, field, variables)))
    await Promise.all(lives.map((live) => live.next()))

    const pick = <T>(from: readonly T[]): T => from[Math.floor(Math.random() * from.length)]!
    const sent: { id: string; conversation: string }[] = []
    const messageOf = (conversation: string) =>
      pick(sent.filter((each) => each.conversation === conversation))?.id ?? conversation
    const done = new Map<string, number>()
    const run = { isOver: false }
    const steps: [string, (id: string, as: MadeUser) => Promise<{ code?: string; value?: unknown }>][] = [
      [
        'consumer',
        (id) =>
          fixture.send(bot, id, {
            role: 'CONTACT',
            text: `q ${Math.random()}`,
            meta: pick([{}, { title: `T${Math.random()}` }]),
          }),
      ],
      ['answer', (id, as) => fixture.send(as, id, { role: 'AGENT', text: `a ${Math.random()}` })],
      ['backchannel', (id, as) => fixture.send(as, id, { text: 'psst', isBackchannel: true })],
      ['accept', (id, as) => fixture.command(as, id, '/accept')],
      ['leave', (id, as) => fixture.command(as, id, '/leave')],
      ['join', (id, as) => fixture.command(as, id, '/join')],
      ['follow', (id, as) => fixture.command(as, id, pick(['/follow', '/unfollow']))],
      ['assign', (id, as) => fixture.command(as, id, '/assign', { meta: { users: [pick([ann.id, ben.id])] } })],
      [
        'notify',
        (id, as) =>
          fixture.command(as, id, '/notify', {
            meta: pick([{}, { channels: [second] }, { channels: [second, fixture.channel] }]),
          }),
      ],
      ['enqueue', (id) => fixture.command(bot, id, '/enqueue')],
      [
        'set',
        (id, as) =>
          fixture.command(
            as,
            id,
            pick(['/set @category Boats', '/set @category Cars', '/set @name New', '/set k v', '/set @language de']),
          ),
      ],
      [
        'mention',
        (id, as) =>
          fixture.send(as, id, { type: 'MENTION', text: 'see', meta: { targetUser: pick([ann.id, ben.id]) } }),
      ],
      ['like', (id, as) => fixture.command(as, id, '/action like', { meta: { message: messageOf(id) } })],
      ['comment', (id, as) => fixture.command(as, id, '/action comment nice', { meta: { message: messageOf(id) } })],
      [
        'read',
        (id, as) =>
          fixture.run(
            as,
            'mutation ($id: ID!, $message: ID!) { markRead(conversation: $id, message: $message) { id } }',
            { id, message: messageOf(id) },
          ),
      ],
      [
        'edit',
        (id) =>
          fixture.run(admin, 'mutation ($id: ID!) { updateMessage(id: $id, patch: { text: "edited" }) { id } }', {
            id: messageOf(id),
          }),
      ],
      ['delete', (id) => fixture.run(admin, 'mutation ($id: ID!) { deleteMessage(id: $id) }', { id: messageOf(id) })],
      [
        'update',
        (id) =>
          fixture.run(
            admin,
            'mutation ($id: ID!) { updateConversation(id: $id, patch: { meta: { a: 1 }, touchpoint: EMAIL }) { id } }',
            { id },
          ),
      ],
      [
        'rename',
        () =>
          fixture.run(
            admin,
            `mutation ($id: ID!, $name: String) {
            updateContact(id: $id, patch: { profile: { name: $name, email: "x@example.com" } }) { id } }`,
            { id: conversations[0]!.contactId, name: `Carl ${Math.random()}` },
          ),
      ],
    ]
    const worker = async (as: MadeUser): Promise<void> => {
      const all = Array.from({ length: ROUNDS }, () => steps)
        .flat()
        .map((step) => [Math.random(), step] as const)
      for (const [, [name, step]] of all.toSorted(([one], [other]) => one - other)) {
        const conversation = pick(conversations).id
        const { code, value } = await step(conversation, as)
        expect([undefined, 'UNPROCESSABLE', 'NOT_FOUND', 'RATE_LIMITED']).toContain(code)
        if (code === undefined) done.set(name, (done.get(name) ?? 0) + 1)
        const isSaid = ['consumer', 'answer'].includes(name) && code === undefined
        if (isSaid) sent.push({ conversation, id: (value as { id: string }).id })
      }
    }
    const workers = Promise.all([ann, ben, ann, ben].map(worker)).finally(() => (run.isOver = true))
    // Meanwhile one subscriber of the queue is cut again and again, and goes on from where it was.
    const flaky: LiveEvent[] = []
    let cuts = 0
    for (; !run.isOver; cuts++) {
      const live = await open(ann, 'queue', { after: flaky.at(-1)?.cursor })
      await new Promise((resolve) => setTimeout(resolve, 20 + Math.random() * 300))
      await live.cut()
      flaky.push(...live.events)
    }
    await workers
    expect(done.size).toBe(steps.length)
    // Delayed rules and the contact's name come by jobs.
    await until(
      () => fixture.server.database.query('select 1 from job'),
      (jobs) => jobs.length === 0,
    )

    for (const [index, [as, field, variables]] of watched.entries()) {
      const fresh = await stateNow(as, field, variables)
      await until(
        async () => rebuild(lives[index]!.events),
        (state) => isDeepStrictEqual(state, fresh),
      ).catch(() => undefined)
      expect({ field, ...rebuild(lives[index]!.events) }).toEqual({ field, ...fresh })
      expect(lives[index]!.errors).toEqual([])
    }
    const last = await open(ann, 'queue', { after: flaky.at(-1)!.cursor })
    const steady = lives[0]!.events
    await until(
      async () => rebuild([...flaky, ...last.events]),
      (state) => isDeepStrictEqual(state, rebuild(steady)),
    )
    flaky.push(...last.events)
    expect(flaky.filter(({ __typename }) => __typename === 'QueueSnapshot')).toHaveLength(1)
    // Of each stream exactly the same events as one who was there all the time; metadata is as of the sending.
    for (const channel of [fixture.channel, second]) {
      const of = (events: LiveEvent[]) =>
        events
          .filter((event) => (event.entry?.channel ?? event.channel) === channel)
          .map(({ cursor: _cursor, entry, ...event }) => ({ ...event, entry: entry && { ...entry, meta: null } }))
      const replayed = of(flaky)
      expect(replayed.length).toBeGreaterThan(0)
      // A replay does not tell what messages said that have been deleted since.
      const asReplayed = of(steady)
        .slice(-replayed.length)
        .map((event, index) =>
          event.entry && (replayed[index]!.entry as { preview?: string } | undefined)?.preview === ''
            ? { ...event, entry: { ...event.entry, preview: '' } }
            : event,
        )
      expect(replayed).toEqual(asReplayed)
    }
    const commands = [...done.values()].reduce((sum, count) => sum + count, 0)
    process.stdout.write(`${commands} commands, ${steady.length} queue events, ${cuts} cuts\n`)
  })
})

describe('a cursor', () => {
  const moved = (cursor: string, move: (position: StreamPosition) => StreamPosition): string =>
    writeCursor(new Map([...readCursor(cursor)!].map(([key, position]) => [key, move(position)])))
  it.each<[string, (cursor: string) => string]>([
    ['of another history', (cursor) => moved(cursor, ({ number, tag }) => ({ number, tag: tag + 1 }))],
    [
      'of the past of another history',
      (cursor) => moved(cursor, ({ number, tag }) => ({ number: number - 1, tag: tag + 1 })),
    ],
    ['of the future', (cursor) => moved(cursor, ({ number, tag }) => ({ number: number + 1, tag }))],
    ['of another format', (cursor) => cursor.replace('1.', '0.')],
    ['that is none', () => 'nonsense!'],
    ['that is empty', () => ''],
  ])('%s gets a snapshot that is marked', async (_what, change) => {
    const { id } = await fixture.inStatus('ACTIVE')
    const first = await open(fixture.ann, 'conversation', { id })
    const { cursor, resync } = await first.next()
    expect(resync).toBe(false)
    const again = await open(fixture.ann, 'conversation', { id, after: change(cursor) })
    expect(await again.next()).toMatchObject({ __typename: 'ConversationSnapshot', resync: true, conversation: { id } })
  })

  it('of another stream gets a snapshot that is marked', async () => {
    const [one, other] = [await fixture.inStatus('ACTIVE'), await fixture.inStatus('ACTIVE')]
    const { cursor } = await (await open(fixture.ann, 'conversation', { id: one.id })).next()
    const again = await open(fixture.ann, 'conversation', { id: other.id, after: cursor })
    expect(await again.next()).toMatchObject({ resync: true, conversation: { id: other.id } })
  })

  it('that names a channel which the user has left gets a snapshot that is marked', async () => {
    const { ann, admin } = fixture
    const left = await fixture.makeChannel('Left', [ann])
    const { cursor } = await (await open(ann, 'queue')).next()
    const { code } = await fixture.run(
      admin,
      'mutation ($channel: ID!, $user: ID!) { removeChannelMember(channel: $channel, user: $user) { id } }',
      { channel: left, user: ann.id },
    )
    expect(code).toBeUndefined()
    const again = await open(ann, 'queue', { after: cursor })
    expect(await again.next()).toMatchObject({ __typename: 'QueueSnapshot', resync: true })
  })

  it('past the retention gets a snapshot marked as resync; one without later events resumes', async () => {
    const [busy, quiet] = [await fixture.inStatus('ACTIVE'), await fixture.inStatus('ACTIVE')]
    const cursors = await Promise.all(
      [busy, quiet].map(async ({ id }) => (await (await open(fixture.ann, 'conversation', { id })).next()).cursor),
    )
    await fixture.send(fixture.ann, busy.id, { role: 'AGENT', text: 'old' })
    fixture.clock.advance(9 * 86_400_000)
    await fixture.server.maintenance.run()
    const ann = await fixture.tokenFor(fixture.ann)
    await fixture.send(ann, busy.id, { role: 'AGENT', text: 'new' })
    const late = await open(ann, 'conversation', { id: busy.id, after: cursors[0] })
    expect(await late.next()).toMatchObject({ __typename: 'ConversationSnapshot', resync: true })
    const calm = await open(ann, 'conversation', { id: quiet.id, after: cursors[1] })
    await until(
      () => fixture.server.database.query('select 1 from conversation_viewer where conversation_id = $1', [quiet.id]),
      (rows) => rows.length > 0,
    )
    await fixture.send(ann, quiet.id, { role: 'AGENT', text: 'first in days' })
    expect(await calm.next()).toMatchObject({ __typename: 'MessageAdded', message: { text: 'first in days' } })
  })
})
