import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { must, startConversationFixture, type ConversationFixture } from '../conversations/conversation-fixture.js'
import { streamsOf } from '../conversations/streams-fixture.js'
import { connectOfficial, refusalIn } from '../mcp/official-client.js'
import type { MadeUser } from '../support/factories.js'
import { until } from '../support/until.js'
import { createHooks, type Hooks } from '../webhooks/hooks.js'
import { budgeting, spent } from './budget-fixture.js'
import { acting, governing, refused } from './governed-bot.js'

const DAY_MS = 86_400_000
interface Entry {
  action: string
  object: { id: string } | null
  actor: { kind: string; id: string }
  details: Record<string, unknown>
}

let n = 0
/** Texts differ, since section 8 refuses the ninth that is the same. */
const reply = (more: object = {}): object => ({ role: 'AGENT', text: `answer ${n++}`, ...more })

describe('a bot with a budget', () => {
  let fixture: ConversationFixture
  let hooks: Hooks
  let by: ReturnType<typeof budgeting> & ReturnType<typeof governing>
  beforeAll(async () => {
    fixture = await startConversationFixture({ WEBHOOK_ALLOW_PRIVATE: 'true' }, { pace: 10 })
    hooks = createHooks(fixture)
    by = { ...governing(fixture), ...budgeting(fixture) }
  })
  afterAll(async () => {
    await fixture.close()
    await hooks.close()
  })
  const waiting = () => by.waiting()
  const statusOf = async (id: string): Promise<string> => (await fixture.show(id)).status
  const asks = (id: string) => must(fixture.send(fixture.admin, id, { role: 'CONTACT', text: `and? ${n++}` }))
  const says = (bot: MadeUser, id: string, more?: object) => fixture.send(bot, id, reply(more))

  it('says no more in a case than its budget has, and the conversation waits for a person', async () => {
    const bot = await by.limited({ perConversation: 2 })
    const { id } = await waiting()
    await must(says(bot, id))
    await must(says(bot, id, { isBackchannel: true }))
    expect(await statusOf(id)).toBe('ACTIVE')
    const refusal = await says(bot, id)
    expect(refusal).toMatchObject(spent('PER_CONVERSATION', 2))
    expect(refusal.details).not.toHaveProperty('retryAfterSeconds')
    const shown = await fixture.show(id)
    expect(shown).toMatchObject({ status: 'QUEUED', participants: [] })
    expect(shown.messages.edges.at(-1)!.node.text).toMatch(/may say no more: .*2 messages in this case/)
    // Repeated it adds nothing to the thread.
    expect(await says(bot, id)).toMatchObject(spent('PER_CONVERSATION', 2))
    expect((await fixture.show(id)).messages.edges).toHaveLength(shown.messages.edges.length)
  })

  it('begins anew in the next case, and goes on where a closing is undone', async () => {
    const bot = await by.limited({ perConversation: 1 })
    const { id } = await waiting()
    await must(says(bot, id))
    await must(fixture.run(bot, 'mutation ($id: ID!) { closeConversation(conversation: $id) { undoUntil } }', { id }))
    await must(fixture.run(bot, 'mutation ($id: ID!) { undoClose(conversation: $id) { id } }', { id }))
    expect(await says(bot, id)).toMatchObject(spent('PER_CONVERSATION', 1))
    await must(fixture.command(fixture.ann, id, '/accept'))
    await must(fixture.send(fixture.ann, id, reply()))
    await must(fixture.command(fixture.ann, id, '/leave'))
    expect(await statusOf(id)).toBe('CLOSED')
    await asks(id)
    expect(await says(bot, id)).not.toHaveProperty('code')
    expect(await says(bot, id)).toMatchObject(spent('PER_CONVERSATION', 1))
  })

  it('counts what it said before it had a budget, and what it said in a conversation that was merged into this one', async () => {
    const bot = await by.makeBot()
    const [one, other] = [await waiting(), await waiting()]
    for (const { id } of [one, one, other]) await must(says(bot, id))
    await must(by.limit(bot, { perConversation: 3 }))
    await must(fixture.command(fixture.admin, one.id, `/import ${other.id}`))
    expect(await says(bot, one.id)).toMatchObject(spent('PER_CONVERSATION', 3))
  })

  it('leaves a conversation to the person who has it', async () => {
    const bot = await by.limited({ perConversation: 1 })
    const { id } = await waiting()
    await must(says(bot, id))
    await must(fixture.command(fixture.ann, id, '/accept'))
    const before = await fixture.show(id)
    expect(await says(bot, id)).toMatchObject(spent('PER_CONVERSATION', 1))
    expect(await fixture.show(id)).toEqual(before)
  })

  it('is charged for nothing that is refused, and for nothing twice', async () => {
    const bot = await by.limited({ perConversation: 2, perDay: 2 })
    const { id } = await waiting()
    const seen = await by.markOf(id)
    await asks(id)
    expect((await says(bot, id, { mark: seen })).details.reason).toBe('MOVED_ON')
    expect(
      (await fixture.send(bot, id, { role: 'AGENT', type: 'FORM', meta: { form: crypto.randomUUID() } })).code,
    ).toBe('NOT_FOUND')
    await must(by.govern(bot, acting('NOTE')))
    expect(await says(bot, id)).toMatchObject(refused('REPLY'))
    await must(by.release(bot))
    const own = reply({ id: fixture.clock.newId() })
    await must(fixture.send(bot, id, own))
    await must(fixture.send(bot, id, own))
    const keyed = reply()
    await must(fixture.send(bot, id, keyed, 'twice'))
    await must(fixture.send(bot, id, keyed, 'twice'))
    expect(await says(bot, id)).toMatchObject(spent('PER_CONVERSATION', 2))
    await until(async () => (await by.budgetOf(bot))!.used.messages === 2)
    // What was sent is answered again, now that nothing is left.
    await must(fixture.send(bot, id, own))
  })

  it('sends all of several messages, or none', async () => {
    const bot = await by.limited({ perDay: 3 })
    const { id } = await waiting()
    const send = (count: number) =>
      fixture.run(
        bot,
        'mutation ($id: ID!, $all: [MessageInput!]!) { sendMessages(conversation: $id, messages: $all) { id } }',
        { id, all: Array.from({ length: count }, () => reply()) },
      )
    expect(await send(4)).toMatchObject(spent('PER_DAY', 3))
    expect(await by.textsOf(id)).toEqual(['hello'])
    await must(send(3))
    expect(await send(1)).toMatchObject(spent('PER_DAY', 3))
  })

  it('may give a conversation away with a note, and do what says nothing', async () => {
    const bot = await by.limited({ perDay: 1 })
    const [one, other] = [await waiting(), await waiting()]
    await must(says(bot, one.id))
    await must(fixture.command(bot, other.id, '/accept'))
    const handOver = `mutation ($id: ID!, $channel: ID!) {
      handOverConversation(conversation: $id, channel: $channel, note: "over to you") { id } }`
    await must(fixture.run(bot, handOver, { id: other.id, channel: fixture.channel }))
    const client = await connectOfficial([fixture.url], await fixture.tokenFor(bot), '2026-07-28')
    const mark = await by.markOf(one.id, bot)
    const given = { conversation: one.id, summary: 'all about it', mark, idempotencyKey: 'x' }
    expect(await client.callTool({ name: 'hand_over', arguments: given })).not.toHaveProperty('isError', true)
    await client.close()
    expect(await by.textsOf(one.id)).toContain('all about it')
    expect(await statusOf(one.id)).toBe('QUEUED')
    // What gives nothing away is no way to go on.
    const bound = await by.limited({ perDay: 0 })
    const third = await waiting()
    const SEND = `mutation ($id: ID!, $messages: [MessageInput!]!) { sendMessages(conversation: $id, messages: $messages) { id } }`
    const note = { role: 'BOT', text: 'by the way', isBackchannel: true }
    for (const text of ['/notify', '/enqueue'])
      await fixture.run(bound, SEND, { id: third.id, messages: [note, { type: 'COMMAND', text }] })
    const forgets = ['/set _asked', '/enqueue', '/leave'].map((text) => ({ type: 'COMMAND', text }))
    const last = { ...note, text: 'what it was about' }
    await must(fixture.run(bound, SEND, { id: third.id, messages: [forgets[0], last, ...forgets.slice(1)] }))
    expect((await by.textsOf(third.id)).filter((text) => text === 'by the way')).toHaveLength(1)
  })

  it('leaves a consumer who was answered as one who waits for nothing', async () => {
    const bot = await by.limited({ perConversation: 1 })
    const { id } = await waiting()
    await must(says(bot, id))
    expect(await says(bot, id)).toMatchObject(spent('PER_CONVERSATION', 1))
    expect(await statusOf(id)).toBe('QUEUED')
    const query =
      'query ($id: ID!) { conversations(filter: { id: { eq: $id }, awaitsAnswer: { eq: true } }) { totalCount } }'
    expect(await must(fixture.run(fixture.ann, query, { id }))).toEqual({ totalCount: 0 })
  })

  it('is held to it on /v2, in the answers of its webhook, and in the name of a colleague', async () => {
    const bot = await by.limited({ perConversation: 0 })
    const { id } = await waiting()
    const rest = await fixture.rest(bot, 'POST', `/v2/conversations/${id}/messages`, { text: 'x', role: 'agent' })
    expect(rest).toMatchObject({ status: 429, body: { reason: 'BUDGET_SPENT', budget: 'perConversation', limit: 0 } })
    expect(rest.body).not.toHaveProperty('retryAfterSeconds')
    expect(await says(bot, id, { user: fixture.ann.id })).toMatchObject(spent('PER_CONVERSATION', 0))
    expect(await says(bot, id, { role: 'CONTACT' })).not.toHaveProperty('code')
    const hook = await hooks.register(fixture.admin, { events: ['message.create.contact.chat'], bot: bot.id })
    const answer = { messages: [{ role: 'agent', text: 'from the hook' }] }
    hook.receiver.answer = () => ({ body: JSON.stringify(answer) })
    await asks(id)
    const [delivery] = await until(
      () => hooks.deliveries(fixture.admin, hook.id),
      (all) => all[0]?.reply != null,
    )
    expect(delivery!.reply).toMatch(/^refused: the bot has spent its budget of 0 messages/)
    const daily = await by.limited({ perDay: 0 })
    const day = await fixture.rest(daily, 'POST', `/v2/conversations/${id}/messages`, { text: 'x', role: 'agent' })
    expect(day).toMatchObject({ status: 429, body: { budget: 'perDay' } })
    expect(Number(day.headers.get('retry-after'))).toBe(day.body.retryAfterSeconds)
  })

  it('pays for a stream when it begins, whatever becomes of it', async () => {
    const streams = streamsOf(fixture)
    const bot = await by.limited({ perConversation: 1, perDay: 5 })
    const { id } = await waiting()
    const { value: begun } = await streams.begin(bot, id)
    expect(await streams.begin(bot, id)).toMatchObject(spent('PER_CONVERSATION', 1))
    await streams.append(bot, begun.id, 0, 'on its way')
    expect(await streams.finish(bot, begun.id, 10)).not.toHaveProperty('code')
    expect(await says(bot, id)).toMatchObject(spent('PER_CONVERSATION', 1))
    expect(await statusOf(id)).toBe('QUEUED')
    await until(async () => (await by.budgetOf(bot))!.used.messages === 1)
  })

  it('pays for a delayed message when it is due: one beyond the budget is not sent', async () => {
    const bot = await by.limited({ perConversation: 1 })
    const { id } = await waiting()
    await must(fixture.command(bot, id, '/accept'))
    await must(says(bot, id, { delay: 60_000 }))
    await must(says(bot, id))
    fixture.clock.advance(61_000)
    await until(async () => (await statusOf(id)) === 'QUEUED')
    expect((await by.textsOf(id)).filter((text) => String(text).startsWith('answer'))).toHaveLength(1)
  })

  it('does no step of a macro, and nothing of a bulk act, that is beyond it', async () => {
    const bot = await by.limited({ perDay: 1 })
    const [one, other] = [await waiting(), await waiting()]
    const steps = [
      { kind: 'NOTE', text: 'a note' },
      { kind: 'REPLY', text: 'an answer' },
    ]
    const macro = await must(
      fixture.run<{ id: string }>(bot, 'mutation ($input: CreateMacroInput!) { createMacro(input: $input) { id } }', {
        input: { name: 'both', steps },
      }),
    )
    const runMacro = `mutation ($macro: ID!, $on: [ID!]!, $id: ID!) {
      runMacro(macro: $macro, conversations: $on, id: $id) { refusal { reason } } }`
    const given = { macro: macro.id, on: [one.id], id: fixture.clock.newId() }
    expect((await fixture.run(bot, runMacro, given)).value).toEqual([{ refusal: { reason: 'BUDGET_SPENT' } }])
    expect(await by.textsOf(one.id)).toEqual(['hello'])
    const bulk = `mutation ($on: [ID!], $id: ID!) {
      bulk(act: { step: { kind: REPLY, text: "to all" } }, id: $id, conversations: $on) { id } }`
    const run = await must(
      fixture.run<{ id: string }>(bot, bulk, { on: [one.id, other.id], id: fixture.clock.newId() }),
    )
    const ended = await until(
      () =>
        must(
          fixture.run<{ state: string; refusals: { reason: string }[] }>(
            bot,
            'query ($id: ID!) { bulkRun(id: $id) { state refusals { reason } } }',
            run,
          ),
        ),
      ({ state }) => state === 'DONE',
    )
    expect(ended.refusals).toEqual([{ reason: 'BUDGET_SPENT' }])
    const texts = [...(await by.textsOf(one.id)), ...(await by.textsOf(other.id))]
    expect(texts.filter((text) => text === 'to all')).toHaveLength(1)
  })

  it('is not charged for what a person approved', async () => {
    const bot = await by.limited({ perConversation: 0 })
    const { id } = await waiting()
    const mark = await by.markOf(id, bot)
    const proposal = await must(
      fixture.run<{ id: string; hash: string }>(
        bot,
        'mutation ($id: ID!, $m: MessageInput!) { propose(conversation: $id, message: $m) { id hash } }',
        { id, m: reply({ mark }) },
      ),
    )
    const approve = 'mutation ($p: ID!, $h: String!) { approveProposal(proposal: $p, hash: $h) { status } }'
    const given = { p: proposal.id, h: proposal.hash }
    expect(await must(fixture.run(fixture.ann, approve, given))).toEqual({ status: 'APPROVED' })
  })

  it('calls no more tools in a day than its budget has, also of those that are refused', async () => {
    const bot = await by.limited({ toolCallsPerDay: 3 })
    const { id } = await waiting()
    await must(says(bot, id))
    const client = await connectOfficial([fixture.url], await fixture.tokenFor(bot), '2026-07-28')
    const read = (conversation: string) => client.callTool({ name: 'read_conversation', arguments: { conversation } })
    expect((await read(id)).structuredContent).toMatchObject({ id })
    expect(refusalIn(await read(crypto.randomUUID()))).toMatchObject({ code: 'NOT_FOUND' })
    await client.listTools()
    await client.readResource({ uri: `conversation://${id}` })
    expect(refusalIn(await read(id))).toMatchObject({ reason: 'BUDGET_SPENT', budget: 'TOOL_CALLS_PER_DAY', limit: 3 })
    expect(await statusOf(id)).toBe('QUEUED')
    await client.close()
    expect((await by.budgetOf(bot))!.used).toMatchObject({ messages: null, toolCalls: 3 })
    expect(await says(bot, id)).not.toHaveProperty('code')
  })

  it('goes on at once with a greater one, and says nothing more with one that is spent by then', async () => {
    const bot = await by.limited({ perDay: 2 })
    const { id } = await waiting()
    await must(says(bot, id))
    expect((await must(by.limit(bot, { perDay: 1 }, { ifVersion: 1 }))).budget).toMatchObject({ version: 2, perDay: 1 })
    expect(await says(bot, id)).toMatchObject(spent('PER_DAY', 1))
    await must(by.limit(bot, { perDay: 2 }))
    await must(says(bot, id))
    expect(await says(bot, id)).toMatchObject(spent('PER_DAY', 2))
    expect((await must(by.limit(bot, null))).budget).toBeNull()
    await must(says(bot, id))
    expect((await must(by.limit(bot, { perDay: 1_000 }, { ifVersion: 0 }))).budget!.version).toBe(5)
    await must(says(bot, id))
  })

  it('is refused as paused before anything is counted, and its conversations are gone from it', async () => {
    const bot = await by.limited({ perDay: 1 })
    const { id } = await waiting()
    await must(fixture.run(fixture.admin, 'mutation ($id: ID!) { pauseBot(id: $id) { id } }', { id: bot.id }))
    expect((await says(bot, id)).details.reason).toBe('BOT_PAUSED')
    expect((await by.budgetOf(bot))!.used.messages).toBe(0)
  })

  it('is said to be spent once a day, in the audit log and to open lists of users', async () => {
    const bot = await by.limited({ perDay: 1 })
    const { id } = await waiting()
    await must(says(bot, id))
    for (let tries = 0; tries < 3; tries++) expect(await says(bot, id)).toMatchObject(spent('PER_DAY', 1))
    const query = `query { auditEntries(first: 20) { nodes { action object { type id } actor { kind id } details } } }`
    const log = await must(fixture.run<{ nodes: Entry[] }>(fixture.admin, query))
    const own = log.nodes.filter(({ object }) => object?.id === bot.id)
    expect(own.map(({ action }) => action)).toEqual(['budgetSpent', 'setBotBudget'])
    const { actor, details } = own[0]!
    expect(actor).toEqual({ kind: 'user', id: bot.id })
    expect(details).toMatchObject({ budget: 'perDay', limit: 1 })
    const changes = [{ record: 'bot_budget', values: { perDay: { from: null, to: 1 } } }]
    expect(own[1]!.details).toMatchObject({ changes })
  })

  it.each([
    [{ perDay: -1 }, 'budget.perDay'],
    [{ perConversation: 1_000_001 }, 'budget.perConversation'],
  ])('is refused as %j', async (budget, field) => {
    const bot = await by.makeBot()
    expect(await by.limit(bot, budget)).toMatchObject({ code: 'BAD_USER_INPUT', details: { field } })
    expect(await by.budgetOf(bot)).toBeNull()
  })

  it('has it by administrators alone, of its own tenant, to the version that they saw', async () => {
    const bot = await by.limited({ perDay: 9 })
    expect(await by.limit(bot, null, { as: fixture.ann })).toMatchObject({ code: 'FORBIDDEN' })
    const { owner } = await fixture.makeContactCenter()
    expect(await by.limit(bot, null, { as: owner })).toMatchObject({ code: 'NOT_FOUND' })
    expect(await by.limit(bot, null, { ifVersion: 3 })).toMatchObject({
      details: { reason: 'OTHER_VERSION', version: 1 },
    })
    expect(await by.limit(fixture.ann, { perDay: 1 })).toMatchObject({ details: { reason: 'NOT_A_BOT', field: 'bot' } })
    expect((await by.budgetOf(bot))!.perDay).toBe(9)
  })

  it('takes it along to another organization, and is deleted with it', async () => {
    const bot = await by.limited({ perDay: 1 })
    const { id } = await waiting()
    await must(says(bot, id))
    const customer = await fixture.makeOrganization({ parent: fixture.organization })
    const move = await fixture.rest(fixture.admin, 'PATCH', `/v2/users/${bot.id}`, { organization: customer.id })
    expect(move.status).toBe(200)
    const there = await fixture.create(
      { organization: customer.id, messages: [{ role: 'CONTACT', text: 'hello' }] },
      fixture.admin,
    )
    expect(await says(bot, there.id)).toMatchObject(spent('PER_DAY', 1))
    expect((await fixture.rest(fixture.admin, 'DELETE', `/v2/users/${bot.id}`)).status).toBe(204)
  })

  // The last: the clock is moved by up to a day, after which the sign-ins of the others end.
  it('says no more in a day than its budget has, wherever, and begins anew at midnight UTC', async () => {
    const bot = await by.limited({ perDay: 3 })
    const [one, other] = [await waiting(), await waiting()]
    for (const { id } of [one, other, one]) await must(says(bot, id))
    expect(await says(bot, other.id)).toMatchObject(spent('PER_DAY', 3))
    expect(await statusOf(other.id)).toBe('QUEUED')
    expect(await statusOf(one.id)).toBe('ACTIVE')
    const { used } = (await by.budgetOf(bot))!
    const midnight = new Date(Math.ceil(fixture.clock.now().getTime() / DAY_MS) * DAY_MS)
    expect(used).toMatchObject({ messages: 3, toolCalls: null, resetsAt: midnight.toISOString() })
    expect(used.messagesSpentAt).not.toBeNull()
    fixture.clock.advance(midnight.getTime() - fixture.clock.now().getTime())
    expect(await fixture.send(await fixture.tokenFor(bot), one.id, reply())).not.toHaveProperty('code')
    const admin = await fixture.tokenFor(fixture.admin)
    await until(async () => (await by.budgetOf(bot, admin))!.used.messages === 1)
  })
})
