import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { until } from '../../support/until.js'
import { startProviderFixture, type ProviderFixture, type Said } from '../provider-fixture.js'
import { bodyOf, errorOf, NUMBER, startCloudApi, type CloudApi, type SentMessage } from './cloud-api.js'

const HOUR_MS = 3_600_000

let fixture: ProviderFixture
let cloud: CloudApi
let service: string
let people = 0
let ids = 0

beforeAll(async () => {
  fixture = await startProviderFixture()
  cloud = await startCloudApi()
  service = await fixture.makeService('whatsapp', { ...NUMBER, apiUrl: cloud.url })
})
afterAll(async () => {
  await fixture.app.close()
  await cloud.close()
})

interface Person {
  wa_id?: string
  user_id?: string
  name?: string
}

const phone = (): string => `316${String(10_000_000 + ++people)}`
const seconds = (): string => String(Math.floor(fixture.app.clock.now().getTime() / 1_000))

/** The value of a change with a person's messages. */
function valueOf({ wa_id, user_id, name = 'Carl' }: Person, ...messages: object[]): object {
  return {
    contacts: [{ profile: { name }, ...(wa_id && { wa_id }), ...(user_id && { user_id }) }],
    messages: messages.map((message) => ({
      id: `wamid.in.${++ids}`,
      timestamp: seconds(),
      ...(wa_id && { from: wa_id }),
      ...(user_id && { from_user_id: user_id }),
      ...message,
    })),
  }
}

const text = (body: string): object => ({ type: 'text', text: { body } })

function tell(value: object, field = 'messages'): Promise<number> {
  return cloud.call(fixture.hook('whatsapp', service).url, bodyOf(value, field))
}

const status = (id: string, to: string, more: object = {}): object => ({
  statuses: [{ id, status: to, timestamp: seconds(), recipient_id: '31600000000', ...more }],
})

async function contactOf(address: string): Promise<string | undefined> {
  const [row] = await fixture.app.server.database.query<{ contact_id: string }>(
    'select contact_id from contact_handle where service_id = $1 and address = $2',
    [service, address],
  )
  return row?.contact_id
}

async function saidBy(address: string, count = 1): Promise<Said[]> {
  return until(async () => {
    const contact = await contactOf(address)
    const said = (await fixture.receivedBy(service)).filter((message) => message.contact_id === contact)
    return contact !== undefined && said.length >= count && said
  })
}

async function begun(): Promise<{ person: string; conversation: string }> {
  const person = phone()
  await tell(valueOf({ wa_id: person }, text('Hello')))
  const [said] = await saidBy(person)
  return { person, conversation: said!.conversation_id }
}

const sentTo = (person: string): SentMessage[] => cloud.sent.filter(({ to, recipient }) => (to ?? recipient) === person)

/** Waits until all events that were taken are processed. */
async function processed(): Promise<void> {
  await until(async () => {
    const rows = await fixture.app.server.database.query("select 1 from job where kind = 'whatsapp.event' limit 1")
    return rows.length === 0
  })
}

describe('the handshake and the signature', () => {
  it('answers the challenge of a caller who knows the token, and refuses events that are not signed', async () => {
    const { url } = fixture.hook('whatsapp', service)
    const query = { 'hub.mode': 'subscribe', 'hub.verify_token': NUMBER.verifyToken, 'hub.challenge': '1158201444' }
    const shake = async (more: object = {}): Promise<unknown[]> => {
      const response = await fetch(`${url}?${new URLSearchParams({ ...query, ...more }).toString()}`)
      return [response.status, await response.text()]
    }
    expect(await shake()).toEqual([200, '1158201444'])
    expect((await shake({ 'hub.verify_token': 'x' }))[0]).toBe(403)
    const person = phone()
    const body = bodyOf(valueOf({ wa_id: person }, text('Forged')))
    expect(await cloud.call(url, body, { secret: 'another' })).toBe(403)
    expect(await cloud.call(url, body, { signature: '' })).toBe(403)
    const other = createHmac('sha256', NUMBER.appSecret).update('{}').digest('hex')
    expect(await cloud.call(url, body, { signature: `sha256=${other}` })).toBe(403)
    expect(await contactOf(person)).toBeUndefined()
  })
})

describe('an inbound message', () => {
  it('makes a contact with its name and number, and a queued conversation of the messenger', async () => {
    const person = phone()
    expect(await tell(valueOf({ wa_id: person, name: 'Zoë' }, text('Žluťoučký 😀'), text('Hi')))).toBe(200)
    const said = await saidBy(person, 2)
    expect(said.map((message) => [message.touchpoint, message.text])).toEqual([
      ['messenger', 'Žluťoučký 😀'],
      ['messenger', 'Hi'],
    ])
    const { data } = await fixture.app.gql(
      fixture.admin,
      'query ($id: ID!) { conversation(id: $id) { status touchpoint contact { profile { name telephone } } } }',
      { id: said[0]!.conversation_id },
    )
    expect(data.conversation).toEqual({
      status: 'QUEUED',
      touchpoint: 'MESSENGER',
      contact: { profile: { name: 'Zoë', telephone: `+${person}` } },
    })
  })

  it('is stored once if it arrives fifty times at once', async () => {
    const person = phone()
    const value = valueOf({ wa_id: person }, text('Once'))
    const statuses = await Promise.all(Array.from({ length: 50 }, () => tell(value)))
    expect(new Set(statuses)).toEqual(new Set([200]))
    await processed()
    expect(await saidBy(person)).toHaveLength(1)
  })

  it('belongs to the same contact with a number, an id, or both, also after either has changed', async () => {
    const [number, id] = [phone(), `NL.${phone()}`]
    await tell(valueOf({ wa_id: number }, text('by number')))
    await saidBy(number)
    await tell(valueOf({ wa_id: number, user_id: id }, text('by both')))
    await saidBy(id, 2)
    // The number is hidden by a username now.
    await tell(valueOf({ user_id: id }, text('by id')))
    const said = await saidBy(id, 3)
    expect(new Set(said.map(({ conversation_id }) => conversation_id)).size).toBe(1)
    const [nextNumber, nextId] = [phone(), `NL.${phone()}`]
    await tell(
      valueOf({ wa_id: number }, { type: 'system', system: { type: 'user_changed_number', wa_id: nextNumber } }),
    )
    // A changed id is told without a sender.
    const system = { type: 'user_changed_user_id', user_id: nextId, previous_user_id: id }
    await tell(valueOf({}, { type: 'system', system }))
    await processed()
    const addresses = await fixture.app.server.database.query<{ address: string }>(
      'select address from contact_handle where contact_id = $1',
      [said[0]!.contact_id],
    )
    expect(addresses.map(({ address }) => address).toSorted()).toEqual([nextNumber, nextId].toSorted())
    const message = await fixture.answer(said[0]!.conversation_id, { text: 'To the new one' })
    await fixture.becomes(message, 'sent')
    expect([...sentTo(nextId), ...sentTo(nextNumber)]).toHaveLength(1)
  })

  // [4.8 /import of contacts merged elsewhere]
  it('merges nothing by itself where it names addresses of two contacts: a merge is suggested, once', async () => {
    const [number, id] = [phone(), `NL.${phone()}`]
    await tell(valueOf({ wa_id: number }, text('by number')))
    const [byNumber] = await saidBy(number)
    await tell(valueOf({ user_id: id }, text('by id')))
    const [byId] = await saidBy(id)
    expect(byId!.contact_id).not.toBe(byNumber!.contact_id)
    for (const said of ['by both', 'and again']) await tell(valueOf({ wa_id: number, user_id: id }, text(said)))
    expect((await saidBy(id, 3)).map((said) => said.text)).toEqual(['by id', 'by both', 'and again'])
    const { app, admin } = fixture
    const rest = async (method: string, path: string, body?: object) =>
      (await app.rest(admin, method, `/v2/conversations/${path}`, body)).body
    const cards = async () => (await rest('GET', `${byId!.conversation_id}/messages?type=card`)) as { text: string }[]
    const [card, ...more] = await until(async () => (await cards()).length > 0 && (await cards()))
    expect([card!.text, more]).toEqual([expect.stringContaining(`send /import ${byNumber!.conversation_id}`), []])
    await until(async () => {
      const jobs = await app.server.database.query("select 1 from job where kind = 'contact.matched'")
      return jobs.length === 0
    })
    expect(await cards()).toHaveLength(1)
    for (const { conversation_id, contact_id } of [byId!, byNumber!]) {
      expect(await rest('GET', conversation_id)).toMatchObject({ status: 'queued', contact: contact_id })
    }
    expect(await contactOf(number)).toBe(byNumber!.contact_id)
    // Once it is merged, by an agent or by the system where the contacts were merged, both ways lead there.
    const command = { type: 'command', text: `/import ${byNumber!.conversation_id}` }
    await rest('POST', `${byId!.conversation_id}/messages`, command)
    await tell(valueOf({ wa_id: number }, text('by number again')))
    const last = await until(async () =>
      (await fixture.receivedBy(service)).find((said) => said.text === 'by number again'),
    )
    expect(last.conversation_id).toBe(byId!.conversation_id)
  })

  it('has its file with its caption, if the file is the one that the platform described', async () => {
    const png = Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), Buffer.alloc(100, 5)])
    cloud.media.set('1001', { type: 'image/png', bytes: png })
    cloud.media.set('1002', { type: 'image/png', bytes: png, sha256: '0'.repeat(64) })
    const person = phone()
    const image = (id: string): object => ({
      type: 'image',
      image: { id, mime_type: 'image/png', caption: `of ${id}` },
    })
    await tell(valueOf({ wa_id: person }, image('1001'), image('1002'), image('gone')))
    const said = await saidBy(person, 3)
    expect(said.map((message) => message.text)).toEqual([
      'of 1001',
      'of 1002\n[image that could not be fetched]',
      'of gone\n[image that could not be fetched]',
    ])
    const kept = await fixture.app.server.database.query('select size from attachment where contact_id = $1', [
      said[0]!.contact_id,
    ])
    expect(kept).toEqual([{ size: png.length }])
  })

  it('of any other kind is named, never lost, and never a failure', async () => {
    const person = phone()
    const messages = [
      { type: 'location', location: { latitude: 52.1, longitude: 4.2, name: 'Pier 3' } },
      { type: 'contacts', contacts: [{ name: { formatted_name: 'Eve' }, phones: [{ phone: '+31 6 1' }] }] },
      { type: 'unsupported', errors: [{ code: 131051, title: 'Message type unknown' }] },
      { type: 'of next year', 'of next year': { some: ['thing'] } },
      { type: 'interactive', interactive: { type: 'nfm_reply', nfm_reply: { body: 'Sent' } } },
      { type: 'text', text: { body: '' } },
      { type: 'reaction', reaction: { message_id: 'wamid.x', emoji: '👍' } },
    ]
    expect(await tell(valueOf({ wa_id: person }, ...messages))).toBe(200)
    await processed()
    expect((await saidBy(person, 5)).map((message) => message.text)).toEqual([
      'Pier 3\n52.1, 4.2',
      'Eve, +31 6 1',
      '[unsupported]',
      '[of next year]',
      '[nfm_reply]',
    ])
    const ignored = await fixture.app.server.database.query<{ ignored: string }>(
      'select ignored from inbound_message where service_id = $1 and ignored is not null order by ignored',
      [service],
    )
    expect(ignored.map((row) => row.ignored)).toEqual([
      'it is a reaction to a message that is not here',
      'the message is empty',
    ])
  })

  it('comes in a body of 3,000 events, in order for each person', async () => {
    const senders = Array.from({ length: 10 }, phone)
    const messages = Array.from({ length: 40 }, (_, at) => ({
      from: senders[at % 10],
      ...text(`${Math.floor(at / 10)}`),
    }))
    const statuses = Array.from({ length: 2_960 }, (_, at) => ({
      id: `wamid.none.${at}`,
      status: 'read',
      timestamp: '1',
    }))
    expect(await tell({ ...valueOf({ wa_id: senders[0]! }, ...messages), statuses })).toBe(200)
    for (const sender of senders) {
      expect((await saidBy(sender, 4)).map((message) => message.text)).toEqual(['0', '1', '2', '3'])
    }
  })

  it('reaches the service of its number, where an app has several, and no service of another app', async () => {
    const numbers = ['200', '300']
    const [own, foreign] = await Promise.all([
      fixture.makeService('whatsapp', { ...NUMBER, phoneNumberId: numbers[0], apiUrl: cloud.url }),
      fixture.makeService('whatsapp', { ...NUMBER, phoneNumberId: numbers[1], appSecret: 'of-another-app' }),
    ])
    for (const number of numbers) {
      const body = bodyOf(valueOf({ wa_id: phone() }, text(`to ${number}`)), 'messages', number)
      expect(await cloud.call(fixture.hook('whatsapp', service).url, body)).toBe(200)
    }
    await until(async () => (await fixture.receivedBy(own!)).length > 0)
    await processed()
    expect(await fixture.receivedBy(foreign!)).toEqual([])
  })
})

describe("an agent's answer", () => {
  it('is sent once, and its statuses count in any order', async () => {
    const { person, conversation } = await begun()
    const message = await fixture.answer(conversation, { text: 'Sail or motor?' })
    const { id, provider_id: wamid } = await fixture.becomes(message, 'sent')
    expect(sentTo(person)).toMatchObject([
      { type: 'text', text: { body: 'Sail or motor?' }, callback: `${id}:1/1`, wamid },
    ])
    await tell(status(wamid!, 'read'))
    await fixture.becomes(message, 'read')
    for (const late of ['delivered', 'sent', 'failed']) await tell(status(wamid!, late))
    await processed()
    expect((await fixture.delivery(message)).status).toBe('read')
  })

  it('whose outcome is unknown is settled by the status that names it, and never sent twice', async () => {
    const { person, conversation } = await begun()
    cloud.takeAndSay(errorOf(131_000, 'Something went wrong', 500))
    const message = await fixture.answer(conversation, { text: 'Maybe' })
    const { id } = await fixture.becomes(message, 'maybeSent')
    const [taken] = sentTo(person)
    await tell(status(taken!.wamid, 'delivered', { biz_opaque_callback_data: `${id}:1/1` }))
    expect(await fixture.becomes(message, 'delivered')).toMatchObject({ provider_id: taken!.wamid, reason: null })
    expect(sentTo(person)).toHaveLength(1)
  })

  it('may be settled by its status before the answer to the send', async () => {
    const { person, conversation } = await begun()
    cloud.faults.push(errorOf(130_429, 'Rate limit hit', 429))
    const message = await fixture.answer(conversation, { text: 'Later' })
    expect(await fixture.becomes(message, 'sent')).toMatchObject({ attempts: 2 })
    expect(sentTo(person)).toHaveLength(1)
  })

  it("of another service's delivery is not believed", async () => {
    const { conversation } = await begun()
    const message = await fixture.answer(conversation, { text: 'Mine' })
    const { id } = await fixture.becomes(message, 'sent')
    const foreign = await fixture.makeService('whatsapp', { ...NUMBER, phoneNumberId: '400', apiUrl: cloud.url })
    const body = bodyOf(status('wamid.forged', 'failed', { biz_opaque_callback_data: `${id}:1/1` }), 'messages', '400')
    expect(await cloud.call(fixture.hook('whatsapp', foreign).url, body)).toBe(200)
    await processed()
    expect((await fixture.delivery(message)).status).toBe('sent')
  })

  it('has its buttons, and a press is the button (2.10)', async () => {
    const { person, conversation } = await begun()
    const choice = (label: string): object => ({ type: 'REPLY', text: label, payload: `INTENT_${label}` })
    const actions = [choice('Sail'), choice('Motor'), choice('Both')]
    await fixture.becomes(await fixture.answer(conversation, { text: 'Which?', actions }), 'sent')
    const { buttons } = sentTo(person)[0]!.interactive.action
    expect(buttons.map(({ reply }: { reply: { title: string } }) => reply.title)).toEqual(['Sail', 'Motor', 'Both'])
    const press = { type: 'interactive', interactive: { type: 'button_reply', button_reply: buttons[1].reply } }
    await tell(valueOf({ wa_id: person }, press))
    const said = await saidBy(person, 2)
    expect(said[1]).toMatchObject({ type: 'postback', text: 'INTENT_Motor' })
    // A stranger has no such button.
    const stranger = phone()
    await tell(valueOf({ wa_id: stranger }, press))
    expect((await saidBy(stranger))[0]).toMatchObject({ type: 'chat', text: 'Motor' })
  })

  it.each([
    [131_047, 'failed', 'windowClosed', /Re-engagement/],
    [131_026, 'failed', null, /use another touchpoint/],
    [132_000, 'failed', null, /132000/],
    [100, 'failed', null, /100/],
    [190, 'queued', null, /access token is refused/],
    [131_031, 'queued', null, /account is locked/],
  ])('refused with %i is %s, with what to do', async (code, to, expected, reason) => {
    const { conversation } = await begun()
    cloud.faults.push(errorOf(code, code === 131_047 ? 'Re-engagement message' : 'no'))
    const message = await fixture.answer(conversation, { text: 'An answer' })
    const row = await until(async () => {
      const found = await fixture.delivery(message)
      return found.status === to && found.reason !== null && found
    })
    expect(row).toMatchObject({ code: expected, reason: expect.stringMatching(reason) })
  })

  it('is not sent after the window of 24 hours, in which only the consumer can open it again', async () => {
    const { person, conversation } = await begun()
    fixture.app.clock.advance(25 * HOUR_MS)
    const late = await fixture.answer(conversation, { text: 'Too late' }, await fixture.app.tokenFor(fixture.agent))
    expect(await fixture.becomes(late, 'failed')).toMatchObject({ code: 'windowClosed', attempts: 0 })
    await tell(valueOf({ wa_id: person }, text('I am back')))
    await saidBy(person, 2)
    const now = await fixture.answer(conversation, { text: 'Hello again' }, await fixture.app.tokenFor(fixture.agent))
    await fixture.becomes(now, 'sent')
    expect(sentTo(person).map(({ text: sent }) => sent.body)).toEqual(['Hello again'])
  })
})

describe('a reaction of the consumer', () => {
  const reactionsOf = async (conversation: string): Promise<Record<string, string[]>> => {
    const { data } = await fixture.app.gql(
      await fixture.app.tokenFor(fixture.agent),
      `query ($id: ID!) { conversation(id: $id) { messages(first: 100) { edges { node { text reactions { emoji at } } } } } }`,
      { id: conversation },
    )
    const shown = data.conversation.messages.edges.map(
      ({ node: { text: said, reactions } }: { node: { text: string; reactions: { emoji: string }[] } }) => [
        said,
        reactions.map(({ emoji }) => emoji),
      ],
    )
    return Object.fromEntries(shown)
  }
  const react = (person: string, message_id: string, emoji = ''): Promise<number> =>
    tell(valueOf({ wa_id: person }, { type: 'reaction', reaction: { message_id, emoji } }))
  const answered = async (conversation: string, said: string): Promise<string> => {
    const message = await fixture.answer(conversation, { text: said }, await fixture.app.tokenFor(fixture.agent))
    return (await fixture.becomes(message, 'sent')).provider_id!
  }

  it('is shown on the message that has it: one, the last one, until it is taken back', async () => {
    const { person, conversation } = await begun()
    const wamid = await answered(conversation, 'We have it')
    await react(person, wamid, '👍')
    await react(person, wamid, '❤️')
    await processed()
    expect(await reactionsOf(conversation)).toEqual({ Hello: [], 'We have it': ['❤️'] })
    const [own] = await fixture.app.server.database.query<{ provider_id: string }>(
      'select provider_id from inbound_message where conversation_id = $1',
      [conversation],
    )
    await react(person, own!.provider_id, '🙈')
    await react(person, wamid)
    await processed()
    expect(await reactionsOf(conversation)).toEqual({ Hello: ['🙈'], 'We have it': [] })
    // What a blocked contact writes is refused as well.
    const block = { role: 'AGENT', type: 'COMMAND', text: '/block' }
    const { errors } = await fixture.app.gql(
      await fixture.app.tokenFor(fixture.admin),
      'mutation ($id: ID!, $message: MessageInput!) { sendMessage(conversation: $id, message: $message) { id } }',
      { id: conversation, message: block },
    )
    expect(errors).toBeUndefined()
    await react(person, wamid, '😡')
    await processed()
    expect((await reactionsOf(conversation))['We have it']).toEqual([])
    expect(await saidBy(person)).toHaveLength(1)
  })

  it('finds its message in the conversation into which it was merged, and no message of another service', async () => {
    const [origin, target] = [await begun(), await begun()]
    const wamid = await answered(origin.conversation, 'Of the origin')
    const command = { role: 'AGENT', type: 'COMMAND', text: `/import ${origin.conversation}` }
    const { errors } = await fixture.app.gql(
      await fixture.app.tokenFor(fixture.admin),
      'mutation ($id: ID!, $message: MessageInput!) { sendMessage(conversation: $id, message: $message) { id } }',
      { id: target.conversation, message: command },
    )
    expect(errors).toBeUndefined()
    await react(origin.person, wamid, '👍')
    const { data } = await fixture.app.gql(
      await fixture.app.tokenFor(fixture.admin),
      'mutation ($input: CreateServiceInput!) { createService(input: $input) { id } }',
      { input: { type: 'whatsapp', params: { ...NUMBER, phoneNumberId: '500', apiUrl: cloud.url } } },
    )
    const foreign = data.createService.id
    const forged = valueOf({ wa_id: phone() }, { type: 'reaction', reaction: { message_id: wamid, emoji: '🚫' } })
    expect(await cloud.call(fixture.hook('whatsapp', foreign).url, bodyOf(forged, 'messages', '500'))).toBe(200)
    await processed()
    expect((await reactionsOf(target.conversation))['Of the origin']).toEqual(['👍'])
  })
})

describe('a message that the organization writes with the app of its number', () => {
  const echo = (to: string, more: object = text('From my telephone')): object => ({
    message_echoes: [{ id: `wamid.echo.${++ids}`, from: '31201234567', to, timestamp: seconds(), ...more }],
  })

  it("is an agent's, sent already, and ends the consumer's wait", async () => {
    const { person, conversation } = await begun()
    const value = echo(person)
    await Promise.all(Array.from({ length: 5 }, () => tell(value, 'smb_message_echoes')))
    await processed()
    const { data } = await fixture.app.gql(
      await fixture.app.tokenFor(fixture.agent),
      `query ($id: ID!) { conversation(id: $id) { status messages(first: 100) { edges { node {
        role text userId touchpoint deliveries { status recipient providerId } } } } } }`,
      { id: conversation },
    )
    const [, said, ...others] = data.conversation.messages.edges
    expect([said.node, others]).toEqual([
      {
        role: 'AGENT',
        text: 'From my telephone',
        userId: null,
        touchpoint: 'MESSENGER',
        deliveries: [{ status: 'SENT', recipient: person, providerId: expect.stringMatching(/^wamid\.echo/) }],
      },
      [],
    ])
    const [waits] = await fixture.app.server.database.query(
      'select awaiting_reply, unanswered_since from conversation where id = $1',
      [conversation],
    )
    expect(waits).toEqual({ awaiting_reply: false, unanswered_since: null })
    expect(sentTo(person)).toEqual([])
  })

  it('answers nothing that was asked after it was written', async () => {
    const { person, conversation } = await begun()
    const early = String(Math.floor(fixture.app.clock.now().getTime() / 1_000) - 300)
    const late = {
      message_echoes: [
        { id: `wamid.echo.${++ids}`, from: '31201234567', to: person, timestamp: early, ...text('Good morning') },
      ],
    }
    await tell(late, 'smb_message_echoes')
    await processed()
    const [waits] = await fixture.app.server.database.query<{ awaiting: boolean; since: Date | null; turns: number }>(
      `select awaiting_reply as awaiting, unanswered_since as since,
         (select count(*)::int from milestone where conversation_id = c.id and kind = 'agentTurn') as turns
       from conversation c where id = $1`,
      [conversation],
    )
    expect(waits).toEqual({ awaiting: true, since: expect.any(Date), turns: 0 })
  })

  it('is known by its statuses, and named where nobody has written or nothing new is said', async () => {
    const { person, conversation } = await begun()
    const value = echo(person) as { message_echoes: { id: string }[] }
    await tell(value, 'smb_message_echoes')
    await processed()
    await tell(status(value.message_echoes[0]!.id, 'read'))
    await until(async () => {
      const [row] = await fixture.app.server.database.query<{ status: string }>(
        'select status from delivery where conversation_id = $1',
        [conversation],
      )
      return row?.status === 'read'
    })
    const stranger = phone()
    await tell(echo(stranger), 'smb_message_echoes')
    await tell(echo(person, { type: 'revoke', revoke: {} }), 'smb_message_echoes')
    await processed()
    expect(await contactOf(stranger)).toBeUndefined()
    const ignored = await fixture.app.server.database.query<{ ignored: string }>(
      `select ignored from inbound_message where service_id = $1 and ignored ~ 'elsewhere|of the app' order by ignored`,
      [service],
    )
    expect(ignored.map((row) => row.ignored)).toEqual([
      'it is of the app: revoke',
      'the organization wrote it elsewhere, to somebody who has not written here',
    ])
  })
})

describe('what consumers see of agents', () => {
  it('is with `readMarks` that messages were read, and that somebody types, every 20 s at most', async () => {
    const type = async (conversation: string, more: object = {}): Promise<void> => {
      const { errors } = await fixture.app.gql(
        await fixture.app.tokenFor(fixture.agent),
        `mutation ($id: ID!, $typing: Boolean!, $isNote: Boolean) {
          setTyping(conversation: $id, typing: $typing, isBackchannel: $isNote) }`,
        { id: conversation, typing: true, ...more },
      )
      expect(errors).toBeUndefined()
    }
    const { conversation: unmarked } = await begun()
    await type(unmarked)
    const marking = { ...NUMBER, phoneNumberId: NUMBER.phoneNumberId, readMarks: true, apiUrl: cloud.url }
    const { errors } = await fixture.app.gql(
      await fixture.app.tokenFor(fixture.admin),
      'mutation ($id: ID!, $patch: UpdateServiceInput!) { updateService(id: $id, patch: $patch) { id } }',
      { id: service, patch: { params: marking } },
    )
    expect(errors).toBeUndefined()
    const { person, conversation } = await begun()
    const [seen] = await until(() => cloud.marked.length > 0 && cloud.marked)
    await type(conversation, { isNote: true })
    await type(conversation, { typing: false })
    await type(conversation)
    await type(conversation)
    await until(() => cloud.typing.length > 0)
    expect(await saidBy(person)).toHaveLength(1)
    expect(cloud.typing).toEqual([seen])
  })
})

describe('the test of a service and its params', () => {
  const test = async (id: string): Promise<unknown> => {
    const { data, errors } = await fixture.app.gql(
      await fixture.app.tokenFor(fixture.admin),
      'mutation ($id: ID!) { testService(service: $id) { ok message } }',
      { id },
    )
    return errors?.[0]?.message ?? data.testService
  }

  it('asks for the number, and tells what the platform says, without the token', async () => {
    // Messages that were held for an hour are due since the clock went on: they would be given the refusal that follows.
    await until(async () => {
      const held = await fixture.app.server.database.query(
        "select 1 from job where kind = 'touchpoint.deliver' limit 1",
      )
      return held.length === 0
    })
    expect(await test(service)).toEqual({
      ok: true,
      message: 'the platform knows "Harbour" by the number "+31 20 123 4567"; its quality is GREEN',
    })
    cloud.faults.push(errorOf(190, `Invalid token ${NUMBER.accessToken}`, 401))
    expect(await test(service)).toEqual({
      ok: false,
      message:
        'the access token is refused: an administrator gives the service a new one (the platform refused: 190 Invalid token ********)',
    })
  })

  it.each([
    [{ phoneNumberId: '+31201234567' }, 'phoneNumberId'],
    [{ wabaId: '../me' }, 'wabaId'],
    [{ accessToken: 'two words' }, 'accessToken'],
    [{ readMarks: 'yes' }, 'readMarks'],
    [{ apiUrl: 'https://me:pw@x.example' }, 'apiUrl'],
    [{ phoneNumber: '1' }, 'phoneNumber'],
  ])('refuses %j', async (params, key) => {
    const { errors } = await fixture.app.gql(
      await fixture.app.tokenFor(fixture.admin),
      'mutation ($input: CreateServiceInput!) { createService(input: $input) { id } }',
      { input: { type: 'whatsapp', params: { ...NUMBER, ...params } } },
    )
    expect(errors?.[0]?.extensions).toMatchObject({ code: 'BAD_USER_INPUT', field: `params.${key}` })
  })
})
