import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import {
  must,
  startConversationFixture,
  type ConversationFixture,
  type Outcome,
} from '../conversations/conversation-fixture.js'
import { liveClient, subscribe } from '../support/live-client.js'
import type { MadeUser } from '../support/factories.js'
import { startTestServer, type TestServer } from '../support/test-server.js'
import { until } from '../support/until.js'
import { APPROVE, SHOWN, suggesting, type Suggested } from './copilot-fixture.js'
import { acting, refused, type Line } from './governed-bot.js'

const PROPOSE = `mutation ($id: ID!, $message: MessageInput!, $key: String) {
  propose(conversation: $id, message: $message, idempotencyKey: $key) { ${SHOWN} } }`
const MAY: Line[] = [
  { action: 'REPLY', mode: 'APPROVE' },
  { action: 'SET', mode: 'APPROVE' },
]

/** Two nodes on one database, without Redis. */
let fixture: ConversationFixture
let other: TestServer
let by: ReturnType<typeof suggesting>
let bot: MadeUser
beforeAll(async () => {
  fixture = await startConversationFixture()
  other = await startTestServer({}, { beside: fixture })
  by = suggesting(fixture)
  bot = await governed()
  await by.setCategories('Billing')
})
afterAll(async () => {
  await other?.close()
  await fixture?.close()
})

const governed = (grants = MAY) => by.governed(grants)
const tryPropose = async (id: string, message: object = {}, as = bot, key?: string): Promise<Outcome<Suggested>> =>
  fixture.run<Suggested>(as, PROPOSE, {
    id,
    message: { role: 'AGENT', text: 'Your order is on its way.', mark: await by.markOf(id), ...message },
    key,
  })
const proposed = (id: string, message: object = {}, as = bot): Promise<Suggested> => must(tryPropose(id, message, as))
const statusOf = async (proposal: Suggested) => (await by.read(proposal)).status

describe('what a bot proposes', () => {
  it('is done once a person approves it: the bot is the author, the approver stands beside it', async () => {
    const { id } = await by.waiting()
    expect(await fixture.send(bot, id, { role: 'AGENT', text: 'by itself' })).toMatchObject(refused('REPLY', 'APPROVE'))
    const proposal = await proposed(id)
    expect(proposal).toMatchObject({
      conversationId: id,
      botId: bot.id,
      action: 'REPLY',
      text: 'Your order is on its way.',
      input: { type: 'chat', role: 'agent', text: 'Your order is on its way.' },
      status: 'PENDING',
    })
    expect(await by.pendingIn(id)).toEqual([proposal.id])
    expect(await by.textsOf(id)).toEqual(['hello'])
    const { value } = await by.approve(proposal)
    expect(value).toMatchObject({
      id: proposal.id,
      status: 'APPROVED',
      decidedById: fixture.ann.id,
      text: null,
      input: {},
    })
    expect(await by.textsOf(id)).toEqual(['hello', 'Your order is on its way.'])
    expect(await by.pendingIn(id)).toEqual([])
    const query = 'query ($id: ID!) { message(id: $id) { user { id } isAutomated approvedById } }'
    expect((await fixture.run(fixture.admin, query, { id: value.messageId })).value).toEqual({
      user: { id: bot.id },
      isAutomated: true,
      approvedById: fixture.ann.id,
    })
    expect((await fixture.show(id)).participants.find(({ accepted }) => accepted)?.userId).toBe(bot.id)
  })

  it('may be a command', async () => {
    const { id } = await by.waiting()
    const proposal = await proposed(id, { type: 'COMMAND', role: 'BOT', text: '/set @category Billing' })
    expect(proposal).toMatchObject({ action: 'SET', text: '/set @category Billing' })
    expect(await by.approve(proposal)).not.toHaveProperty('code')
    expect((await fixture.show(id)).category).toBe('Billing')
  })

  it('may be to close what was answered', async () => {
    const closing = await governed([
      { action: 'REPLY', mode: 'ACT' },
      { action: 'CLOSE', mode: 'APPROVE' },
    ])
    const { id } = await by.waiting()
    await must(fixture.send(closing, id, { role: 'AGENT', text: 'It is on its way.' }))
    expect(await fixture.command(closing, id, '/close')).toMatchObject(refused('CLOSE', 'APPROVE'))
    const proposal = await proposed(id, { type: 'COMMAND', role: 'BOT', text: '/close' }, closing)
    expect(proposal).toMatchObject({ action: 'CLOSE' })
    await must(by.approve(proposal))
    expect((await fixture.show(id)).status).toBe('CLOSED')
  })

  it('is stale without having been decided by whoever was too late', async () => {
    const { id } = await by.waiting()
    const proposal = await proposed(id)
    await must(fixture.command(fixture.ben, id, '/accept'))
    expect(await by.approve(proposal)).toMatchObject({ details: { reason: 'PROPOSAL_STALE' } })
    expect(await by.read(proposal)).toMatchObject({
      status: 'STALE',
      decidedById: null,
    })
  })

  it('is approved by whoever has accepted the conversation since: that is no news to them', async () => {
    const { id } = await by.waiting()
    const proposal = await proposed(id)
    await must(fixture.command(fixture.ann, id, '/accept'))
    expect(await by.approve(proposal)).toHaveProperty('value.status', 'APPROVED')
    expect(await by.textsOf(id)).toContain('Your order is on its way.')
  })

  it('may be to hand over to the queue, as agents do', async () => {
    const leaving = await governed([{ action: 'HAND_OVER', mode: 'APPROVE' }])
    const { id } = await by.waiting()
    await must(fixture.command(fixture.ann, id, '/accept'))
    const proposal = await proposed(id, { type: 'COMMAND', role: 'BOT', text: '/enqueue' }, leaving)
    expect(await by.approve(proposal)).not.toHaveProperty('code')
    expect((await fixture.show(id)).status).toBe('QUEUED')
  })

  it('is refused the second time, whoever approves it', async () => {
    const { id } = await by.waiting()
    const proposal = await proposed(id)
    const both = await Promise.all([by.approve(proposal), by.approve(proposal, fixture.ben)])
    expect(both.map(({ details }) => details.reason).toSorted()).toEqual(['PROPOSAL_ENDED', undefined])
    expect(await by.approve(proposal)).toMatchObject({ details: { reason: 'PROPOSAL_ENDED', status: 'APPROVED' } })
    expect(await by.reject(proposal)).toMatchObject({ details: { reason: 'PROPOSAL_ENDED' } })
    expect(await by.textsOf(id)).toHaveLength(2)
  })

  it('is done for exactly the state that the bot saw: after a message or an edit of others it is stale', async () => {
    const written = await by.waiting()
    const first = await proposed(written.id)
    await fixture.send(fixture.admin, written.id, { role: 'CONTACT', text: 'never mind' })
    expect(await by.approve(first)).toMatchObject({
      code: 'UNPROCESSABLE',
      details: { reason: 'PROPOSAL_STALE', news: [{ kind: 'CONSUMER' }] },
    })
    expect(await statusOf(first)).toBe('STALE')
    expect(await by.approve(first)).toMatchObject({
      details: { reason: 'PROPOSAL_STALE', news: [{ kind: 'CONSUMER' }] },
    })
    const edited = await by.waiting()
    const note = await fixture.send(fixture.ben, edited.id, { isBackchannel: true, text: 'refund them' })
    const second = await proposed(edited.id)
    const edit = 'mutation ($id: ID!) { updateMessage(id: $id, patch: { text: "do not refund" }) { id } }'
    expect(await fixture.run(fixture.admin, edit, { id: note.value.id })).not.toHaveProperty('code')
    expect(await by.approve(second)).toMatchObject({ details: { reason: 'PROPOSAL_STALE', news: [] } })
    expect(await by.textsOf(written.id)).toEqual(['hello', 'never mind'])
    const own = await governed([...MAY, ...acting('NOTE')])
    const noted = await by.waiting()
    const third = await proposed(noted.id, {}, own)
    await fixture.send(own, noted.id, { isBackchannel: true, text: 'it is about another order' })
    expect(await by.approve(third)).toMatchObject({ details: { reason: 'PROPOSAL_STALE', news: [{ kind: 'NOTE' }] } })
  })

  it('is proposed for the state that is there: what the bot did since its mark is no news, what others did is', async () => {
    const own = await governed([...MAY, ...acting('NOTE')])
    const { id } = await by.waiting()
    const mark = await by.markOf(id)
    await fixture.send(own, id, { isBackchannel: true, text: 'it is about an order' })
    const proposal = await proposed(id, { mark }, own)
    expect(await by.approve(proposal)).toMatchObject({ value: { status: 'APPROVED' } })
    const other = await by.waiting()
    const before = await by.markOf(other.id)
    await fixture.send(own, other.id, { isBackchannel: true, text: 'it is about an order' })
    await fixture.send(fixture.ben, other.id, { isBackchannel: true, text: 'it is not' })
    expect(await tryPropose(other.id, { mark: before }, own)).toMatchObject({ details: { reason: 'MOVED_ON' } })
  })

  it('is refused with the hash of another', async () => {
    const [one, two] = [await proposed((await by.waiting()).id), await proposed((await by.waiting()).id)]
    expect(await by.approve({ id: one.id, hash: two.hash })).toMatchObject({
      details: { reason: 'HASH_DIFFERS', field: 'hash' },
    })
    expect(await statusOf(one)).toBe('PENDING')
  })

  it('is decided by people of the tenant who may do it too, and by no bot', async () => {
    const { id } = await by.waiting()
    const proposal = await proposed(id)
    const stranger = await fixture.makeUser({ organization: await fixture.makeOrganization(), role: 'admin' })
    const make = 'mutation ($id: ID!) { createGuestToken(conversation: $id) { token } }'
    const guest = (await fixture.run<{ token: string }>(fixture.bot, make, { id })).value.token
    for (const decide of [by.approve, by.reject]) {
      for (const as of [bot, fixture.bot])
        expect(await decide(proposal, as)).toMatchObject({ code: 'FORBIDDEN', details: { reason: 'PERSON_REQUIRED' } })
      expect(await decide(proposal, stranger)).toMatchObject({ code: 'NOT_FOUND' })
      expect(await decide(proposal, guest)).toMatchObject({ code: 'FORBIDDEN' })
    }
    expect((await by.tryRead(proposal, stranger)).code).toBe('NOT_FOUND')
    expect((await by.tryRead(proposal, guest)).code).toBe('FORBIDDEN')
    expect(await by.pendingIn(id, guest)).toEqual([])
    expect(await tryPropose(id, {}, fixture.ann)).toMatchObject({ code: 'FORBIDDEN' })
    expect(await by.reject(proposal, fixture.ben)).toMatchObject({
      value: { status: 'REJECTED', decidedById: fixture.ben.id },
    })
  })

  it('is held like any message, and needs the mark', async () => {
    const { id } = await by.waiting()
    const mark = await by.markOf(id)
    await fixture.send(fixture.admin, id, { role: 'CONTACT', text: 'and?' })
    expect(await tryPropose(id, { mark })).toMatchObject({ details: { reason: 'MOVED_ON' } })
    for (const [field, value] of Object.entries({
      mark: null,
      delay: 5_000,
      user: fixture.ann.id,
      id: fixture.clock.newId(),
      role: 'CONTACT',
    }))
      expect(await tryPropose(id, { [field]: value })).toMatchObject({
        code: 'BAD_USER_INPUT',
        details: { field: `message.${field}` },
      })
    const elsewhere = await fixture.makeUser({ organization: await fixture.makeOrganization(), role: 'admin' })
    const { body } = await fixture.rest(elsewhere, 'POST', '/v2/services', {
      type: 'webhook',
      params: { url: 'https://hooks.example.com/a' },
    })
    expect(body.id).toBeDefined()
    for (const service of [body.id, fixture.clock.newId()])
      expect(await tryPropose(id, { service })).toMatchObject({ code: 'NOT_FOUND', details: { field: 'service' } })
    const into = { type: 'COMMAND', role: 'BOT', text: '/import', meta: { origin: id } }
    expect((await tryPropose(id, into)).code).toBe('BAD_USER_INPUT')
  })

  it('takes the place of its own of the same action, and three wait at most', async () => {
    const { id } = await by.waiting()
    const first = await proposed(id)
    const second = await proposed(id, { text: 'Better so.' })
    expect(await statusOf(first)).toBe('REPLACED')
    expect(await by.approve(first)).toMatchObject({ details: { reason: 'PROPOSAL_ENDED' } })
    const others = [await governed(), await governed(), await governed()]
    for (const each of others.slice(1)) await proposed(id, {}, each)
    expect(await tryPropose(id, {}, others[0])).toMatchObject({ details: { reason: 'TOO_MANY' } })
    expect(await by.pendingIn(id)).toContain(second.id)
  })

  it('is kept once for one idempotency key', async () => {
    const { id } = await by.waiting()
    const key = crypto.randomUUID()
    const both = [await tryPropose(id, {}, bot, key), await tryPropose(id, {}, bot, key)]
    expect(both[0]!.value.id).toBe(both[1]!.value.id)
  })
})

describe('a grant', () => {
  it('that is withdrawn ends what is proposed, also where the approval waits on another node', async () => {
    const own = await governed()
    const { id } = await by.waiting()
    const proposal = await proposed(id, {}, own)
    await by.govern(own, [{ action: 'REPLY', mode: 'SUGGEST' }])
    const given = { proposal: proposal.id, hash: proposal.hash }
    expect((await other.gql(fixture.ann, APPROVE, given)).errors?.[0]?.extensions).toMatchObject({
      reason: 'NO_GRANT',
      mode: 'SUGGEST',
    })
    expect(await tryPropose(id, {}, own)).not.toHaveProperty('code')
    await by.govern(own, acting())
    expect(await tryPropose(id, {}, own)).toMatchObject(refused('REPLY'))
  })
})

describe('a pause', () => {
  it('ends what the bot proposes, which is refused from then on', async () => {
    const own = await governed()
    const { id } = await by.waiting()
    const proposal = await proposed(id, {}, own)
    await fixture.run(fixture.admin, 'mutation ($id: ID!) { pauseBot(id: $id) { id } }', { id: own.id })
    expect(await by.approve(proposal)).toMatchObject({ details: { reason: 'PROPOSAL_ENDED' } })
    await until(
      () => statusOf(proposal),
      (status) => status === 'ENDED',
    )
    expect(await tryPropose(id, {}, own)).toMatchObject({ details: { reason: 'BOT_PAUSED' } })
    expect(await by.textsOf(id)).toEqual(['hello'])
  })
})

it('ends by itself after a day, and with its conversation', async () => {
  const [{ id }, gone] = [await by.waiting(), await by.waiting()]
  const [proposal, lost] = [await proposed(id), await proposed(gone.id)]
  await fixture.rest(fixture.admin, 'DELETE', `/v2/conversations/${gone.id}`)
  expect(await by.approve(lost)).toMatchObject({ code: 'NOT_FOUND' })
  fixture.clock.advance(86_400_000)
  const ann = await fixture.makeAgent()
  const status = async () => (await by.read(proposal, ann)).status
  await until(status, (now) => now === 'ENDED')
  expect(await by.approve(proposal, ann)).toMatchObject({ details: { reason: 'PROPOSAL_ENDED', status: 'ENDED' } })
})

it('is shown live to agents, and approvals are in the audit log', async () => {
  const admin = await fixture.makeAgent({ role: 'admin' })
  const own = await by.governed(MAY, admin)
  const { value: made } = await fixture.tryCreate({ messages: [{ role: 'CONTACT', text: 'hello' }] }, admin)
  const WATCH = `subscription ($id: ID!) { conversation(id: $id) { __typename
    ... on ProposalChanged { proposalId proposal { status text } } } }`
  const client = liveClient(fixture.url, await fixture.tokenFor(admin))
  const watched = subscribe<object>(client, 'conversation', WATCH, {
    id: made.id,
  })
  await until(async () => watched.events.length > 0)
  const message = { role: 'AGENT', text: 'yes', mark: await by.markOf(made.id, admin) }
  const { value } = await fixture.run<Suggested>(own, PROPOSE, { id: made.id, message })
  await by.approve(value, admin)
  const changed = () => watched.events.filter((event) => JSON.stringify(event).includes('ProposalChanged'))
  await until(async () => changed().length >= 2)
  expect(JSON.stringify(changed().at(-1))).toContain('APPROVED')
  await client.dispose()
  const query = `query ($id: String!) { auditEntries(first: 5, filter: { object: { eq: $id } }) { nodes { action details } } }`
  const entries = await fixture.run<{ nodes: { action: string; details: object }[] }>(admin, query, { id: made.id })
  expect(entries.value.nodes).toMatchObject([{ action: 'approveProposal', details: { proposal: value.id } }])
})
