import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals'
import { dkimSign } from 'mailauth'
import { messageForGuest, type MessageData } from '../../../src/modules/messages/message-columns.js'
import type { MadeUser } from '../../support/factories.js'
import { startNameServer, type NameServer } from '../../support/name-server.js'
import { startTestServer, type TestServer } from '../../support/test-server.js'
import { until } from '../../support/until.js'
import { freePort } from '../../../bench/chaos/free-port.js'
import { dkimKeys, rawMail, sendBySmtp, type MailParts, type SmtpAnswer } from './mails.js'

const SECRET = 'an inbound secret of the test'
const TRUSTED = 'mx.boats.example'
const KEYS = dkimKeys()

let names: NameServer
let app: TestServer
let relayed: TestServer
let port: number
let relayedPort: number
let admin: MadeUser
let count = 0

beforeAll(async () => {
  names = await startNameServer()
  for (const domain of ['signed.example', 'strict.example', 'bare.example']) {
    names.texts.set(`key._domainkey.${domain}`, [KEYS.record])
  }
  for (const domain of ['signed.example', 'strict.example', 'own.example']) {
    names.texts.set(`_dmarc.${domain}`, ['v=DMARC1; p=reject'])
  }
  names.texts.set('own.example', ['v=spf1 ip4:127.0.0.1 -all'])
  port = await freePort()
  relayedPort = await freePort()
  const env = { DNS_SERVERS: names.address, SMTP_LISTEN_HOST: '127.0.0.1', MAIL_AUTH_HOSTS: TRUSTED }
  app = await startTestServer({ ...env, SMTP_LISTEN_PORT: String(port) })
  relayed = await startTestServer(
    { ...env, DATABASE_URL: app.databaseUrl, SMTP_LISTEN_PORT: String(relayedPort), MAIL_RELAYS: '127.0.0.0/8' },
    { beside: app },
  )
  admin = await app.makeUser({ organization: await app.makeOrganization(), role: 'admin' })
})
afterAll(async () => {
  await relayed.close()
  await app.close()
  await names.close()
})
afterEach(() => names.recover())

interface Support {
  id: string
  address: string
}

async function makeService(params: object = {}): Promise<Support> {
  count += 1
  const address = `support${count}@boats.example`
  const made = await app.gql(admin, 'mutation ($input: CreateServiceInput!) { createService(input: $input) { id } }', {
    input: { type: 'email', name: 'Mail', params: { address, inboundSecret: SECRET, ...params } },
  })
  expect(made.errors).toBeUndefined()
  return { id: made.data.createService.id, address }
}

/** Signs as `domain`, with the key that the name server publishes for it. */
async function signed(raw: string, domain: string, more: object = {}): Promise<string> {
  const key = { signingDomain: domain, selector: 'key', privateKey: KEYS.privateKey, ...more }
  const { signatures } = await dkimSign(raw, { ...key, signatureData: [key] })
  return `${signatures}${raw}`
}

const mailTo = ({ address }: Support, parts: Partial<MailParts> & { from: string }): string => {
  count += 1
  return rawMail({ to: address, messageId: `${count}@mails.example`, ...parts })
}

const bySmtp = (
  to: Support,
  raw: string,
  { at = port, from = 'bounces@elsewhere.example' } = {},
): Promise<SmtpAnswer> => sendBySmtp(at, { from, to: [to.address], raw })

interface Got {
  conversation: string
  contact: string
  isRepeat: boolean
}

async function byHttp({ id }: Support, raw: string): Promise<{ status: number; body: Got }> {
  const response = await fetch(`${app.url}/inbound/email/${id}`, {
    method: 'POST',
    headers: { 'content-type': 'message/rfc822', 'x-inbound-secret': SECRET },
    body: raw,
  })
  return { status: response.status, body: (await response.json()) as Got }
}

/** The address that a mail of the conversation asks to answer to. */
async function replyAddress(to: Support, { conversation }: Got): Promise<string> {
  const { MailTokens } = await import('../../../src/modules/touchpoints/email/mail-tokens.js')
  const { serverSecret } = await import('../../../src/modules/auth/server-secret.js')
  const tokens = new MailTokens(await serverSecret(app.server.database, app.server.sealer, 'mail'))
  return tokens.replyAddress(to.address, { service: to.id, conversation })
}

/** Proofs of all messages of a contact, by their texts. */
async function proofsOf(email: string): Promise<Record<string, unknown>> {
  const rows = await app.server.database.query<{ text: string; proof: string | null }>(
    `select m.text, m.meta #>> '{_sender,proof}' as proof from message m join conversation c on c.id = m.conversation_id
     join contact t on t.id = c.contact_id where t.email = $1 and m.role = 'contact' order by m.id`,
    [email],
  )
  return Object.fromEntries(rows.map(({ text, proof }) => [text, proof ?? 'proven']))
}

describe('a mail by SMTP (4.7)', () => {
  it('is proven by a signature of the domain of its From', async () => {
    const to = await makeService()
    const raw = mailTo(to, { from: 'carl@signed.example', text: 'It is me' })
    await bySmtp(to, await signed(raw, 'signed.example'))
    expect(await proofsOf('carl@signed.example')).toEqual({ 'It is me': 'proven' })
  })

  it('is proven by the address of its server, which the domain names', async () => {
    const to = await makeService()
    await bySmtp(to, mailTo(to, { from: 'dora@own.example', text: 'By our server' }), { from: 'dora@own.example' })
    expect(await proofsOf('dora@own.example')).toEqual({ 'By our server': 'proven' })
  })

  it.each([
    ['without a signature', (raw: string) => Promise.resolve(raw)],
    ['signed by another domain', (raw: string) => signed(raw, 'bare.example')],
    ['changed after it was signed', async (raw: string) => (await signed(raw, 'strict.example')).concat('\r\nPay me.')],
    [
      'signed in part, with more below',
      async (raw: string) => (await signed(raw, 'strict.example', { maxBodyLength: 5 })).concat('\r\nPay me.'),
    ],
    [
      'with results that the sender wrote',
      (raw: string) =>
        Promise.resolve(`Authentication-Results: ${TRUSTED}; dmarc=pass header.from=strict.example\r\n${raw}`),
    ],
  ])('is marked as failed %s, if its domain has a policy', async (_, make) => {
    const to = await makeService()
    const from = `eve${count}@strict.example`
    const answer = await bySmtp(to, await make(mailTo(to, { from, text: 'I am not Eve' })))
    expect(answer.code).toBe(250)
    expect(Object.values(await proofsOf(from))).toEqual(['failed'])
  })

  it('is unproved if its domain has neither policy nor signature, and proven by a signature without a policy', async () => {
    const to = await makeService()
    await bySmtp(to, mailTo(to, { from: 'fay@bare.example', text: 'unsigned' }))
    await bySmtp(to, await signed(mailTo(to, { from: 'fay@bare.example', text: 'signed' }), 'bare.example'))
    expect(await proofsOf('fay@bare.example')).toEqual({ unsigned: 'unproved', signed: 'proven' })
  })

  it('is unproved if it has two From, whatever is proven of one of them', async () => {
    const to = await makeService()
    const raw = mailTo(to, { from: 'gil@signed.example', text: 'Who am I?' })
    await bySmtp(to, await signed(`From: mallory@bare.example\r\n${raw}`, 'bare.example'))
    const both = { ...(await proofsOf('gil@signed.example')), ...(await proofsOf('mallory@bare.example')) }
    expect(both).toEqual({ 'Who am I?': 'unproved' })
  })

  it.each([
    ['answer nothing', () => names.beSilent()],
    ['cannot answer', () => names.fail()],
  ])('is taken as unproved while name servers %s, also where unproved mail is refused', async (words, stop) => {
    const to = await makeService({ unprovedMail: 'refuse' })
    stop()
    const from = `hal-${words.length}@strict.example`
    const sent = await signed(mailTo(to, { from, text: 'Are you there?' }), 'strict.example')
    expect((await bySmtp(to, sent)).code).toBe(250)
    expect(await proofsOf(from)).toEqual({ 'Are you there?': 'unproved' })
  })

  it('of a relay is judged by the headers of the named host, of which the topmost counts', async () => {
    const to = await makeService()
    const results = (said: string, host = TRUSTED): string => `Authentication-Results: ${host}; ${said}\r\n`
    const passed = 'dmarc=pass (p=reject dis=none) header.from=strict.example'
    const failed = 'dmarc=fail header.from=strict.example'
    const signedBy = 'dkim=pass header.d=strict.example'
    const send = (text: string, ...headers: string[]): Promise<SmtpAnswer> =>
      bySmtp(to, headers.join('') + mailTo(to, { from: 'ida@strict.example', text }), { at: relayedPort })
    await send('passed', results(passed))
    await send('failed, then passed', results(failed), results(passed))
    await send('unsigned, then signed', results('dkim=none; dmarc=none; spf=none'), results(signedBy))
    await send('passed of another host', results(passed, 'mx.evil.example'))
    await send('passed below Received', results('spf=none'), 'Received: from evil.example\r\n', results(passed))
    await send('passed in a comment', results('spf=none (dmarc=pass header.from=strict.example)'))
    await send('passed for another domain', results('dmarc=pass header.from=evil.example'))
    expect(await proofsOf('ida@strict.example')).toEqual({
      passed: 'proven',
      'failed, then passed': 'failed',
      'unsigned, then signed': 'unproved',
      'passed of another host': 'unproved',
      'passed below Received': 'unproved',
      'passed in a comment': 'unproved',
      'passed for another domain': 'unproved',
    })
  })
})

describe('a mail by HTTP (4.7)', () => {
  it('is judged by the hosts that the service names, and otherwise by its signature alone', async () => {
    const to = await makeService({ authHosts: ['MX.Own.example'] })
    const send = (text: string, header = ''): Promise<unknown> =>
      byHttp(to, header + mailTo(to, { from: 'jan@signed.example', text }))
    await send('named', 'Authentication-Results: mx.own.example 1; dmarc=pass header.from=signed.example\r\n')
    await send('named no more', `Authentication-Results: ${TRUSTED}; dmarc=pass header.from=signed.example\r\n`)
    await send(
      'against the policy',
      'Authentication-Results: mx.own.example; dmarc=fail header.from=signed.example\r\n',
    )
    await byHttp(to, await signed(mailTo(to, { from: 'jan@signed.example', text: 'signed' }), 'signed.example'))
    expect(await proofsOf('jan@signed.example')).toEqual({
      named: 'proven',
      'named no more': 'unproved',
      'against the policy': 'failed',
      signed: 'proven',
    })
  })

  it.each([
    ['unprovedMail', 'drop'],
    ['authHosts', 'mx.example.org'],
    ['authHosts', ['mx.example.org; dmarc=pass']],
  ])('refuses a service with %s %j', async (key, value) => {
    const { errors } = await app.gql(
      admin,
      'mutation ($input: CreateServiceInput!) { createService(input: $input) { id } }',
      { input: { type: 'email', name: 'Mail', params: { [key]: value } } },
    )
    expect(errors![0]!.message).toContain(`params.${key}`)
  })
})

describe('the policy for unproved mail (4.7)', () => {
  const PROVEN = `Authentication-Results: ${TRUSTED}; dmarc=pass header.from=strict.example\r\n`

  it('"show" lets it join, "conversation" keeps it in one of its own, "refuse" refuses it', async () => {
    const shown = await makeService()
    const apart = await makeService({ unprovedMail: 'conversation' })
    const refusing = await makeService({ unprovedMail: 'refuse' })
    const from = 'kim@strict.example'
    const proven = await byHttp(shown, PROVEN + mailTo(shown, { from, text: 'It is me' }))
    const { conversation, contact } = proven.body

    expect((await byHttp(shown, mailTo(shown, { from, text: 'show' }))).body.conversation).toBe(conversation)

    const first = await byHttp(apart, mailTo(apart, { from, text: 'apart' }))
    expect(first.body).toMatchObject({ contact, isRepeat: false })
    expect(first.body.conversation).not.toBe(conversation)
    const second = await byHttp(apart, mailTo(apart, { from, text: 'apart again' }))
    expect(second.body.conversation).toBe(first.body.conversation)
    const mine = await byHttp(apart, PROVEN + mailTo(apart, { from, text: 'me again' }))
    expect(mine.body.conversation).toBe(conversation)

    const refused = await byHttp(refusing, mailTo(refusing, { from, text: 'refused' }))
    expect(refused).toMatchObject({ status: 422, body: { message: expect.stringContaining('refuses such mail') } })
    expect(await bySmtp(refusing, mailTo(refusing, { from, text: 'refused' }))).toMatchObject({ code: 554 })
    expect((await byHttp(refusing, PROVEN + mailTo(refusing, { from, text: 'taken' }))).status).toBe(200)
    expect(Object.keys(await proofsOf(from))).not.toContain('refused')
  })

  it('parts again what comes after agents have merged the conversation of unproved mail', async () => {
    const to = await makeService({ unprovedMail: 'conversation' })
    const from = 'lea@strict.example'
    const proven = await byHttp(to, PROVEN + mailTo(to, { from, text: 'It is me' }))
    const apart = await byHttp(to, mailTo(to, { from, text: 'It may be me' }))
    const merged = await app.gql(
      admin,
      'mutation ($to: ID!, $of: String!) { sendMessage(conversation: $to, message: { type: COMMAND, role: AGENT, text: $of }) { id } }',
      { to: proven.body.conversation, of: `/import ${apart.body.conversation}` },
    )
    expect(merged.errors).toBeUndefined()
    const next = await byHttp(to, mailTo(to, { from, text: 'And this?' }))
    expect([proven.body.conversation, apart.body.conversation]).not.toContain(next.body.conversation)
  })

  it("keeps what is proven in the contact's own conversation after an agent has answered the other", async () => {
    const to = await makeService({ unprovedMail: 'conversation' })
    const from = 'lou@strict.example'
    const proven = await byHttp(to, PROVEN + mailTo(to, { from, text: 'It is me' }))
    const apart = await byHttp(to, mailTo(to, { from, text: 'It may be me' }))
    const agent = await app.makeUser({ organization: admin.organization, role: 'agent' })
    const answered = await app.gql(
      agent,
      `mutation ($id: ID!) { acceptConversation(conversation: $id) { id }
        sendMessage(conversation: $id, message: { role: AGENT, text: "Is it?" }) { id } }`,
      { id: apart.body.conversation },
    )
    expect(answered.errors).toBeUndefined()
    // Nothing sends mail here: its attempt is what is awaited.
    await until(async () => {
      const [tried] = await app.server.database.query<{ tried: boolean }>(
        'select attempts > 0 as tried from delivery where conversation_id = $1',
        [apart.body.conversation],
      )
      return tried?.tried
    })
    const next = await byHttp(to, PROVEN + mailTo(to, { from, text: 'Me again' }))
    expect(next.body.conversation).toBe(proven.body.conversation)
  })

  it('does not hold for a mail to a reply address, which shows a token', async () => {
    const to = await makeService({ unprovedMail: 'refuse' })
    const from = 'max@strict.example'
    const { body } = await byHttp(to, PROVEN + mailTo(to, { from, text: 'It is me' }))
    const reply = await replyAddress(to, body)
    const answered = await byHttp(to, mailTo({ ...to, address: reply }, { from, text: 'My answer' }))
    expect(answered).toMatchObject({ status: 200, body: { conversation: body.conversation } })
    expect(await proofsOf(from)).toEqual({ 'It is me': 'proven', 'My answer': 'unproved' })
  })

  it('takes no mail of a blocked contact, proven or not', async () => {
    const to = await makeService({ unprovedMail: 'conversation' })
    const from = 'nils@strict.example'
    const { body } = await byHttp(to, PROVEN + mailTo(to, { from, text: 'It is me' }))
    const blocked = await app.gql(
      admin,
      'mutation ($id: ID!) { updateContact(id: $id, patch: { status: BLOCKED }) { id } }',
      { id: body.contact },
    )
    expect(blocked.errors).toBeUndefined()
    expect((await byHttp(to, mailTo(to, { from, text: 'unproved' }))).body).toMatchObject({
      ignored: 'the contact is blocked',
    })
  })
})

describe('the limit of mails of a sender', () => {
  const PROVEN = `Authentication-Results: ${TRUSTED}; dmarc=pass header.from=strict.example\r\n`
  const statuses = (answers: readonly { status: number }[], status: number): number =>
    answers.filter((answer) => answer.status === status).length
  const forge = (to: Support, from: string, forgeries: number) =>
    Promise.all(Array.from({ length: forgeries }, () => byHttp(to, mailTo(to, { from, text: 'Pay me' }))))

  it('counts forged mail for who forges it, not for the sender, nor for who answers, nor for another network', async () => {
    const to = await makeService()
    const from = 'rosa@strict.example'
    const { body } = await byHttp(to, PROVEN + mailTo(to, { from, text: 'It is me' }))
    const reply = { ...to, address: await replyAddress(to, body) }
    const forged = await forge(to, from, 125)
    expect([statuses(forged, 200), statuses(forged, 429)]).toEqual([120, 5])
    expect(await byHttp(to, PROVEN + mailTo(to, { from, text: 'Me again' }))).toMatchObject({ status: 200 })
    expect(await bySmtp(to, await signed(mailTo(to, { from, text: 'Signed' }), 'strict.example'))).toMatchObject({
      code: 250,
    })
    expect(await byHttp(to, mailTo(reply, { from, text: 'My answer' }))).toMatchObject({ status: 200 })
    expect(await bySmtp(to, mailTo(to, { from, text: 'Elsewhere' }))).toMatchObject({ code: 250 })
  })

  it('holds for proven mail of a sender, however it came, and for answers in one conversation', async () => {
    const to = await makeService()
    const from = 'sven@strict.example'
    const { body } = await byHttp(to, PROVEN + mailTo(to, { from, text: 'It is me' }))
    const reply = { ...to, address: await replyAddress(to, body) }
    const send = (header: string, at: Support) =>
      Promise.all(Array.from({ length: 122 }, () => byHttp(to, header + mailTo(at, { from, text: 'Hello' }))))
    expect(statuses(await send(PROVEN, to), 200)).toBe(119)
    expect(await bySmtp(to, await signed(mailTo(to, { from, text: 'Signed' }), 'strict.example'))).toMatchObject({
      code: 450,
    })
    expect(statuses(await send('', reply), 200)).toBe(120)
  })

  it('does not count what the policy refuses', async () => {
    const to = await makeService({ unprovedMail: 'refuse' })
    const forged = await forge(to, 'tove@strict.example', 125)
    expect(statuses(forged, 422)).toBe(125)
  })
})

describe('the identity of a mail', () => {
  const PROVEN = `Authentication-Results: ${TRUSTED}; dmarc=pass header.from=strict.example\r\n`

  it('is not taken by a forged one with its Message-ID, whichever comes first', async () => {
    const to = await makeService()
    const from = 'olga@strict.example'
    const forged = rawMail({ to: to.address, from, messageId: 'same@strict.example', text: 'Pay me' })
    const own = PROVEN + rawMail({ to: to.address, from, messageId: 'same@strict.example', text: 'Hello' })
    expect((await byHttp(to, forged)).body.isRepeat).toBe(false)
    expect((await byHttp(to, own)).body.isRepeat).toBe(false)
    expect((await byHttp(to, own)).body.isRepeat).toBe(true)
    expect((await byHttp(to, forged)).body.isRepeat).toBe(true)
    expect(await proofsOf(from)).toEqual({ 'Pay me': 'unproved', Hello: 'proven' })
  })

  it('is the same by the way that proves it and by the one that does not', async () => {
    const to = await makeService()
    const raw = rawMail({ to: to.address, from: 'per@strict.example', messageId: 'twice@strict.example', text: 'Hi' })
    expect((await byHttp(to, raw)).body.isRepeat).toBe(false)
    expect((await byHttp(to, PROVEN + raw)).body.isRepeat).toBe(true)
  })
})

it('does not tell the consumer that somebody else may have written', async () => {
  const to = await makeService()
  const from = 'quin@strict.example'
  const { body } = await byHttp(to, mailTo(to, { from, text: 'It may be me' }))
  const [message] = await app.server.database.query<MessageData>(
    'select meta from message where conversation_id = $1',
    [body.conversation],
  )
  expect(message!.meta).toMatchObject({ subject: 'Boats', _sender: { email: from, proof: 'unproved' } })
  expect(messageForGuest(message!).meta).toEqual({ subject: 'Boats' })
})
