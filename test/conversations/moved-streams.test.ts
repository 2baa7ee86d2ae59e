import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import type { MadeUser } from '../support/factories.js'
import { until } from '../support/until.js'
import { must, startConversationFixture, type ConversationFixture, type Shown } from './conversation-fixture.js'
import { streamsOf } from './streams-fixture.js'

let fixture: ConversationFixture
let streams: ReturnType<typeof streamsOf>
beforeAll(async () => {
  fixture = await startConversationFixture()
  streams = streamsOf(fixture)
})
afterAll(() => fixture.close())

const HAND_OVER =
  'mutation ($id: ID!, $channel: ID!) { handOverConversation(conversation: $id, channel: $channel) { id } }'
const ASKED = 'where is my order?'

const makeBot = (): Promise<MadeUser> => fixture.makeUser({ organization: fixture.organization, role: 'bot' })

/** An answer of a bot, half written, in a conversation that waits, or that the bot or Ann has. */
async function begun({ of, ...place }: { of?: 'bot' | 'ann'; organization?: string } = {}): Promise<{
  id: string
  bot: MadeUser
  stream: string
}> {
  const bot = await makeBot()
  const { id } = await fixture.create({ ...place, messages: [{ role: 'CONTACT', text: ASKED }] })
  if (of === 'bot') await must(fixture.send(bot, id, { role: 'AGENT', text: 'Let me see.' }))
  if (of === 'bot') await must(fixture.send(fixture.bot, id, { role: 'CONTACT', text: 'please' }))
  if (of === 'ann') await must(fixture.command(fixture.ann, id, '/accept'))
  const { id: stream } = await must(streams.begin(bot, id))
  await must(streams.append(bot, stream, 0, 'It is '))
  return { id, bot, stream }
}

/** The texts since the consumer's, with how each ended. */
async function saidIn(id: string): Promise<(string | null)[][]> {
  const query = 'query ($id: ID!) { conversation(id: $id) { messages(last: 20) { nodes { text ending } } } }'
  const { messages } = await must(
    fixture.run<{ messages: { nodes: { text: string; ending: string | null }[] } }>(fixture.admin, query, { id }),
  )
  return messages.nodes.map(({ text, ending }) => [text.split(' {')[0]!, ending])
}

async function channelsOf(id: string): Promise<Pick<Shown, 'status'> & { channels: string[] }> {
  const query = 'query ($id: ID!) { conversation(id: $id) { status channels channelsOffline } }'
  const { status, channels, channelsOffline } = await must(
    fixture.run<Shown & { channels: string[]; channelsOffline: string[] }>(fixture.admin, query, { id }),
  )
  return { status, channels: [...channels, ...channelsOffline] }
}

const endedAs = (ending: string): object => ({ details: { reason: 'STREAM_ENDED', ending } })

/** Nothing comes after the end, by its author or any job, and the conversation stays where it was put. */
async function expectOver({ id, bot, stream }: { id: string; bot: MadeUser; stream: string }, ending: string) {
  const before = await fixture.show(id)
  expect(await streams.append(bot, stream, 6, 'here')).toMatchObject(endedAs(ending))
  expect(await streams.finish(bot, stream, 6)).toMatchObject(endedAs(ending))
  expect(await fixture.show(id)).toEqual(before)
  const [left] = await fixture.server.database.query<{ parts: number; open: number }>(
    `select (select count(*)::int from message_stream_part where stream_id = $1) as parts,
       (select count(*)::int from message_stream where id = $1 and ending is null) as open`,
    [stream],
  )
  expect(left).toEqual({ parts: 0, open: 0 })
}

describe('a stream in a conversation that goes to another channel', () => {
  it.each([
    ['its author hands it over', 'bot'],
    ['a person hands it over', 'ann'],
  ] as const)('is taken over when %s: what was shown stands there, and the next team has it', async (_how, of) => {
    const given = await begun({ of })
    const { id, bot } = given
    const channel = await fixture.makeChannel(`Second ${id}`, [fixture.ben])
    const reader = await streams.watch(fixture.ben, id)
    await reader.next(({ __typename }) => __typename === 'ConversationSnapshot')
    await must(fixture.run(of === 'bot' ? bot : fixture.ann, HAND_OVER, { id, channel }))
    expect(await saidIn(id)).toContainEqual(['It is ', 'TAKEN_OVER'])
    expect(await channelsOf(id)).toEqual({ status: 'QUEUED', channels: [channel] })
    await until(() => reader.events.some(({ ending }) => ending === 'TAKEN_OVER'))
    await reader.next(({ message }) => message?.text === 'It is ')
    await reader.close()
    await expectOver(given, 'TAKEN_OVER')
  })

  it('is taken over when a bot queues it for people, and does not take it back', async () => {
    const given = await begun({ of: 'bot' })
    const send = `mutation ($id: ID!, $messages: [MessageInput!]!) { sendMessages(conversation: $id, messages: $messages) { id } }`
    const messages = [
      { text: 'Wants to know where the order is.', isBackchannel: true },
      { type: 'COMMAND', text: '/enqueue' },
    ]
    await must(fixture.run(given.bot, send, { id: given.id, messages }))
    expect((await saidIn(given.id)).slice(-3)).toEqual([
      ['Wants to know where the order is.', null],
      ['It is ', 'TAKEN_OVER'],
      ['/enqueue', null],
    ])
    expect((await channelsOf(given.id)).status).toBe('QUEUED')
    await expectOver(given, 'TAKEN_OVER')
  })

  it('is taken over when its author leaves, and not when another bot does', async () => {
    const given = await begun({ of: 'bot' })
    const other = await makeBot()
    await must(fixture.command(other, given.id, '/join'))
    await must(fixture.command(other, given.id, '/leave'))
    expect((await saidIn(given.id)).flat()).not.toContain('TAKEN_OVER')
    await must(fixture.command(given.bot, given.id, '/leave'))
    expect((await saidIn(given.id)).slice(-2)).toEqual([
      ['It is ', 'TAKEN_OVER'],
      ['/leave', null],
    ])
    expect((await channelsOf(given.id)).status).toBe('QUEUED')
    await expectOver(given, 'TAKEN_OVER')
  })

  it('goes on where the queue alone changes: nobody else has begun to act', async () => {
    const { id, bot, stream } = await begun()
    const channel = await fixture.makeChannel(`Third ${id}`, [fixture.ben])
    await must(fixture.command(fixture.admin, id, '/notify', { meta: { channels: [channel] } }))
    expect(await channelsOf(id)).toEqual({ status: 'QUEUED', channels: [channel] })
    await must(streams.append(bot, stream, 6, 'here.'))
    expect((await must(streams.finish(bot, stream, 11))).text).toBe('It is here.')
    expect((await saidIn(id)).at(-1)).toEqual(['It is here.', null])
    expect((await fixture.show(id)).status).toBe('ACTIVE')
  })
})

describe('a stream whose author comes out of reach of its conversation', () => {
  const update = 'mutation ($id: ID!, $patch: UpdateUserInput!) { updateUser(id: $id, patch: $patch) { id } }'
  it.each<[string, (bot: MadeUser) => Promise<unknown>]>([
    [
      'is moved to another organization',
      async (bot) => {
        const organization = await fixture.makeOrganization({ parent: fixture.organization })
        await must(fixture.run(fixture.admin, update, { id: bot.id, patch: { organization: organization.id } }))
      },
    ],
    ['is archived', (bot) => must(fixture.run(fixture.admin, update, { id: bot.id, patch: { status: 'ARCHIVED' } }))],
    [
      'is deleted',
      (bot) => must(fixture.run(fixture.admin, 'mutation ($id: ID!) { deleteUser(id: $id) }', { id: bot.id })),
    ],
  ])('is stopped when the bot %s, and the consumer waits for a person', async (_how, leave) => {
    const { id, bot, stream } = await begun({ of: 'bot' })
    // Nobody is lost for silence meanwhile.
    fixture.clock.standAt()
    try {
      await leave(bot)
      await until(async () => (await saidIn(id)).some(([text]) => text === 'It is '))
      expect(await saidIn(id)).toContainEqual(['It is ', 'STOPPED'])
      await until(async () => (await channelsOf(id)).status === 'QUEUED')
      expect(await streams.append(bot, stream, 6, 'here')).toHaveProperty('code')
      expect(await streams.finish(bot, stream, 6)).toHaveProperty('code')
      expect((await saidIn(id)).filter(([text]) => text === 'It is ')).toHaveLength(1)
    } finally {
      fixture.clock.goOn()
    }
  })

  it('goes on when the bot is moved to where it still reaches it', async () => {
    const below = await fixture.makeOrganization({ parent: fixture.organization })
    const { id, bot, stream } = await begun({ organization: below.id })
    await must(fixture.run(fixture.admin, update, { id: bot.id, patch: { organization: below.id } }))
    await until(async () => !(await hasJobs('user.departed')))
    await must(streams.append(bot, stream, 6, 'here.'))
    expect((await must(streams.finish(bot, stream, 11))).text).toBe('It is here.')
    expect((await saidIn(id)).at(-1)).toEqual(['It is here.', null])
  })
})

async function hasJobs(kind: string): Promise<boolean> {
  return (await fixture.server.database.query('select 1 from job where kind = $1 limit 1', [kind])).length > 0
}
