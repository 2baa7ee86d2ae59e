import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { PNG } from '../../support/upload-image.js'
import { until } from '../../support/until.js'
import { startProviderFixture, type ProviderFixture, type Said } from '../provider-fixture.js'
import { BOT, refusal, startBotApi, updateOf, type BotApi, type SentMessage } from './bot-api.js'

/** Token of a bot that the platform does not know until a test says so. */
const OTHER_BOT = '220301544:BBHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw'

let fixture: ProviderFixture
let bots: BotApi
let service: string
let people = 6_000_000
let ids = 0

beforeAll(async () => {
  fixture = await startProviderFixture()
  bots = await startBotApi()
  service = await fixture.makeService('telegram', { ...BOT, apiUrl: bots.url })
})
afterAll(async () => {
  await fixture.app.close()
  await bots.close()
})

const person = (): number => ++people
const seconds = (): number => Math.floor(fixture.app.clock.now().getTime() / 1_000)
const from = (id: number, more: object = {}): object => ({
  id,
  is_bot: false,
  first_name: 'Zoë',
  last_name: 'Vos',
  language_code: 'nl',
  ...more,
})
const privateChat = (id: number): object => ({ id, type: 'private', first_name: 'Zoë' })

/** A message of a person, as the platform tells it. */
const messageOf = (id: number, content: object): object => ({
  message_id: ++ids,
  date: seconds(),
  from: from(id),
  chat: privateChat(id),
  ...content,
})

const tell = (part: object): Promise<number> => bots.call(fixture.hook('telegram', service).url, updateOf(part))
const say = (id: number, content: object): Promise<number> => tell({ message: messageOf(id, content) })

async function saidBy(id: number, count = 1): Promise<Said[]> {
  return until(async () => {
    const [row] = await fixture.app.server.database.query<{ contact_id: string }>(
      'select contact_id from contact_handle where service_id = $1 and address = $2',
      [service, String(id)],
    )
    const said = (await fixture.receivedBy(service)).filter((message) => message.contact_id === row?.contact_id)
    return row !== undefined && said.length >= count && said
  })
}

async function begun(): Promise<{ id: number; conversation: string }> {
  const id = person()
  await say(id, { text: '/start' })
  const [said] = await saidBy(id)
  return { id, conversation: said!.conversation_id }
}

const sentTo = (id: number): SentMessage[] => bots.sent.filter(({ body }) => body.chat_id === id)
const callsOf = (method: string, id: number) =>
  bots.calls.filter((call) => call.method === method && call.body.chat_id === id)

/** Waits until all updates that were taken are processed. */
async function processed(): Promise<void> {
  await until(async () => {
    const rows = await fixture.app.server.database.query("select 1 from job where kind like 'telegram.event' limit 1")
    return rows.length === 0
  })
}

const MESSAGE = 'query ($id: ID!) { message(id: $id) { text editedAt } }'

describe('the endpoint', () => {
  it('is told to the platform with its secret, and takes no call without it', async () => {
    const { url, publicUrl } = fixture.hook('telegram', service)
    await until(async () => bots.webhook.url !== '')
    expect(bots.webhook).toEqual({ url: publicUrl, secret: BOT.webhookSecret })
    const id = person()
    const update = updateOf({ message: messageOf(id, { text: 'Forged' }) })
    expect(await bots.call(url, update, 'another')).toBe(403)
    expect(await bots.call(url, update, '')).toBe(403)
    expect(await bots.call(url, '{"update_id":')).toBe(400)
    await processed()
    expect((await fixture.receivedBy(service)).filter(({ text }) => text === 'Forged')).toEqual([])
  })

  it('names what has no use here, and answers it', async () => {
    expect(await tell({ poll_answer: { poll_id: '1' } })).toBe(200)
    expect(await bots.call(fixture.hook('telegram', service).url, '[7]')).toBe(200)
    // A name that PostgreSQL does not store as it is.
    expect(await tell({ 'odd\0name': {} })).toBe(200)
  })
})

describe('an inbound message', () => {
  it('makes a contact with its name, and a queued conversation of the messenger, in order', async () => {
    const id = person()
    expect(await say(id, { text: '/start' })).toBe(200)
    await say(id, { text: 'Žluťoučký 😀' })
    const said = await saidBy(id, 2)
    expect(said.map((message) => [message.touchpoint, message.type, message.text])).toEqual([
      ['messenger', 'chat', '/start'],
      ['messenger', 'chat', 'Žluťoučký 😀'],
    ])
    const { data } = await fixture.app.gql(
      fixture.admin,
      'query ($id: ID!) { conversation(id: $id) { status touchpoint contact { profile { name } } } }',
      { id: said[0]!.conversation_id },
    )
    expect(data.conversation).toEqual({
      status: 'QUEUED',
      touchpoint: 'MESSENGER',
      contact: { profile: { name: 'Zoë Vos' } },
    })
  })

  it('is stored once if it arrives thirty times at once', async () => {
    const id = person()
    const update = updateOf({ message: messageOf(id, { text: 'Once' }) })
    const { url } = fixture.hook('telegram', service)
    const statuses = await Promise.all(Array.from({ length: 30 }, () => bots.call(url, update)))
    expect(new Set(statuses)).toEqual(new Set([200]))
    await processed()
    expect(await saidBy(id)).toHaveLength(1)
  })

  it('keeps files, names those that the platform keeps to itself, and kinds that have no form', async () => {
    const id = person()
    bots.files.set('pic-1', PNG)
    await say(id, { photo: [{ file_id: 'small' }, { file_id: 'pic-1' }] })
    await say(id, { caption: 'Plan', document: { file_id: 'gone', file_name: 'a.pdf' } })
    await say(id, { voice: { file_id: '../../getMe' } })
    await say(id, { video: { file_id: 'large', file_size: 21 * 1_048_576 } })
    await say(id, { location: { latitude: 52.37, longitude: 4.9 } })
    await say(id, { contact: { first_name: 'Ann', phone_number: '+31201234567' } })
    await say(id, { dice: { emoji: '🎲', value: 3 } })
    const said = await saidBy(id, 7)
    expect(said.map(({ text }) => text)).toEqual([
      null,
      'Plan\n[document that could not be fetched]',
      '[voice]',
      '[video of more than 20 MB, which the platform keeps to itself]',
      '52.37, 4.9',
      'Ann, +31201234567',
      '[dice]',
    ])
    expect(said[0]!.meta).toMatchObject({ fileType: 'image/png' })
    expect(said[4]!.meta).toMatchObject({ location: { latitude: 52.37, longitude: 4.9 } })
  })

  it('is changed by an edit of the person, once, and by no edit that was told before', async () => {
    const id = person()
    const message = messageOf(id, { text: 'Two berths' })
    await tell({ message })
    const [said] = await saidBy(id)
    const first = updateOf({ edited_message: { ...message, text: 'Three berths' } })
    const { url } = fixture.hook('telegram', service)
    await bots.call(url, first)
    await tell({ edited_message: { ...message, text: 'Four berths' } })
    await bots.call(url, first)
    await tell({ edited_message: { ...message, message_id: 999_999, text: 'Of nothing' } })
    await processed()
    const { data } = await fixture.app.gql(fixture.admin, MESSAGE, { id: said!.id })
    expect(data.message).toEqual({ text: 'Four berths', editedAt: expect.any(String) })
  })
})

describe('an answer', () => {
  it('shows buttons below the text, and pressing one is its postback', async () => {
    const { id, conversation } = await begun()
    const message = await fixture.answer(conversation, {
      text: 'Which harbour?',
      actions: [
        { type: 'REPLY', text: 'North', payload: 'north' },
        { type: 'POSTBACK', text: 'S'.repeat(70), payload: 'south' },
        { type: 'LINK', text: 'Map', uri: 'https://example.org/map' },
        { type: 'LINK', text: 'Mail', uri: 'mailto:harbour@example.org' },
      ],
    })
    await fixture.becomes(message, 'sent')
    const [sent] = sentTo(id)
    expect(sent!.body).toMatchObject({
      text: `Which harbour?\n\nMail: mailto:harbour@example.org\n\n• ${'S'.repeat(70)}`,
      reply_markup: {
        inline_keyboard: [
          [{ text: 'North', callback_data: `sb:${message}:-:0` }],
          [{ text: `${'S'.repeat(63)}…`, callback_data: `sb:${message}:-:1` }],
          [{ text: 'Map', url: 'https://example.org/map' }],
        ],
      },
    })
    const press = (data: string, who = id): Promise<number> =>
      tell({
        callback_query: {
          id: `q${++ids}`,
          from: from(who),
          message: { message_id: sent!.id, chat: privateChat(who) },
          data,
        },
      })
    await press(`sb:${message}:-:0`)
    const [, click] = await saidBy(id, 2)
    expect(click).toMatchObject({
      type: 'postback',
      text: 'north',
      actions: [{ type: 'reply', text: 'North', payload: 'north' }],
    })
    expect(bots.calls.some(({ method }) => method === 'answerCallbackQuery')).toBe(true)
    // Somebody else, to whom it was not sent.
    const other = await begun()
    await press(`sb:${message}:-:0`, other.id)
    expect((await saidBy(other.id, 2))[1]).toMatchObject({ type: 'chat', text: `sb:${message}:-:0` })
  })

  // [2.10 locationRequest asks]
  it('shows items with pictures and captions, and asks for a location with a key', async () => {
    const { id, conversation } = await begun()
    const cards = await fixture.answer(conversation, {
      text: 'Our boats',
      items: [
        {
          title: 'Zephyr',
          description: '7 m',
          mediaUrl: 'https://example.org/zephyr.png',
          actions: [{ type: 'POSTBACK', text: 'Rent', payload: 'zephyr' }],
        },
        { title: 'Borea' },
      ],
    })
    await fixture.becomes(cards, 'sent')
    expect(sentTo(id).map(({ method, body }) => [method, body.text ?? body.caption])).toEqual([
      ['sendMessage', 'Our boats'],
      ['sendPhoto', 'Zephyr\n7 m'],
      ['sendMessage', 'Borea'],
    ])
    expect(sentTo(id)[1]!.body.reply_markup).toEqual({
      inline_keyboard: [[{ text: 'Rent', callback_data: `sb:${cards}:0:0` }]],
    })
    const where = await fixture.answer(conversation, {
      text: 'Where are you?',
      actions: [{ type: 'LOCATION_REQUEST', text: 'Send' }],
    })
    await fixture.becomes(where, 'sent')
    expect(sentTo(id)[3]!.body.reply_markup.keyboard).toEqual([[{ text: 'Send', request_location: true }]])
  })

  it('is split where it is too long, and its address takes the place of a picture that the platform does not get', async () => {
    const { id, conversation } = await begun()
    const long = await fixture.answer(conversation, { text: `${'a'.repeat(4_000)} ${'b'.repeat(4_000)}` })
    await fixture.becomes(long, 'sent')
    expect(sentTo(id).map(({ body }) => body.text.length)).toEqual([4_000, 4_000])
    bots.faults.push(refusal(400, 'Bad Request: failed to get HTTP URL content'))
    const picture = await fixture.answer(conversation, {
      contentType: 'IMAGE_PNG',
      text: 'https://example.org/gone.png',
    })
    await fixture.becomes(picture, 'sent')
    expect(sentTo(id).at(-1)!.body.text).toBe('https://example.org/gone.png')
  })

  it('uploads its file', async () => {
    const { id, conversation } = await begun()
    const form = new FormData()
    form.append('file', new Blob(['%PDF-1.4 plan'], { type: 'application/pdf' }), 'Plan "A".pdf')
    const response = await fetch(`${fixture.app.url}/v2/attachments`, {
      method: 'POST',
      headers: { authorization: `Bearer ${await fixture.app.tokenFor(fixture.agent)}` },
      body: form,
    })
    const { id: file } = (await response.json()) as { id: string }
    const message = await fixture.answer(conversation, { text: 'Here', meta: { fileId: file } })
    await fixture.becomes(message, 'sent')
    const [sent, words] = sentTo(id)
    expect([sent!.method, sent!.upload!.field, sent!.upload!.bytes.toString()]).toEqual([
      'sendDocument',
      'document',
      '%PDF-1.4 plan',
    ])
    expect(words!.body.text).toBe('Here')
  })

  it('waits as long as the platform asks, fails with its reason, and is in doubt without an answer', async () => {
    const { id, conversation } = await begun()
    bots.faults.push(refusal(429, 'Too Many Requests: retry after 7', { retry_after: 7 }))
    const late = await fixture.answer(conversation, { text: 'Late' })
    const waiting = await until(async () => {
      const row = await fixture.delivery(late)
      return row?.status === 'queued' && row.reason !== null && row
    })
    expect(waiting.reason).toBe('the platform refused: 429 Too Many Requests: retry after 7')
    await fixture.app.clock.advance(8_000)
    await fixture.becomes(late, 'sent')
    bots.faults.push(refusal(400, 'Bad Request: message is too long'))
    const refused = await fixture.answer(conversation, { text: 'Refused' })
    expect((await fixture.becomes(refused, 'failed')).reason).toBe(
      'the platform refused: 400 Bad Request: message is too long',
    )
    bots.takeAndSay('cut')
    const doubtful = await fixture.answer(conversation, { text: 'Doubtful' })
    await fixture.becomes(doubtful, 'maybeSent')
    expect(sentTo(id).map(({ body }) => body.text)).toEqual(['Late', 'Doubtful'])
  })
})

describe('an edit and a deletion', () => {
  const UPDATE = 'mutation ($id: ID!, $text: String!) { updateMessage(id: $id, patch: { text: $text }) { id } }'

  it('reach the consumer, also where a text gets shorter', async () => {
    const { id, conversation } = await begun()
    const message = await fixture.answer(conversation, { text: `${'a'.repeat(4_000)} ${'b'.repeat(4_000)}` })
    await fixture.becomes(message, 'sent')
    const [first, second] = sentTo(id)
    await fixture.app.gql(fixture.admin, UPDATE, { id: message, text: 'Short' })
    await until(async () => callsOf('deleteMessages', id).length === 1)
    expect(callsOf('editMessageText', id)[0]!.body).toMatchObject({ message_id: first!.id, text: 'Short' })
    expect(callsOf('deleteMessages', id)[0]!.body.message_ids).toEqual([second!.id])
    await fixture.app.gql(fixture.admin, 'mutation ($id: ID!) { deleteMessage(id: $id) }', { id: message })
    await until(async () => callsOf('deleteMessages', id).length === 2)
    expect(callsOf('deleteMessages', id)[1]!.body.message_ids).toEqual([first!.id])
  })

  it('reach the consumer too if a message is deleted while it is sent', async () => {
    const { id, conversation } = await begun()
    const release = bots.hold()
    const message = await fixture.answer(conversation, { text: 'A slip' })
    await until(async () => sentTo(id).length === 1)
    await fixture.app.gql(fixture.admin, 'mutation ($id: ID!) { deleteMessage(id: $id) }', { id: message })
    release()
    await until(async () => callsOf('deleteMessages', id).length === 1)
    expect(callsOf('deleteMessages', id)[0]!.body.message_ids).toEqual([sentTo(id)[0]!.id])
  })

  it('leave what is in doubt, and say so where a text gets longer than what was sent', async () => {
    const { id, conversation } = await begun()
    bots.takeAndSay('cut')
    const doubtful = await fixture.answer(conversation, { text: 'Doubtful' })
    await fixture.becomes(doubtful, 'maybeSent')
    await fixture.app.gql(fixture.admin, UPDATE, { id: doubtful, text: 'Changed' })
    const message = await fixture.answer(conversation, { text: 'Short' })
    await fixture.becomes(message, 'sent')
    await fixture.app.gql(fixture.admin, UPDATE, { id: message, text: 'a'.repeat(5_000) })
    await until(async () => (await fixture.delivery(message)).reason?.includes('more parts than were sent'))
    expect(sentTo(id).map(({ body }) => body.text)).toEqual(['Doubtful', 'Short'])
    expect(callsOf('editMessageText', id)).toEqual([])
  })

  it('leave a note for agents where the platform does not take an edit', async () => {
    const { id, conversation } = await begun()
    const message = await fixture.answer(conversation, { text: 'Before' })
    await fixture.becomes(message, 'sent')
    bots.blockedBy.add(id)
    await fixture.app.gql(fixture.admin, UPDATE, { id: message, text: 'After' })
    const noted = await until(async () => {
      const row = await fixture.delivery(message)
      return row.reason !== null && row
    })
    expect([noted.status, noted.reason]).toEqual([
      'sent',
      'the consumer still sees it as it was before: the consumer cannot be reached (the platform refused: 403 Forbidden: bot was blocked by the user)',
    ])
  })
})

describe('a consumer who blocks the bot', () => {
  const membership = (id: number, status: string): object => ({
    my_chat_member: { chat: privateChat(id), from: from(id), date: seconds() + 1, new_chat_member: { status } },
  })

  it('is not written to until they come back', async () => {
    const { id, conversation } = await begun()
    await tell(membership(id, 'kicked'))
    await processed()
    const lost = await fixture.answer(conversation, { text: 'Hello?' })
    expect(await fixture.becomes(lost, 'failed')).toMatchObject({ code: 'blocked' })
    await tell(membership(id, 'member'))
    await processed()
    await fixture.becomes(await fixture.answer(conversation, { text: 'Again' }), 'sent')
  })

  it('is known as such by the refusal of a send, and by their next message as somebody who is back', async () => {
    const { id, conversation } = await begun()
    bots.blockedBy.add(id)
    const first = await fixture.answer(conversation, { text: 'One' })
    expect(await fixture.becomes(first, 'failed')).toMatchObject({ code: 'blocked' })
    const second = await fixture.answer(conversation, { text: 'Two' })
    expect(await fixture.becomes(second, 'failed')).toMatchObject({
      reason: 'the contact has blocked the service by messenger',
    })
    bots.blockedBy.delete(id)
    await say(id, { text: 'I am back' })
    await saidBy(id, 2)
    await fixture.becomes(await fixture.answer(conversation, { text: 'Three' }), 'sent')
  })
})

describe('a group', () => {
  it('is told why in the language of whoever added the bot, and left; it makes no conversation', async () => {
    const chat = { id: -1_001_234, type: 'supergroup', title: 'Sailors' }
    const added = {
      chat,
      from: from(person(), { language_code: 'de-AT' }),
      date: seconds(),
      new_chat_member: { status: 'member' },
    }
    await tell({ my_chat_member: added })
    await tell({ message: { message_id: ++ids, date: seconds(), chat, from: from(person()), text: 'Ahoy' } })
    await processed()
    expect(sentTo(chat.id)[0]!.body.text).toContain('verlässt deshalb diese Gruppe')
    expect(callsOf('leaveChat', chat.id).length).toBeGreaterThan(0)
    expect((await fixture.receivedBy(service)).filter(({ text }) => text === 'Ahoy')).toEqual([])
  })
})

describe('a service', () => {
  const TEST = 'mutation ($id: ID!) { testService(service: $id) { ok message } }'
  const test = async (id: string) => (await fixture.app.gql(fixture.admin, TEST, { id })).data.testService

  it('tells whether the platform knows the bot, and where its updates go', async () => {
    expect(await test(service)).toEqual({
      ok: true,
      message: expect.stringContaining(
        'the platform knows the bot "@harbour_bot"; its updates come to https://chat.example',
      ),
    })
    const { url } = bots.webhook
    bots.webhook.url = 'https://elsewhere.example/hook'
    expect(await test(service)).toEqual({
      ok: false,
      message: expect.stringContaining('the bot\'s updates go to "https://elsewhere.example/hook"'),
    })
    bots.webhook.url = url
  })

  it.each([
    [{ botToken: 'harbour' }, 'params.botToken'],
    [{ webhookSecret: 'with space' }, 'params.webhookSecret'],
    [{ webhookSecret: 'ünsafe' }, 'params.webhookSecret'],
    [{ receive: 'WEBHOOK' }, 'params.receive'],
    [{ apiUrl: 'ftp://example.org' }, 'params.apiUrl'],
    [{ token: 'x' }, 'params.token'],
  ])('refuses %j', async (params, field) => {
    await expect(fixture.makeService('telegram', params)).rejects.toThrow(field)
  })

  it('gets a secret if it is given none, and shows neither', async () => {
    const id = await fixture.makeService('telegram', { botToken: OTHER_BOT, apiUrl: bots.url, receive: 'poll' })
    const { data } = await fixture.app.gql(
      fixture.admin,
      'query ($id: ID!) { service(id: $id) { params settings { ... on TelegramSettings { receive } } } }',
      { id },
    )
    expect(data.service).toEqual({
      params: { botToken: '********', webhookSecret: '********', apiUrl: bots.url, receive: 'poll' },
      settings: { receive: 'POLL' },
    })
    await fixture.app.gql(fixture.admin, 'mutation ($id: ID!) { deleteService(id: $id) }', { id })
  })
})
