import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import {
  texts,
  startConversationFixture,
  until,
  type ConversationFixture,
} from '../conversations/conversation-fixture.js'
import { FarSide } from './test-provider.js'

const HOUR_MS = 3_600_000
/** A provider with two windows: a day for machines, two for people. */
const WINDOW = { machinesMs: 24 * HOUR_MS, peopleMs: 48 * HOUR_MS }

const far = new FarSide()
let fixture: ConversationFixture
let services: Record<'messenger' | 'second' | 'email', { id: string; type: string }>
beforeAll(async () => {
  const touchpoints = {
    ...far.touchpoints,
    messenger: far.provider('messenger', 'messenger', WINDOW),
    second: far.provider('messenger', 'second', WINDOW),
  }
  fixture = await startConversationFixture({}, { touchpoints })
  services = { messenger: await make('messenger'), second: await make('second'), email: await make('email') }
})
afterAll(() => fixture.close())

async function make(type: string): Promise<{ id: string; type: string }> {
  const { value } = await fixture.run<{ id: string }>(
    fixture.admin,
    'mutation ($input: CreateServiceInput!) { createService(input: $input) { id } }',
    { input: { type } },
  )
  return { id: value.id, type }
}

let said = 0

/** A consumer of the messenger, with a known email address if asked. */
async function write(handle: string, hoursAgo: number, by: keyof typeof services = 'messenger', email?: string) {
  const sentAt = new Date(fixture.clock.now().getTime() - hoursAgo * HOUR_MS)
  const from = { handle, ...(email && { email }) }
  const received = await far.say(services[by], {
    providerId: `said-${++said}`,
    from,
    sentAt,
    message: { text: `from ${handle}` },
  })
  if (!('message' in received)) throw new Error(received.ignored)
  return received.conversation
}

interface Way {
  touchpoint: string
  serviceId: string | null
  code: string | null
  status: string
}

async function answer(conversation: string, message: object = {}, as = fixture.ann): Promise<Way> {
  const sent = await fixture.send(as, conversation, { role: 'AGENT', text: 'An answer', ...message })
  const { value } = await fixture.run<{ deliveries: Way[] }>(
    fixture.admin,
    'query ($id: ID!) { message(id: $id) { deliveries { touchpoint serviceId code status } } }',
    { id: sent.value.id },
  )
  return value.deliveries[0]!
}

describe("an answer after the provider's window has closed", () => {
  it('goes by the next touchpoint that reaches the consumer (4.7, delivery rules 1 and 4)', async () => {
    const conversation = await write('late', 49, 'messenger', 'late@example.com')
    expect(await answer(conversation)).toMatchObject({
      touchpoint: 'EMAIL',
      serviceId: services.email.id,
      code: null,
    })
    await fixture.send(fixture.ann, conversation, { type: 'COMMAND', text: '/set @touchpoint messenger' })
    expect(await answer(conversation)).toMatchObject({ touchpoint: 'EMAIL' })
    await write('late', 0)
    expect(await answer(conversation)).toMatchObject({ touchpoint: 'MESSENGER', serviceId: services.messenger.id })
  })

  it('fails with the code where the message names the closed one, and nothing is handed over (rule 2)', async () => {
    const conversation = await write('named', 49, 'messenger', 'named@example.com')
    for (const target of [{ touchpoint: 'MESSENGER' }, { service: services.messenger.id }]) {
      expect(await answer(conversation, target)).toMatchObject({
        touchpoint: 'MESSENGER',
        status: 'FAILED',
        code: 'WINDOW_CLOSED',
      })
    }
    // What goes by another way is behind them, and the only one that is handed over.
    expect(await answer(conversation)).toMatchObject({ touchpoint: 'EMAIL' })
    const sent = await until(
      () => far.sent.filter((outgoing) => outgoing.conversation.id === conversation),
      (found) => found.length > 0,
    )
    expect(sent.map(({ service }) => service.id)).toEqual([services.email.id])
  })

  it('is refused to a retry, with its reason, until the consumer writes', async () => {
    const conversation = await write('again', 49)
    const sent = await fixture.send(fixture.ann, conversation, { role: 'AGENT', text: 'Again' })
    const { value } = await fixture.run<{ deliveries: { id: string }[] }>(
      fixture.admin,
      'query ($id: ID!) { message(id: $id) { deliveries { id } } }',
      { id: sent.value.id },
    )
    const retry = () =>
      fixture.gql(fixture.ann, 'mutation ($id: ID!) { retryDelivery(id: $id) { status code } }', {
        id: value.deliveries[0]!.id,
      })
    expect((await retry()).errors?.[0]?.extensions).toMatchObject({ code: 'UNPROCESSABLE', reason: 'WINDOW_CLOSED' })
    await write('again', 0)
    expect((await retry()).data.retryDelivery).toEqual({ status: 'QUEUED', code: null })
  })

  it('is closed to machines earlier than to people', async () => {
    const conversation = await write('both', 25)
    const bot = await fixture.makeUser({ organization: fixture.organization, role: 'bot' })
    expect(await answer(conversation, {}, bot)).toMatchObject({ status: 'FAILED', code: 'WINDOW_CLOSED' })
    expect(await answer(conversation)).toMatchObject({ touchpoint: 'MESSENGER', code: null })
  })

  it('goes by the service of the same touchpoint that is still open', async () => {
    const email = 'two@example.com'
    const conversation = await write('one-of-two', 1, 'second', email)
    await write('other-of-two', 49, 'messenger', email)
    expect(await answer(conversation)).toMatchObject({ touchpoint: 'MESSENGER', serviceId: services.second.id })
  })

  it('is not closed by a message that arrives late, and a clock ahead of ours opens nothing longer', async () => {
    const conversation = await write('late-event', 1)
    await write('late-event', 70)
    expect(await answer(conversation)).toMatchObject({ touchpoint: 'MESSENGER', code: null })
    const ahead = await write('ahead', -1_000)
    const rows = await fixture.server.database.query<{ hours: number }>(
      `select (extract(epoch from open_until - now()) / 3600)::float8 as hours from contact_handle where address = 'ahead'`,
    )
    expect(rows[0]!.hours).toBeLessThanOrEqual(48)
    expect(texts(await fixture.show(ahead))).toEqual(['from ahead'])
    await until(
      () => Promise.resolve(far.sent),
      (sent) => sent.length > 0,
    )
  })
})
