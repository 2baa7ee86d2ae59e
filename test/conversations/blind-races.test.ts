import { afterAll, beforeAll, expect, it } from '@jest/globals'
import type { MadeUser } from '../support/factories.js'
import { countBlind, type LoggedEvent, type Seen, type Sent } from './blind-answers.js'
import { startConversationFixture, type ConversationFixture } from './conversation-fixture.js'

let fixture: ConversationFixture
beforeAll(async () => {
  // 10,000 are made by few callers.
  fixture = await startConversationFixture({ GRAPHQL_COST_PER_MINUTE: '1000000000' })
})
afterAll(() => fixture.close())

const RACES = Number(process.env.BLIND_RACES ?? 300)
const AT_ONCE = 8
/** Conversations that are raced, one after the other, this many times. */
const ROUNDS = 10

const READ = `query ($id: ID!) { conversation(id: $id) { mark status participants { userId accepted }
  messages(last: 100) { edges { node { id editedAt } } } } }`
const HAND_OVER = `mutation ($id: ID!, $user: ID, $channel: ID, $mark: String) {
  handOverConversation(conversation: $id, user: $user, channel: $channel, mark: $mark) { id } }`
const EDIT = 'mutation ($id: ID!, $patch: UpdateMessageInput!) { updateMessage(id: $id, patch: $patch) { id } }'
const MERGE = 'mutation ($id: ID!, $origin: ID!) { importConversation(conversation: $id, origin: $origin) { id } }'

interface Read {
  mark: string
  status: string
  participants: { userId: string; accepted: boolean }[]
  messages: { edges: { node: { id: string; editedAt: string | null } }[] }
}

const logOf = (id: string): Promise<LoggedEvent[]> =>
  fixture.server.database.query<LoggedEvent>('select type, data from event where stream = $1 order by number', [
    `conversation:${id}`,
  ])

/** The mark is read first: what is read with it is at least as new. */
async function read(as: MadeUser, id: string): Promise<Seen> {
  const { value } = await fixture.run<Read>(as, READ, { id })
  return {
    mark: value.mark,
    status: value.status.toLowerCase(),
    accepted: new Set(value.participants.filter(({ accepted }) => accepted).map(({ userId }) => userId)),
    messages: new Map(value.messages.edges.map(({ node }) => [node.id, node.editedAt])),
  }
}

it('recounts blind answers where nobody names a mark', async () => {
  const { id } = await fixture.inStatus('ACTIVE')
  const seen = await read(fixture.ann, id)
  await fixture.send(fixture.bot, id, { role: 'CONTACT', text: 'never mind' })
  const sent = await fixture.send(fixture.ann, id, { role: 'AGENT', text: 'blind' })
  const found = countBlind(await logOf(id), [{ id: sent.value.id, author: fixture.ann.id, seen }])
  expect(found).toEqual([expect.stringContaining('contact never mind unread')])
  const { value } = await fixture.send(fixture.ben, id, { role: 'AGENT', text: 'mine' })
  const read2 = { ...(await read(fixture.ben, id)), accepted: seen.accepted }
  const late = await fixture.send(fixture.ann, id, { role: 'AGENT', text: 'blind too' })
  expect(countBlind(await logOf(id), [{ id: late.value.id, author: fixture.ann.id, seen: read2 }])).toEqual([
    expect.stringContaining('who has accepted unread'),
  ])
  expect(countBlind(await logOf(id), [{ id: value.id, author: fixture.ben.id, seen: read2 }])).toEqual([])
})

it(`sends no blind answer in ${RACES} races of agents, a bot, a consumer, hand-overs, merges and edits`, async () => {
  const bots = await Promise.all(
    Array.from({ length: 4 }, () => fixture.makeUser({ organization: fixture.organization, role: 'bot' })),
  )
  let held = 0
  let sent = 0
  const blind: string[] = []
  let round = 0

  /** Reads, and answers what it has read. */
  const answer = async (as: MadeUser, id: string, all: Sent[], text: string): Promise<void> => {
    const seen = await read(as, id)
    const outcome = await fixture.send(as, id, { role: 'AGENT', text, mark: seen.mark })
    if (outcome.code === undefined) all.push({ id: outcome.value.id, author: as.id, seen })
    else expect(outcome.details.reason).toBe('MOVED_ON')
    if (outcome.code === undefined) sent += 1
    else held += 1
  }

  const conversation = async (): Promise<void> => {
    const { ann, ben, admin } = fixture
    const { id } = await fixture.inStatus('ACTIVE')
    const all: Sent[] = []
    for (let n = 0; n < ROUNDS && round < RACES; n++) {
      const turn = round++
      const text = `round ${turn}`
      const bot = bots[turn % bots.length]!
      const acts: (() => Promise<unknown>)[] = [
        () => answer(ann, id, all, `${text} Ann`),
        () => answer(ben, id, all, `${text} Ben`),
        () => answer(bot, id, all, `${text} Bot`),
        () => fixture.send(fixture.bot, id, { role: 'CONTACT', text: `${text} consumer` }),
      ]
      if (turn % 4 === 1) acts.push(() => fixture.run(ann, HAND_OVER, { id, user: ben.id }))
      if (turn % 4 === 2) acts.push(() => fixture.command(ben, id, '/leave'))
      const last = all.at(-1)?.id
      if (turn % 4 === 3 && last !== undefined)
        acts.push(() => fixture.run(admin, EDIT, { id: last, patch: { text: `${text} edited` } }))
      if (turn % 10 === 5)
        acts.push(async () => {
          const origin = await fixture.create({ messages: [{ role: 'CONTACT', text: `${text} elsewhere` }] })
          await fixture.run(admin, MERGE, { id, origin: origin.id })
        })
      await Promise.all(acts.map((act) => act()))
    }
    blind.push(...countBlind(await logOf(id), all))
  }
  const lane = async (): Promise<void> => {
    while (round < RACES) await conversation()
  }
  await Promise.all(Array.from({ length: AT_ONCE }, lane))
  expect(blind).toEqual([])
  // Races were real: some were held, some were not.
  expect(sent).toBeGreaterThan(0)
  expect(held).toBeGreaterThan(0)
  process.stdout.write(`${RACES} races: ${sent} sent, ${held} held, ${blind.length} blind\n`)
}, 900_000)
