import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { skewedClock } from '../../bench/chaos/skewed-clock.js'
import { startConversationFixture, type ConversationFixture } from '../conversations/conversation-fixture.js'
import { MainProcess, runAt } from '../support/main-process.js'
import type { MadeUser } from '../support/factories.js'
import { until } from '../support/until.js'

const SKEW_MS = 300_000
/** A stream to which nothing is added for this time is lost. */
const SILENCE_MS = 15_000
const LEASE_MS = 60_000
const DAY_MS = 86_400_000
/** A machine that is busy may stand still between two readings of a clock; far less than the nodes' clocks differ by. */
const SLACK_MS = 60_000
/** The error with which a node knows the database's time. */
const ERROR_MS = 250

/** The database's time decides: the fixture's node has it, one of the others is five minutes ahead, one behind. */
let fixture: ConversationFixture
let ahead: MainProcess
let behind: MainProcess
beforeAll(async () => {
  fixture = await startConversationFixture()
  const env = { LOG_LEVEL: 'fatal', DATABASE_URL: fixture.databaseUrl }
  ahead = await MainProcess.start({ ...env, ...skewedClock(SKEW_MS) })
  behind = await MainProcess.start({ ...env, ...skewedClock(-SKEW_MS) })
}, 400_000)
afterAll(async () => {
  for (const node of [ahead, behind]) {
    node?.kill()
    await node?.ended
  }
  await fixture?.close()
})

type Node = 'right' | 'ahead' | 'behind'
const NODES: readonly Node[] = ['right', 'ahead', 'behind']
const urlOf = (node: Node): string => ({ right: fixture, ahead, behind })[node].url

// oxlint-disable-next-line typescript/no-explicit-any -- as the answer is
async function at(node: Node, as: MadeUser, query: string, variables: object): Promise<any> {
  const data = await runAt(urlOf(node), query, variables, { authorization: `Bearer ${await fixture.tokenFor(as)}` })
  return Object.values(data)[0]
}
const one = async <Row extends object | undefined>(statement: string, values: unknown[] = []): Promise<Row> =>
  (await fixture.server.database.query<NonNullable<Row>>(statement, values))[0] as Row
const databaseNow = async (): Promise<number> =>
  (await one<{ at: Date }>('select clock_timestamp() as at')).at.getTime()
const waiting = async (): Promise<string> =>
  (await fixture.create({ messages: [{ role: 'CONTACT', text: 'hello' }] })).id

describe('nodes whose clocks are five minutes apart', () => {
  it('take a stream for lost 15 seconds after its last part, whichever node began it, stored a part, or looks', async () => {
    const streams = await Promise.all(
      NODES.map(async (node) => {
        const conversation = await waiting()
        const { id } = await at(
          node,
          fixture.bot,
          'mutation ($c: ID!, $m: MessageInput!) { beginMessage(conversation: $c, message: $m) { id } }',
          { c: conversation, m: { role: 'AGENT' } },
        )
        return { id: id as string, conversation, dueAt: await lapseAt(id as string), text: '', lastAt: 0 }
      }),
    )
    const open = (): Promise<{ count: number }> =>
      one('select count(*)::int as count from message_stream where ending is null')
    let turn = 0
    // Until some node has looked at each of them in vain: the job waits for a later time.
    const haveBeenLookedAt = async (): Promise<boolean> => {
      const node = NODES[turn++ % 3]!
      for (const stream of streams) {
        stream.lastAt = await databaseNow()
        const text = `${turn} `
        const variables = { id: stream.id, offset: stream.text.length, text }
        await at(
          node,
          fixture.bot,
          'mutation ($id: ID!, $offset: Int!, $text: String!) { appendMessage(id: $id, offset: $offset, text: $text) }',
          variables,
        )
        stream.text += text
      }
      const due = await Promise.all(streams.map(({ id }) => lapseAt(id)))
      return due.every((time, index) => time > streams[index]!.dueAt)
    }
    await until(haveBeenLookedAt)
    expect(await open()).toEqual({ count: 3 })
    // Nobody says anything more.
    for (const { id, conversation, text, lastAt } of streams) {
      const message = await until(() =>
        one<{ text: string; ending: string; at: Date } | undefined>(
          'select text, ending, created_at as at from message where id = $1 and conversation_id = $2',
          [id, conversation],
        ),
      )
      expect(message).toMatchObject({ text, ending: 'lost' })
      const silence = message.at.getTime() - lastAt
      expect(silence).toBeGreaterThan(SILENCE_MS - ERROR_MS)
      expect(silence).toBeLessThan(SILENCE_MS + SLACK_MS)
      expect((await fixture.show(conversation)).status).toBe('QUEUED')
    }
  })

  it('end a proposal when its day is over, and decide on it until then', async () => {
    for (const [made, decides] of [
      ['ahead', 'behind'],
      ['behind', 'ahead'],
      ['right', 'ahead'],
    ] as const) {
      const [kept, approved] = [await waiting(), await waiting()]
      const before = await databaseNow()
      const [proposal, other] = [await propose(made, kept), await propose(made, approved)]
      const lifeMs = Date.parse(proposal.expiresAt) - before
      expect(lifeMs).toBeGreaterThan(DAY_MS - ERROR_MS)
      expect(lifeMs).toBeLessThan(DAY_MS + SLACK_MS)
      const done = await at(
        decides,
        fixture.ann,
        'mutation ($id: ID!, $hash: String!) { approveProposal(proposal: $id, hash: $hash) { status } }',
        { id: other.id, hash: other.hash },
      )
      expect(done.status).toBe('APPROVED')
      expect(await statusAt(decides, proposal.id)).toBe('PENDING')
      // The rest of its day passes.
      const { at: end } = await one<{ at: Date }>(
        `with due as (
           update job set run_at = clock_timestamp() + interval '2 s'
           where kind = 'proposal.lapse' and payload->>'proposal' = $1 returning key, run_at
         ), moved as (update job_partition p set due_at = due.run_at, version = p.version + 1 from due where p.key = due.key)
         select run_at as at from due`,
        [proposal.id],
      )
      await until(async () => (await statusAt(decides, proposal.id)) === 'ENDED')
      const { at: ended } = await one<{ at: Date }>('select decided_at as at from proposal where id = $1', [
        proposal.id,
      ])
      expect(ended.getTime()).toBeGreaterThan(end.getTime() - ERROR_MS)
    }
  })

  it('lease events for a minute, in which no other node gives them to anybody', async () => {
    const { status, body } = await fixture.rest(fixture.admin, 'POST', '/v2/services', {
      type: 'events',
      params: { events: ['message.create.*'] },
    })
    expect(status).toBe(201)
    const take = (
      node: Node,
    ): Promise<{ id: string; attempt: number; payload: { data: { message: { text: string } } } }[]> =>
      at(
        node,
        fixture.admin,
        'mutation ($service: ID!) { takeEvents(service: $service, waitSeconds: 0) { id attempt payload } }',
        { service: body.id },
      )
    const conversation = await waiting()
    for (const [index, node] of NODES.entries()) {
      await fixture.send(fixture.bot, conversation, { role: 'CONTACT', text: `to the ${node}` })
      const before = await databaseNow()
      const taken = await until(
        () => take(node),
        (events) => events.some(({ payload }) => payload.data.message.text === `to the ${node}`),
      )
      const { leased } = await one<{ leased: Date }>(
        'select max(taken_until) as leased from webhook_delivery where service_id = $1',
        [body.id],
      )
      expect(leased.getTime() - before).toBeGreaterThan(LEASE_MS - ERROR_MS)
      expect(leased.getTime() - before).toBeLessThan(LEASE_MS + SLACK_MS)
      const others = NODES.filter((each) => each !== node)
      for (const other of others) expect(await take(other)).toEqual([])
      // And whoever has them may give them back, or acknowledge them, anywhere.
      const ids = taken.map(({ id }) => id)
      const [first, second] = [others[index % 2]!, others[(index + 1) % 2]!]
      await at(
        first,
        fixture.admin,
        'mutation ($service: ID!, $ids: [ID!]!, $attempts: [Int!]!) { retryEvents(service: $service, ids: $ids, attempts: $attempts) }',
        { service: body.id, ids, attempts: taken.map(({ attempt }) => attempt) },
      )
      const again = await until(
        () => take(second),
        (events) => events.length > 0,
      )
      expect(again.map(({ id }) => id)).toEqual(ids)
      const count = await at(
        node,
        fixture.admin,
        'mutation ($service: ID!, $ids: [ID!]!) { acknowledgeEvents(service: $service, ids: $ids) }',
        { service: body.id, ids },
      )
      expect(count).toBe(ids.length)
    }
  })
})

/** Returns the time at which somebody looks whether a stream was lost; what is being looked at has none. */
async function lapseAt(id: string): Promise<number> {
  const job = await one<{ at: Date } | undefined>(
    `select run_at as at from job where kind = 'stream.lapse' and payload->>'stream' = $1 order by run_at desc limit 1`,
    [id],
  )
  return job?.at.getTime() ?? 0
}

interface Proposed {
  id: string
  hash: string
  expiresAt: string
}

async function propose(node: Node, conversation: string): Promise<Proposed> {
  const { mark } = await at(node, fixture.bot, 'query ($id: ID!) { conversation(id: $id) { mark } }', {
    id: conversation,
  })
  return at(
    node,
    fixture.bot,
    `mutation ($c: ID!, $m: MessageInput!) { propose(conversation: $c, message: $m) { id hash expiresAt } }`,
    { c: conversation, m: { role: 'AGENT', text: 'It sails.', mark } },
  )
}

const statusAt = async (node: Node, id: string): Promise<string> =>
  (await at(node, fixture.ann, 'query ($id: ID!) { proposal(id: $id) { status } }', { id })).status
