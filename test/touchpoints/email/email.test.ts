import { afterAll, beforeAll, expect, test } from '@jest/globals'
import type { MadeOrganization, MadeUser } from '../../support/factories.js'
import { startMailbox, type Mailbox } from '../../support/mailbox.js'
import { startTestServer, type TestServer } from '../../support/test-server.js'
import { freePort } from '../../../bench/chaos/free-port.js'
import { bounceMail, rawMail, sendBySmtp } from './mails.js'
import { until } from '../../support/until.js'

const SUPPORT = 'support@boats.example'
const SECRET = 'an inbound secret of the test'
const PNG = Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), Buffer.alloc(64, 7)])

let app: TestServer
let box: Mailbox
let port: number
let admin: MadeUser
let agent: MadeUser
let organization: MadeOrganization
let service: string

beforeAll(async () => {
  box = await startMailbox()
  port = await freePort()
  app = await startTestServer({
    SMTP_URL: box.url,
    MAIL_SENDERS: 'any',
    SMTP_LISTEN_PORT: String(port),
    SMTP_LISTEN_HOST: '127.0.0.1',
    MAIL_BYTES_MAX: '200000',
  })
  organization = await app.makeOrganization({ name: 'Harbour Boats' })
  admin = await app.makeUser({ organization, role: 'admin' })
  agent = await app.makeUser({ organization, displayName: 'Ann' })
  service = await makeService(admin, { address: SUPPORT, inboundSecret: SECRET })
})

afterAll(async () => {
  await app.close()
  await box.close()
})

async function makeService(as: MadeUser, params: object): Promise<string> {
  const made = await app.gql(as, 'mutation ($input: CreateServiceInput!) { createService(input: $input) { id } }', {
    input: { type: 'email', name: 'Mail', params },
  })
  expect(made.errors).toBeUndefined()
  return made.data.createService.id
}

async function post(
  raw: string,
  query = '',
  headers: Record<string, string> = { 'x-inbound-secret': SECRET },
  to = service,
) {
  const response = await fetch(`${app.url}/inbound/email/${to}${query}`, {
    method: 'POST',
    headers: { 'content-type': 'message/rfc822', ...headers },
    body: raw,
  })
  return { status: response.status, body: (await response.json()) as Record<string, unknown> }
}

interface Seen {
  id: string
  role: string
  text: string | null
  meta: Record<string, unknown> | null
  deliveries: { status: string; reason: string | null; touchpoint: string }[]
}

async function messagesOf(conversation: unknown, as = admin): Promise<Seen[]> {
  const found = await app.gql(
    as,
    `query ($id: ID!) { conversation(id: $id) { messages(first: 100) { edges { node {
    id role text meta deliveries { status reason touchpoint } } } } } }`,
    { id: conversation },
  )
  expect(found.errors).toBeUndefined()
  return found.data.conversation.messages.edges.map((edge: { node: Seen }) => edge.node)
}

async function answer(conversation: unknown, text: string, more: object = {}): Promise<string> {
  const sent = await app.gql(
    agent,
    `mutation ($id: ID!, $message: MessageInput!) {
    sendMessage(conversation: $id, message: $message) { id } }`,
    { id: conversation, message: { role: 'AGENT', text, ...more } },
  )
  expect(sent.errors).toBeUndefined()
  return sent.data.sendMessage.id
}

/** A conversation that a mail began, in which the agent takes part. */
async function begin(from: string, text = 'I would like to buy a boat.', subject = 'Boats'): Promise<string> {
  const { status, body } = await post(
    rawMail({ from, to: SUPPORT, text, subject, messageId: `begin-${Math.random()}@example.com` }),
  )
  expect({ status, body }).toMatchObject({ status: 200, body: { isRepeat: false } })
  await app.gql(agent, 'mutation ($id: ID!) { acceptConversation(conversation: $id) { id } }', {
    id: body.conversation,
  })
  return body.conversation as string
}

test('a mail that a bot wrote says so: to people by its first words, to machines by its header (RFC 3834)', async () => {
  const bot = await app.makeUser({ organization, role: 'bot', displayName: 'Botsy' })
  const patch = { disclosure: { en: 'I am a bot, & no <person>.' } }
  const disclose = 'mutation ($id: ID!, $patch: UpdateUserInput!) { updateUser(id: $id, patch: $patch) { id } }'
  expect((await app.gql(admin, disclose, { id: bot.id, patch })).errors).toBeUndefined()
  const conversation = await begin('dora@example.com')
  const send = `mutation ($id: ID!, $message: MessageInput!) { sendMessage(conversation: $id, message: $message) { id } }`
  const said = async (as: MadeUser, message: object) => {
    const sentAt = box.mails.length
    expect(
      (await app.gql(as, send, { id: conversation, message: { role: 'AGENT', ...message } })).errors,
    ).toBeUndefined()
    const { email } = (await box.wait(sentAt + 1))[sentAt]!
    return {
      text: email.text ?? '',
      html: email.html ?? '',
      isAuto: email.headers.some(({ key }) => key === 'auto-submitted'),
    }
  }
  const first = await said(bot, { text: 'Sail or motor?' })
  expect([first.text, first.isAuto]).toEqual([
    expect.stringMatching(/^I am a bot, & no <person>\.\n\nSail or motor\?/),
    true,
  ])
  const second = await said(bot, { text: '<p>Or both?</p>', contentType: 'TEXT_HTML' })
  expect([second.html.includes('I am a bot'), second.isAuto]).toEqual([false, true])
  const person = await said(agent, { text: 'Ann here.' })
  expect([person.text.includes('I am a bot'), person.isAuto]).toEqual([false, false])
})

// [2.12 _contextSent]
test('a mail creates a conversation, the answer contains a proof of it, and the reply to that returns to it (4.7)', async () => {
  const conversation = await begin('Carl Carlsson <Carl@Example.com>')
  const [first] = await messagesOf(conversation)
  expect(first).toMatchObject({ role: 'CONTACT', text: 'I would like to buy a boat.', meta: { subject: 'Boats' } })

  const sentAt = box.mails.length
  const message = await answer(conversation, 'Sail or motor?\n<b>Tell</b> me.', {
    actions: [
      { type: 'LINK', text: 'Our boats', uri: 'https://boats.example/all' },
      { type: 'REPLY', text: 'Sail', payload: 'sail' },
    ],
  })
  const mail = (await box.wait(sentAt + 1))[sentAt]!
  expect(mail.to).toEqual(['carl@example.com'])
  expect(mail.email).toMatchObject({
    from: { name: 'Ann, Harbour Boats', address: SUPPORT },
    subject: 'Re: Boats',
    inReplyTo: expect.stringMatching(/^<begin-.*@example\.com>$/),
  })
  expect(mail.email.text).toContain('Sail or motor?\n<b>Tell</b> me.\n\nOur boats: https://boats.example/all\n1. Sail')
  expect(mail.email.text).toContain('You wrote to Harbour Boats:\n\n> I would like to buy a boat.')
  expect(mail.email.html).toContain('&lt;b&gt;Tell&lt;/b&gt; me.')
  expect(mail.email.html).toContain('<a href="https://boats.example/all" target="_blank">Our boats</a>')
  expect(mail.email.headers.filter(({ key }) => key.startsWith('list-'))).toEqual([])
  await until(async () =>
    (await messagesOf(conversation)).find(({ id, deliveries }) => id === message && deliveries[0]?.status === 'SENT'),
  )

  // What was said before is told once (2.12, `_contextSent`).
  await answer(conversation, 'We have both.')
  const second = (await box.wait(sentAt + 2))[sentAt + 1]!
  expect(second.email.text?.trim()).toBe('We have both.')
  expect(second.email.references).toContain(mail.email.messageId)

  const reply = second.email.replyTo![0]!.address!
  expect(reply).toMatch(/^support\+[a-z2-7]{42}@boats\.example$/)
  const raw = rawMail({
    to: reply,
    subject: 'Re: Boats',
    messageId: 'reply-1@example.com',
    headers: { 'In-Reply-To': second.email.messageId! },
    text: `Sail, please.\r\n\r\nOn Sat, Nov 21, 2026 at 10:00 AM Ann <${SUPPORT}> wrote:\r\n> We have both.\r\n`,
  })
  expect(await sendBySmtp(port, { from: 'carl@example.com', to: [reply], raw })).toMatchObject({ code: 250 })
  const last = (await messagesOf(conversation)).at(-1)!
  expect(last).toMatchObject({
    role: 'CONTACT',
    text: 'Sail, please.',
    meta: { _original: expect.stringContaining('We have both.') },
  })
  expect(last.meta).not.toHaveProperty('_writtenBy')
})

test('the same mail a hundred times concurrently creates one message, by either way (4.7)', async () => {
  const raw = rawMail({ from: 'repeat@example.com', to: SUPPORT, messageId: 'once@example.com', text: 'once' })
  const bySmtp = () => sendBySmtp(port, { from: 'repeat@example.com', to: [SUPPORT], raw })
  const answers = await Promise.all(Array.from({ length: 100 }, (_, at) => (at % 5 === 0 ? bySmtp() : post(raw))))
  expect(answers.filter((each) => ('code' in each ? each.code !== 250 : each.status !== 200))).toEqual([])
  const made = await app.server.database.query(`select 1 from message where text = 'once'`)
  expect(made).toHaveLength(1)
  // Without a Message-ID, the bytes are the name.
  const nameless = rawMail({ from: 'repeat@example.com', to: SUPPORT, text: 'nameless' })
  const both = [await post(nameless), await post(nameless)]
  expect(both.map(({ body }) => body.isRepeat)).toEqual([false, true])
})

test('only a token of ours names a conversation: forged ones, and threads by headers, do not', async () => {
  const conversation = await begin('owner-of-thread@example.com')
  const at = box.mails.length
  await answer(conversation, 'A secret of yours')
  const mail = (await box.wait(at + 1))[at]!
  const reply = mail.email.replyTo![0]!.address!
  const [local, domain] = reply.split('@') as [string, string]
  const flipped = `${local.slice(0, -4)}${local.at(-4) === 'a' ? 'b' : 'a'}${local.slice(-3)}@${domain}`
  for (const to of [flipped, `support+${'a'.repeat(42)}@${domain}`]) {
    const raw = rawMail({ from: 'eve@example.com', to, text: 'forged', messageId: `${to.length}-${Math.random()}@eve` })
    expect(await sendBySmtp(port, { from: 'eve@example.com', to: [to], raw })).toMatchObject({ code: 550 })
    expect((await post(raw)).body.conversation).not.toBe(conversation)
  }
  const headers = { 'In-Reply-To': mail.email.messageId!, References: mail.email.messageId! }
  const threaded = await post(
    rawMail({ from: 'eve@example.com', to: SUPPORT, subject: 'Re: Boats', headers, messageId: 'threaded@eve' }),
  )
  expect(threaded.status).toBe(200)
  expect(threaded.body.conversation).not.toBe(conversation)
  // Who was passed the address may answer to it; agents see that it was somebody else. Nothing goes to them.
  const passedOn = await post(
    rawMail({ from: 'Wife <wife@example.com>', to: reply.toUpperCase(), text: 'me too', messageId: 'passed@x' }),
  )
  expect(passedOn.body.conversation).toBe(conversation)
  expect((await messagesOf(conversation)).at(-1)!.meta).toMatchObject({
    _writtenBy: { email: 'wife@example.com', name: 'Wife' },
  })
  await answer(conversation, 'To whom?')
  expect((await box.wait(at + 2))[at + 1]!.to).toEqual(['owner-of-thread@example.com'])
})

test("a token counts at its own service only, and tenants' addresses are their own", async () => {
  const other = await app.makeOrganization({ name: 'Other' })
  const outsider = await app.makeUser({ organization: other, role: 'admin' })
  const taken = await app.gql(
    outsider,
    'mutation ($input: CreateServiceInput!) { createService(input: $input) { id } }',
    {
      input: { type: 'email', params: { address: SUPPORT.toUpperCase() } },
    },
  )
  expect(taken.errors?.[0]?.extensions.code).toBe('UNPROCESSABLE')
  const foreign = await makeService(outsider, { address: 'help@other.example', inboundSecret: SECRET })
  const conversation = await begin('tenant@example.com')
  const at = box.mails.length
  await answer(conversation, 'ours')
  const reply = (await box.wait(at + 1))[at]!.email.replyTo![0]!.address!
  const { body } = await post(
    rawMail({ from: 'tenant@example.com', to: reply, messageId: 'foreign@x' }),
    '',
    undefined,
    foreign,
  )
  expect(body.conversation).not.toBe(conversation)
  expect(await messagesOf(body.conversation, outsider)).toHaveLength(1)
  const hidden = await app.gql(admin, 'query ($id: ID!) { conversation(id: $id) { id } }', { id: body.conversation })
  expect(hidden.errors?.[0]?.extensions.code).toBe('NOT_FOUND')
})

test('automatic mail creates no message: auto-replies, our own mails, bounces', async () => {
  const automatic: [Record<string, string>, string][] = [
    [{ 'Auto-Submitted': 'auto-replied' }, 'Auto-Submitted'],
    [{ Precedence: 'bulk' }, 'Precedence'],
    [{ 'X-Auto-Response-Suppress': 'All' }, 'X-Auto-Response-Suppress'],
    [{ 'X-Autoreply': 'yes' }, 'x-autoreply'],
    [{ 'Return-Path': '<>' }, 'return path'],
  ]
  for (const [headers, reason] of automatic) {
    const { status, body } = await post(
      rawMail({ from: 'robot@example.com', to: SUPPORT, headers, messageId: `${reason}@robot` }),
    )
    expect({ status, ignored: body.ignored }).toEqual({ status: 200, ignored: expect.stringContaining(reason) })
  }
  const raw = rawMail({ from: 'robot@example.com', to: SUPPORT, messageId: 'null-path@robot' })
  expect(await sendBySmtp(port, { from: '', to: [SUPPORT], raw })).toMatchObject({ code: 250 })
  const [row] = await app.server.database.query(`select 1 from contact where profile ->> 'email' = 'robot@example.com'`)
  expect(row).toBeUndefined()
})

test('two services whose bots answer every message stop eventually', async () => {
  const second = await makeService(admin, { address: 'sales@boats.example', inboundSecret: SECRET })
  const conversation = await begin('sales@boats.example')
  const at = box.mails.length
  await answer(conversation, 'Thank you for your mail')
  const { raw } = (await box.wait(at + 1))[at]!
  const { body } = await post(raw, '', undefined, second)
  expect(body).toEqual({ ignored: 'it was sent by this server', isRepeat: false })
})

test('a bounce with our Message-ID fails the delivery, with the reason; a forged one has no effect', async () => {
  const conversation = await begin('gone@example.com')
  const at = box.mails.length
  const message = await answer(conversation, 'Are you there?')
  const { email, from } = (await box.wait(at + 1))[at]!
  const delivery = async () => (await messagesOf(conversation)).find(({ id }) => id === message)!.deliveries[0]!
  await until(async () => (await delivery()).status === 'SENT')
  const [, id] = /^<([0-9a-f-]{36})/.exec(email.messageId!)!
  for (const original of [`<${id}.${'a'.repeat(16)}@boats.example>`, `<${id}@boats.example>`]) {
    await post(bounceMail({ to: from, original }).replace('bounce-1', `forged-${original.length}`))
  }
  await post(bounceMail({ to: from, original: email.messageId!, action: 'delayed' }).replace('bounce-1', 'delayed'))
  expect((await delivery()).status).toBe('SENT')
  expect(
    await sendBySmtp(port, { from: '', to: [from], raw: bounceMail({ to: from, original: email.messageId! }) }),
  ).toMatchObject({ code: 250 })
  expect(await delivery()).toMatchObject({
    status: 'FAILED',
    reason: expect.stringContaining('550 5.1.1 <carl@example.com>: no such user'),
  })
  expect((await messagesOf(conversation)).filter(({ text }) => text?.includes('could not be delivered'))).toEqual([])
})

test('5xx fails a delivery, 4xx is retried, a lost response is "maybe sent" and not sent twice (4.7)', async () => {
  const conversation = await begin('smtp@example.com')
  const deliveryOf = async (message: string) =>
    (await messagesOf(conversation)).find(({ id }) => id === message)!.deliveries[0]!
  const statusOf = async (message: string) => (await deliveryOf(message)).status
  box.next('rcpt', 550)
  const refused = await answer(conversation, 'refused')
  await until(async () => (await statusOf(refused)) === 'FAILED')
  box.next('data', 'cut')
  const unknown = await answer(conversation, 'unknown')
  await until(async () => (await statusOf(unknown)) === 'MAYBE_SENT')
  // Once on the warm connection, if there is one, and once on a new one.
  box.next('mail', 451)
  const retried = await answer(conversation, 'retried')
  await until(async () => {
    const { status, reason } = await deliveryOf(retried)
    return status === 'SENT' || reason !== null
  })
  app.clock.advance(120_000)
  await until(async () => (await statusOf(retried)) === 'SENT')
  const texts = box.mails.map(({ email }) => email.text?.split('\n')[0])
  expect(['refused', 'unknown', 'retried'].map((text) => texts.filter((each) => each === text).length)).toEqual([
    0, 0, 1,
  ])
})

test('attachments are kept; what may not be attached is named', async () => {
  const raw = rawMail({
    from: 'files@example.com',
    to: SUPPORT,
    text: 'See the pictures',
    messageId: 'files@x',
    attachments: [
      { name: 'boat.png', type: 'image/png', content: PNG },
      { name: 'run.exe', type: 'application/octet-stream', content: Buffer.from('MZ not this') },
    ],
  })
  const { body } = await post(raw)
  const messages = await messagesOf(body.conversation)
  expect(messages[0]!.meta).toMatchObject({ _refusedAttachments: [{ fileName: 'run.exe' }] })
  expect(messages[1]!.meta).toMatchObject({ fileName: 'boat.png', fileType: 'image/png' })
})

test('the endpoint requires its secret; the listener a known address and a limited size', async () => {
  const raw = rawMail({ to: SUPPORT, messageId: 'secret@x' })
  const basic = (password: string) => ({ authorization: `Basic ${Buffer.from(`any:${password}`).toString('base64')}` })
  for (const headers of [{}, { 'x-inbound-secret': 'wrong' }, basic('wrong')] as Record<string, string>[]) {
    expect((await post(raw, '', headers)).status).toBe(401)
  }
  expect((await post(raw, '', basic(SECRET))).status).toBe(200)
  expect((await post(raw, '', undefined, '01a1fa6a-ef52-7037-bf96-4128efc1581a')).status).toBe(404)
  const to = (address: string) => sendBySmtp(port, { from: 'carl@example.com', to: [address], raw })
  expect((await to('nobody@boats.example')).code).toBe(550)
  expect((await to('support@elsewhere.example')).code).toBe(550)
  const large = rawMail({ to: SUPPORT, text: 'x'.repeat(250_000) })
  expect((await sendBySmtp(port, { from: 'carl@example.com', to: [SUPPORT], raw: large })).code).toBe(552)
  expect((await post(large)).status).toBe(413)
})

test('invalid params are explained, and secrets are masked', async () => {
  const create = (params: object) =>
    app.gql(admin, 'mutation ($input: CreateServiceInput!) { createService(input: $input) { id params } }', {
      input: { type: 'email', params },
    })
  for (const [params, field] of [
    [{ address: 'no address' }, 'params.address'],
    [{ address: `${'a'.repeat(22)}@boats.example` }, 'params.address'],
    [{ smtpUrl: 'http://mail.example' }, 'params.smtpUrl'],
    [{ smtpUrl: 'smtp://user:pass@mail.example' }, 'params.smtpUrl'],
    [{ inboundSecret: 'short' }, 'params.inboundSecret'],
    [{ fromName: 'A\nB' }, 'params.fromName'],
  ] as const) {
    expect((await create(params)).errors?.[0]?.extensions).toMatchObject({ code: 'BAD_USER_INPUT', field })
  }
  const made = await create({ address: 'made@boats.example', smtpPassword: 'hidden' })
  expect(made.data.createService.params.inboundSecret).toMatch(/^[\w-]{32}$/)
  const read = await app.gql(admin, 'query ($id: ID!) { service(id: $id) { params } }', {
    id: made.data.createService.id,
  })
  expect(read.data.service.params).toEqual({
    address: 'made@boats.example',
    inboundSecret: '********',
    smtpPassword: '********',
  })
})

test('a sender may write 120 mails to a service in ten minutes; further ones get a temporary refusal', async () => {
  const mail = (from: string, count: number) =>
    rawMail({ from, to: SUPPORT, text: `mail ${count}`, messageId: `${count}-${from}` })
  const answers = await Promise.all(
    Array.from({ length: 130 }, async (_each, count) => post(mail('eager@example.com', count))),
  )
  const refused = answers.filter(({ status }) => status === 429)
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(120)
  expect(refused).toHaveLength(10)
  expect(refused[0]!.body).toMatchObject({ code: 'RATE_LIMITED', message: expect.stringContaining('120 mails') })
  expect((await post(mail('patient@example.com', 1))).status).toBe(200)
})
