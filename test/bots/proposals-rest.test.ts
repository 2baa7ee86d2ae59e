import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { must, startConversationFixture, type ConversationFixture } from '../conversations/conversation-fixture.js'
import type { MadeUser } from '../support/factories.js'
import { suggesting } from './copilot-fixture.js'

interface Shown extends Record<string, unknown> {
  id: string
  hash: string
}

let fixture: ConversationFixture
let by: ReturnType<typeof suggesting>
let bot: MadeUser
beforeAll(async () => {
  fixture = await startConversationFixture()
  by = suggesting(fixture)
  bot = await by.governed(['REPLY', 'SET', 'NOTE'].map((action) => ({ action, mode: 'APPROVE' })))
})
afterAll(async () => {
  await fixture?.close()
})

const call = (as: MadeUser | string, method: string, path: string, body?: object, headers?: Record<string, string>) =>
  fixture.rest(as, method, path, body, headers)
const pathOf = (conversation: string): string => `/v2/conversations/${conversation}/proposals`
const tagOf = async (conversation: string, as: MadeUser = bot): Promise<string> =>
  (await call(as, 'GET', `/v2/conversations/${conversation}`)).headers.get('etag')!
async function proposed(conversation: string, body: object): Promise<Shown> {
  const answer = await call(bot, 'POST', pathOf(conversation), body, { 'if-match': await tagOf(conversation) })
  expect([answer.status, answer.body]).toEqual([201, expect.anything()])
  return answer.body as Shown
}

it('what a bot proposed is approved once, for what its hash names', async () => {
  const { id } = await by.waiting()
  const made = await proposed(id, { message: { role: 'agent', text: 'On its way.' } })
  expect(made).toMatchObject({
    ...{ conversation: id, bot: bot.id, kind: 'reply', action: 'reply', status: 'pending' },
    ...{ text: 'On its way.', input: { role: 'agent', text: 'On its way.' } },
  })
  expect((await call(fixture.ann, 'GET', pathOf(id))).body).toEqual([made])
  const one = `/v2/proposals/${made.id}`
  expect((await call(fixture.ann, 'GET', `${one}?populate=bot`)).body).toMatchObject({ bot: { id: bot.id } })
  const approve = (hash: string, as: MadeUser | string = fixture.ann) => call(as, 'POST', `${one}/approve`, { hash })
  expect(await approve(`${made.hash}0`)).toMatchObject({ status: 422, body: { reason: 'HASH_DIFFERS' } })
  expect(await approve(made.hash, bot)).toMatchObject({ status: 403, body: { reason: 'PERSON_REQUIRED' } })
  const approved = await approve(made.hash)
  expect([approved.status, approved.body]).toMatchObject([200, { status: 'approved', decidedBy: fixture.ann.id }])
  expect((await call(fixture.ann, 'GET', one)).body).toEqual(approved.body)
  expect(await approve(made.hash, fixture.ben)).toMatchObject({ status: 422, body: { reason: 'PROPOSAL_ENDED' } })
  expect(await by.textsOf(id)).toEqual(['hello', 'On its way.'])
  expect((await call(fixture.ann, 'GET', pathOf(id))).body).toEqual([])
})

it('is not proposed for a state that the bot did not see', async () => {
  const { id } = await by.waiting()
  const seen = await tagOf(id)
  await must(fixture.send(fixture.admin, id, { role: 'CONTACT', text: 'wait' }))
  for (const body of [{ message: { role: 'agent', text: 'On its way.' } }, { suggestion: { summary: 'Waits.' } }])
    expect(await call(bot, 'POST', pathOf(id), body, { 'if-match': seen })).toMatchObject({
      status: 412,
      body: { reason: 'MOVED_ON', field: 'If-Match', news: [{}] },
    })
  const mark = await by.markOf(id, bot)
  expect(await call(bot, 'POST', pathOf(id), { suggestion: { summary: 'Waits.' }, mark })).toMatchObject({
    status: 201,
    body: { kind: 'summary' },
  })
})

it('has one mark, of its own conversation', async () => {
  const [{ id }, other] = [await by.waiting(), await by.waiting()]
  const message = { role: 'agent', text: 'On its way.' }
  const [mark, etag] = [await by.markOf(id, bot), await tagOf(id)]
  const tried = async (body: object, ifMatch?: string): Promise<unknown> => {
    const answer = await call(bot, 'POST', pathOf(id), body, ifMatch === undefined ? {} : { 'if-match': ifMatch })
    return [answer.status, (answer.body as { field?: string }).field]
  }
  for (const body of [{ message }, { suggestion: { summary: 'Waits.' } }])
    expect(await tried({ ...body, mark }, etag)).toEqual([400, 'If-Match'])
  expect(await tried({ message: { ...message, mark }, mark })).toEqual([400, 'mark'])
  expect(await tried({ message, mark: 'no mark' })).toEqual([400, 'mark'])
  expect(await tried({ message, mark: await by.markOf(other.id, bot) })).toEqual([400, 'mark'])
  expect(await tried({ message })).toEqual([400, 'message.mark'])
  const messages = `/v2/conversations/${id}/messages`
  expect(await call(bot, 'POST', messages, { ...message, mark }, { 'if-match': etag })).toMatchObject({
    status: 400,
    body: { field: 'If-Match' },
  })
})

it('is made once for each key', async () => {
  const { id } = await by.waiting()
  const [body, mark] = [{ suggestion: { fields: { order: 7 } } }, await by.markOf(id, bot)]
  const twice = [1, 2].map(() => call(bot, 'POST', pathOf(id), { ...body, mark }, { 'idempotency-key': `once-${id}` }))
  const [first, second] = await Promise.all(twice)
  expect(first!.body).toEqual(second!.body)
  expect((await call(fixture.ann, 'GET', pathOf(id))).body).toHaveLength(1)
})

it('what is suggested is taken by a person, or rejected', async () => {
  const { id } = await by.waiting()
  const fields = await proposed(id, { suggestion: { fields: { order: 7 } } })
  const summary = await proposed(id, { suggestion: { summary: 'Asks for the order.' } })
  const decide = (of: Shown, how: string, as: MadeUser = fixture.ann) =>
    call(as, 'POST', `/v2/proposals/${of.id}/${how}`)
  expect(await decide(summary, 'take')).toMatchObject({ status: 422, body: { reason: 'PROPOSAL_KIND' } })
  expect(await decide(fields, 'take')).toMatchObject({ status: 200, body: { outcome: 'accepted', status: 'taken' } })
  expect((await call(fixture.ann, 'GET', `/v2/conversations/${id}`)).body).toMatchObject({ meta: { order: 7 } })
  expect(await decide(summary, 'reject')).toMatchObject({ status: 200, body: { outcome: 'rejected' } })
  expect(await decide(summary, 'reject')).toMatchObject({ status: 422, body: { reason: 'PROPOSAL_ENDED' } })
})

it('is asked for by agents, where a bot listens', async () => {
  const { id } = await by.waiting()
  const ask = (kind: string) => call(fixture.ann, 'POST', `${pathOf(id)}/request`, { kind })
  expect(await ask('reply')).toMatchObject({ status: 422, body: { reason: 'NOBODY_LISTENS' } })
  expect(await ask('act')).toMatchObject({ status: 400, body: { field: 'kind' } })
  await call(fixture.admin, 'POST', '/v2/services', {
    name: 'Assistant',
    type: 'events',
    organization: fixture.organization.id,
    params: { events: ['proposal.requested'] },
  })
  expect(await ask('reply')).toMatchObject({ status: 200, body: { conversation: id, kind: 'reply' } })
})

it('is nobody else’s', async () => {
  const { id } = await by.waiting()
  const made = await proposed(id, { message: { role: 'agent', text: 'On its way.' } })
  const elsewhere = await fixture.makeUser({ organization: await fixture.makeOrganization(), role: 'admin' })
  const foreign = await fixture.makeUser({ organization: elsewhere.organization, role: 'bot' })
  for (const [method, path, body] of [
    ['GET', `/v2/proposals/${made.id}`],
    ['GET', pathOf(id)],
    ['POST', `/v2/proposals/${made.id}/approve`, { hash: made.hash }],
    ['POST', `/v2/proposals/${made.id}/take`],
    ['POST', `/v2/proposals/${made.id}/reject`],
    ['POST', `${pathOf(id)}/request`, { kind: 'reply' }],
    ['POST', pathOf(id), { message: { text: 'mine' }, mark: await by.markOf(id) }],
  ] as const)
    expect([path, (await call(path === pathOf(id) ? foreign : elsewhere, method, path, body)).status]).toEqual([
      path,
      404,
    ])
  expect((await call(fixture.ann, 'GET', '/v2/proposals/no-id')).status).toBe(404)
  expect(await call(fixture.ann, 'POST', pathOf(id), { message: { text: 'mine' } })).toMatchObject({ status: 403 })
  expect(await call(bot, 'POST', pathOf(id), { message: { text: 'x' }, unheard: 1 })).toMatchObject({
    status: 400,
    body: { field: 'unheard' },
  })
  expect((await call(fixture.ann, 'GET', pathOf(id))).body).toEqual([made])
})
