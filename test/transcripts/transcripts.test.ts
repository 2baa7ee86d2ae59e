import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { startConversationFixture, until, type ConversationFixture } from '../conversations/conversation-fixture.js'
import { startMailbox, type Arrived, type Mailbox } from '../support/mailbox.js'

const SEND = `mutation ($id: ID!, $to: String!, $code: String) {
  sendTranscript(conversation: $id, to: $to, code: $code) { to messageCount isShortened } }`
const ASK = 'mutation ($id: ID!, $to: String!) { requestTranscriptCode(conversation: $id, to: $to) }'
const GUEST = 'mutation ($id: ID!) { createGuestToken(conversation: $id) { token } }'
const MERGE = 'mutation ($into: ID!, $origin: ID!) { importConversation(conversation: $into, origin: $origin) { id } }'
const SETTINGS = 'mutation ($input: CreateServiceInput!) { createService(input: $input) { id } }'

let box: Mailbox
let fixture: ConversationFixture
let names = 0
beforeAll(async () => {
  box = await startMailbox()
  fixture = await startConversationFixture({ SMTP_URL: box.url })
})
afterAll(async () => {
  await fixture.close()
  await box.close()
})

const newAddress = () => `consumer-${Date.now()}-${names++}@example.com`
const sendCopy = (as: Parameters<ConversationFixture['run']>[0], id: string, to: string, code?: string) =>
  fixture.run<{ to: string; messageCount: number; isShortened: boolean }>(as, SEND, { id, to, code })
const mailsTo = (address: string): Arrived[] => box.mails.filter(({ to }) => to.includes(address))
const mailTo = (address: string): Promise<Arrived> => until(() => mailsTo(address).at(-1))
const guestOf = async (id: string): Promise<string> =>
  (await fixture.run<{ token: string }>(fixture.admin, GUEST, { id })).value.token

async function begin(email: string | null = newAddress(), texts = ['The crane hums']) {
  const { id } = await fixture.create({
    touchpoint: 'WEB',
    contact: { profile: { name: 'Carl', ...(email ? { email } : { telephone: `+31612${100_000 + names++}` }) } },
    messages: texts.map((text) => ({ role: 'CONTACT', text })),
  })
  await fixture.send(fixture.ann, id, { role: 'AGENT', text: 'Switch it off' })
  await fixture.send(fixture.ann, id, { role: 'AGENT', text: 'He is upset', isBackchannel: true })
  return { id, email: email ?? '' }
}

async function codeFor(guest: string, id: string, to: string): Promise<string> {
  const known = mailsTo(to).length
  const { value, message } = await fixture.run<boolean>(guest, ASK, { id, to })
  expect(message).toBeUndefined()
  expect(value).toBe(true)
  const mail = await until(() => mailsTo(to)[known])
  return /^\d{8}$/m.exec(mail.email.text!)![0]
}

describe('an agent', () => {
  it('mails the contact what it sees, without notes, and shows the team that it did', async () => {
    const { id, email } = await begin()
    const { value } = await sendCopy(fixture.ann, id, email.toUpperCase())
    expect(value).toEqual({ to: email, messageCount: 2, isShortened: false })
    const { email: mail } = await mailTo(email)
    expect(mail.subject).toBe('Your conversation with Acme')
    expect(mail.text).toMatch(/UTC[\s\S]*Carl\nThe crane hums\n\n.*Ann\nSwitch it off/)
    expect(mail.text).not.toContain('upset')
    expect(mail.headers.find(({ key }) => key === 'auto-submitted')?.value).toBe('auto-generated')
    const { messages } = await fixture.show(id)
    const line = messages.edges.map(({ node }) => node).at(-1)!
    expect(line).toMatchObject({ type: 'COMMAND', text: `/transcript ${email}`, userId: fixture.ann.id })
    const guest = await guestOf(id)
    const seen = await fixture.run<{ messages: { edges: { node: { text: string } }[] } }>(
      guest,
      'query ($id: ID!) { conversation(id: $id) { messages(first: 50) { edges { node { text } } } } }',
      { id },
    )
    expect(seen.value.messages.edges.map(({ node }) => node.text)).toEqual(['The crane hums', 'Switch it off'])
  })

  it('tells which reply was clicked by its words, and nothing of a postback, which is not echoed (2.10)', async () => {
    const { id, email } = await begin()
    const actions = [
      { type: 'REPLY', text: 'The red one', payload: 'INTENT_RED' },
      { type: 'POSTBACK', text: 'More boats', payload: 'INTENT_MORE' },
    ]
    const { value: menu } = await fixture.send(fixture.ann, id, { role: 'AGENT', text: 'Which boat?', actions })
    for (const action of [0, 1]) {
      const { code } = await fixture.run(
        fixture.bot,
        `mutation ($id: ID!, $message: ID!, $action: Int!) {
          clickAction(conversation: $id, message: $message, action: $action) { id } }`,
        { id, message: menu.id, action },
      )
      expect(code).toBeUndefined()
    }
    expect((await sendCopy(fixture.ann, id, email)).value.messageCount).toBe(4)
    const { text } = (await mailTo(email)).email
    expect(text).toMatch(/Which boat\?[\s\S]*Carl\nThe red one\n$/)
    expect(text).not.toContain('INTENT')
  })

  it('sends it once for repeated requests, and three a day', async () => {
    const { id, email } = await begin()
    for (const _ of [1, 2]) expect((await sendCopy(fixture.ann, id, email)).code).toBeUndefined()
    await mailTo(email)
    for (let sent = 1; sent < 3; sent += 1) {
      fixture.clock.advance(61_000)
      expect((await sendCopy(fixture.ann, id, email)).code).toBeUndefined()
    }
    await until(() => mailsTo(email).length === 3)
    fixture.clock.advance(61_000)
    expect(await sendCopy(fixture.ann, id, email)).toMatchObject({ code: 'RATE_LIMITED' })
    expect(mailsTo(email)).toHaveLength(3)
  })

  it('sends it to nobody else, and not of what has no consumer or is blocked', async () => {
    const { id, email } = await begin()
    expect(await sendCopy(fixture.ann, id, 'eve@example.com')).toMatchObject({
      code: 'UNPROCESSABLE',
      details: { reason: 'OTHER_ADDRESS', field: 'to' },
    })
    expect(await sendCopy(fixture.ann, id, 'a@b@c')).toMatchObject({ code: 'BAD_USER_INPUT', details: { field: 'to' } })
    const without = await begin(null)
    expect(await sendCopy(fixture.ann, without.id, email)).toMatchObject({ details: { reason: 'OTHER_ADDRESS' } })
    const other = await fixture.makeUser({ organization: await fixture.makeContactCenter(), role: 'admin' })
    expect((await sendCopy(other, id, email)).code).toBe('NOT_FOUND')
    await fixture.command(fixture.ann, id, '/block')
    expect(await sendCopy(fixture.ann, id, email)).toMatchObject({ details: { reason: 'CONTACT_BLOCKED' } })
    expect(mailsTo(email)).toEqual([])
  })

  it('names each agent who answered, and opens with the words of a bot that it is one', async () => {
    const { id, email } = await begin()
    const disclosure = 'I am a computer'
    const set = await fixture.run(
      fixture.admin,
      'mutation ($id: ID!, $words: JSONObject!) { updateUser(id: $id, patch: { disclosure: $words }) { id } }',
      { id: fixture.bot.id, words: { en: disclosure } },
    )
    expect(set.message).toBeUndefined()
    await fixture.command(fixture.ben, id, '/accept')
    await fixture.send(fixture.ben, id, { role: 'AGENT', text: 'Ben here' })
    await fixture.send(fixture.bot, id, { role: 'AGENT', text: 'Beep' })
    expect((await sendCopy(fixture.ann, id, email)).message).toBeUndefined()
    const { text } = (await mailTo(email)).email
    expect(text).toMatch(/ Ann\nSwitch it off/)
    expect(text).toMatch(/ Ben\nBen here/)
    expect(text).toMatch(/ Bot \(automated\)\nI am a computer\n\nBeep/)
  })

  it('holds no answer of a colleague who has not seen it', async () => {
    const { id, email } = await begin()
    const { value } = await fixture.run<{ mark: string }>(
      fixture.ann,
      'query ($id: ID!) { conversation(id: $id) { mark } }',
      { id },
    )
    expect((await sendCopy(fixture.ben, id, email)).code).toBeUndefined()
    const sent = await fixture.send(fixture.ann, id, { role: 'AGENT', text: 'Better now?', mark: value.mark })
    expect(sent.message).toBeUndefined()
  })

  it('leaves out earlier messages of a very long conversation, and says so', async () => {
    const { id, email } = await begin(
      newAddress(),
      Array.from({ length: 4 }, (_, at) => `${at}${'x'.repeat(60_000)}`),
    )
    const { value } = await sendCopy(fixture.ann, id, email)
    expect(value).toEqual({ to: email, messageCount: 4, isShortened: true })
    expect((await mailTo(email)).email.text).toContain('Earlier messages are left out.')
  })
})

describe('a guest', () => {
  it('has a copy mailed to an address that it proves by a code', async () => {
    const { id } = await begin(null)
    const guest = await guestOf(id)
    const to = newAddress()
    expect(await sendCopy(guest, id, to)).toMatchObject({ code: 'BAD_USER_INPUT', details: { field: 'code' } })
    const code = await codeFor(guest, id, to)
    expect(await sendCopy(guest, id, to, '00000000')).toMatchObject({ details: { reason: 'CODE_WRONG' } })
    expect(await sendCopy(guest, id, newAddress(), code)).toMatchObject({ details: { reason: 'CODE_WRONG' } })
    const spaced = `${code.slice(0, 4)} ${code.slice(4)}`
    expect((await sendCopy(guest, id, to, spaced)).value).toMatchObject({ to, messageCount: 2 })
    await until(() => mailsTo(to).some(({ email }) => email.text!.includes('Switch it off')))
    const other = await begin()
    expect(await sendCopy(await guestOf(other.id), other.id, to, code)).toMatchObject({
      details: { reason: 'CODE_WRONG' },
    })
    expect((await sendCopy(guest, other.id, to, code)).code).toBe('NOT_FOUND')
  })

  it('gets a code of its own time only', async () => {
    const { id } = await begin(null)
    const to = newAddress()
    const code = await codeFor(await guestOf(id), id, to)
    fixture.clock.advance(31 * 60_000)
    expect(await sendCopy(await guestOf(id), id, to, code)).toMatchObject({ details: { reason: 'CODE_WRONG' } })
  })

  it('tries ten codes an hour, and has few mailed to an address', async () => {
    const { id } = await begin(null)
    const guest = await guestOf(id)
    const to = newAddress()
    for (let tries = 0; tries < 10; tries += 1) {
      expect(await sendCopy(guest, id, to, '1')).toMatchObject({ details: { reason: 'CODE_WRONG' } })
    }
    expect((await sendCopy(guest, id, to, '1')).code).toBe('RATE_LIMITED')
    for (let asked = 0; asked < 5; asked += 1) {
      expect((await fixture.run(guest, ASK, { id, to })).code).toBeUndefined()
    }
    expect((await fixture.run(guest, ASK, { id, to })).code).toBe('RATE_LIMITED')
  })

  it('sees of a conversation into which its own was merged what it may see', async () => {
    const target = await begin(newAddress(), ['My secret'])
    const own = await begin(null, ['Mine'])
    const guest = await guestOf(own.id)
    const merged = await fixture.run(fixture.ann, MERGE, { into: target.id, origin: own.id })
    expect(merged.message).toBeUndefined()
    await fixture.send(fixture.ann, target.id, { role: 'AGENT', text: 'To both' })
    const to = newAddress()
    const code = await codeFor(guest, own.id, to)
    expect((await sendCopy(guest, own.id, to, code)).message).toBeUndefined()
    const mail = await until(() => mailsTo(to).find(({ email }) => email.text!.includes('To both')))
    expect(mail.email.text).toContain('Mine')
    expect(mail.email.text).not.toContain('My secret')
  })

  it('is refused a code by an agent, who needs none', async () => {
    const { id, email } = await begin()
    expect(await fixture.run(fixture.ann, ASK, { id, to: email })).toMatchObject({
      code: 'FORBIDDEN',
      details: { reason: 'GUEST_REQUIRED' },
    })
  })

  it('is told by the settings of the widget whether copies can be sent', async () => {
    const made = await fixture.run<{ id: string }>(fixture.admin, SETTINGS, { input: { type: 'web', params: {} } })
    const response = await fetch(`${fixture.url}/widget/${made.value.id}.json`)
    expect(await response.json()).toMatchObject({ copies: true })
  })
})

it('drops a copy that waits when its contact is erased', async () => {
  const { id, email } = await begin()
  const { contactId } = await fixture.show(id)
  await fixture.command(fixture.ann, id, '/leave')
  // However often it is tried before its contact is erased.
  for (let tries = 0; tries < 20; tries += 1) box.next('data', 451)
  expect((await sendCopy(fixture.ann, id, email)).message).toBeUndefined()
  const erased = await fixture.run(fixture.admin, 'mutation ($id: ID!) { deleteContact(id: $id) }', { id: contactId })
  expect(erased.message).toBeUndefined()
  await until(async () => {
    const rows = await fixture.server.database.query<{ count: number }>(
      `select count(*)::int as count from job where payload::text like $1`,
      [`%${email}%`],
    )
    return rows[0]!.count === 0
  })
  expect(mailsTo(email)).toEqual([])
})

it('refuses copies where the server sends no mail', async () => {
  const silent = await startConversationFixture()
  try {
    const { id } = await silent.create({
      contact: { profile: { email: 'carl@example.com' } },
      messages: [{ role: 'CONTACT', text: 'hello' }],
    })
    const refused = await silent.run(silent.ann, SEND, { id, to: 'carl@example.com' })
    expect(refused).toMatchObject({ code: 'UNPROCESSABLE', details: { reason: 'NO_MAIL_SERVER' } })
  } finally {
    await silent.close()
  }
})
