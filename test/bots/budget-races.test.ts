import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import pg from 'pg'
import { freePort } from '../../bench/chaos/free-port.js'
import { Victim } from '../../bench/chaos/victim.js'
import { pruneBotDays } from '../../src/modules/bots/read-budgets.js'
import { must, startConversationFixture, type ConversationFixture } from '../conversations/conversation-fixture.js'
import type { MadeUser } from '../support/factories.js'
import { startTestServer, type GraphqlAnswer, type TestServer } from '../support/test-server.js'
import { until } from '../support/until.js'
import { budgeting } from './budget-fixture.js'
import { governing, SEND } from './governed-bot.js'

/** Two nodes on one database, without Redis. */
let fixture: ConversationFixture
let other: TestServer
let by: ReturnType<typeof budgeting> & ReturnType<typeof governing>
let outside: pg.Client
beforeAll(async () => {
  fixture = await startConversationFixture({}, { pace: 10 })
  other = await startTestServer({}, { beside: fixture })
  by = { ...governing(fixture), ...budgeting(fixture) }
  outside = new pg.Client({ connectionString: fixture.databaseUrl })
  await outside.connect()
})
afterAll(async () => {
  await outside?.end()
  await other?.close()
  await fixture?.close()
})

const conversations = async (count: number): Promise<string[]> => {
  const ids: string[] = []
  while (ids.length < count)
    ids.push(...(await Promise.all(Array.from({ length: Math.min(8, count) }, async () => (await by.waiting()).id))))
  return ids
}
let n = 0
const message = (): object => ({ role: 'AGENT', text: `answer ${n++}` })
const reasonOf = ({ errors }: GraphqlAnswer<unknown>): unknown => errors?.[0]?.extensions.reason

/** Numbers of messages that a bot has said, by day: a test may run at midnight. */
async function saidByDay({ id }: MadeUser): Promise<number[]> {
  const { rows } = await outside.query<{ count: number }>(
    `select count(*)::int as count from message where user_id = $1 and role = 'agent' group by (created_at at time zone 'UTC')::date`,
    [id],
  )
  return rows.map(({ count }) => count)
}
const said = async (bot: MadeUser): Promise<number> => (await saidByDay(bot)).reduce((sum, count) => sum + count, 0)

describe('the budget of a day', () => {
  it('is never exceeded by 64 senders on two nodes, one of which is killed', async () => {
    const limit = 300
    const bot = await by.limited({ perDay: limit })
    const ids = await conversations(64)
    const token = await fixture.tokenFor(bot)
    const port = await freePort()
    const url = `http://127.0.0.1:${port}`
    const env = { PORT: String(port), HOST: '127.0.0.1', LOG_LEVEL: 'fatal', DATABASE_URL: fixture.databaseUrl }
    const victim = new Victim('test/support/node-process.mjs', env, `${url}/readyz`)
    await victim.start()
    try {
      const onVictim = async (id: string): Promise<GraphqlAnswer<unknown>> => {
        const response = await fetch(`${url}/graphql`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
          body: JSON.stringify({ query: SEND, variables: { id, message: message() } }),
        })
        return (await response.json()) as GraphqlAnswer<unknown>
      }
      const onOther = (id: string): Promise<GraphqlAnswer<unknown>> =>
        other.gql(token, SEND, { id, message: message() })
      let acknowledged = 0
      let isKilled = false
      const sender = async (id: string, nth: number): Promise<void> => {
        for (;;) {
          const answer = await (nth % 2 && !isKilled ? onVictim : onOther)(id).catch(() => null)
          if (answer && !answer.errors) acknowledged++
          // Of one conversation section 8 allows 20 without an answer.
          if (answer?.errors && (isKilled || reasonOf(answer) !== 'BUDGET_SPENT')) return
        }
      }
      const senders = ids.map((id, nth) => sender(id, nth))
      await until(async () => acknowledged >= limit / 4)
      await victim.kill()
      isKilled = true
      await Promise.all(senders)
      const byDay = await saidByDay(bot)
      expect(Math.max(...byDay)).toBeLessThanOrEqual(limit)
      // What the killed node had drawn is lost for the day, what each of its 32 senders had under way had been taken of
      // that, and no more is lost.
      const sum = byDay.reduce((all, count) => all + count, 0)
      expect(sum).toBeGreaterThanOrEqual(Math.max(acknowledged, limit - 75 - 32))
    } finally {
      await victim.kill()
    }
  })

  it('is drawn in parts, of which a node gives back what it has not used, at the latest when it stops', async () => {
    const bot = await by.limited({ perDay: 1_000 })
    const [id] = await conversations(1)
    const third = await startTestServer({}, { beside: fixture })
    for (const node of [other, third, other])
      expect((await node.gql(bot, SEND, { id, message: message() })).errors).toBeUndefined()
    // What a node does not use is soon given back: how much it took is told also after that.
    const { rows } = await outside.query('select last_draw from bot_day where bot_id = $1 order by day desc limit 1', [
      bot.id,
    ])
    expect(rows).toEqual([{ last_draw: 50 }])
    await third.close()
    await until(async () => (await by.budgetOf(bot))!.used.messages === 3)
  })

  it('that is lowered counts on all nodes once that is answered, however much they have drawn', async () => {
    const bot = await by.limited({ perDay: 1_000 })
    const [apart, ...ids] = await conversations(12)
    let isOver = false
    const client = async (node: TestServer, id: string): Promise<void> => {
      for (let sent = 0; !isOver && sent < 20; sent++) await node.gql(bot, SEND, { id, message: message() })
    }
    const clients = ids.map((id, nth) => client(nth % 2 ? other : fixture, id))
    await until(async () => (await said(bot)) > 20)
    await must(by.limit(bot, { perDay: 10 }))
    const then = await said(bot)
    isOver = true
    await Promise.all(clients)
    expect(await said(bot)).toBe(then)
    // What was drawn of the former is part of the next. In the others it may have said already as much as section 8 allows.
    await must(by.limit(bot, { perDay: then + 1 }))
    const answers = await Promise.all(
      [fixture, other].map((node) => node.gql(bot, SEND, { id: apart, message: message() })),
    )
    expect(answers.map(reasonOf).filter((reason) => reason === undefined)).toHaveLength(1)
    expect(await said(bot)).toBe(then + 1)
  })
})

describe('what was drawn on a day', () => {
  it('is forgotten after a week', async () => {
    const bot = await by.limited({ perDay: 1 })
    const days = ['2026-01-01', '2026-01-08', '2026-01-09']
    for (const day of days)
      await outside.query(
        `insert into bot_day (bot_id, day, budget, drawn, last_draw, day_limit) values ($1, $2, 'perDay', 1, 1, 1)`,
        [bot.id, day],
      )
    await pruneBotDays(
      { query: async (text, values) => (await outside.query(text, [...values!])).rows },
      new Date('2026-01-15T12:00:00Z'),
    )
    const { rows } = await outside.query<{ day: string }>(
      'select day::text as day from bot_day where bot_id = $1 order by day',
      [bot.id],
    )
    expect(rows.map(({ day }) => day)).toEqual(days.slice(1))
  })
})

describe('the budget of a conversation', () => {
  it('is never exceeded by senders on two nodes, while people edit and take the conversation', async () => {
    const limit = 9
    const bot = await by.limited({ perConversation: limit })
    for (const id of await conversations(3)) {
      const refusals = new Set<unknown>()
      const sender = async (node: TestServer): Promise<void> => {
        for (let tries = 0; tries < 8; tries++)
          refusals.add(reasonOf(await node.gql(bot, SEND, { id, message: message() })))
      }
      const edits = async (): Promise<void> => {
        for (let tries = 0; tries < 3; tries++) {
          const first = (await fixture.show(id)).messages.edges.find(({ node }) => node.userId === bot.id)
          const edit = 'mutation ($m: ID!) { updateMessage(id: $m, patch: { text: "edited" }) { id } }'
          if (first) await fixture.run(bot, edit, { m: first.node.id })
        }
      }
      const person = async (): Promise<void> => {
        // Nobody leaves it: that would close it, and what the bot then says begins a case, with a budget of its own.
        await fixture.command(fixture.ann, id, '/accept')
        await fixture.command(fixture.ann, id, '/enqueue')
      }
      await Promise.all([sender(fixture), sender(other), sender(other), edits(), person()])
      const { rows } = await outside.query<{ count: number }>(
        `select count(*)::int as count from message where conversation_id = $1 and user_id = $2`,
        [id, bot.id],
      )
      expect(rows[0]!.count).toBe(limit)
      expect(refusals).toEqual(new Set([undefined, 'BUDGET_SPENT']))
    }
  })
})
