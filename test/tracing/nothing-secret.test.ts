import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { makeDatabase, type TestDatabase } from '../support/database.js'
import { startMailbox, type Arrived, type Mailbox } from '../support/mailbox.js'
import { MainProcess, OWNER } from '../support/main-process.js'
import { startReceiver, type Receiver } from '../webhooks/receiver.js'
import { OtlpReceiver } from './otlp-receiver.js'

/** Values that clients give, none of which a span may carry. */
const GIVEN = {
  email: 'canary.person@example.com',
  password: 'canary password',
  wrongPassword: 'canary wrong password',
  newPassword: 'canary new password',
  name: 'Canaryname',
  phone: '+31612345678',
  text: 'canary text of a message',
  search: 'canarysearch',
  smsToken: 'canary-sms-token',
  ownSecret: 'canary-own-secret',
  ownValue: 'canary-own-value',
  webhookSecret: 'canary-webhook-secret-of-32-bytes',
  idempotencyKey: 'canary-idempotency-key',
  resetToken: 'canary-reset-token',
  bearer: 'canary-bearer',
}
/** Values that the server gives: tokens and links. */
const made: string[] = []

let database: TestDatabase
let otlp: OtlpReceiver
let webhook: Receiver
let mail: Mailbox
let server: MainProcess | undefined
beforeAll(async () => {
  database = await makeDatabase()
  otlp = await OtlpReceiver.start()
  webhook = await startReceiver()
  mail = await startMailbox()
})
afterAll(async () => {
  server?.kill()
  await server?.ended
  otlp?.close()
  await webhook?.close()
  await mail?.close()
  await database?.drop()
})

const SIGN_IN = `mutation ($email: String!, $password: String!) {
  createToken(email: $email, password: $password) { token refreshToken } }`
const REFRESH =
  'mutation ($token: String!, $of: String!) { refreshToken(refreshToken: $token, clientId: $of) { token refreshToken } }'
const CREATE_SERVICE = `mutation ($input: CreateServiceInput!, $key: String) {
  createService(input: $input, idempotencyKey: $key) { id } }`
const CREATE_USER = 'mutation ($input: CreateUserInput!) { createUser(input: $input) { id } }'
const CREATE_CONVERSATION = `mutation ($input: CreateConversationInput!) { createConversation(input: $input) { id } }`

interface Tokens {
  token: string
  refreshToken: string
}

const linkTokenIn = ({ email }: Arrived): string => /console\/reset#(\S+)/.exec(email.text!)![1]!

it('spans carry no credential, no secret of a service, no text and no address, whatever is done', async () => {
  const on = (server = await MainProcess.start({
    DATABASE_URL: database.url,
    REDIS_URL: process.env.TEST_REDIS_URL ?? '',
    WEBHOOK_ALLOW_PRIVATE: 'true',
    SMTP_URL: mail.url,
    PUBLIC_URL: 'https://chat.example',
    OTEL_EXPORTER_OTLP_ENDPOINT: otlp.url,
    OTEL_BSP_SCHEDULE_DELAY: '100',
  }))
  const refused = (query: string, variables: object, headers = {}): Promise<void> =>
    expect(on.run(query, variables, headers)).rejects.toThrow(/"errors":/)
  const note = ({ token, refreshToken }: Tokens): Tokens => {
    made.push(token, refreshToken)
    return { token, refreshToken }
  }

  // Sign-in, refused and taken, and refreshes, also of what is spent.
  await refused(SIGN_IN, { email: OWNER.email, password: GIVEN.wrongPassword })
  const first = note((await on.run(SIGN_IN, OWNER)).createToken)
  const second = note((await on.run(REFRESH, { token: first.refreshToken, of: OWNER.email })).refreshToken)
  const headers = { authorization: `Bearer ${second.token}` }
  await refused('{ me { id } }', {}, { authorization: `Bearer ${GIVEN.bearer}` })
  await refused(REFRESH, { token: GIVEN.bearer, of: OWNER.email })

  // Users, one of them twice, so that the database says a value.
  const { email, password, name: givenName, phone } = GIVEN
  const user = { email, password, givenName, phone, role: 'AGENT' }
  await on.run(CREATE_USER, { input: user }, headers)
  await refused(CREATE_USER, { input: user }, headers)
  const mailed = mail.mails.length
  await on.run('mutation ($email: String!) { requestPasswordReset(email: $email) }', { email })
  const [reset] = (await mail.wait(mailed + 1)).slice(mailed)
  const token = linkTokenIn(reset!)
  made.push(token)
  const RESET =
    'mutation ($token: String!, $password: String!) { resetPassword(token: $token, password: $password) { token refreshToken } }'
  await refused(RESET, { token: GIVEN.resetToken, password: GIVEN.newPassword })
  note((await on.run(RESET, { token, password: GIVEN.newPassword })).resetPassword)
  note((await on.run(SIGN_IN, { email, password: GIVEN.newPassword })).createToken)

  // Services, tested and called.
  const sms = {
    type: 'sms',
    params: { accountSid: 'AC1', authToken: GIVEN.smsToken, from: '+31201234567', apiUrl: webhook.url },
  }
  const { createService } = await on.run(CREATE_SERVICE, { input: sms, key: GIVEN.idempotencyKey }, headers)
  await on.run('mutation ($id: ID!) { testService(service: $id) { ok } }', { id: createService.id }, headers)
  const own = { type: 'crm', isOwnType: true, params: { token: GIVEN.ownSecret, colour: GIVEN.ownValue } }
  await on.run(CREATE_SERVICE, { input: own }, headers)
  const hook = {
    type: 'webhook',
    params: { url: webhook.url, secret: GIVEN.webhookSecret, events: ['message.create.*'] },
  }
  const { id: hookId } = (await on.run(CREATE_SERVICE, { input: hook }, headers)).createService
  const status = 'query ($id: ID!) { service(id: $id) { status } }'
  await on.until(async () => (await on.run(status, { id: hookId }, headers)).service.status === 'ACTIVE')

  // Messages, deliveries that fail, searches, and values in paths and queries.
  webhook.answer = () => ({ status: 500, body: GIVEN.text })
  const contact = { profile: { email: `other.${email}`, givenName } }
  const input = { touchpoint: 'WEB', contact, messages: [{ role: 'CONTACT', text: GIVEN.text }] }
  const { createConversation } = await on.run(CREATE_CONVERSATION, { input }, headers)
  await webhook.next(({ json }) => JSON.stringify(json).includes(GIVEN.text))
  await on
    .run('query ($text: String!) { searchConversations(query: $text) { totalCount } }', { text: GIVEN.search }, headers)
    .catch(() => undefined)
  for (const path of [
    `/v2/users?email=${email}`,
    `/v2/users/${GIVEN.search}`,
    `/v2/conversations/${createConversation.id}?q=${GIVEN.search}`,
  ])
    await fetch(`${on.url}${path}`, { headers })
  await refused(`query { user(id: "${GIVEN.search}") { id } }`, {}, headers)
  await refused(`{ ${GIVEN.search} }`, {}, headers)

  // All of it has been exported, with statements, deliveries and commands.
  await on.until(() => otlp.spans.some(({ name, isFailed }) => name === 'webhook attempt' && isFailed))
  expect(await on.stop()).toBe(0)
  const systems = new Set(otlp.spans.map(({ attributes }) => attributes['db.system.name']))
  expect(systems).toContain('postgresql')
  if (process.env.TEST_REDIS_URL) expect(systems).toContain('redis')
  expect(otlp.named('insert service').length).toBeGreaterThan(0)
  for (const secret of [...Object.values(GIVEN), ...Object.values(OWNER), ...made])
    expect(otlp.raw).not.toContain(secret)
  const attributes = JSON.stringify(otlp.spans.map((span) => [span.name, span.attributes]))
  expect(attributes).not.toMatch(/@|\+31|Bearer|canary/i)
})
