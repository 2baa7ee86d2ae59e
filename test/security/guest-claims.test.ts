import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import {
  startConversationFixture,
  texts,
  until,
  type ConversationFixture,
} from '../conversations/conversation-fixture.js'

// What a visitor says of itself is nobody's proof (4.7, 2.12): it takes over nothing, and is told of nobody else.
let fixture: ConversationFixture
let service: string
let form: string

beforeAll(async () => {
  fixture = await startConversationFixture()
  service = (await fixture.rest(fixture.admin, 'POST', '/v2/services', { type: 'web', params: {} })).body.id
  const { body } = await fixture.rest(fixture.admin, 'POST', '/v2/forms', {
    name: 'Callback',
    isStatic: true,
    fields: [{ key: 'mail', label: 'Mail', type: 'email', profileField: 'email' }],
  })
  form = body.id
})
afterAll(() => fixture.close())

const TOUCHPOINTS = 'touchpoints { web { selected } email { selected } sms { selected } messenger { selected } }'

interface Guest {
  token: string
  contact: string
  conversation: string
}
async function visit(profile: object | null = null): Promise<Guest> {
  const { value, message } = await fixture.run<{
    tokens: { token: string }
    contactId: string
    conversationId: string
  }>(
    null,
    `mutation ($service: ID!, $profile: GuestProfileInput) { startGuestSession(service: $service, profile: $profile) {
      tokens { token } contactId conversationId } }`,
    { service, profile },
  )
  if (message) throw new Error(message)
  return { token: value.tokens.token, contact: value.contactId, conversation: value.conversationId }
}
const contactOf = async (id: string) => {
  const { value } = await fixture.run<{ profile: { email: string | null }; meta: Record<string, unknown> | null }>(
    fixture.bot,
    'query ($id: ID!) { contact(id: $id) { profile { email telephone } meta } }',
    { id },
  )
  return value
}

let people = 0
async function known(): Promise<{ email: string; contactId: string }> {
  const email = `known-${people++}@example.com`
  const { contactId } = await fixture.create({ contact: { profile: { name: 'Known', email } } })
  return { email, contactId }
}
const identify = (guest: Guest, profile: object) =>
  fixture.run(guest.token, 'mutation ($p: GuestProfileInput!) { identifyGuest(profile: $p) }', { p: profile })
const field = (guest: Guest, email: string) =>
  fixture.send(guest.token, guest.conversation, { type: 'FIELD', text: `.email ${email}`, meta: { key: 'email' } })
const formField = (guest: Guest, email: string) =>
  fixture.send(guest.token, guest.conversation, { type: 'FIELD', text: `.mail ${email}`, meta: { form } })

/** Jobs run behind the answers: waits until agents have been told of as many claims. */
const settle = (conversation: string, words: string, times = 1) =>
  until(
    () => fixture.show(conversation),
    (shown) =>
      texts(shown).filter((text) => text?.startsWith('The visitor says') && text.includes(words)).length >= times,
  )

describe.each([
  ['identifyGuest', (guest: Guest, email: string) => identify(guest, { email })],
  ['a field message', field],
  ['a field of a form', formField],
])('%s', (_, say) => {
  it('replaces no known address: mail still goes to the old one', async () => {
    const guest = await visit()
    const own = `own-${people++}@example.com`
    expect((await say(guest, own)).code).toBeUndefined()
    await settle(guest.conversation, own)
    expect((await say(guest, 'thief@example.com')).code).toBeUndefined()
    await settle(guest.conversation, 'thief@example.com')
    expect(await contactOf(guest.contact)).toMatchObject({
      profile: { email: own },
      meta: { _unverified: { email: 'thief@example.com' } },
    })
  })

  it("does not take another contact's address, and agents see the claim", async () => {
    const { email, contactId } = await known()
    const guest = await visit()
    await say(guest, email)
    expect(texts(await settle(guest.conversation, '/import')).at(-1)).toContain(email)
    expect(await contactOf(guest.contact)).toMatchObject({ profile: { email: null }, meta: { _unverified: { email } } })
    expect((await contactOf(contactId)).profile.email).toBe(email)
  })

  it('shows the guest the same whether a contact has the address or none', async () => {
    const seen: unknown[] = []
    for (const isKnown of [true, false]) {
      const email = isKnown ? (await known()).email : `unknown-${people++}@example.com`
      const another = `another-${people++}@example.com`
      const guest = await visit()
      const answers: unknown[] = []
      const hide = (value: unknown): unknown =>
        JSON.parse(
          JSON.stringify(value)
            .replaceAll(email, 'FIRST')
            .replaceAll(another, 'SECOND')
            .replace(/[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/g, 'ID')
            .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME')
            .replace(/"(slug|url|name)":"[^"]*"/g, '"$1":"NAME"'),
        )
      for (const [said, times] of [
        [email, 1],
        [another, 1],
        [email, 2],
      ] as const) {
        answers.push(hide(await say(guest, said)))
        await settle(guest.conversation, said, times)
        // The same again tells nothing anew.
        answers.push(hide(await say(guest, said)))
        await until(
          () => fixture.server.database.query('select 1 from job where run_at <= now()'),
          (jobs) => jobs.length === 0,
        )
        answers.push(hide(await fixture.send(guest.token, guest.conversation, { text: 'hello' })))
        const { value } = await fixture.run(
          guest.token,
          `query ($id: ID!) { conversation(id: $id) {
          id status name ${TOUCHPOINTS} meta queuedAt preview contact { profile { name email telephone } meta status }
          messages(first: 50) { edges { cursor node { position text type role likes } } } } }`,
          { id: guest.conversation },
        )
        answers.push(
          JSON.parse(
            JSON.stringify(hide(value))
              .replace(/"cursor":"[^"]*"/g, '')
              .replace(/\{,/g, '{'),
          ),
        )
      }
      seen.push(answers)
    }
    expect(seen[0]).toEqual(seen[1])
  })
})

it('a session that begins with an address shows the same, too', async () => {
  const seen: unknown[] = []
  for (const isKnown of [true, false]) {
    const email = isKnown ? (await known()).email : `unknown-${people++}@example.com`
    const guest = await visit({ email })
    await settle(guest.conversation, email)
    const { value } = await fixture.send(guest.token, guest.conversation, { text: 'hello' })
    const { value: shown } = await fixture.run<{ touchpoints: object }>(
      guest.token,
      `query ($id: ID!) { conversation(id: $id) { ${TOUCHPOINTS} } }`,
      { id: guest.conversation },
    )
    seen.push([value.position, shown.touchpoints])
  }
  expect(seen[0]).toEqual(seen[1])
})

describe('a field message of others', () => {
  it('is a claim when a bot relays it, or when its sender may not change contacts', async () => {
    const { email } = await known()
    const viewer = await fixture.makeAgent({ role: 'viewer' })
    for (const [as, role] of [
      [fixture.bot, 'CONTACT'],
      [fixture.ann, 'CONTACT'],
      [viewer, 'BOT'],
    ] as const) {
      const { id, contactId } = await fixture.create()
      const before = (await contactOf(contactId)).profile.email
      const { code } = await fixture.send(as, id, {
        type: 'FIELD',
        role,
        text: `.email ${email}`,
        meta: { key: 'email' },
      })
      expect(code).toBeUndefined()
      await settle(id, email)
      expect(await contactOf(contactId)).toMatchObject({ profile: { email: before }, meta: { _unverified: { email } } })
    }
  })

  it('of an agent or a bot on its own behalf changes the contact', async () => {
    const { id, contactId } = await fixture.create()
    const email = `changed-${people++}@example.com`
    await fixture.send(fixture.ann, id, { type: 'FIELD', text: `.email ${email}`, meta: { key: 'email' } })
    const changed = await until(
      () => contactOf(contactId),
      ({ profile }) => profile.email === email,
    )
    expect(changed.meta).toBeNull()
  })
})
