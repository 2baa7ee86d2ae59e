import { afterAll, beforeAll, expect, it } from '@jest/globals'
import type { MadeUser } from '../support/factories.js'
import { startMailbox, type Mailbox } from '../support/mailbox.js'
import { startTestServer, type TestServer } from '../support/test-server.js'
import { rawMail } from '../touchpoints/email/mails.js'

const SECRET = 'an inbound secret of the test'
const SUPPORT = 'support@boats.example'
const VICTIM = 'victim@example.com'

let app: TestServer
let box: Mailbox
let admin: MadeUser
let agent: MadeUser
let mail: string
let web: string

beforeAll(async () => {
  box = await startMailbox()
  app = await startTestServer({ SMTP_URL: box.url, MAIL_SENDERS: 'any' })
  const organization = await app.makeContactCenter()
  admin = await app.makeUser({ organization, role: 'admin' })
  agent = await app.makeUser({ organization })
  const make = async (type: string, params: object): Promise<string> =>
    (await app.rest(admin, 'POST', '/v2/services', { name: type, type, params })).body.id as string
  mail = await make('email', { address: SUPPORT, inboundSecret: SECRET })
  web = await make('web', {})
})
afterAll(async () => {
  await app.close()
  await box.close()
})

/** A visitor who says that it has the victim's address, which nobody knows yet. */
async function visit(): Promise<{ token: string; conversation: string }> {
  const { data } = await app.gql(
    null,
    `mutation ($s: ID!, $p: GuestProfileInput) { startGuestSession(service: $s, profile: $p) {
      tokens { token } conversationId } }`,
    { s: web, p: { name: 'Eve', email: VICTIM } },
  )
  const { tokens, conversationId } = data.startGuestSession
  await app.gql(
    tokens.token,
    'mutation ($c: ID!) { sendMessage(conversation: $c, message: { role: CONTACT, text: "mail me" }) { id } }',
    { c: conversationId },
  )
  return { token: tokens.token, conversation: conversationId }
}

/** @returns the address that an answer to the agent's mail goes to */
async function answerByMail(conversation: string): Promise<string> {
  const before = box.mails.length
  await app.gql(agent, 'mutation ($c: ID!) { acceptConversation(conversation: $c) { id } }', { c: conversation })
  const { errors } = await app.gql(
    agent,
    'mutation ($c: ID!) { sendMessage(conversation: $c, message: { role: AGENT, text: "Here", touchpoint: EMAIL }) { id } }',
    { c: conversation },
  )
  expect(errors).toBeUndefined()
  const mails = await box.wait(before + 1)
  expect(mails.at(-1)!.to).toEqual([VICTIM])
  return mails.at(-1)!.email.replyTo![0]!.address!
}

async function receive(text: string, to = SUPPORT): Promise<string> {
  const response = await fetch(`${app.url}/inbound/email/${mail}?recipient=${encodeURIComponent(to)}`, {
    method: 'POST',
    headers: { 'content-type': 'message/rfc822', 'x-inbound-secret': SECRET },
    body: rawMail({ from: VICTIM, to, text, messageId: `${Math.random()}@example.com` }),
  })
  expect(response.status).toBe(200)
  return ((await response.json()) as { conversation: string }).conversation
}

const MESSAGES = 'query ($id: ID!) { conversation(id: $id) { messages(first: 100) { edges { node { text } } } } }'
const readAs = async (token: string | MadeUser, id: string): Promise<string> =>
  JSON.stringify(await app.gql(token, MESSAGES, { id }))

it("a visitor who claims another person's address cannot read mail that its owner writes unprompted", async () => {
  const eve = await visit()
  const answers = await answerByMail(eve.conversation)
  const fresh = await receive('My card number is 4111')
  expect(fresh).not.toBe(eve.conversation)
  expect(await readAs(agent, fresh)).toContain('4111')
  // Neither in its own conversation, nor in the owner's, nor after the agent mails once more.
  expect(await readAs(eve.token, eve.conversation)).not.toContain('4111')
  expect(await readAs(eve.token, fresh)).toMatch(/NOT_FOUND/)
  await answerByMail(eve.conversation)
  const again = await receive('And my PIN is 1234')
  expect(again).not.toBe(eve.conversation)
  expect(await readAs(eve.token, eve.conversation)).not.toContain('1234')
  // Who answers the mail answers the conversation that it quotes.
  expect(await receive('I did not write to you', answers)).toBe(eve.conversation)
})

it("continues in the owner's own conversation while no visitor can read it", async () => {
  const first = await receive('One')
  expect(await receive('Two')).toBe(first)
})
