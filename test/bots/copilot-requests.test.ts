import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { must, startConversationFixture, type ConversationFixture } from '../conversations/conversation-fixture.js'
import { tablesWith } from '../privacy/tables-with.js'
import type { MadeUser } from '../support/factories.js'
import { until } from '../support/until.js'
import { createTaker, type Taker } from '../webhooks/taker.js'
import { MAY_SUGGEST, suggesting } from './copilot-fixture.js'

const REQUEST = `mutation ($id: ID!, $kind: ProposalKind!) {
  requestProposal(conversation: $id, kind: $kind) { id conversationId kind until } }`

let fixture: ConversationFixture
let by: ReturnType<typeof suggesting>
let taker: Taker
let bot: MadeUser
beforeAll(async () => {
  fixture = await startConversationFixture()
  by = suggesting(fixture)
  taker = createTaker(fixture)
  bot = await by.governed(MAY_SUGGEST)
  await by.setCategories('Billing')
})
afterAll(async () => {
  await fixture?.close()
})

const request = (id: string, as: MadeUser = fixture.ann, kind = 'REPLY') =>
  fixture.run<{ id: string; kind: string; until: string }>(as, REQUEST, { id, kind })

const canRequest = (id: string, as: MadeUser = fixture.ann) =>
  fixture.run<boolean>(as, 'query ($id: ID!) { canRequestProposal(conversation: $id) }', { id })

describe('a request', () => {
  it('is refused while nobody listens, then told with the conversation and its mark, again if it was not acknowledged', async () => {
    const { id } = await by.waiting()
    expect(await request(id)).toMatchObject({ code: 'UNPROCESSABLE', details: { reason: 'NOBODY_LISTENS' } })
    expect(await must(canRequest(id))).toBe(false)
    const own = await by.governed(MAY_SUGGEST)
    const service = await taker.register(fixture.admin, { events: ['proposal.*'], bot: own.id })
    expect(await must(canRequest(id))).toBe(true)
    expect(await must(canRequest(id, own))).toBe(false)
    const asked = await must(request(id))
    const wanted = { id: asked.id, kind: 'reply', user: fixture.ann.id, until: asked.until }
    const mark = await by.markOf(id)
    const [first] = await taker.take(own, service)
    expect(first).toMatchObject({ event: 'proposal.requested', attempt: 1 })
    expect(first!.payload.data).toMatchObject({
      proposal: wanted,
      conversation: { id, mark },
      user: { id: fixture.ann.id },
    })
    fixture.clock.advance(60_000)
    const again = await until(
      () => taker.take(own, service),
      (taken) => taken.length > 0,
    )
    expect(again[0]).toMatchObject({ id: first!.id, attempt: 2 })
    await taker.acknowledge(own, service, again)
    // Late, and kept like any other.
    expect(Date.parse(asked.until)).toBeLessThan(fixture.clock.now().getTime())
    await by.suggested(own, id, { reply: { text: 'late' } })
    await must(fixture.run(fixture.admin, 'mutation ($id: ID!) { pauseBot(id: $id) { id } }', { id: own.id }))
    expect(await request(id)).toMatchObject({ details: { reason: 'NOBODY_LISTENS' } })
    expect(await must(canRequest(id))).toBe(false)
    await fixture.rest(fixture.admin, 'DELETE', `/v2/services/${service}`)
  })

  it('is for people who see the conversation, and so many a minute', async () => {
    const service = await taker.register(fixture.admin, { events: ['proposal.requested'] })
    const { id } = await by.waiting()
    expect(await request(id, bot)).toMatchObject({ details: { reason: 'PERSON_REQUIRED' } })
    expect(await request(id, fixture.ann, 'ACT')).toMatchObject({ code: 'BAD_USER_INPUT', details: { field: 'kind' } })
    const stranger = await fixture.makeUser({ organization: await fixture.makeOrganization(), role: 'admin' })
    expect(await request(id, stranger)).toMatchObject({ code: 'NOT_FOUND' })
    expect(await request('x'.repeat(100_000), fixture.ann)).toMatchObject({ code: 'NOT_FOUND' })
    expect(await canRequest(id, stranger)).toMatchObject({ code: 'NOT_FOUND' })
    const eager = await fixture.makeAgent()
    for (let count = 0; count < 6; count++) await must(request(id, eager))
    expect(await request(id, eager)).toMatchObject({ code: 'RATE_LIMITED' })
    await must(request(id, fixture.ben))
    await must(request((await by.waiting()).id, eager))
    await fixture.rest(fixture.admin, 'DELETE', `/v2/services/${service}`)
  })
})

it('reports count what became of proposals, by bot, kind and person', async () => {
  const own = await by.governed(MAY_SUGGEST)
  const agent = await fixture.makeAgent()
  const reply = { reply: { text: 'Your order is on its way.' } }
  const ids = await Promise.all([1, 2, 3, 4].map(async () => (await by.waiting()).id))
  const [accepted, edited, rejected, ignored] = await Promise.all(ids.map((id) => by.suggested(own, id, reply)))
  await must(by.answer(ids[0]!, accepted!, reply.reply.text, agent))
  await must(by.answer(ids[1]!, edited!, 'It is on its way.', agent))
  await must(by.reject(rejected!, agent))
  await must(fixture.send(fixture.admin, ids[3]!, { role: 'CONTACT', text: 'and?' }))
  expect((await by.read(ignored!)).outcome).toBe('IGNORED')
  const category = await by.suggested(own, ids[2]!, { category: 'Billing' })
  await must(by.take(category, agent))
  const day = Math.floor(fixture.clock.now().getTime() / 86_400_000) * 86_400_000
  const span = { from: new Date(day).toISOString(), to: new Date(day + 86_400_000).toISOString() }
  const query = `query ($from: DateTime!, $to: DateTime!, $bots: [ID!]) {
    report(metrics: [PROPOSALS_MADE, PROPOSALS_ACCEPTED, PROPOSALS_EDITED, PROPOSALS_REJECTED, PROPOSALS_IGNORED], by: [BOT, PROPOSAL_KIND, USER],
      from: $from, to: $to, timezone: "UTC", filter: { bots: $bots }) {
      lines { bot { id } proposalKind user { id } values { count } } totals { count share } }
    reportRows(metric: PROPOSALS_ACCEPTED, from: $from, to: $to, filter: { bots: $bots, proposalKinds: [REPLY] }) { nodes { conversationId userId } } }`
  const { data } = await fixture.gql(fixture.admin, query, { ...span, bots: [own.id] })
  const lines = data.report.lines as {
    bot: object
    proposalKind: string
    user: { id: string } | null
    values: { count: number }[]
  }[]
  const counts = lines.map(({ bot: of, proposalKind, user, values }) => ({
    of,
    proposalKind,
    user: user?.id ?? null,
    counts: values.map(({ count }) => count),
  }))
  expect(counts).toHaveLength(4)
  expect(counts).toEqual(
    expect.arrayContaining([
      { of: { id: own.id }, proposalKind: 'REPLY', user: agent.id, counts: [0, 1, 1, 1, 0] },
      { of: { id: own.id }, proposalKind: 'REPLY', user: null, counts: [4, 0, 0, 0, 1] },
      { of: { id: own.id }, proposalKind: 'CATEGORY', user: agent.id, counts: [0, 1, 0, 0, 0] },
      { of: { id: own.id }, proposalKind: 'CATEGORY', user: null, counts: [1, 0, 0, 0, 0] },
    ]),
  )
  expect(data.report.totals).toMatchObject([
    { count: 5 },
    { count: 2, share: 0.4 },
    { count: 1 },
    { count: 1 },
    { count: 1 },
  ])
  expect(data.reportRows.nodes).toEqual([{ conversationId: ids[0], userId: agent.id }])
  const csv = await fixture.rest(
    fixture.admin,
    'GET',
    `/v2/reports/proposalsAccepted?from=${span.from}&to=${span.to}&by=proposalKind,bot&timezone=UTC`,
  )
  expect(csv.status).toBe(200)
})

it('leaves nothing of what it said once it was decided, nor with an erased contact', async () => {
  const words = 'Quetzalcoatlus'
  const found = () => tablesWith(fixture.server.database, words)
  const { id } = await by.waiting()
  for (const suggestion of [{ reply: { text: words } }, { summary: words }, { fields: { bird: words } }]) {
    const made = await must(by.trySuggest(bot, id, suggestion, { key: crypto.randomUUID() }))
    expect(await found()).toEqual(['proposal'])
    await must(by.reject(made))
    expect(await found()).toEqual([])
  }
  await by.suggested(bot, id, { reply: { text: words } })
  const { contactId } = await must(
    fixture.run<{ contactId: string }>(fixture.admin, 'query ($id: ID!) { conversation(id: $id) { contactId } }', {
      id,
    }),
  )
  const erase = 'mutation ($id: ID!) { eraseContact(id: $id, reason: REQUESTED) { id } }'
  await must(fixture.run(fixture.admin, erase, { id: contactId }))
  await until(found, (tables) => tables.length === 0)
})
