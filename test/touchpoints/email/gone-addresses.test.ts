import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { isGone } from '../../../src/modules/touchpoints/email/bounce.js'
import type { MadeOrganization, MadeUser } from '../../support/factories.js'
import { startMailbox, type Mailbox } from '../../support/mailbox.js'
import { startTestServer, type TestServer } from '../../support/test-server.js'
import { until } from '../../support/until.js'
import { bounceMail, rawMail } from './mails.js'

const SUPPORT = 'support@boats.example'
const SECRET = 'an inbound secret of the test'

let app: TestServer
let box: Mailbox
let admin: MadeUser
let agent: MadeUser
let organization: MadeOrganization
let service: string
let count = 0

beforeAll(async () => {
  box = await startMailbox()
  app = await startTestServer({ SMTP_URL: box.url, MAIL_SENDERS: 'any' })
  organization = await app.makeOrganization({ name: 'Harbour Boats' })
  admin = await app.makeUser({ organization, role: 'admin' })
  agent = await app.makeUser({ organization, displayName: 'Ann' })
  service = await makeService({ address: SUPPORT, inboundSecret: SECRET })
})
afterAll(async () => {
  await app.close()
  await box.close()
})

async function must(as: MadeUser, document: string, variables: Record<string, unknown>) {
  const { data, errors } = await app.gql(as, document, variables)
  expect(errors).toBeUndefined()
  return data
}

async function makeService(params: object): Promise<string> {
  const document = 'mutation ($input: CreateServiceInput!) { createService(input: $input) { id } }'
  return (await must(admin, document, { input: { type: 'email', name: 'Mail', params } })).createService.id
}

async function post(raw: string, to = service): Promise<Record<string, string>> {
  const response = await fetch(`${app.url}/inbound/email/${to}`, {
    method: 'POST',
    headers: { 'content-type': 'message/rfc822', 'x-inbound-secret': SECRET },
    body: raw,
  })
  expect(response.status).toBe(200)
  return (await response.json()) as Record<string, string>
}

const write = (from: string) => {
  count += 1
  return post(rawMail({ from, to: SUPPORT, text: `Hello ${count}`, messageId: `mail-${count}@example.com` }))
}

/** A conversation that a mail began, in which the agent takes part. */
async function begin(from: string): Promise<string> {
  const { conversation } = await write(from)
  await must(agent, 'mutation ($id: ID!) { acceptConversation(conversation: $id) { id } }', { id: conversation })
  return conversation!
}

async function answer(conversation: string, more: object = {}): Promise<string> {
  const document = `mutation ($id: ID!, $message: MessageInput!) { sendMessage(conversation: $id, message: $message) { id } }`
  const variables = { id: conversation, message: { role: 'AGENT', text: 'Are you there?', ...more } }
  return (await must(agent, document, variables)).sendMessage.id
}

interface Seen {
  id: string
  touchpoint: string
  status: string
  reason: string | null
  code: string | null
}

/** The delivery of a message, once it is decided. */
const deliveryOf = (conversation: string, message: string): Promise<Seen> =>
  until(async () => {
    const document = `query ($id: ID!) { conversation(id: $id) { messages(first: 100) { edges { node {
      id deliveries { id touchpoint status reason code } } } } } }`
    const { edges } = (await must(admin, document, { id: conversation })).conversation.messages
    const found = edges.find(({ node }: { node: { id: string } }) => node.id === message)
    const delivery = found?.node.deliveries[0] as Seen | undefined
    return delivery && delivery.status !== 'QUEUED' && delivery
  })

const proofOf = ({ headers }: { headers: { key: string; value: string }[] }) =>
  headers.find(({ key }) => key === 'x-delivery-proof')?.value

/** A mail that was sent, and a notice of a mail server about it. */
async function sendAndBounce(conversation: string, recipient: string, status = '5.1.1') {
  const at = box.mails.length
  const message = await answer(conversation)
  const { email, from: to } = (await box.wait(at + 1))[at]!
  await deliveryOf(conversation, message)
  const notice = bounceMail({ to, original: email.messageId!, status, recipient, proof: proofOf(email) })
  count += 1
  const bounce = () => post(notice.replace('bounce-1', `bounce-${count}`))
  return { message, bounce }
}

const blocked = async (address: string) =>
  (
    await app.server.database.query(
      'select 1 from contact_handle where address = $1 and blocked_at is not null and last_inbound_at is null',
      [address],
    )
  ).length

describe('an address of which a mail server says that it is gone', () => {
  it('gets no more mail, and the agent learns why', async () => {
    const conversation = await begin('gone@example.com')
    const { message, bounce } = await sendAndBounce(conversation, 'gone@example.com')
    await bounce()
    expect(await deliveryOf(conversation, message)).toMatchObject({ status: 'FAILED', code: 'BLOCKED' })
    const at = box.mails.length
    const next = await deliveryOf(conversation, await answer(conversation))
    expect(next).toMatchObject({
      touchpoint: 'EMAIL',
      status: 'FAILED',
      code: 'BLOCKED',
      reason: 'messages to gone@example.com came back: there is no such address, or it takes none',
    })
    expect(box.mails).toHaveLength(at)
    // An agent who knows better has it tried once; the mail server takes it.
    const retry = await app.gql(agent, 'mutation ($id: ID!) { retryDelivery(id: $id) { id } }', { id: next.id })
    expect(retry.errors).toBeUndefined()
    await until(() => box.mails.length === at + 1)
    await until(async () => (await blocked('gone@example.com')) === 0)
  })

  it('is passed over by routing: the next touchpoint is taken', async () => {
    const conversation = await begin('reached@example.com')
    const { contact } = (
      await must(admin, 'query ($id: ID!) { conversation(id: $id) { contact { id } } }', { id: conversation })
    ).conversation
    const document = 'mutation ($id: ID!, $patch: UpdateContactInput!) { updateContact(id: $id, patch: $patch) { id } }'
    await must(admin, document, {
      id: contact.id,
      patch: { profile: { email: 'reached@example.com', telephone: '+31612345678' } },
    })
    const params = { accountSid: `AC${'0'.repeat(32)}`, authToken: 'of-the-test', from: '+31201234567' }
    const input = { type: 'sms', name: 'SMS', params: { ...params, apiUrl: 'http://127.0.0.1:9' } }
    const made = await must(admin, 'mutation ($input: CreateServiceInput!) { createService(input: $input) { id } }', {
      input,
    })
    await (await sendAndBounce(conversation, 'reached@example.com')).bounce()
    const message = await answer(conversation)
    const [row] = await app.server.database.query('select touchpoint from delivery where message_id = $1', [message])
    expect(row).toEqual({ touchpoint: 'sms' })
    await must(admin, 'mutation ($id: ID!) { deleteService(id: $id) }', { id: made.createService.id })
  })

  it('gets mail again once somebody writes from there, to whichever address of the customer', async () => {
    const conversation = await begin('back@example.com')
    await (await sendAndBounce(conversation, 'back@example.com')).bounce()
    expect(await blocked('back@example.com')).toBe(1)
    const other = await makeService({ address: 'sales@boats.example', inboundSecret: SECRET })
    await post(rawMail({ from: 'Back <BACK@example.com>', to: SUPPORT, messageId: 'back@example.com' }), other)
    expect(await blocked('back@example.com')).toBe(0)
    expect(await deliveryOf(conversation, await answer(conversation))).toMatchObject({ status: 'SENT', code: null })
  })

  it('is gone for every contact that has it, whoever of them was written to last, until somebody writes from there', async () => {
    const customers = [
      await app.makeOrganization({ name: 'Northern yard', parent: organization }),
      await app.makeOrganization({ name: 'Southern yard', parent: organization }),
    ]
    const conversations: string[] = []
    for (const customer of customers) {
      const { createConversation } = await must(
        admin,
        'mutation ($input: CreateConversationInput!) { createConversation(input: $input) { id } }',
        {
          input: {
            organization: customer.id,
            type: 'CONTACT',
            touchpoint: 'EMAIL',
            contact: { profile: { email: 'shared@example.com' } },
          },
        },
      )
      const id: string = createConversation.id
      await must(agent, 'mutation ($id: ID!) { acceptConversation(conversation: $id) { id } }', { id })
      conversations.push(id)
    }
    const [north, south] = conversations as [string, string]
    expect(await deliveryOf(south, await answer(south))).toMatchObject({ status: 'SENT' })
    await (await sendAndBounce(north, 'shared@example.com')).bounce()
    const state = async (conversation: string) => (await deliveryOf(conversation, await answer(conversation))).code
    expect([await state(north), await state(south)]).toEqual(['BLOCKED', 'BLOCKED'])
    await write('shared@example.com')
    expect([await state(north), await state(south)]).toEqual([null, null])
    // Somebody writes from there before the notice comes, as a third contact.
    const late = await sendAndBounce(north, 'shared@example.com')
    await write('shared@example.com')
    await late.bounce()
    expect(await blocked('shared@example.com')).toBe(0)
  })

  it('counts as such by the refusal of a mail server itself', async () => {
    const conversation = await begin('refused@example.com')
    box.next('rcpt', '550 5.1.1 no such user')
    expect(await deliveryOf(conversation, await answer(conversation))).toMatchObject({
      status: 'FAILED',
      code: 'BLOCKED',
    })
    expect(await blocked('refused@example.com')).toBe(1)
  })

  it('is not one that has written since, nor one for whose copy the notice is', async () => {
    const conversation = await begin('alive@example.com')
    const { bounce } = await sendAndBounce(conversation, 'alive@example.com')
    await write('alive@example.com')
    await bounce()
    expect(await blocked('alive@example.com')).toBe(0)
    const at = box.mails.length
    const copied = await answer(conversation, { mail: { cc: ['copy@example.com'] } })
    const { email, from } = (await box.wait(at + 1))[at]!
    await deliveryOf(conversation, copied)
    await post(bounceMail({ to: from, original: email.messageId!, recipient: 'copy@example.com' }))
    expect(await deliveryOf(conversation, copied)).toMatchObject({ status: 'SENT' })
    expect(await blocked('alive@example.com')).toBe(0)
  })

  it('is known by its contact, of a mail that was merged into the conversation of another', async () => {
    const [origin, target] = [await begin('origin@example.com'), await begin('target@example.com')]
    const { bounce } = await sendAndBounce(origin, 'origin@example.com')
    const document = `mutation ($target: ID!, $origin: ID!) {
      importConversation(conversation: $target, origin: $origin) { id } }`
    await must(admin, document, { target, origin })
    await bounce()
    expect([await blocked('origin@example.com'), await blocked('target@example.com')]).toEqual([1, 0])
    expect(await deliveryOf(target, await answer(target))).toMatchObject({ status: 'SENT' })
  })

  it('is not that of a contact who has another by now, and nothing of it outlives an erasure', async () => {
    const conversation = await begin('first@example.com')
    await (await sendAndBounce(conversation, 'first@example.com')).bounce()
    const { contact } = (
      await must(admin, 'query ($id: ID!) { conversation(id: $id) { contact { id } } }', { id: conversation })
    ).conversation
    const document = 'mutation ($id: ID!, $patch: UpdateContactInput!) { updateContact(id: $id, patch: $patch) { id } }'
    await must(admin, document, { id: contact.id, patch: { profile: { email: 'second@example.com' } } })
    expect(await deliveryOf(conversation, await answer(conversation))).toMatchObject({ status: 'SENT' })
    const late = await sendAndBounce(conversation, 'second@example.com')
    await must(admin, 'mutation ($id: ID!) { eraseContact(id: $id, reason: REQUESTED) { id } }', { id: contact.id })
    await late.bounce()
    expect([await blocked('first@example.com'), await blocked('second@example.com')]).toEqual([0, 0])
  })
})

describe('a notice that an address is gone', () => {
  it('has no effect on it without a mail of ours, or by who knows its Message-ID alone, as each in its thread does', async () => {
    const conversation = await begin('victim@example.com')
    const at = box.mails.length
    const message = await answer(conversation)
    const { email, from: to } = (await box.wait(at + 1))[at]!
    await deliveryOf(conversation, message)
    const recipient = 'victim@example.com'
    // The consumer's reply to others names it in its References.
    const original = email.messageId!
    const other = await sendAndBounce(await begin('attacker@example.com'), 'attacker@example.com')
    const attackers = proofOf(box.mails.at(-1)!.email)
    const forged = [
      bounceMail({ to, original: '<of-nobody@example.com>', recipient }),
      bounceMail({ to, original, recipient }),
      bounceMail({ to, original, recipient, proof: 'a'.repeat(16) }),
      // The proof of another mail, which its recipient has.
      bounceMail({ to, original, recipient, proof: attackers }),
      bounceMail({ to, original: `${original} ${box.mails.at(-1)!.email.messageId!}`, recipient, proof: attackers }),
    ]
    for (const [index, raw] of forged.entries()) await post(raw.replace('bounce-1', `forged-${index}`))
    expect(await blocked(recipient)).toBe(0)
    expect(await deliveryOf(conversation, await answer(conversation))).toMatchObject({ status: 'SENT' })
    // It may say of its own address what it likes.
    await other.bounce()
    expect([await blocked(recipient), await blocked('attacker@example.com')]).toEqual([0, 1])
  })

  it('has no effect on it by who got a copy, and has the whole mail', async () => {
    const conversation = await begin('copied@example.com')
    const at = box.mails.length
    const message = await answer(conversation, { mail: { cc: ['attacker@example.org'] } })
    const { email, from: to } = (await box.wait(at + 1))[at]!
    await deliveryOf(conversation, message)
    const given = { to, original: email.messageId!, recipient: 'copied@example.com', proof: proofOf(email) }
    await post(bounceMail(given).replace('bounce-1', 'forged-of-copy'))
    expect(await deliveryOf(conversation, message)).toMatchObject({ status: 'FAILED', code: null })
    expect(await blocked('copied@example.com')).toBe(0)
  })
})

describe("a mail server's words", () => {
  it.each([
    ['5.1.1 550 5.1.1 <a@b.example>: Recipient address rejected: User unknown', true],
    ['the mail server refused it: 550 5.1.10 RESOLVER.ADR.RecipientNotFound', true],
    ['5.2.1 The email account that you tried to reach is disabled', true],
    ['550 5.4.1 Recipient address rejected: Access denied', true],
    ['5.2.2 mailbox full', false],
    ['5.7.1 rejected as spam', false],
    ["5.1.8 Sender's domain does not exist", false],
    ['4.4.1 no answer from host', false],
    ['5.4.1 no answer from host', false],
    ['15.1.1 of 25.2.1', false],
  ])('%s: gone %s', (words, gone) => {
    expect(isGone(words)).toBe(gone)
  })
})
