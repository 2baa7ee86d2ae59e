import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import type { MadeUser } from '../../support/factories.js'
import { storedParams } from '../../support/stored-params.js'
import { until } from '../../support/until.js'
import { ACCOUNT, APP_SCOPED, bodyOf, errorOf } from './account-api.js'
import { startInstagramFixture, type InstagramFixture } from './instagram-fixture.js'

const HOUR_MS = 3_600_000

let fixture: InstagramFixture
beforeAll(async () => {
  fixture = await startInstagramFixture()
})
afterAll(() => fixture.close())

const later = (as: MadeUser = fixture.agent): Promise<string> => fixture.app.tokenFor(as)
const answer = async (conversation: string, message: object, as?: MadeUser): Promise<string> =>
  fixture.answer(conversation, message, await later(as))
const unnamed = () => fixture.unnamed()
const shownOf = (conversation: string) => fixture.shownOf(conversation)

describe('the handshake and the signature', () => {
  it('answers the challenge of a caller who knows the token, and refuses events that are not signed', async () => {
    const { api, contactOf, from, hook, mid, person, service } = fixture
    const { url } = hook('instagram', service)
    const query = { 'hub.mode': 'subscribe', 'hub.verify_token': ACCOUNT.verifyToken, 'hub.challenge': '1158201444' }
    const shake = async (more: object = {}): Promise<unknown[]> => {
      const response = await fetch(`${url}?${new URLSearchParams({ ...query, ...more }).toString()}`)
      return [response.status, await response.text()]
    }
    expect(await shake()).toEqual([200, '1158201444'])
    expect((await shake({ 'hub.verify_token': 'x' }))[0]).toBe(403)
    const sender = person()
    const body = bodyOf([{ ...from(sender), message: { mid: mid(), text: 'Forged' } }])
    expect(await api.call(url, body, { secret: 'another' })).toBe(403)
    expect(await api.call(url, body, { signature: '' })).toBe(403)
    const other = createHmac('sha256', ACCOUNT.appSecret).update('{}').digest('hex')
    expect(await api.call(url, body, { signature: `sha256=${other}` })).toBe(403)
    expect(await contactOf(sender)).toBeUndefined()
  })
})

describe('an inbound message', () => {
  it('makes a contact with its name, or that of its account, and a queued conversation of the messenger', async () => {
    const { api, ask, from, mid, person, saidBy, tell } = fixture
    const [named, unnamedPerson] = [person(), person()]
    api.people.set(named, { name: 'Zoë Müller', username: 'zoe' })
    api.people.set(unnamedPerson, { name: '', username: 'zoe' })
    expect(
      await tell(
        { ...from(named), message: { mid: mid(), text: 'Žluťoučký 😀' } },
        { ...from(named), message: { mid: mid(), text: 'Hi' } },
        { ...from(unnamedPerson), message: { mid: mid(), text: 'Hi' } },
      ),
    ).toBe(200)
    const said = await saidBy(named, 2)
    expect(said.map((message) => [message.touchpoint, message.text])).toEqual([
      ['messenger', 'Žluťoučký 😀'],
      ['messenger', 'Hi'],
    ])
    const [other] = await saidBy(unnamedPerson)
    const of = async (id: string) =>
      (
        await ask('query ($id: ID!) { conversation(id: $id) { status touchpoint contact { profile { name } } } }', {
          id,
        })
      ).conversation
    expect(await of(said[0]!.conversation_id)).toEqual({
      status: 'QUEUED',
      touchpoint: 'MESSENGER',
      contact: { profile: { name: 'Zoë Müller' } },
    })
    expect((await of(other!.conversation_id)).contact.profile.name).toBe('zoe')
  })

  it('is stored once if it arrives fifty times at once', async () => {
    const { from, mid, person, processed, saidBy, tell } = fixture
    const sender = person()
    const event = { ...from(sender), message: { mid: mid(), text: 'Once' } }
    const statuses = await Promise.all(Array.from({ length: 50 }, () => tell(event)))
    expect(new Set(statuses)).toEqual(new Set([200]))
    await processed()
    expect(await saidBy(sender)).toHaveLength(1)
  })

  it('has its pictures, the addresses of stories and posts, and a word for what has no form', async () => {
    const { api, app, from, mid, person, processed, saidBy, tell } = fixture
    const sender = person()
    const png = Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), Buffer.alloc(100, 5)])
    api.files.set('/cdn/i.png', { type: 'image/png', bytes: png })
    const url = `${api.url}/cdn/i.png`
    const attached = (type: string, more: object = {}) => ({ attachments: [{ type, payload: { url, ...more } }] })
    const messages = [
      attached('image'),
      attached('story_mention'),
      attached('ig_post', { title: 'New boats', ig_post_media_id: '1' }),
      { text: 'Nice', reply_to: { story: { id: '1', url } } },
      { is_unsupported: true },
      attached('video', { url: `${api.url}/cdn/gone.mp4` }),
    ]
    await tell(...messages.map((message) => ({ ...from(sender), message: { mid: mid(), ...message } })))
    await processed()
    const said = await saidBy(sender, messages.length)
    expect(said.map(({ text }) => text)).toEqual([
      null,
      `[mention in a story]\n${url}`,
      `New boats\n${url}`,
      `Nice\n[answer to a story]\n${url}`,
      '[unsupported]',
      `${api.url}/cdn/gone.mp4`,
    ])
    const kept = await app.server.database.query('select file_type, size from attachment where contact_id = $1', [
      said[0]!.contact_id,
    ])
    expect(kept).toEqual([{ file_type: 'image/png', size: png.length }])
  })

  it('reaches the service of its account, where an app has several; what has no use here is named', async () => {
    const { api, from, hook, makeService, mid, person, processed, receivedBy, service, tell } = fixture
    const [own, foreign] = ['200', '300']
    const second = await makeService('instagram', { ...ACCOUNT, accountId: own, apiUrl: api.url })
    const other = await makeService('instagram', { ...ACCOUNT, accountId: foreign, appSecret: 'of-another-app' })
    const event = { ...from(person()), message: { mid: mid(), text: 'To the second' } }
    const { url } = hook('instagram', service)
    expect(await api.call(url, bodyOf([event], own))).toBe(200)
    expect(await api.call(url, bodyOf([event], foreign))).toBe(200)
    await until(async () => (await receivedBy(second)).length > 0)
    const comment = { field: 'comments', value: { id: '1', text: 'Nice' } }
    await api.call(url, { object: 'instagram', entry: [{ id: ACCOUNT.accountId, changes: [comment] }] })
    await tell({ ...from(person()), referral: { ref: 'x' } })
    await processed()
    expect(await receivedBy(other)).toEqual([])
    expect(await unnamed()).toEqual(
      expect.arrayContaining(['an event of an account of no service', 'comments', 'referral']),
    )
  })
})

describe("an agent's answer", () => {
  it('is sent once, its echo is no other message, and reading it reads all before it', async () => {
    const { becomes, begun, delivery, from, processed, sentTo, tell, to } = fixture
    const { person, conversation } = await begun()
    const first = await answer(conversation, { text: 'Sail?' })
    await becomes(first, 'sent')
    const message = await answer(conversation, { text: 'Or motor?' })
    const { provider_id: mid } = await becomes(message, 'sent')
    expect(sentTo(person).at(-1)).toEqual({
      recipient: { id: person },
      messaging_type: 'RESPONSE',
      message: { text: 'Or motor?' },
      mid,
    })
    const last = await answer(conversation, { text: 'Or both?' })
    await becomes(last, 'sent')
    for (const { mid: sent, message: said } of sentTo(person))
      await tell({ ...to(person), message: { mid: sent, is_echo: true, text: said.text } })
    await tell({ ...from(person), read: { mid } })
    await becomes(message, 'read')
    await becomes(first, 'read')
    await processed()
    expect((await delivery(last)).status).toBe('sent')
    await tell({ ...from(person), read: { mid } }, { ...from(person), read: { mid: 'unknown' } })
    await processed()
    expect((await delivery(last)).status).toBe('sent')
    expect((await shownOf(conversation)).map(({ text }) => text)).toEqual(['Hello', 'Sail?', 'Or motor?', 'Or both?'])
  })

  it('of 1,000 bytes and more goes in parts, and continues after the accepted ones', async () => {
    const { api, becomes, begun, sentTo } = fixture
    const { person, conversation } = await begun()
    const text = 'Grüße 👋🏽 '.repeat(200).trim()
    api.faults.push(errorOf(613, 'Calls to this api have exceeded the rate limit.'))
    const message = await answer(conversation, { text })
    expect((await becomes(message, 'sent')).attempts).toBe(2)
    const texts = sentTo(person).map((call) => call.message.text as string)
    expect(texts.length).toBeGreaterThan(2)
    expect(texts.every((part) => Buffer.byteLength(part) <= 1_000)).toBe(true)
    expect(texts.join(' ')).toBe(text)
  })

  it.each<[string, number, number | undefined, string, string | null, RegExp]>([
    ['a closed window', 10, 2_534_022, 'failed', 'windowClosed', /10\/2534022/],
    ['somebody who is not available', 551, 1_545_041, 'failed', 'blocked', /551/],
    ['somebody who is gone', 100, 2_534_014, 'failed', 'blocked', /2534014/],
    ['a parameter', 100, undefined, 'failed', null, /100/],
    ['a token', 190, 463, 'queued', null, /access token is refused/],
    ['a permission', 10, undefined, 'queued', null, /lacks a permission/],
    ['an account', 368, undefined, 'queued', null, /account is restricted/],
    ['too many calls', 80_002, undefined, 'queued', null, /80002/],
    ['an error that may follow a message', 1, undefined, 'maybeSent', null, /1 no/],
  ])('refused for %s (%i/%s) is %s, with what to do', async (_why, code, subcode, status, expected, reason) => {
    const { api, begun, delivery } = fixture
    const { conversation } = await begun()
    api.faults.push(errorOf(code, 'no', 400, subcode))
    const message = await answer(conversation, { text: 'An answer' })
    const row = await until(async () => {
      const found = await delivery(message)
      return found.status === status && found.reason !== null && found
    })
    expect(row).toMatchObject({ code: expected, reason: expect.stringMatching(reason) })
  })

  it('has its buttons, and a press is the button (2.10)', async () => {
    const { becomes, begun, from, mid, person: stranger, saidBy, sentTo, tell } = fixture
    const { person, conversation } = await begun()
    const actions = [
      { type: 'REPLY', text: 'Sail', payload: 'INTENT_SAIL' },
      { type: 'POSTBACK', text: 'More', payload: 'INTENT_MORE' },
    ]
    await becomes(await answer(conversation, { text: 'Which?', actions }), 'sent')
    const [template, replies] = sentTo(person).map((sent) => sent.message)
    const [reply] = replies.quick_replies
    const [more] = template.attachment.payload.buttons
    const press = { mid: mid(), text: reply.title, quick_reply: { payload: reply.payload } }
    await tell({ ...from(person), message: press })
    await tell({ ...from(person), postback: { mid: mid(), title: more.title, payload: more.payload } })
    const said = await saidBy(person, 3)
    expect(said.slice(1).map(({ type, text }) => [type, text])).toEqual([
      ['postback', 'INTENT_SAIL'],
      ['postback', 'INTENT_MORE'],
    ])
    const outsider = stranger()
    await tell({ ...from(outsider), message: { ...press, mid: mid() } })
    expect((await saidBy(outsider))[0]).toMatchObject({ type: 'chat', text: 'Sail' })
  })

  it('is a response for a day, of a human agent for seven, and then closed', async () => {
    const { app, becomes, begun, organization, sentTo } = fixture
    const { person, conversation } = await begun()
    const bot = await app.makeUser({ organization, role: 'bot' })
    app.clock.advance(25 * HOUR_MS)
    await becomes(await answer(conversation, { text: 'Next day' }), 'sent')
    expect(sentTo(person)[0]).toMatchObject({ messaging_type: 'MESSAGE_TAG', tag: 'HUMAN_AGENT' })
    const automatic = await answer(conversation, { text: 'By itself' }, bot)
    expect(await becomes(automatic, 'failed')).toMatchObject({ code: 'windowClosed' })
    app.clock.advance(7 * 24 * HOUR_MS)
    const late = await answer(conversation, { text: 'Too late' })
    expect(await becomes(late, 'failed')).toMatchObject({ code: 'windowClosed', attempts: 0 })
    expect(sentTo(person)).toHaveLength(1)
  })
})

describe('a reaction of the consumer', () => {
  it('is shown on the message that has it, until it is taken back', async () => {
    const { ask, becomes, begun, from, processed, tell } = fixture
    const { person, conversation } = await begun()
    const { provider_id: mid } = await becomes(await answer(conversation, { text: 'We have it' }), 'sent')
    const shown = async (): Promise<string[]> => {
      const { conversation: found } = await ask(
        `query ($id: ID!) { conversation(id: $id) { messages(first: 9) { edges { node { reactions { emoji } } } } } }`,
        { id: conversation },
      )
      return found.messages.edges.flatMap(({ node }: { node: { reactions: { emoji: string }[] } }) =>
        node.reactions.map(({ emoji }) => emoji),
      )
    }
    await tell({ ...from(person), reaction: { mid, action: 'react', reaction: 'love', emoji: '❤️' } })
    await processed()
    expect(await shown()).toEqual(['❤️'])
    await tell({ ...from(person), reaction: { mid, action: 'unreact' } })
    await processed()
    expect(await shown()).toEqual([])
  })
})

describe('the test of a service and its params', () => {
  const test = async (id: string): Promise<unknown> =>
    (await fixture.ask('mutation ($id: ID!) { testService(service: $id) { ok message } }', { id })).testService

  it('asks for the account and whether its events come here, and tells what the platform says without the token', async () => {
    const { api, app, service } = fixture
    await until(async () => {
      const held = await app.server.database.query("select 1 from job where kind = 'touchpoint.deliver' limit 1")
      return held.length === 0
    })
    const known = 'the platform knows the account "harbour", and its messages come here'
    expect(await test(service)).toMatchObject({ ok: true, message: expect.stringContaining(known) })
    const [fields] = [[...api.fields]]
    api.fields.splice(0, api.fields.length, 'messages')
    expect(await test(service)).toMatchObject({
      ok: true,
      message: expect.stringContaining('not subscribed: messaging_postbacks, messaging_seen, message_reactions'),
    })
    api.fields.splice(0)
    expect(await test(service)).toEqual({
      ok: false,
      message: 'events of the account do not come here: subscribe its field messages to the app',
    })
    api.fields.push(...fields!)
    const { accessToken } = await storedParams<{ accessToken: string }>(app.server, service)
    api.faults.push(errorOf(190, `Invalid token ${accessToken}`, 401))
    expect(await test(service)).toMatchObject({ ok: false, message: expect.stringContaining('Invalid token ********') })
  })

  it('tells an id that is not the one which events have', async () => {
    const { api, ask } = fixture
    const create = 'mutation ($input: CreateServiceInput!) { createService(input: $input) { id } }'
    const made = async (accountId: string): Promise<string> =>
      (await ask(create, { input: { type: 'instagram', params: { ...ACCOUNT, accountId, apiUrl: api.url } } }))
        .createService.id
    expect(await test(await made(APP_SCOPED))).toMatchObject({
      ok: false,
      message: expect.stringContaining(`events name the account "${ACCOUNT.accountId}"`),
    })
    expect(await test(await made('77'))).toMatchObject({
      ok: false,
      message: expect.stringContaining(`it is of the account "${ACCOUNT.accountId}"`),
    })
  })

  it.each([
    [{ accountId: 'harbour' }, 'accountId'],
    [{ accessToken: 'two words' }, 'accessToken'],
    [{ apiUrl: 'https://me:pw@x.example' }, 'apiUrl'],
    [{ pageId: '1' }, 'pageId'],
  ])('refuses %j', async (params, key) => {
    const { app } = fixture
    const { errors } = await app.gql(
      await later(fixture.admin),
      'mutation ($input: CreateServiceInput!) { createService(input: $input) { id } }',
      { input: { type: 'instagram', params } },
    )
    expect(errors?.[0]?.message).toContain(`params.${key}`)
  })
})

describe("hostile requests to the platform's address", () => {
  it('are never answered with a server error', async () => {
    const { api, from, hook, service } = fixture
    const { url } = hook('instagram', service)
    const statuses = new Set<number>()
    const value = fc.oneof(
      fc.jsonValue(),
      fc.constantFrom('\0', '\ud800', { id: ACCOUNT.accountId }, { mid: 'm', text: '\0\ud800' }, { '\0': 1 }),
    )
    await fc.assert(
      fc.asyncProperty(value, value, async (message, postback) => {
        const events = [
          { ...from('1'), message },
          { ...from('1'), postback },
          { ...from('1'), [String(postback)]: message },
        ]
        const body = JSON.stringify({ ...bodyOf([...events, message as object]), changes: [message] })
        statuses.add(await api.call(url, body))
      }),
      { numRuns: 150 },
    )
    for (const body of [
      '',
      '{',
      'null',
      '[]',
      '"x"',
      '{"__proto__":{}}',
      `{"object":"instagram","entry":${'['.repeat(5_000)}${']'.repeat(5_000)}}`,
      'x'.repeat(1_100_000),
    ]) {
      statuses.add(await api.call(url, body))
      const response = await fetch(url, { method: 'POST', body })
      await response.text()
      statuses.add(response.status)
    }
    expect([...statuses].filter((each) => each >= 500)).toEqual([])
  })
})
