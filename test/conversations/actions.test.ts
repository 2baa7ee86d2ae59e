import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { createRemoteJWKSet, decodeProtectedHeader, jwtVerify } from 'jose'
import {
  startConversationFixture,
  texts,
  type ConversationFixture,
  type Outcome,
  type SentMessage,
} from './conversation-fixture.js'

const MENU = {
  role: 'AGENT',
  text: 'How can we help?',
  actions: [
    { type: 'REPLY', text: 'Buy', payload: 'BUY' },
    { type: 'POSTBACK', text: 'More', payload: '{"intent":"more"}' },
    { type: 'POSTBACK', text: 'Both', payload: '[{"text":"one"},{"type":"chat","role":"contact","text":"two"}]' },
    { type: 'LINK', text: 'CRM', uri: 'https://crm.example/u/{authuser}?t={authtoken}' },
    { type: 'LINK', text: 'Elsewhere', uri: 'https://crm.example.evil.test/{authtoken}' },
    { type: 'LINK', text: 'Site', uri: 'https://anywhere.test/page' },
    { type: 'POSTBACK', text: 'Block', payload: '{"type":"command","text":"/block"}' },
    { type: 'POSTBACK', text: 'Speak', payload: '{"role":"agent","text":"we pay"}' },
    { type: 'POSTBACK', text: 'Wrong', payload: '[{"text":"hi","role":"nobody"}]' },
    { type: 'POSTBACK', text: 'Many', payload: JSON.stringify(Array.from({ length: 11 }, () => ({ text: 'spam' }))) },
  ],
  items: [{ title: 'A boat', actions: [{ type: 'REPLY', text: 'This one', payload: 'BOAT-1' }] }],
}

describe('buttons (2.10)', () => {
  let fixture: ConversationFixture
  let conversation: string
  let menu: string
  let guest: string

  beforeAll(async () => {
    fixture = await startConversationFixture({ LINK_HOSTS: 'crm.example' })
  })
  afterAll(() => fixture.close())

  beforeEach(async () => {
    conversation = (await fixture.create()).id
    menu = (await fixture.send(fixture.ann, conversation, MENU)).value.id
    guest = (
      await fixture.run<{ token: string }>(
        fixture.bot,
        'mutation ($id: ID!) { createGuestToken(conversation: $id) { token } }',
        { id: conversation },
      )
    ).value.token
  })

  const CLICK = `mutation ($conversation: ID!, $message: ID!, $action: Int!, $item: Int, $key: String) {
    clickAction(conversation: $conversation, message: $message, action: $action, item: $item, idempotencyKey: $key) {
      id position type role text userId actions { type text payload } } }`

  interface Click {
    action: number
    item?: number
    message?: string
    key?: string
  }

  const click = (as: Parameters<ConversationFixture['run']>[0], given: Click): Promise<Outcome<SentMessage>> =>
    fixture.run(as, CLICK, { conversation, message: menu, ...given })

  // [2.10 reply click type, reply click role, reply click text, reply click action, postback click type, postback click
  // text, postback click action, postback again] [2.9 actions, role contact]
  it.each([
    ['a reply', 0, { text: 'BUY', actions: [{ type: 'REPLY', text: 'Buy', payload: 'BUY' }] }],
    [
      'a postback',
      1,
      {
        text: '{"intent":"more"}',
        actions: [{ type: 'POSTBACK', text: 'More', payload: '{"intent":"more"}' }],
      },
    ],
  ])('%s adds a postback message of the consumer, with itself as the sole action', async (_, action, expected) => {
    for (const [as, userId] of [
      [guest, null],
      [fixture.bot, fixture.bot.id],
    ] as const) {
      const { value, code } = await click(as, { action })
      expect(code).toBeUndefined()
      expect(value).toMatchObject({ type: 'POSTBACK', role: 'CONTACT', userId, ...expected })
    }
    expect(texts(await fixture.show(conversation))).toEqual([MENU.text, expected.text, expected.text])
  })

  it.each([
    ['a reply', 0, 'Buy'],
    ['a postback', 1, 'More'],
  ])('%s is previewed by its words, not by its payload', async (_, action, words) => {
    await click(guest, { action })
    const { value } = await fixture.run<{ preview: string }>(
      fixture.ann,
      'query ($id: ID!) { conversation(id: $id) { preview } }',
      { id: conversation },
    )
    expect(value.preview).toBe(words)
  })

  it("of an item are clicked by the item's place", async () => {
    expect((await click(guest, { action: 0, item: 0 })).value).toMatchObject({ text: 'BOAT-1' })
  })

  // [2.10 postback message]
  it("add the one message that a postback's payload is, as the consumer's", async () => {
    const alone = { type: 'POSTBACK', text: 'One', payload: '{"text":"alone"}' }
    menu = (await fixture.send(fixture.ann, conversation, { ...MENU, actions: [alone] })).value.id
    await click(guest, { action: 0 })
    const { messages } = await fixture.show(conversation)
    expect(messages.edges.slice(2).map(({ node }) => [node.type, node.role, node.text])).toEqual([
      ['POSTBACK', 'CONTACT', alone.payload],
      ['CHAT', 'CONTACT', 'alone'],
    ])
  })

  // [2.10 postback messages]
  it("add the messages that a postback's payload represents, as the consumer's", async () => {
    await click(guest, { action: 2 })
    const { messages } = await fixture.show(conversation)
    expect(messages.edges.slice(1).map(({ node }) => [node.type, node.role, node.text])).toEqual([
      ['POSTBACK', 'CONTACT', MENU.actions[2]!.payload],
      ['CHAT', 'CONTACT', 'one'],
      ['CHAT', 'CONTACT', 'two'],
    ])
  })

  it.each([
    ['a command', 6, 'FORBIDDEN'],
    ['another role', 7, 'FORBIDDEN'],
    ['an invalid message', 8, 'BAD_USER_INPUT'],
    ['more than ten messages', 9, 'BAD_USER_INPUT'],
  ])('add no messages if one contains %s, whoever clicks, and nothing is stored', async (_, action, code) => {
    for (const as of [guest, fixture.bot]) expect(await click(as, { action })).toMatchObject({ code })
    expect(await fixture.show(conversation)).toMatchObject({ status: 'ACTIVE', messages: { edges: { length: 1 } } })
  })

  it('are a consumer message: a closed conversation is queued (3.1)', async () => {
    await fixture.command(fixture.ann, conversation, '/leave')
    await click(guest, { action: 0 })
    expect((await fixture.show(conversation)).status).toBe('QUEUED')
  })

  it('are clicked once per idempotency key', async () => {
    const clicks = await Promise.all([1, 2].map(() => click(guest, { action: 0, key: 'once' })))
    expect(new Set(clicks.map(({ value }) => value.id)).size).toBe(1)
    expect(texts(await fixture.show(conversation))).toEqual([MENU.text, 'BUY'])
  })

  it('are refused if they do not exist, for links, and if the caller does not see the message', async () => {
    expect(await click(guest, { action: 10 })).toMatchObject({ code: 'BAD_USER_INPUT', details: { field: 'action' } })
    expect(await click(guest, { action: -1 })).toMatchObject({ code: 'BAD_USER_INPUT', details: { field: 'action' } })
    const noItem = await click(guest, { action: 0, item: 3 })
    expect(noItem).toMatchObject({ code: 'BAD_USER_INPUT', details: { field: 'item' } })
    expect(await click(guest, { action: 3 })).toMatchObject({ code: 'UNPROCESSABLE', details: { field: 'action' } })
    const hidden = (await fixture.send(fixture.ann, conversation, { ...MENU, isBackchannel: true })).value.id
    expect(await click(guest, { action: 0, message: hidden })).toMatchObject({ code: 'NOT_FOUND' })
    const other = await fixture.create()
    const elsewhere = (await fixture.send(fixture.ann, other.id, MENU)).value.id
    for (const message of [elsewhere, 'nothing']) {
      expect(await click(fixture.bot, { action: 0, message })).toMatchObject({ code: 'NOT_FOUND' })
    }
    const foreign = await fixture.makeOrganization()
    const foreignBot = await fixture.makeUser({ organization: foreign, role: 'bot' })
    const byForeigner = await click(foreignBot, { action: 0 })
    expect(byForeigner).toMatchObject({ code: 'NOT_FOUND', message: 'Conversation not found' })
  })

  describe('that are links with placeholders (4.7, rule 7)', () => {
    const open = (as: Parameters<ConversationFixture['run']>[0], action: number) =>
      fixture.run<string>(
        as,
        'query ($message: ID!, $action: Int!) { actionUri(message: $message, action: $action) }',
        { message: menu, action },
      )

    // [4.7 create rule 7 authuser, create rule 7 authtoken]
    it("send the agent's identity to a listed site, with a token that is valid for five minutes and only there", async () => {
      const { value } = await open(fixture.ann, 3)
      const uri = new URL(value)
      expect(uri.origin + uri.pathname).toBe(`https://crm.example/u/${fixture.ann.id}`)
      const token = uri.searchParams.get('t')!
      const keys = createRemoteJWKSet(new URL(`${fixture.url}/.well-known/jwks.json`))
      const { payload } = await jwtVerify(token, keys, { audience: 'https://crm.example', algorithms: ['EdDSA'] })
      expect(payload).toMatchObject({ sub: fixture.ann.id, organization: fixture.organization.id })
      expect(payload.exp! - payload.iat!).toBe(300)
      await expect(jwtVerify(token, keys, { audience: 'https://other.example' })).rejects.toThrow('aud')
      expect(decodeProtectedHeader(token)).toMatchObject({ alg: 'EdDSA', typ: 'JWT' })
      const used = await fixture.run(token, '{ me { id } }')
      expect(used.code).toBe('UNAUTHENTICATED')
    })

    it('are unchanged without placeholders, for any site', async () => {
      expect((await open(fixture.ann, 5)).value).toBe('https://anywhere.test/page')
    })

    it('are refused for another site, another type of button, a guest and another tenant', async () => {
      expect(await open(fixture.ann, 4)).toMatchObject({ code: 'FORBIDDEN' })
      expect(await open(fixture.ann, 0)).toMatchObject({ code: 'UNPROCESSABLE' })
      expect(await open(fixture.ann, 99)).toMatchObject({ code: 'BAD_USER_INPUT' })
      expect(await open(guest, 3)).toMatchObject({ code: 'FORBIDDEN' })
      const foreign = await fixture.makeOrganization()
      expect(await open(await fixture.makeUser({ organization: foreign }), 3)).toMatchObject({ code: 'NOT_FOUND' })
    })

    it.each([
      ['https://{authtoken}.evil.test/'],
      ['https://crm.example:8443/{authtoken}'],
      ['http://crm.example/{authtoken}'],
      ['https://crm.example@evil.test/{authtoken}'],
      ['https://evil.test\\@crm.example/{authtoken}'],
    ])('are refused if the placeholders would lead to another site: %s', async (uri) => {
      const link = { text: 'x', actions: [{ type: 'LINK', text: 'x', uri }] }
      menu = (await fixture.send(fixture.ann, conversation, link)).value.id
      expect(await open(fixture.ann, 0)).toMatchObject({ code: 'FORBIDDEN' })
    })
  })
})
