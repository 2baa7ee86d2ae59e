import { Readable } from 'node:stream'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import type { Received } from '../../src/modules/touchpoints/inbound-message-receiver.js'
import type { Touchpoint } from '../../src/modules/touchpoint-traits.js'
import {
  startConversationFixture,
  texts,
  until,
  type ConversationFixture,
} from '../conversations/conversation-fixture.js'
import { recordStatements } from '../support/record-statements.js'
import { FarSide } from './test-provider.js'

interface Service {
  id: string
  type: Touchpoint
}

const far = new FarSide()
let fixture: ConversationFixture
let sms: Service
let messenger: Service
beforeAll(async () => {
  fixture = await startConversationFixture(
    { DATA_DIR: `/tmp/switchboard-inbox-${process.pid}` },
    { touchpoints: far.touchpoints },
  )
  sms = await makeService('sms')
  messenger = await makeService('messenger')
})
afterAll(() => fixture.close())

async function makeService(type: Touchpoint): Promise<Service> {
  const { value } = await fixture.run<{ id: string }>(
    fixture.admin,
    'mutation ($input: CreateServiceInput!) { createService(input: $input) { id } }',
    { input: { type } },
  )
  return { id: value.id, type }
}

let numbers = 0
const newTelephone = (): string => `+3161400${String(numbers++).padStart(4, '0')}`
const newId = (): string => `in-${numbers++}`

const text = (telephone: string, said: string, more: object = {}) =>
  far.say(sms, { providerId: newId(), from: { telephone }, message: { text: said }, ...more })

function taken(received: Received): Extract<Received, { message: string }> {
  if ('message' in received) return received
  throw new Error(`ignored: ${received.ignored}`)
}

describe('an inbound message of a touchpoint', () => {
  it('is received once if it comes under its other name while its files are being stored', async () => {
    const telephone = newTelephone()
    const [known, other] = [newId(), newId()]
    const free = Promise.withResolvers<void>()
    const content = Readable.from(
      (async function* slow() {
        yield Buffer.from('a part, ')
        await free.promise
        yield Buffer.from('and the rest')
      })(),
    )
    const slow = text(telephone, 'Once', {
      providerId: other,
      alsoKnownAs: known,
      attachments: [{ fileName: 'a.txt', content }],
    })
    const first = taken(await text(telephone, 'Once', { providerId: known }))
    free.resolve()
    expect(taken(await slow)).toMatchObject({ message: first.message, isRepeat: true })
  })

  it('creates a queued conversation for a new contact, and later ones are added to it (3.1)', async () => {
    const telephone = newTelephone()
    const first = taken(await text(telephone, 'Hello', { from: { telephone, name: 'Carl' } }))
    const second = taken(await text(telephone, 'Anybody?'))
    expect(second).toMatchObject({ conversation: first.conversation, contact: first.contact, isRepeat: false })
    const shown = await fixture.show(first.conversation)
    expect(shown).toMatchObject({
      status: 'QUEUED',
      touchpoint: 'SMS',
      touchpoints: { sms: { selected: true } },
      channelsOffline: [fixture.channel],
    })
    expect(texts(shown)).toEqual(['Hello', 'Anybody?'])
    const { value } = await fixture.run<object>(
      fixture.bot,
      `query ($id: ID!) { message(id: $id) { role type touchpoint serviceId conversation {
        contact { profile { name telephone } presences { touchpoint online lastSeenAt } } } } }`,
      { id: first.message },
    )
    expect(value).toMatchObject({
      role: 'CONTACT',
      type: 'CHAT',
      touchpoint: 'SMS',
      serviceId: sms.id,
      conversation: {
        contact: {
          profile: { name: 'Carl', telephone },
          presences: [{ touchpoint: 'SMS', online: false, lastSeenAt: expect.any(String) }],
        },
      },
    })
  })

  it('is stored once, however often it arrives concurrently', async () => {
    const said = { providerId: newId(), from: { telephone: newTelephone() }, message: { text: 'Once' } }
    const answers = (await Promise.all(Array.from({ length: 100 }, () => far.say(sms, said)))).map(taken)
    expect(new Set(answers.map(({ message }) => message)).size).toBe(1)
    expect(answers.filter(({ isRepeat }) => !isRepeat)).toHaveLength(1)
    expect(texts(await fixture.show(answers[0]!.conversation))).toEqual(['Once'])
  })

  it('is deduplicated for 30 days, longer than any provider repeats it', async () => {
    const said = { providerId: newId(), from: { telephone: newTelephone() }, message: { text: 'Once' } }
    const { message } = taken(await far.say(sms, said))
    const { database, maintenance } = fixture.server
    const age = (days: number) =>
      database.query(
        `update inbound_message set received_at = now() - make_interval(days => $2) where provider_id = $1`,
        [said.providerId, days],
      )
    await age(29)
    await maintenance.run()
    expect(taken(await far.say(sms, said))).toMatchObject({ message, isRepeat: true })
    await age(31)
    await maintenance.run()
    expect(taken(await far.say(sms, said)).isRepeat).toBe(false)
  })

  it('belongs to one conversation when many first messages arrive concurrently', async () => {
    const telephone = newTelephone()
    const said = Array.from({ length: 20 }, (_, index) => `Line ${index}`)
    const answers = (await Promise.all(said.map((line) => text(telephone, line)))).map(taken)
    expect(new Set(answers.map(({ conversation }) => conversation)).size).toBe(1)
    expect(texts(await fixture.show(answers[0]!.conversation)).toSorted()).toEqual(said.toSorted())
  })

  it('is committed together with others, and a duplicate does not undo those', async () => {
    const telephones = Array.from({ length: 12 }, newTelephone)
    const recorded = recordStatements()
    const received = await Promise.all(
      telephones.flatMap((telephone) => {
        const providerId = newId()
        return [0, 1].map(() => text(telephone, 'All at once', { providerId }))
      }),
    ).finally(() => recorded.stop())
    const begun = recorded.statements.filter((statement) => statement.includes('pg_current_xact_id()::text as xid'))
    expect(begun.length).toBeLessThan(received.length)
    expect(new Set(received.map((each) => taken(each).message)).size).toBe(telephones.length)
    expect(new Set(received.map((each) => taken(each).contact)).size).toBe(telephones.length)
    for (const { conversation } of received.map(taken)) {
      expect(texts(await fixture.show(conversation))).toEqual(['All at once'])
    }
  })

  it('of a known contact is attributed to it, and queues a closed conversation (3.1)', async () => {
    const telephone = newTelephone()
    const { contactId } = await fixture.create({ contact: { profile: { name: 'Dora', telephone } } })
    const first = taken(await text(telephone, 'Hello'))
    expect(first.contact).toBe(contactId)
    await fixture.send(fixture.ann, first.conversation, { role: 'AGENT', text: 'Hi' })
    await fixture.command(fixture.ann, first.conversation, '/leave')
    expect((await fixture.show(first.conversation)).status).toBe('CLOSED')
    await text(telephone, 'One more thing')
    expect((await fixture.show(first.conversation)).status).toBe('QUEUED')
  })

  it("is added to the touchpoint's latest conversation, and follows a merge (4.8)", async () => {
    const telephone = newTelephone()
    const { id } = await fixture.create({ touchpoint: 'SMS', contact: { profile: { name: 'Eve', telephone } } })
    await fixture.send(fixture.ann, id, { role: 'AGENT', text: 'We write first' })
    await until(async () => far.sent.some(({ conversation }) => conversation.id === id), Boolean)
    expect(taken(await text(telephone, 'And I answer')).conversation).toBe(id)
    const other = await fixture.create()
    await fixture.command(fixture.admin, other.id, `/import ${id}`)
    expect(taken(await text(telephone, 'Still me')).conversation).toBe(other.id)
  })

  // [2.8 touchpoints sms, touchpoints messenger, touchpoints services, touchpoints selected]
  it("is identified by the service's handle if it has no other identifier", async () => {
    const from = { handle: 'psid-1', name: 'Fay' }
    const first = taken(await far.say(messenger, { providerId: newId(), from, message: { text: 'Hey' } }))
    const again = taken(await far.say(messenger, { providerId: newId(), from, message: { text: 'Ho' } }))
    expect(again.conversation).toBe(first.conversation)
    const { body } = await fixture.rest(fixture.bot, 'GET', `/v2/conversations/${first.conversation}`)
    expect(body.touchpoints).toEqual({
      sms: { services: [sms.id], selected: false },
      messenger: { services: [messenger.id], selected: true },
    })
    await fixture.send(fixture.ann, first.conversation, { role: 'AGENT', text: 'Hi Fay' })
    await until(async () => far.sent.find(({ recipient }) => recipient === 'psid-1'), Boolean)
  })

  it('of a blocked contact is ignored permanently (3.1, /block)', async () => {
    const telephone = newTelephone()
    const { conversation } = taken(await text(telephone, 'Spam'))
    await fixture.command(fixture.ann, conversation, '/block')
    const said = { providerId: newId(), from: { telephone }, message: { text: 'More spam' } }
    expect(await far.say(sms, said)).toEqual({ ignored: 'the contact is blocked', isRepeat: false })
    expect(await far.say(sms, said)).toEqual({ ignored: 'the contact is blocked', isRepeat: true })
    expect(texts(await fixture.show(conversation))).toEqual(['Spam', '/block'])
  })

  it("has its files, as the consumer's own; refused files are reported (2.12)", async () => {
    const png = Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), Buffer.alloc(20)])
    const { message, conversation } = taken(
      await text(newTelephone(), '', {
        attachments: [
          { fileName: 'boat.png', content: Readable.from([png]) },
          { fileName: 'virus.exe', content: Readable.from([Buffer.from('MZ and more bytes')]) },
          { fileName: 'harbour.png', content: Readable.from([png]) },
        ],
      }),
    )
    const { value } = await fixture.run<{ messages: { edges: { node: { id: string } }[] } }>(
      fixture.ann,
      `query ($id: ID!) { conversation(id: $id) { messages { edges { node { id meta attachment { fileName size } } } } } }`,
      { id: conversation },
    )
    expect(value.messages.edges).toMatchObject([
      {
        node: {
          id: message,
          attachment: { fileName: 'boat.png', size: png.length },
          meta: { _refusedAttachments: [{ fileName: 'virus.exe', reason: expect.stringContaining('must be one of') }] },
        },
      },
      { node: { attachment: { fileName: 'harbour.png' } } },
    ])
  })

  it("never reaches another tenant: a token for that tenant's conversation is invalid (section 1)", async () => {
    const organization = await fixture.makeOrganization()
    const bot = await fixture.makeUser({ organization, role: 'bot' })
    const foreign = await fixture.create({}, bot)
    const { conversation } = taken(await text(newTelephone(), 'Let me in', { conversation: foreign.id }))
    expect(conversation).not.toBe(foreign.id)
    expect(texts(await fixture.show(foreign.id, bot))).toEqual([])
  })
})
