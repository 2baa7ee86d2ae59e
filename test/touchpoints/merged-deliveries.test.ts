import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { DeliveryRefused } from '../../src/modules/touchpoints/adapter.js'
import {
  must,
  startConversationFixture,
  until,
  type ConversationFixture,
} from '../conversations/conversation-fixture.js'
import { liveClient, subscribe } from '../support/live-client.js'
import { FarSide } from './test-provider.js'

interface Delivery {
  id: string
  conversationId: string
  messageId: string
  touchpoint: string
  status: string
  reason: string | null
  recipient: string | null
}
interface Looked {
  undelivered: number
  messages: { edges: { node: { id: string; text: string; deliveries: Delivery[] } }[] }
}

const FIELDS = 'id conversationId messageId touchpoint status reason recipient'
const LOOK = `query ($id: ID!) { conversation(id: $id) { undelivered
  messages(first: 100) { edges { node { id text deliveries { ${FIELDS} } } } } } }`
const COUNT = '{ viewCounts(views: [UNDELIVERED]) { count } }'
const RESEND = `mutation ($message: ID!, $touchpoint: Touchpoint!) {
  resendMessage(message: $message, touchpoint: $touchpoint) { ${FIELDS} } }`
const RETRY = `mutation ($id: ID!) { retryDelivery(id: $id) { ${FIELDS} } }`

const far = new FarSide({ email: true })
const refuse = (): never => {
  throw new DeliveryRefused('no such mailbox')
}
let fixture: ConversationFixture
let email: string
beforeAll(async () => {
  fixture = await startConversationFixture({}, { touchpoints: far.touchpoints })
  const [service] = await Promise.all(
    ['email', 'sms'].map((type) =>
      must(
        fixture.run<{ id: string }>(
          fixture.admin,
          'mutation ($input: CreateServiceInput!) { createService(input: $input) { id } }',
          { input: { type } },
        ),
      ),
    ),
  )
  email = service!.id
})
afterAll(() => fixture.close())
beforeEach(() => {
  far.sent.splice(0)
  far.answer = ({ id }) => ({ providerId: `far-${id}`, status: 'sent' })
})

let telephones = 0
const open = async () => {
  const telephone = `+3161299${String(telephones++).padStart(4, '0')}`
  const profile = { name: 'Carl', email: `${fixture.clock.newId()}@example.com`, telephone }
  return { ...(await fixture.create({ touchpoint: 'EMAIL', contact: { profile } })), profile }
}
const say = (id: string, text = 'Hi') => must(fixture.send(fixture.ann, id, { role: 'AGENT', text }))
const merge = (id: string, origin: string) => must(fixture.command(fixture.admin, id, `/import ${origin}`))
const look = (id: string) => must(fixture.run<Looked>(fixture.ann, LOOK, { id }))
const count = async (): Promise<number> => (await must(fixture.run<{ count: number }[]>(fixture.ann, COUNT)))[0]!.count
/** The deliveries of a message by its text: of a merged one, of its copy. */
const deliveriesOf = async (id: string, text = 'Hi') => {
  const { node } = (await look(id)).messages.edges.find((edge) => edge.node.text === text)!
  return { message: node.id, deliveries: node.deliveries }
}
const becomes = (id: string, status: string, text?: string) =>
  until(
    () => deliveriesOf(id, text),
    ({ deliveries }) => deliveries.at(-1)?.status === status,
  )
async function failed() {
  const opened = await open()
  const answer = far.answer
  far.answer = refuse
  await say(opened.id)
  await becomes(opened.id, 'FAILED')
  far.answer = answer
  return opened
}

describe('what was not delivered before a merge', () => {
  it('is shown, counted and sent again where its copy is', async () => {
    const [target, between, origin] = [await open(), await open(), await failed()]
    const before = await count()
    await merge(between.id, origin.id)
    await merge(target.id, between.id)
    const { message, deliveries } = await deliveriesOf(target.id)
    expect(deliveries).toMatchObject([
      {
        conversationId: target.id,
        messageId: message,
        status: 'FAILED',
        reason: 'no such mailbox',
        recipient: origin.profile.email,
      },
    ])
    const counts = await Promise.all([target, between, origin].map(async ({ id }) => (await look(id)).undelivered))
    expect(counts).toEqual([1, 0, 0])
    expect(await count()).toBe(before)
    const resend = () => fixture.run<Delivery>(fixture.ann, RESEND, { message, touchpoint: 'SMS' })
    expect(await must(resend())).toMatchObject({ recipient: target.profile.telephone, messageId: message })
    expect((await becomes(target.id, 'SENT')).deliveries).toMatchObject([{ status: 'FAILED' }, { touchpoint: 'SMS' }])
    // Repeated, as after a lost answer, it is not sent again.
    await must(resend())
    expect(far.sent.filter(({ service }) => service.id !== email)).toHaveLength(1)
    expect((await look(target.id)).undelivered).toBe(0)
    expect(await count()).toBe(before - 1)
  })

  it('is retried, and sent again by whoever still sees the archived one', async () => {
    const [target, origin, other] = [await open(), await failed(), await failed()]
    const { message } = await deliveriesOf(other.id)
    await merge(target.id, origin.id)
    const [delivery] = (await deliveriesOf(target.id)).deliveries
    expect(await must(fixture.run<Delivery>(fixture.ann, RETRY, { id: delivery!.id }))).toMatchObject({
      status: 'QUEUED',
      recipient: target.profile.email,
    })
    await becomes(target.id, 'SENT')
    const last = await open()
    await merge(last.id, other.id)
    const again = await must(fixture.run<Delivery>(fixture.ann, RESEND, { message, touchpoint: 'SMS' }))
    expect(again).toMatchObject({ conversationId: last.id, recipient: last.profile.telephone })
    await becomes(last.id, 'SENT')
    expect((await look(last.id)).undelivered).toBe(0)
  })

  it('counts no more once the copy is deleted, its contact erased, or the archived one deleted', async () => {
    const [target, first, second, third] = [await open(), await failed(), await failed(), await failed()]
    for (const { id } of [first, second, third]) await merge(target.id, id)
    expect((await look(target.id)).undelivered).toBe(3)
    const remove = 'mutation ($id: ID!) { deleteMessage(id: $id) }'
    await must(fixture.run(fixture.admin, remove, { id: (await deliveriesOf(target.id)).message }))
    expect((await look(target.id)).undelivered).toBe(2)
    await must(fixture.run(fixture.admin, 'mutation ($id: ID!) { deleteConversation(id: $id) }', { id: third.id }))
    const left = await look(target.id)
    expect(left.undelivered).toBe(2)
    expect(left.messages.edges.flatMap(({ node }) => node.deliveries)).toHaveLength(2)
    await must(fixture.run(fixture.admin, 'mutation ($id: ID!) { deleteContact(id: $id) }', { id: second.contactId }))
    await until(
      () => look(target.id),
      ({ undelivered }) => undelivered === 1,
    )
  })
})

describe('what becomes of a delivery after a merge', () => {
  it.each(['fails', 'arrives'])('is told where its copy is, also of one that is under way: it %s', async (end) => {
    const [target, origin] = [await open(), await open()]
    const gate = Promise.withResolvers<void>()
    far.answer = async ({ id }) => {
      await gate.promise
      return end === 'fails' ? refuse() : { providerId: `far-${id}`, status: 'sent' }
    }
    await say(origin.id)
    await until(() => far.sent.length === 1)
    await merge(target.id, origin.id)
    const client = liveClient(fixture.url, await fixture.tokenFor(fixture.ann))
    const live = subscribe<{ __typename: string; deliveries?: Delivery[] }>(
      client,
      'conversation',
      `subscription ($id: ID!) { conversation(id: $id) { __typename
        ... on MessageDeliveryChanged { deliveries { ${FIELDS} } } } }`,
      { id: target.id },
    )
    await live.next()
    const { message } = await deliveriesOf(target.id)
    gate.resolve()
    const status = end === 'fails' ? 'FAILED' : 'SENT'
    const told = await live.next(({ deliveries }) => deliveries?.[0]?.status === status)
    expect(told.deliveries).toMatchObject([{ messageId: message, conversationId: target.id }])
    await client.dispose()
    expect((await look(target.id)).undelivered).toBe(end === 'fails' ? 1 : 0)
    expect((await look(origin.id)).undelivered).toBe(0)
    expect(far.sent).toHaveLength(1)
  })

  it('is taken from the provider, one by one and up to a time', async () => {
    const [target, origin] = [await open(), await open()]
    await say(origin.id)
    const [delivery] = (await becomes(origin.id, 'SENT')).deliveries
    await merge(target.id, origin.id)
    const { deliveries } = far.parts!
    await deliveries.report({ service: email, providerId: `far-${delivery!.id}` }, { status: 'delivered' })
    expect((await becomes(target.id, 'DELIVERED')).deliveries).toHaveLength(1)
    await fixture.server.database.query(
      'insert into contact_handle (contact_id, service_id, address, created_at, last_inbound_at) values ($1, $2, $3, now(), now())',
      [origin.contactId, email, origin.profile.email],
    )
    const watermark = {
      service: email,
      recipient: origin.profile.email,
      at: new Date(fixture.clock.now().getTime() + 1),
    }
    await deliveries.reportUpTo(watermark, 'read')
    expect((await becomes(target.id, 'READ')).deliveries).toHaveLength(1)
  })

  it('is not lost when it comes together with the merge', async () => {
    const pairs = await Promise.all(Array.from({ length: 10 }, async () => [await open(), await open()] as const))
    const sent = await Promise.all(
      pairs.map(async ([, origin]) => {
        await say(origin.id)
        return (await becomes(origin.id, 'SENT')).deliveries[0]!
      }),
    )
    await Promise.all(
      pairs.flatMap(([target, origin], index) => [
        merge(target.id, origin.id),
        far.parts!.deliveries.report({ delivery: sent[index]!.id }, { status: 'failed', reason: 'bounced' }),
      ]),
    )
    for (const [target, origin] of pairs) {
      expect((await deliveriesOf(target.id)).deliveries).toMatchObject([{ status: 'FAILED', reason: 'bounced' }])
      expect((await look(target.id)).undelivered).toBe(1)
      expect((await look(origin.id)).undelivered).toBe(0)
    }
  })
})

it('leaves no address of an erased contact in the events of the conversation into which it was merged', async () => {
  const [target, origin] = [await open(), await failed()]
  await merge(target.id, origin.id)
  const [delivery] = (await deliveriesOf(target.id)).deliveries
  await far.parts!.deliveries.noteEdit(delivery!.id, 'not shown')
  const events = () =>
    fixture.server.database.query<{ data: string }>(
      `select data::text from event where stream = $1 and type = 'message.delivery'`,
      [`conversation:${target.id}`],
    )
  const namesAddress = ({ data }: { data: string }): boolean => data.includes(origin.profile.email)
  expect((await events()).filter(namesAddress)).toHaveLength(1)
  await must(fixture.run(fixture.admin, 'mutation ($id: ID!) { deleteContact(id: $id) }', { id: origin.contactId }))
  await until(events, (found) => !found.some(namesAddress))
  expect((await look(target.id)).undelivered).toBe(0)
})

it('counts no archived conversation among those with something undelivered', async () => {
  const [target, origin] = [await open(), await failed()]
  await merge(target.id, origin.id)
  const before = await count()
  // Nothing but a message that no merge copies leaves this.
  await fixture.server.database.query('update conversation set undelivered = 1 where id = $1', [origin.id])
  expect(await count()).toBe(before)
})
