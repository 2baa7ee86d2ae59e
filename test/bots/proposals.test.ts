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
import { acting, governing, refused, type Line } from './governed-bot.js'

const SHOWN = 'id conversationId botId action text input hash status decidedById messageId'
const PROPOSE = `mutation ($id: ID!, $message: MessageInput!, $key: String) {
  propose(conversation: $id, message: $message, idempotencyKey: $key) { ${SHOWN} } }`
const APPROVE = `mutation ($proposal: ID!, $hash: String!) { approveProposal(proposal: $proposal, hash: $hash) { ${SHOWN} } }`
const REJECT = `mutation ($proposal: ID!) { rejectProposal(proposal: $proposal) { ${SHOWN} } }`
const READ = `query ($id: ID!) { proposal(id: $id) { ${SHOWN} } }`
const MAY: Line[] = [
  { action: 'REPLY', mode: 'APPROVE' },
  { action: 'SET', mode: 'APPROVE' },
]

interface Proposal {
  id: string
  conversationId: string
  botId: string
  action: string
  text: string
  input: Record<string, unknown>
  hash: string
  status: string
  decidedById: string | null
  messageId: string | null
}

/** Two nodes on one database, without Redis. */
let fixture: ConversationFixture
let other: TestServer
let by: ReturnType<typeof governing>
let bot: MadeUser
beforeAll(async () => {
  fixture = await startConversationFixture()
  other = await startTestServer({}, { beside: fixture })
  by = governing(fixture)
  bot = await governed()
  await fixture.rest(fixture.admin, 'PATCH', `/v2/organizations/${fixture.organization.id}`, {
    categories: [{ name: 'Billing' }],
  })
})
afterAll(async () => {
  await other?.close()
  await fixture?.close()
})

const governed = (grants = MAY) => by.governed(grants)
const waiting = () => by.waiting()
const textsOf = (id: string) => by.textsOf(id)
const markOf = (id: string, as?: MadeUser) => by.markOf(id, as)
const tryPropose = async (id: string, message: object = {}, as = bot, key?: string): Promise<Outcome<Proposal>> =>
  fixture.run<Proposal>(as, PROPOSE, {
    id,
    message: { role: 'AGENT', text: 'Your order is on its way.', mark: await markOf(id), ...message },
    key,
  })
const proposed = async (id: string, message: object = {}, as = bot): Promise<Proposal> => {
  const { value, code, message: why } = await tryPropose(id, message, as)
  if (code) throw new Error(`${code}: ${why}`)
  return value
}
const approve = ({ id, hash }: Pick<Proposal, 'id' | 'hash'>, as: MadeUser | string = fixture.ann) =>
  fixture.run<Proposal>(as, APPROVE, { proposal: id, hash })
const reject = ({ id }: Pick<Proposal, 'id'>, as: MadeUser | string = fixture.ann) =>
  fixture.run<Proposal>(as, REJECT, { proposal: id })
const statusOf = async ({ id }: Pick<Proposal, 'id'>) =>
  (await fixture.run<Proposal>(fixture.ann, READ, { id })).value.status
const pendingIn = async (id: string, as: MadeUser | string = fixture.ann): Promise<string[]> => {
  const query = 'query ($id: ID!) { conversation(id: $id) { proposals { id } } }'
  const { value } = await fixture.run<{ proposals: { id: string }[] }>(as, query, { id })
  return value.proposals.map((each) => each.id)
}

describe('what a bot proposes', () => {
  it('is done once a person approves it: the bot is the author, the approver stands beside it', async () => {
    const { id } = await waiting()
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
    expect(await pendingIn(id)).toEqual([proposal.id])
    expect(await textsOf(id)).toEqual(['hello'])
    const { value } = await approve(proposal)
    expect(value).toMatchObject({
      id: proposal.id,
      status: 'APPROVED',
      decidedById: fixture.ann.id,
      text: null,
      input: {},
    })
    expect(await textsOf(id)).toEqual(['hello', 'Your order is on its way.'])
    expect(await pendingIn(id)).toEqual([])
    const query = 'query ($id: ID!) { message(id: $id) { user { id } isAutomated approvedById } }'
    expect((await fixture.run(fixture.admin, query, { id: value.messageId })).value).toEqual({
      user: { id: bot.id },
      isAutomated: true,
      approvedById: fixture.ann.id,
    })
    expect((await fixture.show(id)).participants.find(({ accepted }) => accepted)?.userId).toBe(bot.id)
  })

  it('may be a command', async () => {
    const { id } = await waiting()
    const proposal = await proposed(id, { type: 'COMMAND', role: 'BOT', text: '/set @category Billing' })
    expect(proposal).toMatchObject({ action: 'SET', text: '/set @category Billing' })
    expect(await approve(proposal)).not.toHaveProperty('code')
    expect((await fixture.show(id)).category).toBe('Billing')
  })

  it('may be to close what was answered', async () => {
    const closing = await governed([
      { action: 'REPLY', mode: 'ACT' },
      { action: 'CLOSE', mode: 'APPROVE' },
    ])
    const { id } = await waiting()
    await must(fixture.send(closing, id, { role: 'AGENT', text: 'It is on its way.' }))
    expect(await fixture.command(closing, id, '/close')).toMatchObject(refused('CLOSE', 'APPROVE'))
    const proposal = await proposed(id, { type: 'COMMAND', role: 'BOT', text: '/close' }, closing)
    expect(proposal).toMatchObject({ action: 'CLOSE' })
    await must(approve(proposal))
    expect((await fixture.show(id)).status).toBe('CLOSED')
  })

  it('is stale without having been decided by whoever was too late', async () => {
    const { id } = await waiting()
    const proposal = await proposed(id)
    await must(fixture.command(fixture.ben, id, '/accept'))
    expect(await approve(proposal)).toMatchObject({ details: { reason: 'PROPOSAL_STALE' } })
    expect((await fixture.run<Proposal>(fixture.ann, READ, { id: proposal.id })).value).toMatchObject({
      status: 'STALE',
      decidedById: null,
    })
  })

  it('is refused the second time, whoever approves it', async () => {
    const { id } = await waiting()
    const proposal = await proposed(id)
    const both = await Promise.all([approve(proposal), approve(proposal, fixture.ben)])
    expect(both.map(({ details }) => details.reason).toSorted()).toEqual(['PROPOSAL_ENDED', undefined])
    expect(await approve(proposal)).toMatchObject({ details: { reason: 'PROPOSAL_ENDED', status: 'APPROVED' } })
    expect(await reject(proposal)).toMatchObject({ details: { reason: 'PROPOSAL_ENDED' } })
    expect(await textsOf(id)).toHaveLength(2)
  })

  it('is done for exactly the state that the bot saw: after a message or an edit of others it is stale', async () => {
    const written = await waiting()
    const first = await proposed(written.id)
    await fixture.send(fixture.admin, written.id, { role: 'CONTACT', text: 'never mind' })
    expect(await approve(first)).toMatchObject({
      code: 'UNPROCESSABLE',
      details: { reason: 'PROPOSAL_STALE', news: [{ kind: 'CONSUMER' }] },
    })
    expect(await statusOf(first)).toBe('STALE')
    expect(await approve(first)).toMatchObject({ details: { reason: 'PROPOSAL_STALE', news: [{ kind: 'CONSUMER' }] } })
    const edited = await waiting()
    const note = await fixture.send(fixture.ben, edited.id, { isBackchannel: true, text: 'refund them' })
    const second = await proposed(edited.id)
    const edit = 'mutation ($id: ID!) { updateMessage(id: $id, patch: { text: "do not refund" }) { id } }'
    expect(await fixture.run(fixture.admin, edit, { id: note.value.id })).not.toHaveProperty('code')
    expect(await approve(second)).toMatchObject({ details: { reason: 'PROPOSAL_STALE', news: [] } })
    expect(await textsOf(written.id)).toEqual(['hello', 'never mind'])
    const own = await governed([...MAY, ...acting('NOTE')])
    const noted = await waiting()
    const third = await proposed(noted.id, {}, own)
    await fixture.send(own, noted.id, { isBackchannel: true, text: 'it is about another order' })
    expect(await approve(third)).toMatchObject({ details: { reason: 'PROPOSAL_STALE', news: [{ kind: 'NOTE' }] } })
  })

  it('is proposed for the state that is there: what the bot did since its mark is no news, what others did is', async () => {
    const own = await governed([...MAY, ...acting('NOTE')])
    const { id } = await waiting()
    const mark = await markOf(id)
    await fixture.send(own, id, { isBackchannel: true, text: 'it is about an order' })
    const proposal = await proposed(id, { mark }, own)
    expect(await approve(proposal)).toMatchObject({ value: { status: 'APPROVED' } })
    const other = await waiting()
    const before = await markOf(other.id)
    await fixture.send(own, other.id, { isBackchannel: true, text: 'it is about an order' })
    await fixture.send(fixture.ben, other.id, { isBackchannel: true, text: 'it is not' })
    expect(await tryPropose(other.id, { mark: before }, own)).toMatchObject({ details: { reason: 'MOVED_ON' } })
  })

  it('is refused with the hash of another', async () => {
    const [one, two] = [await proposed((await waiting()).id), await proposed((await waiting()).id)]
    expect(await approve({ id: one.id, hash: two.hash })).toMatchObject({
      details: { reason: 'HASH_DIFFERS', field: 'hash' },
    })
    expect(await statusOf(one)).toBe('PENDING')
  })

  it('is decided by people of the tenant who may do it too, and by no bot', async () => {
    const { id } = await waiting()
    const proposal = await proposed(id)
    const stranger = await fixture.makeUser({ organization: await fixture.makeOrganization(), role: 'admin' })
    const make = 'mutation ($id: ID!) { createGuestToken(conversation: $id) { token } }'
    const guest = (await fixture.run<{ token: string }>(fixture.bot, make, { id })).value.token
    for (const decide of [approve, reject]) {
      for (const as of [bot, fixture.bot])
        expect(await decide(proposal, as)).toMatchObject({ code: 'FORBIDDEN', details: { reason: 'PERSON_REQUIRED' } })
      expect(await decide(proposal, stranger)).toMatchObject({ code: 'NOT_FOUND' })
      expect(await decide(proposal, guest)).toMatchObject({ code: 'FORBIDDEN' })
    }
    expect((await fixture.run(stranger, READ, { id: proposal.id })).code).toBe('NOT_FOUND')
    expect((await fixture.run(guest, READ, { id: proposal.id })).code).toBe('FORBIDDEN')
    expect(await pendingIn(id, guest)).toEqual([])
    expect(await tryPropose(id, {}, fixture.ann)).toMatchObject({ code: 'FORBIDDEN' })
    expect(await reject(proposal, fixture.ben)).toMatchObject({
      value: { status: 'REJECTED', decidedById: fixture.ben.id },
    })
  })

  it('is held like any message, and needs the mark', async () => {
    const { id } = await waiting()
    const mark = await markOf(id)
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
    const { id } = await waiting()
    const first = await proposed(id)
    const second = await proposed(id, { text: 'Better so.' })
    expect(await statusOf(first)).toBe('REPLACED')
    expect(await approve(first)).toMatchObject({ details: { reason: 'PROPOSAL_ENDED' } })
    const others = [await governed(), await governed(), await governed()]
    for (const each of others.slice(1)) await proposed(id, {}, each)
    expect(await tryPropose(id, {}, others[0])).toMatchObject({ details: { reason: 'TOO_MANY' } })
    expect(await pendingIn(id)).toContain(second.id)
  })

  it('is kept once for one idempotency key', async () => {
    const { id } = await waiting()
    const key = crypto.randomUUID()
    const both = [await tryPropose(id, {}, bot, key), await tryPropose(id, {}, bot, key)]
    expect(both[0]!.value.id).toBe(both[1]!.value.id)
  })
})

describe('a grant', () => {
  it('that is withdrawn ends what is proposed, also where the approval waits on another node', async () => {
    const own = await governed()
    const { id } = await waiting()
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
    const { id } = await waiting()
    const proposal = await proposed(id, {}, own)
    await fixture.run(fixture.admin, 'mutation ($id: ID!) { pauseBot(id: $id) { id } }', { id: own.id })
    expect(await approve(proposal)).toMatchObject({ details: { reason: 'PROPOSAL_ENDED' } })
    await until(
      () => statusOf(proposal),
      (status) => status === 'ENDED',
    )
    expect(await tryPropose(id, {}, own)).toMatchObject({ details: { reason: 'BOT_PAUSED' } })
    expect(await textsOf(id)).toEqual(['hello'])
  })
})

it('ends by itself after a day, and with its conversation', async () => {
  const [{ id }, gone] = [await waiting(), await waiting()]
  const [proposal, lost] = [await proposed(id), await proposed(gone.id)]
  await fixture.rest(fixture.admin, 'DELETE', `/v2/conversations/${gone.id}`)
  expect(await approve(lost)).toMatchObject({ code: 'NOT_FOUND' })
  fixture.clock.advance(86_400_000)
  const ann = await fixture.makeAgent()
  const status = async () => (await fixture.run<Proposal>(ann, READ, { id: proposal.id })).value.status
  await until(status, (now) => now === 'ENDED')
  expect(await approve(proposal, ann)).toMatchObject({ details: { reason: 'PROPOSAL_ENDED', status: 'ENDED' } })
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
  const message = { role: 'AGENT', text: 'yes', mark: await markOf(made.id, admin) }
  const { value } = await fixture.run<Proposal>(own, PROPOSE, { id: made.id, message })
  await approve(value, admin)
  const changed = () => watched.events.filter((event) => JSON.stringify(event).includes('ProposalChanged'))
  await until(async () => changed().length >= 2)
  expect(JSON.stringify(changed().at(-1))).toContain('APPROVED')
  await client.dispose()
  const query = `query ($id: String!) { auditEntries(first: 5, filter: { object: { eq: $id } }) { nodes { action details } } }`
  const entries = await fixture.run<{ nodes: { action: string; details: object }[] }>(admin, query, { id: made.id })
  expect(entries.value.nodes).toMatchObject([{ action: 'approveProposal', details: { proposal: value.id } }])
})
