import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { SmtpSession } from '../../src/platform/outbound/smtp-session.js'
import type { MadeUser } from '../support/factories.js'
import { startMailbox, type Mailbox } from '../support/mailbox.js'
import { startNameServer, type NameServer } from '../support/name-server.js'
import { startTestServer, type TestServer } from '../support/test-server.js'
import { PATIENCE_MS, until } from '../support/until.js'

const SENDER = 'sender { address isRequired isVerified verifiedBy dnsName dnsValue }'
const VERIFY = `mutation ($id: ID!, $code: String) { verifySender(service: $id, code: $code) { ${SENDER} } }`
const REQUEST = `mutation ($id: ID!) { requestSenderVerification(service: $id) { ${SENDER} } }`
const UPDATE = `mutation ($id: ID!, $params: JSONObject!) { updateService(id: $id, patch: { params: $params }) { ${SENDER} } }`

let app: TestServer
let box: Mailbox
let names: NameServer
let admin: MadeUser
let other: MadeUser

beforeAll(async () => {
  box = await startMailbox()
  names = await startNameServer()
  app = await startTestServer({ SMTP_URL: box.url, DNS_SERVERS: names.address, WEBHOOK_ALLOW_PRIVATE: 'true' })
  admin = await app.makeUser({
    organization: await app.makeContactCenter({ name: 'Boats <b>evil.example</b>' }),
    role: 'admin',
  })
  other = await app.makeUser({ organization: await app.makeContactCenter(), role: 'admin' })
})
afterAll(async () => {
  await app.close()
  await names.close()
  await box.close()
})

async function makeService(params: object, as = admin): Promise<string> {
  const made = await app.gql(as, 'mutation ($input: CreateServiceInput!) { createService(input: $input) { id } }', {
    input: { type: 'email', params },
  })
  expect(made.errors).toBeUndefined()
  return made.data.createService.id
}

/** Has an agent's message go out by a service. @returns what became of it */
async function write(service: string, as = admin): Promise<{ status: string; reason: string | null }> {
  const input = {
    touchpoint: 'EMAIL',
    contact: { profile: { email: `c-${Math.random()}@example.com` } },
    messages: [{ role: 'AGENT', text: 'Pay here', service }],
  }
  const made = await app.gql(
    as,
    'mutation ($input: CreateConversationInput!) { createConversation(input: $input) { lastMessage { id } } }',
    { input },
  )
  expect(made.errors).toBeUndefined()
  const { id } = made.data.createConversation.lastMessage
  return until(async () => {
    const { data } = await app.gql(as, 'query ($id: ID!) { message(id: $id) { deliveries { status reason } } }', { id })
    const [delivery] = data.message.deliveries
    return ['SENT', 'FAILED'].includes(delivery?.status) && delivery
  })
}

const mailsTo = (address: string) => box.mails.filter(({ to }) => to.includes(address))

async function codeMailedTo(address: string): Promise<string> {
  const mail = await until(() => mailsTo(address)[0])
  return /^[0-9a-z]+-[0-9a-f]{20}$/m.exec(mail.email.text!)![0]
}

describe('an email service that sends by the mail server of the installation', () => {
  it('sends nothing from an unverified address, and reports it', async () => {
    const service = await makeService({ address: 'ceo@victim.example' })
    expect(await write(service)).toMatchObject({
      status: 'FAILED',
      reason: expect.stringContaining('ceo@victim.example is not verified as a sender'),
    })
    expect(box.mails.filter(({ email }) => email.from?.address === 'ceo@victim.example')).toEqual([])
    const { data } = await app.gql(admin, `query ($id: ID!) { service(id: $id) { ${SENDER} } }`, { id: service })
    expect(data.service.sender).toMatchObject({
      address: 'ceo@victim.example',
      isRequired: true,
      isVerified: false,
      verifiedBy: null,
      dnsName: '_switchboard.victim.example',
    })
  })

  it('sends once the mailed code has been entered', async () => {
    const service = await makeService({ address: 'help@boats.example' })
    expect((await app.gql(admin, REQUEST, { id: service })).errors).toBeUndefined()
    const code = await codeMailedTo('help@boats.example')
    const [mail] = mailsTo('help@boats.example')
    // What an organization is called is no link and no markup in somebody else's mailbox.
    expect(mail!.email.text).toContain('"Boats b evil example b"')
    const verified = await app.gql(admin, VERIFY, { id: service, code: ` ${code.toUpperCase()}\n` })
    expect(verified.data.verifySender.sender).toMatchObject({ isVerified: true, verifiedBy: 'MAIL' })
    expect(await write(service)).toEqual({ status: 'SENT', reason: null })
  })

  it('sends once its domain publishes the record, for all services of the organization in that domain alone', async () => {
    const service = await makeService({ address: 'sales@ships.example' })
    const refused = await app.gql(admin, VERIFY, { id: service })
    expect(refused.errors?.[0]).toMatchObject({
      message: expect.stringMatching(/^_switchboard\.ships\.example has no TXT record switchboard-sender=/),
      extensions: { code: 'UNPROCESSABLE' },
    })
    const value = /switchboard-sender=\w+/.exec(refused.errors![0]!.message)![0]
    names.texts.set('_switchboard.ships.example', ['v=spf1 -all', `${value}0`])
    expect((await app.gql(admin, VERIFY, { id: service })).errors?.[0]?.extensions.code).toBe('UNPROCESSABLE')
    names.texts.get('_switchboard.ships.example')!.push(value)
    const verified = await app.gql(admin, VERIFY, { id: service })
    expect(verified.data.verifySender.sender).toMatchObject({ isVerified: true, verifiedBy: 'DNS', dnsValue: value })
    expect(await write(service)).toEqual({ status: 'SENT', reason: null })

    const second = await makeService({ address: 'desk@ships.example' })
    expect((await write(second)).status).toBe('FAILED')
    expect((await app.gql(admin, VERIFY, { id: second })).data.verifySender.sender.isVerified).toBe(true)
    const below = await makeService({ address: 'desk@crew.ships.example' })
    expect((await app.gql(admin, VERIFY, { id: below })).errors?.[0]?.extensions.code).toBe('UNPROCESSABLE')
    // The record of one organization proves nothing for another one.
    const foreign = await makeService({ address: 'else@ships.example' }, other)
    expect((await app.gql(other, VERIFY, { id: foreign })).errors?.[0]?.extensions.code).toBe('UNPROCESSABLE')
  })

  it('accepts no code of another service, another address or a changed time', async () => {
    const service = await makeService({ address: 'one@codes.example' })
    await app.gql(admin, REQUEST, { id: service })
    const code = await codeMailedTo('one@codes.example')
    const [expires, mac] = code.split('-') as [string, string]
    const later = `${(Number.parseInt(expires, 36) + 1_000_000).toString(36)}-${mac}`
    for (const wrong of ['', 'x', `${expires}-${'0'.repeat(20)}`, later, mac, `${code}0`, '-'.repeat(90)]) {
      const { errors } = await app.gql(admin, VERIFY, { id: service, code: wrong })
      expect({ wrong, code: errors?.[0]?.extensions.code }).toEqual({
        wrong,
        code: expect.stringMatching(/^(UNPROCESSABLE|BAD_USER_INPUT)$/),
      })
    }
    const sibling = await makeService({ address: 'two@codes.example' })
    expect((await app.gql(admin, VERIFY, { id: sibling, code })).errors?.[0]?.extensions.field).toBe('code')
    await app.gql(admin, UPDATE, { id: service, params: { address: 'three@codes.example' } })
    expect((await app.gql(admin, VERIFY, { id: service, code })).errors?.[0]?.extensions.field).toBe('code')
  })

  it('must be verified again when its address changes, even back to the previous one', async () => {
    const service = await makeService({ address: 'first@moves.example' })
    await app.gql(admin, REQUEST, { id: service })
    await app.gql(admin, VERIFY, { id: service, code: await codeMailedTo('first@moves.example') })
    const moved = await app.gql(admin, UPDATE, { id: service, params: { address: 'second@moves.example' } })
    expect(moved.data.updateService.sender.isVerified).toBe(false)
    const back = await app.gql(admin, UPDATE, { id: service, params: { address: 'first@moves.example' } })
    expect(back.data.updateService.sender.isVerified).toBe(false)
    expect((await write(service)).status).toBe('FAILED')
  })

  it('mails a limited number of codes to an address, for all callers together, and accepts few guesses', async () => {
    const service = await makeService({ address: 'flooded@victim.example' })
    const asked: (string | undefined)[] = []
    for (let count = 0; count < 5; count += 1) {
      asked.push((await app.gql(admin, REQUEST, { id: service })).errors?.[0]?.extensions.code)
    }
    expect(asked).toEqual([undefined, undefined, undefined, 'RATE_LIMITED', 'RATE_LIMITED'])
    const guesses = await Promise.all(
      Array.from({ length: 25 }, () => app.gql(admin, VERIFY, { id: service, code: 'zzzzzz-00000000000000000000' })),
    )
    expect(guesses.filter(({ errors }) => errors?.[0]?.extensions.code === 'RATE_LIMITED')).toHaveLength(5)
  })

  it('returns the reason why an address cannot be verified', async () => {
    const web = await app.gql(admin, 'mutation { createService(input: { type: "web", params: {} }) { id } }')
    const bare = await makeService({})
    for (const id of [web.data.createService.id, bare]) {
      for (const mutation of [VERIFY, REQUEST]) {
        expect((await app.gql(admin, mutation, { id })).errors?.[0]?.extensions).toMatchObject({
          code: 'UNPROCESSABLE',
          field: 'service',
        })
      }
    }
    const service = await makeService({ address: 'quiet@nobody.example' })
    expect((await app.gql(other, VERIFY, { id: service })).errors?.[0]?.extensions.code).toBe('NOT_FOUND')
    names.fail()
    expect((await app.gql(admin, VERIFY, { id: service })).errors?.[0]).toMatchObject({
      message: expect.stringContaining('cannot be looked up now'),
      extensions: { code: 'UNPROCESSABLE' },
    })
  })
})

it('a service with its own mail server sends immediately', async () => {
  const service = await makeService({ address: 'own@account.example', smtpUrl: box.url })
  expect(await write(service)).toEqual({ status: 'SENT', reason: null })
  const { data } = await app.gql(admin, `query ($id: ID!) { service(id: $id) { ${SENDER} } }`, { id: service })
  expect(data.service.sender).toMatchObject({ isRequired: false, isVerified: false })
})

it("the installation's mail server cannot be used as a service's own, unless the service authenticates", async () => {
  const signal = AbortSignal.timeout(PATIENCE_MS)
  const opened = SmtpSession.open(box.url, { guarded: false, notAt: new Set(['127.0.0.1']), signal })
  await expect(opened).rejects.toThrow("smtpUrl is the installation's own mail server")
  const elsewhere = await SmtpSession.open(box.url, { guarded: false, notAt: new Set(['127.0.0.9']), signal })
  elsewhere.quit()
})

it('MAIL_SENDERS=any sends from any address', async () => {
  const open = await startTestServer({ SMTP_URL: box.url, MAIL_SENDERS: 'any' }, { beside: app })
  try {
    const made = await open.gql(
      admin,
      `mutation { createService(input: { type: "email", params: { address: "any@any.example" } }) { ${SENDER} } }`,
    )
    expect(made.data.createService.sender).toMatchObject({ isRequired: false, isVerified: false })
  } finally {
    await open.close()
  }
})

it('a code is valid for a day', async () => {
  const service = await makeService({ address: 'late@codes.example' })
  await app.gql(admin, REQUEST, { id: service })
  const code = await codeMailedTo('late@codes.example')
  app.clock.advance(24 * 3_600_000 + 60_000)
  const { errors } = await app.gql(await app.tokenFor(admin), VERIFY, { id: service, code })
  expect(errors?.[0]?.extensions).toMatchObject({ code: 'UNPROCESSABLE', field: 'code' })
})
