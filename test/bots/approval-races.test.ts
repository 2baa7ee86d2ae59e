import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { countBlind, type LoggedEvent, type Seen } from '../conversations/blind-answers.js'
import { must, startConversationFixture, type ConversationFixture } from '../conversations/conversation-fixture.js'
import { startTestServer, type TestServer } from '../support/test-server.js'
import type { MadeUser } from '../support/factories.js'
import { acting, governing, type Line } from './governed-bot.js'

/** Approvals, two of each proposal. `npm run approvals` makes 10,000. */
const RACES = Number(process.env.APPROVAL_RACES ?? 96)
const PROPOSALS_A_ROUND = 8
const AT_ONCE = 2
/** No bound on what one caller does in a minute: 10,000 are made by few. */
const UNBOUND = { GRAPHQL_COST_PER_MINUTE: '1000000000' }

const MAY: Line[] = [{ action: 'REPLY', mode: 'APPROVE' }]
const PROPOSE =
  'mutation ($id: ID!, $message: MessageInput!) { propose(conversation: $id, message: $message) { id hash } }'
const APPROVE = `mutation ($proposal: ID!, $hash: String!) {
  approveProposal(proposal: $proposal, hash: $hash) { messageId status } }`
const REJECT = 'mutation ($proposal: ID!) { rejectProposal(proposal: $proposal) { id } }'
const EDIT = 'mutation ($id: ID!) { updateMessage(id: $id, patch: { text: "is no regular" }) { id } }'
const READ = `query ($id: ID!) { conversation(id: $id) { mark status messages(last: 10) { edges { node { id editedAt } } } } }`

interface Raced {
  conversation: string
  proposal: string
  hash: string
  note: string
  /** The state that the bot had read. */
  seen: Seen
  isActFirst: boolean
}

/** Two nodes on one database, without Redis. */
let fixture: ConversationFixture
let other: TestServer
let by: ReturnType<typeof governing>
beforeAll(async () => {
  fixture = await startConversationFixture(UNBOUND)
  other = await startTestServer(UNBOUND, { beside: fixture })
  by = governing(fixture)
})
afterAll(async () => {
  await other?.close()
  await fixture?.close()
})

/** An approval reads before it waits for the conversation: without this, the acts of others would nearly always be first. */
const jitter = () => new Promise((resolve) => setTimeout(resolve, Math.random() * 50))

let begun = 0
async function begin(bot: MadeUser, admin: MadeUser): Promise<Raced> {
  const { id } = await must(fixture.tryCreate({ messages: [{ role: 'CONTACT', text: 'hello' }] }, admin))
  const note = await must(fixture.send(admin, id, { isBackchannel: true, text: 'is a regular' }))
  const read = await must(
    fixture.run<{ mark: string; status: string; messages: { edges: { node: { id: string; editedAt: null } }[] } }>(
      bot,
      READ,
      { id },
    ),
  )
  const messages = new Map(read.messages.edges.map(({ node }) => [node.id, node.editedAt]))
  const seen: Seen = { mark: read.mark, status: read.status.toLowerCase(), accepted: new Set(), messages }
  const message = { role: 'AGENT', text: 'proposed', mark: read.mark }
  const proposal = await must(fixture.run<{ id: string; hash: string }>(bot, PROPOSE, { id, message }))
  return {
    conversation: id,
    proposal: proposal.id,
    hash: proposal.hash,
    note: note.id,
    seen,
    isActFirst: begun++ % 2 === 0,
  }
}

it(`does what was proposed once, and to no state that the bot had not seen, in ${RACES} approvals`, async () => {
  const admin = await fixture.makeAgent({ role: 'admin' })
  const approvers = [await fixture.makeAgent(), await fixture.makeAgent()]
  /** Acts of others in a conversation, by its number in the round. */
  const OTHERS: readonly ((of: Raced) => Promise<unknown>)[] = [
    () => Promise.resolve(),
    ({ conversation }) => fixture.send(admin, conversation, { role: 'CONTACT', text: 'wait' }),
    ({ note }) => fixture.run(admin, EDIT, { id: note }),
    ({ proposal }) => fixture.run(admin, REJECT, { proposal }),
    ({ conversation }) => fixture.command(admin, conversation, '/accept'),
  ]
  const counts = { approvals: 0, applied: 0, refused: 0, twice: 0, lost: 0, undisturbed: 0 }
  const unseen: string[] = []
  let round = 0
  let number = 0

  const race = async (bot: MadeUser, isCalm: boolean, raced: Raced, act: (of: Raced) => Promise<unknown>) => {
    const given = { proposal: raced.proposal, hash: raced.hash }
    const acted = raced.isActFirst ? act(raced) : jitter().then(() => act(raced))
    const approvals = [fixture.gql(approvers[0]!, APPROVE, given), other.gql(approvers[1]!, APPROVE, given)]
    const [, ...answers] = await Promise.all([acted, ...approvals])
    const approved = answers.flatMap(({ data }) => {
      const done = data?.approveProposal as { messageId: string } | null | undefined
      return done ? [done.messageId] : []
    })
    const log = await fixture.server.database.query<LoggedEvent>(
      'select type, data from event where stream = $1 order by number',
      [`conversation:${raced.conversation}`],
    )
    const said = log.flatMap(({ type, data }) =>
      type === 'message.added' && data.message!.text === 'proposed' ? [data.message!.id] : [],
    )
    counts.approvals += 2
    counts.applied += said.length
    counts.refused += answers.length - approved.length
    counts.twice += said.length > 1 || approved.length > 1 ? 1 : 0
    counts.lost += approved.some((id) => !said.includes(id)) || said.length !== approved.length ? 1 : 0
    if (isCalm && act === OTHERS[0]) {
      expect(said).toHaveLength(1)
      counts.undisturbed += 1
    }
    unseen.push(
      ...countBlind(
        log,
        said.map((id) => ({ id, author: bot.id, seen: raced.seen })),
      ),
    )
  }

  const lane = async (): Promise<void> => {
    const bot = await by.governed(MAY, admin)
    const run = (verb: string) => fixture.run(admin, `mutation ($id: ID!) { ${verb}(id: $id) { id } }`, { id: bot.id })
    const calm = () => Promise.resolve()
    const disturbances = [calm, calm, () => by.govern(bot, acting(), { as: admin }), calm, calm, () => run('pauseBot')]
    while (round < RACES / 2 / PROPOSALS_A_ROUND) {
      const turn = round++
      const all = await Promise.all(Array.from({ length: PROPOSALS_A_ROUND }, () => begin(bot, admin)))
      const disturb = disturbances[turn % disturbances.length]!
      const races = all.map((raced) => race(bot, disturb === calm, raced, OTHERS[number++ % OTHERS.length]!))
      await Promise.all([disturb(), ...races])
      await must(by.govern(bot, MAY, { as: admin }))
      await must(run('resumeBot'))
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, lane))
  expect([unseen, counts.twice, counts.lost]).toEqual([[], 0, 0])
  // Races were real: some were done, some were refused.
  expect(counts.undisturbed).toBeGreaterThan(0)
  expect(counts.refused).toBeGreaterThan(counts.approvals / 2)
  process.stdout.write(`${JSON.stringify({ ...counts, unseen: unseen.length })}\n`)
}, 1_800_000)
