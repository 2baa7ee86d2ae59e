import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { request } from 'node:http'
import { startMailbox, type Arrived, type Mailbox } from '../support/mailbox.js'
import type { MadeUser } from '../support/factories.js'
import { startTestServer, type TestServer } from '../support/test-server.js'
import { until } from '../support/until.js'

const PASSWORD = 'correct horse battery'
const REQUEST = 'mutation ($email: String!) { requestPasswordReset(email: $email) }'
const RESET = 'mutation ($token: String!) { resetPassword(token: $token, password: "another good password") { user } }'

let app: TestServer
let mail: Mailbox
beforeAll(async () => {
  mail = await startMailbox()
  app = await startTestServer({ TRUST_PROXY: '1', SMTP_URL: mail.url, PUBLIC_URL: 'https://chat.example' })
})
afterAll(async () => {
  await app.close()
  await mail.close()
})

/** @returns the code of the refusal, or what it was answered */
async function ask(email: string, address: string, headers: Record<string, string> = {}): Promise<unknown> {
  const body = JSON.stringify({ query: REQUEST, variables: { email } })
  const { hostname, port } = new URL(app.url)
  const text = await new Promise<string>((resolve, reject) => {
    const sent = request({
      hostname,
      port,
      path: '/graphql',
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-forwarded-for': address, ...headers },
    })
    sent.on('response', (response) => {
      let answer = ''
      response.on('data', (data) => (answer += String(data)))
      response.on('end', () => resolve(answer))
    })
    sent.on('error', reject)
    sent.end(body)
  })
  const { data, errors } = JSON.parse(text) as { data?: object; errors?: { extensions: { code: string } }[] }
  return errors?.[0]?.extensions.code ?? data
}

const YES = { requestPasswordReset: true }
const victim = async (): Promise<MadeUser> =>
  app.makeUser({ organization: await app.makeContactCenter(), password: PASSWORD })
const mailsTo = ({ email }: MadeUser): Arrived[] => mail.mails.filter(({ to }) => to.includes(email))
const tokenIn = ({ email }: Arrived): string => /console\/reset#(\S+)/.exec(email.text!)![1]!

async function settle(): Promise<void> {
  await until(async () => (await app.server.database.query('select 1 from job')).length === 0)
}

describe('a password reset that unauthenticated callers request for a victim', () => {
  it("does not prevent the victim's own request, from any network", async () => {
    const user = await victim()
    for (let count = 0; count < 3; count += 1) expect(await ask(user.email, '198.51.100.1')).toEqual(YES)
    expect(await ask(user.email, '198.51.100.1')).toBe('RATE_LIMITED')
    await settle()
    expect(mailsTo(user)).toHaveLength(3)
    expect(await ask(user.email, '203.0.113.1')).toEqual(YES)
    await settle()
    const { errors } = await app.gql(null, RESET, { token: tokenIn(mailsTo(user)[3]!) })
    expect(errors).toBeUndefined()
  })

  it('floods no mailbox from many networks; a user who gets no mail has a valid link from an earlier one', async () => {
    const user = await victim()
    for (let network = 1; network <= 20; network += 1) expect(await ask(user.email, `192.0.2.${network}`)).toEqual(YES)
    expect(await ask(user.email, '203.0.113.2')).toEqual(YES)
    await settle()
    expect(mailsTo(user)).toHaveLength(6)
    // As late as it can be while mails are still held back.
    app.clock.advance(29 * 60_000)
    const { errors } = await app.gql(null, RESET, { token: tokenIn(mailsTo(user)[0]!) })
    expect(errors).toBeUndefined()
  })

  it('does not hold back mails for requests from networks of earlier sign-ins', async () => {
    const user = await victim()
    const home = { 'x-forwarded-for': '203.0.113.7' }
    const { status } = await app.rest(null, 'POST', '/v2/auth/token', { email: user.email, password: PASSWORD }, home)
    expect(status).toBe(201)
    for (let network = 1; network <= 10; network += 1) await ask(user.email, `198.51.100.${100 + network}`)
    await settle()
    expect(await ask(user.email, '203.0.113.7')).toEqual(YES)
    await settle()
    expect(mailsTo(user)).toHaveLength(7)
  })

  it('counts the same for an unknown email', async () => {
    const answers: unknown[] = []
    for (let count = 0; count < 4; count += 1) answers.push(await ask('nobody@example.com', '198.51.100.200'))
    expect(answers).toEqual([YES, YES, YES, 'RATE_LIMITED'])
  })
})

describe('the token of a link', () => {
  it('has one spelling: anything longer or shorter is refused, and the token stays valid', async () => {
    const user = await victim()
    await ask(user.email, '203.0.113.8')
    await settle()
    const token = tokenIn(mailsTo(user)[0]!)
    const [id, expires, signature] = token.split('.') as [string, string, string]
    for (const other of [
      `${token}.zz`,
      `${token}.`,
      `${token}=`,
      `${token} `,
      ` ${token}`,
      `${id}.${expires}.0`,
      `${id}.0${expires}.${signature}`,
      `${id}. ${expires}.${signature}`,
      `${id}.${expires}.0.${signature}`,
      `${id.toUpperCase()}.${expires}.${signature}`,
    ]) {
      const { errors } = await app.gql(null, RESET, { token: other })
      expect([other, errors?.[0]?.extensions.code]).toEqual([other, 'UNPROCESSABLE'])
    }
    expect((await app.gql(null, RESET, { token })).errors).toBeUndefined()
  })
})

describe('the mail with the link', () => {
  it.each([
    ['host', 'evil.example'],
    ['x-forwarded-host', 'evil.example'],
    ['forwarded', 'host=evil.example;proto=http'],
    ['origin', 'https://evil.example'],
  ])('links to this server, for any value of the header %s', async (name, value) => {
    const user = await victim()
    await ask(user.email, '203.0.113.9', { [name]: value })
    await settle()
    expect(mailsTo(user)[0]!.raw).not.toContain('evil.example')
    expect(mailsTo(user)[0]!.email.text).toContain('https://chat.example/console/reset#')
  })

  it.each([
    'EMAIL\r\nBcc: thief@evil.example',
    'EMAIL\nBcc: thief@evil.example',
    'EMAIL, thief@evil.example',
    'EMAIL>\r\nRCPT TO:<thief@evil.example',
    '"x" <thief@evil.example> EMAIL',
    'EMAIL\u0000thief@evil.example',
  ])('sends mail to no other user for an email like %j', async (given) => {
    const user = await victim()
    const before = mail.mails.length
    await ask(given.replace('EMAIL', user.email), `203.0.113.${20 + given.length}`)
    await settle()
    expect(mail.mails.length).toBe(before)
  })
})
