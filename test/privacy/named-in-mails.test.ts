import { afterAll, beforeAll, expect, it } from '@jest/globals'
import type { MadeUser } from '../support/factories.js'
import { startMailbox, type Mailbox } from '../support/mailbox.js'
import { startTestServer, type TestServer } from '../support/test-server.js'
import { until } from '../support/until.js'
import { rawMail } from '../touchpoints/email/mails.js'
import { tablesWith } from './tables-with.js'

const SECRET = 'an inbound secret of the test'
const SUPPORT = 'support@boats.example'
const GONE = 'xenia.zqcanary@boats.example'
const OTHER = 'otto@boats.example'

let app: TestServer
let box: Mailbox
let admin: MadeUser
let agent: MadeUser
let service: string

beforeAll(async () => {
  box = await startMailbox()
  app = await startTestServer({ SMTP_URL: box.url, MAIL_SENDERS: 'any', WEBHOOK_ALLOW_PRIVATE: 'true' })
  const organization = await app.makeContactCenter()
  admin = await app.makeUser({ organization, role: 'admin' })
  agent = await app.makeUser({ organization })
  const params = { address: SUPPORT, inboundSecret: SECRET }
  service = (await app.rest(admin, 'POST', '/v2/services', { type: 'email', params })).body.id as string
  // Its decisions keep what they read.
  const conditions = { all: [{ fact: 'message', path: '.meta._mail.cc.0.address', operator: 'match', value: '@' }] }
  const rules = [{ conditions, event: { type: 'notify', params: { name: 'all' } } }]
  await must(admin, 'mutation ($input: CreateWorkflowInput!) { createWorkflow(input: $input) { id } }', {
    input: { name: 'Copies', rules },
  })
  // Nobody answers there: what it is to be told waits.
  const hook = { url: 'http://127.0.0.1:9/', events: ['message.create', 'message.update', 'message.delivery'] }
  await app.gql(admin, 'mutation ($input: CreateWebhookInput!) { createWebhook(input: $input) { id } }', {
    input: hook,
  })
})
afterAll(async () => {
  await app.close()
  await box.close()
})

const sql = <T>(text: string, values: unknown[] = []): Promise<T[]> => app.server.database.query<T>(text, values)
const must = async (as: MadeUser, query: string, variables: object): Promise<Record<string, never>> => {
  const { data, errors } = await app.gql(as, query, variables as Record<string, unknown>)
  expect(errors).toBeUndefined()
  return data
}

async function receive(from: string, cc?: string): Promise<string> {
  const response = await fetch(`${app.url}/inbound/email/${service}`, {
    method: 'POST',
    headers: { 'content-type': 'message/rfc822', 'x-inbound-secret': SECRET },
    body: rawMail({
      from,
      to: SUPPORT,
      text: 'hello',
      messageId: `${crypto.randomUUID()}@example.com`,
      headers: { ...(cc && { Cc: cc }) },
    }),
  })
  return ((await response.json()) as { conversation: string }).conversation
}

const SEND = `mutation ($c: ID!, $m: MessageInput!, $key: String) {
  sendMessage(conversation: $c, message: $m, idempotencyKey: $key) { id } }`
const DRAFT =
  'mutation ($c: ID!, $m: DraftMailInput) { saveDraft(conversation: $c, text: "…", mail: $m) { mail { cc subject } } }'

const tablesNaming = (): Promise<string[]> => tablesWith(app.server.database, 'zqcanary')

it('a contact that is deleted is named in no mail of others, sent, received, waiting or being written', async () => {
  const closed = await receive(`Xenia <${GONE}>`)
  const theirs = await receive('yves@boats.example', `Xenia Zqcanary <${GONE}>, ${OTHER}`)
  await must(agent, 'mutation ($c: ID!) { acceptConversation(conversation: $c) { id } }', { c: theirs })
  const mail = { to: [OTHER], cc: [GONE], bcc: ['b@boats.example'], replyTo: GONE }
  const message = { role: 'AGENT', text: 'to all of you', mail }
  const sent = await must(agent, SEND, { c: theirs, m: message, key: 'once' })
  await must(agent, SEND, { c: theirs, m: { ...message, text: 'later', delay: 3_600_000 } })
  // As people type them.
  const typed = `"Zqcanary, Xenia" <Xenia.Zqcanary@boats.example>; ${OTHER}, mailto:${GONE} (${GONE})`
  await must(agent, DRAFT, { c: theirs, m: { cc: typed, subject: `Us two (not ${GONE})` } })
  await until(() => box.mails.some(({ raw }) => raw.includes('to all of you')))
  await until(
    () => sql<{ status: string }>('select status from delivery'),
    (rows) => rows.length > 0 && rows.every(({ status }) => status === 'sent'),
  )
  expect(await tablesNaming()).toEqual(
    expect.arrayContaining(['conversation_draft', 'delivery', 'event', 'job', 'message', 'routing_decision']),
  )
  const [{ contact }] = (await sql<{ contact: string }>(
    'select contact_id as contact from conversation where id = $1',
    [closed],
  )) as [{ contact: string }]
  await must(agent, 'mutation ($c: ID!) { acceptConversation(conversation: $c) { id } }', { c: closed })
  await must(agent, 'mutation ($c: ID!) { closeConversation(conversation: $c) { conversation { id } } }', { c: closed })
  await must(admin, 'mutation ($id: ID!) { deleteContact(id: $id) }', { id: contact })
  await until(
    () => sql(`select from job where kind = 'privacy.erase' and key not like '%:again'`),
    (jobs) => jobs.length === 0,
  )
  // The second look comes later than this waits.
  await until(tablesNaming, (tables) => tables.length === 0)
  // Of the others all is there.
  const { data, errors } = await app.gql(
    admin,
    'query ($id: ID!) { message(id: $id) { recipients { to cc bcc replyTo } deliveries { copies { address status } } } }',
    { id: (sent as unknown as { sendMessage: { id: string } }).sendMessage.id },
  )
  expect(errors).toBeUndefined()
  expect(data.message.recipients).toEqual({ to: [OTHER], cc: [], bcc: ['b@boats.example'], replyTo: null })
  expect(data.message.deliveries[0].copies).toEqual(
    [OTHER, 'b@boats.example'].map((address) => ({ address, status: 'SENT' })),
  )
  const own = await app.gql(agent, '{ drafts { mail { to cc subject } } }')
  expect(own.data.drafts).toEqual([{ mail: { to: '', cc: OTHER, subject: 'Us two (not )' } }])
  const [waiting] = await sql<{ mail: object }>(
    `select payload #> '{newMessage,mail}' as mail from job where kind = 'message.process'`,
  )
  expect(waiting!.mail).toMatchObject({ to: [OTHER], cc: [], bcc: ['b@boats.example'] })
})
