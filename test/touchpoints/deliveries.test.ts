import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import {
  DeliveryFailed,
  DeliveryRefused,
  DeliveryUnknown,
  ServiceRefused,
} from '../../src/modules/touchpoints/adapter.js'
import {
  newContact,
  startConversationFixture,
  until,
  type ConversationFixture,
} from '../conversations/conversation-fixture.js'
import { liveClient, subscribe } from '../support/live-client.js'
import { FarSide } from './test-provider.js'

interface Delivery {
  id: string
  touchpoint: string
  serviceId: string | null
  recipient: string | null
  status: string
  reason: string | null
  providerId: string | null
  segments: number | null
  attempts: number
}

const FIELDS = 'id touchpoint serviceId recipient status reason providerId segments attempts'
const far = new FarSide({ email: true })
let fixture: ConversationFixture
let services: Record<'EMAIL' | 'SMS', string>
beforeAll(async () => {
  const sms = far.provider('sms', 'sms', undefined, { params: ['authToken'], secrets: { authToken: [] } })
  fixture = await startConversationFixture({}, { touchpoints: { ...far.touchpoints, sms } })
  services = { EMAIL: await makeService('email'), SMS: await makeService('sms') }
})
afterAll(() => fixture.close())
beforeEach(() => {
  far.sent.splice(0)
  far.answer = ({ id }) => ({ providerId: `far-${id}`, status: 'sent' })
})

async function makeService(type: string): Promise<string> {
  const { value } = await fixture.run<{ id: string }>(
    fixture.admin,
    'mutation ($input: CreateServiceInput!) { createService(input: $input) { id } }',
    { input: { type } },
  )
  return value.id
}

const deliveriesOf = async (conversation: string, as = fixture.ann): Promise<Delivery[]> => {
  const { value } = await fixture.run<{ messages: { edges: { node: { deliveries: Delivery[] } }[] } }>(
    as,
    `query ($id: ID!) { conversation(id: $id) { messages(first: 100) { edges { node { deliveries { ${FIELDS} } } } } } }`,
    { id: conversation },
  )
  return value.messages.edges.flatMap(({ node }) => node.deliveries)
}

const settled = (conversation: string): Promise<Delivery[]> =>
  until(
    () => deliveriesOf(conversation),
    (found) => found.length > 0 && found.every(({ status }) => status !== 'QUEUED'),
  )

const open = (input: object = {}) => fixture.create({ touchpoint: 'EMAIL', contact: newContact(), ...input })
const say = (conversation: string, more: object = {}) =>
  fixture.send(fixture.ann, conversation, { role: 'AGENT', text: 'Hi', ...more })

describe('an agent message to the consumer', () => {
  it.each([
    ['U+0000', '+31612345691', 'no such \0 number'],
    ['half of a surrogate pair', '+31612345692', 'no such number \ud83d'],
    ['a character that the cut would halve', '+31612345693', `${'n'.repeat(499)}😀 and more`],
  ])('is refused for good by a provider whose words hold %s', async (_what, telephone, words) => {
    far.answer = () => {
      throw new DeliveryRefused(words)
    }
    const { id } = await open({ touchpoint: 'SMS', contact: { profile: { name: 'Carl', telephone } } })
    await say(id)
    const [delivery] = await settled(id)
    expect(delivery).toMatchObject({ status: 'FAILED', attempts: 1, reason: expect.stringMatching(/^(no such|nnn)/) })
    expect(far.sent).toHaveLength(1)
  })

  it('that its provider refuses says nothing of the token by which that was replaced meanwhile', async () => {
    const service = services.SMS
    const statusOf = async (): Promise<string> => {
      const text = 'query ($id: ID!) { service(id: $id) { status } }'
      return (await fixture.run<{ status: string }>(fixture.admin, text, { id: service })).value.status
    }
    const waiting = (): Promise<object[]> =>
      fixture.server.database.query("select id from job where kind = 'touchpoint.deliver' and run_at > $1", [
        fixture.clock.now(),
      ])
    const sayByIt = async (telephone: string): Promise<string> => {
      const { id } = await open({ touchpoint: 'SMS', contact: { profile: { name: 'Cas', telephone } } })
      await say(id)
      return id
    }
    far.answer = async () => {
      const patch = { params: { authToken: 'the new one' } }
      const update = 'mutation ($id: ID!, $patch: UpdateServiceInput!) { updateService(id: $id, patch: $patch) { id } }'
      const { code } = await fixture.run(fixture.admin, update, { id: service, patch })
      expect(code).toBeUndefined()
      throw new ServiceRefused('the token is over')
    }
    const said = [await sayByIt('+31612345694')]
    // Tried again later: by then what the provider said has been noted, or not.
    await until(waiting, ({ length }) => length === 1)
    expect(await statusOf()).toBe('ACTIVE')
    far.answer = () => {
      throw new ServiceRefused('the token is over')
    }
    said.push(await sayByIt('+31612345695'))
    await until(waiting, ({ length }) => length === 2)
    expect(await statusOf()).toBe('FAILING')
    far.answer = ({ id }) => ({ providerId: `far-${id}`, status: 'sent' })
    fixture.clock.advance(3_700_000)
    for (const id of said) expect(await settled(id)).toMatchObject([{ status: 'SENT' }])
    expect(await statusOf()).toBe('ACTIVE')
  })

  it('is given up when its handler keeps failing, and later ones continue', async () => {
    const { id } = await open()
    far.answer = () => {
      throw new DeliveryFailed('busy', 3_600_000)
    }
    await say(id, { text: 'stuck' })
    await until(
      () => fixture.server.database.query<{ run_at: Date }>("select run_at from job where kind = 'touchpoint.deliver'"),
      ([job]) => job !== undefined && job.run_at > fixture.clock.now(),
    )
    far.answer = () => ({ providerId: 'taken', status: 'sent' })
    await say(id, { text: 'behind it' })
    // Its handler cannot know what it was added for; that it fails is all that counts here.
    await fixture.server.database.query(
      `update job set failures = 19, payload = payload || '{"since": 1}' where run_at > $1`,
      [fixture.clock.now()],
    )
    far.answer = () => {
      throw new DeliveryFailed('busy')
    }
    fixture.clock.advance(3_700_000)
    const [stuck] = await until(
      () => deliveriesOf(id),
      ([first]) => first!.status !== 'QUEUED',
    )
    expect(stuck!.reason).toMatch(/given up|busy/)
    far.answer = () => ({ providerId: 'taken', status: 'sent' })
    expect((await settled(id))[1]).toMatchObject({ status: 'SENT' })
    const given = "select attempts from job where run_at = 'infinity'"
    expect(await fixture.server.database.query(given)).toHaveLength(1)
    await fixture.server.database.query("delete from job where run_at = 'infinity'")
  })

  // [4.7 delivery rule 1]
  it('is delivered once by the touchpoint of the conversation, in order (4.7, delivery rule 1)', async () => {
    const { id } = await open()
    const texts = Array.from({ length: 5 }, (_, index) => `Line ${index}`)
    for (const text of texts) await say(id, { text })
    const deliveries = await settled(id)
    expect(deliveries).toHaveLength(5)
    expect(deliveries[0]).toMatchObject({
      touchpoint: 'EMAIL',
      serviceId: services.EMAIL,
      status: 'SENT',
      reason: null,
      attempts: 1,
      recipient: expect.stringMatching(/^carl-/),
      providerId: `far-${deliveries[0]!.id}`,
    })
    expect(far.sent.map(({ message }) => message.text)).toEqual(texts)
    expect(far.sent[0]).toMatchObject({
      senderName: 'Ann',
      organization: { name: 'Acme' },
      conversation: { id },
      service: { id: services.EMAIL },
      contact: { profile: { name: 'Carl' } },
    })
  })

  // [4.7 delivery rule 1 backchannel, delivery rule 3, delivery rule 3 contact] [2.9 isBackchannel]
  it.each<[string, () => object]>([
    ['a backchannel message', () => ({ isBackchannel: true })],
    ['a message of a bot', () => ({ role: 'BOT' })],
    ['a command', () => ({ type: 'COMMAND', text: '/set @name X' })],
    ['a mention', () => ({ type: 'MENTION', meta: { targetUser: fixture.ben.id } })],
  ])('is delivered, %s is not (4.7, delivery rules 1 and 3)', async (_, message) => {
    const { id } = await open()
    await say(id, message())
    await fixture.send(fixture.bot, id, { role: 'CONTACT', text: 'I am the consumer' })
    expect(await deliveriesOf(id)).toEqual([])
  })

  // [4.7 delivery rule 2 service, delivery rule 2 touchpoint, delivery rule 4] [2.9 service, touchpoint]
  it("goes to the message's touchpoint, then to that of /set (4.7, delivery rules 2 and 4)", async () => {
    const telephone = '+31612000001'
    const { id } = await open({ contact: { profile: { name: 'Carl', email: 'carl-sms@example.com', telephone } } })
    await say(id, { touchpoint: 'SMS' })
    await say(id, { service: services.SMS })
    await say(id, { touchpoint: 'WEB' })
    await say(id)
    await fixture.command(fixture.ann, id, '/set @touchpoint sms')
    await say(id)
    const found = await settled(id)
    expect(found.map(({ touchpoint, recipient }) => [touchpoint, recipient])).toEqual([
      ['SMS', telephone],
      ['SMS', telephone],
      ['WEB', null],
      ['EMAIL', 'carl-sms@example.com'],
      ['SMS', telephone],
    ])
  })

  it('is accepted and fails with a reason if no touchpoint reaches the contact (4.7)', async () => {
    const { id } = await open()
    const { code } = await say(id, { touchpoint: 'SMS' })
    expect(code).toBeUndefined()
    await say(id, { touchpoint: 'MESSENGER' })
    expect(await deliveriesOf(id)).toMatchObject([
      { touchpoint: 'SMS', status: 'FAILED', reason: 'the contact has no telephone number', attempts: 0 },
      { touchpoint: 'MESSENGER', status: 'FAILED', reason: expect.stringContaining('no active service'), attempts: 0 },
    ])
    expect(far.sent).toEqual([])
  })

  it('publishes its status live, but not to a guest', async () => {
    const { id } = await open()
    const { value: guest } = await fixture.run<{ token: string }>(
      fixture.bot,
      'mutation ($id: ID!) { createGuestToken(conversation: $id) { token } }',
      { id },
    )
    interface Event {
      __typename: string
      message?: { deliveries: Delivery[] }
      deliveries?: Delivery[]
    }
    const HEAR = `subscription ($id: ID!) { conversation(id: $id) { __typename
      ... on MessageAdded { message { deliveries { status touchpoint } } }
      ... on MessageDeliveryChanged { deliveries { status providerId } } } }`
    const clients = [liveClient(fixture.url, await fixture.tokenFor(fixture.ann)), liveClient(fixture.url, guest.token)]
    const [agent, consumer] = clients.map((client) => subscribe<Event>(client, 'conversation', HEAR, { id }))
    await Promise.all([agent!.next(), consumer!.next()])
    await say(id, { touchpoint: 'EMAIL' })
    expect((await agent!.next()).message!.deliveries).toMatchObject([{ status: 'QUEUED', touchpoint: 'EMAIL' }])
    const changed = await agent!.next(({ __typename }) => __typename === 'MessageDeliveryChanged')
    expect(changed.deliveries).toMatchObject([{ status: 'SENT', providerId: expect.stringMatching(/^far-/) }])
    await far.parts!.deliveries.report(
      { service: services.EMAIL, providerId: changed.deliveries![0]!.providerId! },
      { status: 'delivered' },
    )
    expect((await agent!.next()).deliveries).toMatchObject([{ status: 'DELIVERED' }])
    await say(id, { text: 'the end', touchpoint: 'WEB' })
    await consumer!.next(({ message }) => message !== undefined)
    expect(consumer!.events.filter(({ deliveries, message }) => deliveries || message?.deliveries.length)).toEqual([])
    await Promise.all(clients.map((client) => client.dispose()))
  })
})

describe('a delivery that fails or is uncertain', () => {
  const outcomes: [string, () => Error, object][] = [
    [
      'refused',
      () => new DeliveryRefused('no such mailbox'),
      { status: 'FAILED', reason: 'no such mailbox', attempts: 1 },
    ],
    [
      'not known to have arrived',
      () => new DeliveryUnknown('connection lost'),
      { status: 'MAYBE_SENT', reason: 'connection lost', attempts: 1 },
    ],
    ['broken by a mistake of ours', () => new TypeError('x is not a function'), { status: 'MAYBE_SENT', attempts: 1 }],
  ]
  it.each(outcomes)('is sent to the provider once when it is %s', async (_, error, expected) => {
    const { id } = await open({ touchpoint: 'SMS', contact: { profile: { name: 'C', telephone: telephone() } } })
    far.answer = () => {
      throw error()
    }
    await say(id)
    await expect(settled(id)).resolves.toMatchObject([expected])
    expect(far.sent).toHaveLength(1)
  })

  it('is retried when the provider was unavailable, before later ones of the conversation', async () => {
    const { id } = await open()
    let failures = 2
    far.answer = () => {
      if (failures-- > 0) throw new DeliveryFailed('greylisted', 100)
      return { providerId: 'x', status: 'delivered' }
    }
    await say(id, { text: 'first' })
    await say(id, { text: 'second' })
    await expect(settled(id)).resolves.toMatchObject([{ status: 'DELIVERED', attempts: 3 }, { status: 'DELIVERED' }])
    expect(far.sent.map(({ message }) => message.text)).toEqual(['first', 'first', 'first', 'second'])
  })

  it('is retried by request only if it failed or its outcome is unknown', async () => {
    const { id } = await open({ touchpoint: 'SMS', contact: { profile: { name: 'C', telephone: telephone() } } })
    far.answer = () => {
      throw new DeliveryUnknown('connection lost')
    }
    await say(id)
    const [delivery] = await settled(id)
    far.answer = () => ({ providerId: 'again', status: 'sent', segments: 2 })
    const RETRY = `mutation ($id: ID!) { retryDelivery(id: $id) { ${FIELDS} } }`
    const { value } = await fixture.run<Delivery>(fixture.ann, RETRY, { id: delivery!.id })
    expect(value).toMatchObject({ status: 'QUEUED', reason: null })
    await expect(settled(id)).resolves.toMatchObject([
      { status: 'SENT', segments: 2, attempts: 2, providerId: 'again' },
    ])
    const refusals = await Promise.all([
      fixture.run(fixture.ann, RETRY, { id: delivery!.id }),
      fixture.run(await fixture.makeUser({ organization: await fixture.makeOrganization() }), RETRY, {
        id: delivery!.id,
      }),
      fixture.run(fixture.ann, RETRY, { id: 'x' }),
    ])
    expect(refusals.map(({ code }) => code)).toEqual(['UNPROCESSABLE', 'NOT_FOUND', 'NOT_FOUND'])
  })

  it('counts messages that were not delivered, until one is retried, sent by another touchpoint, or deleted, once', async () => {
    const contact = { profile: { name: 'C', telephone: telephone(), email: `${fixture.clock.newId()}@example.com` } }
    const { id } = await open({ contact })
    const undelivered = async (): Promise<number> => {
      const { value } = await fixture.run<{ undelivered: number }>(
        fixture.ann,
        'query ($id: ID!) { conversation(id: $id) { undelivered } }',
        { id },
      )
      return value.undelivered
    }
    const answer = far.answer
    far.answer = () => {
      throw new DeliveryRefused('the mailbox is full')
    }
    const { value: message } = await say(id)
    await expect(settled(id)).resolves.toMatchObject([{ status: 'FAILED', reason: 'the mailbox is full' }])
    expect(await undelivered()).toBe(1)
    const { value: listed } = await fixture.run<{ edges: { node: { id: string } }[] }>(
      fixture.ann,
      '{ conversations(first: 50, filter: { undelivered: { gt: 0 } }) { edges { node { id } } } }',
    )
    expect(listed.edges.map(({ node }) => node.id)).toContain(id)
    far.answer = answer
    const RESEND = `mutation ($message: ID!, $touchpoint: Touchpoint!) {
      resendMessage(message: $message, touchpoint: $touchpoint) { ${FIELDS} } }`
    const resend = (touchpoint: string, as = fixture.ann) =>
      fixture.run<Delivery>(as, RESEND, { message: message.id, touchpoint })
    expect((await resend('EMAIL')).code).toBe('UNPROCESSABLE')
    expect((await resend('MESSENGER')).code).toBe('UNPROCESSABLE')
    const stranger = await fixture.makeUser({ organization: await fixture.makeOrganization() })
    expect((await resend('SMS', stranger)).code).toBe('NOT_FOUND')
    const { value: sent } = await resend('SMS')
    expect(sent).toMatchObject({ touchpoint: 'SMS', recipient: contact.profile.telephone })
    // Repeated, as after a lost answer, it is not sent again.
    expect((await resend('SMS')).value.id).toBe(sent.id)
    await expect(settled(id)).resolves.toMatchObject([{ status: 'FAILED' }, { touchpoint: 'SMS', status: 'SENT' }])
    expect(far.sent.filter((outgoing) => outgoing.id === sent.id)).toHaveLength(1)
    expect(await undelivered()).toBe(0)
    far.answer = () => {
      throw new DeliveryRefused('the mailbox is full')
    }
    const { value: other } = await say(id)
    await until(undelivered, (count) => count === 1)
    far.answer = answer
    const gone = await fixture.run(fixture.admin, 'mutation ($id: ID!) { deleteMessage(id: $id) }', { id: other.id })
    expect(gone.code).toBeUndefined()
    expect(await undelivered()).toBe(0)
  })

  it('keeps a status callback that arrived before the response to the send (4.7)', async () => {
    const { id } = await open({ touchpoint: 'SMS', contact: { profile: { name: 'C', telephone: telephone() } } })
    far.answer = async (outgoing) => {
      await far.parts!.deliveries.report({ delivery: outgoing.id }, { status: 'delivered' })
      return { providerId: 'slow', status: 'sent', segments: 3 }
    }
    await say(id)
    const named = await until(
      () => deliveriesOf(id),
      ([delivery]) => delivery?.providerId === 'slow',
    )
    expect(named).toMatchObject([{ status: 'DELIVERED', segments: 3 }])
  })

  it('handles late, repeated and contradicting reports', async () => {
    const { id } = await open()
    await say(id)
    const [{ id: delivery }] = (await settled(id)) as [Delivery]
    const report = (status: 'sent' | 'delivered' | 'read' | 'failed') =>
      far.parts!.deliveries.report({ delivery }, { status, reason: status === 'failed' ? 'bounced' : null })
    const steps: [Parameters<typeof report>[0], string][] = [
      ['failed', 'FAILED'],
      ['delivered', 'DELIVERED'],
      ['sent', 'DELIVERED'],
      ['failed', 'DELIVERED'],
      ['read', 'READ'],
      ['delivered', 'READ'],
    ]
    for (const [status, expected] of steps) {
      expect(await report(status)).toBe(true)
      expect((await deliveriesOf(id))[0]!.status).toBe(expected)
    }
    expect(
      await far.parts!.deliveries.report({ service: services.SMS, providerId: 'nobody' }, { status: 'read' }),
    ).toBe(false)
  })
})

let telephones = 0
const telephone = (): string => `+3161300${String(telephones++).padStart(4, '0')}`
