import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { startConversationFixture, type ConversationFixture } from '../conversations/conversation-fixture.js'

// Forms are fetched by administrators only (section 5): who is no agent learns neither which there are nor what they ask.
let fixture: ConversationFixture
let secret: string
let viewer: string
let narrow: string
beforeAll(async () => {
  fixture = await startConversationFixture()
  secret = await makeForm('Layoffs')
  viewer = await fixture.tokenFor(await fixture.makeAgent({ role: 'viewer' }))
  const { value } = await fixture.run<{ apiToken: string }>(
    fixture.admin,
    'mutation ($input: CreateUserInput!) { createUser(input: $input) { apiToken } }',
    { input: { email: 'narrow@example.com', role: 'BOT', scopes: ['guest'] } },
  )
  narrow = value.apiToken
})
afterAll(() => fixture.close())

async function makeForm(name: string): Promise<string> {
  const { value } = await fixture.run<{ id: string }>(
    fixture.admin,
    'mutation ($input: CreateFormInput!) { createForm(input: $input) { id } }',
    { input: { name, fields: [{ key: 'who', label: 'Who goes first?' }] } },
  )
  return value.id
}

async function guestOf(id: string): Promise<string> {
  const { value } = await fixture.run<{ token: string }>(
    fixture.bot,
    'mutation ($id: ID!) { createGuestToken(conversation: $id) { token } }',
    { id },
  )
  return value.token
}

/** Returns what the sender is told, without what it sent itself. */
async function told(as: string, id: string, message: object, named: string): Promise<unknown> {
  const { code, message: words, details } = await fixture.send(as, id, message)
  return JSON.parse(
    JSON.stringify([code, words, details])
      .replaceAll(named, 'NAMED')
      .replace(/"requestId":"[^"]*"/, '""'),
  )
}

const click = (payload: object) => {
  const text = JSON.stringify(payload)
  return { type: 'POSTBACK', text, actions: [{ type: 'POSTBACK', text: 'Click', payload: text }] }
}
const UNKNOWN_ID = '019aa000-0000-7000-8000-000000000000'
const PROBES: [how: string, probe: (named: string) => object, isId: boolean][] = [
  ['a form message', (named) => ({ type: 'FORM', text: `+${named}` }), false],
  ['the removal of a form', (named) => ({ type: 'FORM', text: `-${named}` }), false],
  ['a form message with its id', (named) => ({ type: 'FORM', text: '+x', meta: { form: named } }), true],
  ['a form message with its name in meta', (named) => ({ type: 'FORM', meta: { form: named } }), false],
  ['a field message', (named) => ({ type: 'FIELD', text: '.who me', meta: { form: named } }), false],
  ['a field message with its id', (named) => ({ type: 'FIELD', text: '.who me', meta: { form: named } }), true],
]

describe('a form that the conversation does not have', () => {
  it.each(PROBES)('answers as one that does not exist: %s', async (_how, probe, isId) => {
    const { id } = await fixture.create()
    const [there, not] = isId ? [secret, UNKNOWN_ID] : ['Layoffs', 'Layouts']
    for (const token of [await guestOf(id), viewer, narrow]) {
      const answer = await told(token, id, probe(there), there)
      expect(answer).toEqual(await told(token, id, probe(not), not))
      expect((answer as unknown[])[0]).toBe('NOT_FOUND')
    }
    const { value } = await fixture.run<{ forms: unknown[] }>(
      fixture.admin,
      'query ($id: ID!) { conversation(id: $id) { forms { name } } }',
      { id },
    )
    expect(value.forms).toEqual([])
  })

  it('answers a guest as one that does not exist where it makes up a button', async () => {
    const { id } = await fixture.create()
    const guest = await guestOf(id)
    const answers = await Promise.all(
      ['Layoffs', 'Layouts'].map((name) => told(guest, id, click({ type: 'form', text: `+${name}` }), name)),
    )
    expect(answers[0]).toEqual(answers[1])
    expect((answers[0] as unknown[])[0]).toBe('NOT_FOUND')
  })

  it('is added by an agent, by a bot, and by a button that one of them offers to the guest', async () => {
    for (const as of [fixture.ann, fixture.bot]) {
      const { id } = await fixture.create()
      expect((await fixture.send(as, id, { type: 'FORM', text: '+Layoffs' })).code).toBeUndefined()
      const meta = { form: secret }
      expect((await fixture.send(await guestOf(id), id, { type: 'FIELD', text: '.who me', meta })).code).toBeUndefined()
    }
    const { id } = await fixture.create()
    const { text, actions } = click({ type: 'form', text: '+Layoffs' })
    await fixture.send(fixture.bot, id, { role: 'BOT', text: 'Shall we?', actions })
    expect((await fixture.send(await guestOf(id), id, { type: 'POSTBACK', text, actions })).code).toBeUndefined()
    const { value } = await fixture.run<{ forms: { name: string }[] }>(
      fixture.admin,
      'query ($id: ID!) { conversation(id: $id) { forms { name } } }',
      { id },
    )
    expect(value.forms).toMatchObject([{ name: 'Layoffs' }])
  })

  it('shows a viewer nothing of a form that it names itself, even one that the conversation has', async () => {
    const { id } = await fixture.create()
    await fixture.send(fixture.ann, id, { type: 'FORM', isBackchannel: true, text: '+Layoffs' })
    const { code, value } = await fixture.send(viewer, id, { type: 'FORM', text: '+Layoffs' })
    expect([code, value ?? null]).toEqual(['NOT_FOUND', null])
  })
})

describe('a category that the conversation does not have', () => {
  it.each([
    ['a form message', 'FORM', 'category'],
    ['a field message', 'FIELD', 'category'],
    ['a field message by its position', 'FIELD', 'categoryIndex'],
  ])('answers a guest and a viewer as one that does not exist: %s', async (_how, type, key) => {
    await fixture.run(
      fixture.admin,
      'mutation ($id: ID!) { updateOrganization(id: $id, patch: { categories: [{ name: "Takeover" }] }) { id } }',
      { id: fixture.organization.id },
    )
    const { id } = await fixture.create()
    await fixture.send(fixture.ann, id, { type: 'FORM', text: '+Layoffs' })
    const [there, not] = key === 'category' ? ['Takeover', 'Makeover'] : [0, 77]
    const text = type === 'FORM' ? '+Layoffs' : '.who me'
    const probe = (named: string | number): object => ({ type, text, meta: { form: secret, [key]: named } })
    for (const token of [await guestOf(id), viewer, narrow]) {
      const answer = await told(token, id, probe(there), JSON.stringify(there).replaceAll('"', ''))
      expect(answer).toEqual(await told(token, id, probe(not), JSON.stringify(not).replaceAll('"', '')))
      expect(['UNPROCESSABLE', 'NOT_FOUND']).toContain((answer as unknown[])[0])
    }
  })
})
