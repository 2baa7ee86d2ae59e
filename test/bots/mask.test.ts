import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import {
  must,
  startConversationFixture,
  type ConversationFixture,
  type Outcome,
} from '../conversations/conversation-fixture.js'
import { streamsOf } from '../conversations/streams-fixture.js'
import { connectOfficial } from '../mcp/official-client.js'
import type { MadeUser } from '../support/factories.js'
import { closeCodeOf, liveClient, subscribe } from '../support/live-client.js'
import { startTestServer, type TestServer } from '../support/test-server.js'
import { until } from '../support/until.js'
import { createHooks, type Hooks } from '../webhooks/hooks.js'
import { createTaker } from '../webhooks/taker.js'

const ALL = ['EMAIL', 'PHONE', 'CARD', 'IBAN']
const SECRETS = ['zoe@quill.example', '+31 20 123 4567', '4111 1111 1111 1111', 'NL91 ABNA 0417 1643 00']
const TEXT = `I am zoe@quill.example, +31 20 123 4567, card 4111 1111 1111 1111, account NL91 ABNA 0417 1643 00.`
const MASKED = 'I am [email 1], [phone 1], card [card 1], account [iban 1].'
const TEXTS = 'query ($id: ID!) { conversation(id: $id) { messages(last: 1) { nodes { text } } } }'

describe('a bot for which texts are masked', () => {
  let fixture: ConversationFixture
  let other: TestServer
  let hooks: Hooks
  beforeAll(async () => {
    fixture = await startConversationFixture({ WEBHOOK_ALLOW_PRIVATE: 'true' })
    other = await startTestServer({}, { beside: fixture })
    hooks = createHooks(fixture)
  })
  afterAll(async () => {
    await hooks?.close()
    await other?.close()
    await fixture?.close()
  })
  const mask = (bot: { id: string }, kinds: unknown, as: MadeUser = fixture.admin): Promise<Outcome<object>> =>
    fixture.run(
      as,
      'mutation ($id: ID!, $mask: [MaskedKind!]) { updateUser(id: $id, patch: { mask: $mask }) { id mask } }',
      { id: bot.id, mask: kinds },
    )
  const makeBot = (): Promise<MadeUser> => fixture.makeUser({ organization: fixture.organization, role: 'bot' })
  const masking = async (kinds = ALL): Promise<MadeUser> => {
    const bot = await makeBot()
    await must(mask(bot, kinds))
    return bot
  }
  const told = (): Promise<{ id: string; contactId: string }> =>
    fixture.create({ messages: [{ role: 'CONTACT', text: TEXT }] })
  const lastText = async (as: MadeUser | string, id: string, node: TestServer = fixture): Promise<unknown> =>
    (await node.gql(as, TEXTS, { id })).data.conversation.messages.nodes[0].text
  const expectNone = (answer: unknown): void => {
    const json = JSON.stringify(answer)
    for (const secret of SECRETS) expect(json).not.toContain(secret)
  }

  it('reads no address, number, card or account: by GraphQL, `/v2`, `/mcp`, in a search; people read all', async () => {
    const { id } = await told()
    const bot = await masking()
    expect(await lastText(bot, id)).toBe(MASKED)
    expect(await lastText(fixture.ann, id)).toBe(TEXT)
    const rest = await fixture.rest(bot, 'GET', `/v2/conversations/${id}?populate=contact,messages.user`)
    expect(rest).toMatchObject({ status: 200, body: { id } })
    expect(JSON.stringify(rest.body)).toContain('[card 1]')
    expectNone(rest.body)
    const client = await connectOfficial([fixture.url], await fixture.tokenFor(bot), '2026-07-28')
    const read = await client.callTool({ name: 'read_conversation', arguments: { conversation: id } })
    expect(JSON.stringify(read)).toContain('[iban 1]')
    expectNone(read)
    expectNone(await client.readResource({ uri: `conversation://${id}` }))
    expectNone(await client.getPrompt({ name: 'answer', arguments: { conversation: id } }))
    await client.close()
    const search = `query { search(text: "account") { nodes { __typename ... on Message { text }
      ... on Conversation { preview } } } }`
    const found = await until(
      () => must(fixture.run(bot, search)),
      (answer) => JSON.stringify(answer).includes('[card 1]'),
    )
    expectNone(found)
  })

  it('gets no cursor made of what is masked, no half of it, and no mail of it', async () => {
    const { id, contactId } = await told()
    const bot = await masking()
    const ordered = 'query { contacts(first: 1, orderBy: [{ field: EMAIL, direction: ASC }]) { edges { cursor } } }'
    expect(await fixture.run(fixture.admin, ordered)).not.toHaveProperty('code')
    expect(await fixture.run(bot, ordered)).toMatchObject({ details: { field: 'orderBy[0].field' } })
    expect((await fixture.rest(bot, 'GET', '/v2/contacts?sort=email')).status).toBe(400)
    expect((await fixture.rest(bot, 'GET', '/v2/contacts?sort=-createdAt')).status).toBe(200)
    const long = `${'so '.repeat(41)}my card 4111 1111 1111 1111 is`
    await must(fixture.send(fixture.admin, id, { role: 'CONTACT', text: long }))
    const preview = 'query ($id: ID!) { conversation(id: $id) { preview } }'
    expect(JSON.stringify(await must(fixture.run(fixture.ann, preview, { id })))).toMatch(/card 4111 .*…/)
    expect(JSON.stringify(await must(fixture.run(bot, preview, { id })))).toMatch(/my card …/)
    // Mails quote what was said, and answers come to the addresses that it names; filled forms are mailed too.
    const mail = { role: 'AGENT', text: 'Hello', mail: { bcc: ['me@bot.example'] } }
    expect(await fixture.send(bot, id, mail)).toMatchObject({ details: { reason: 'BOT_MASKED', field: 'mail' } })
    const form = 'mutation ($email: [String!]) { createForm(input: { name: "Of the bot", email: $email }) { id } }'
    expect(await fixture.run(bot, form, { email: ['me@bot.example'] })).toMatchObject({
      details: { reason: 'BOT_MASKED', field: 'email' },
    })
    await must(fixture.run(bot, form, { email: [] }))
    const toItself =
      'mutation ($id: ID!) { updateContact(id: $id, patch: { profile: { email: "me@bot.example" } }) { id } }'
    await must(fixture.run(bot, toItself, { id: contactId }))
    const send = 'mutation ($id: ID!) { sendTranscript(conversation: $id, to: "me@bot.example") { to } }'
    const mailed = await fixture.gql(bot, send, { id })
    expect(mailed.errors![0]!.extensions).toMatchObject({ code: 'FORBIDDEN', reason: 'BOT_MASKED' })
  })

  it('writes as others do: what it says is not masked for those who read it', async () => {
    const { id } = await told()
    const bot = await masking()
    const sent = await must(fixture.send(bot, id, { role: 'AGENT', text: 'Write to help@shop.example.' }))
    expect(sent).toMatchObject({ text: 'Write to [email 1].' })
    expect(await lastText(fixture.ann, id)).toBe('Write to help@shop.example.')
  })

  it('hears no more by subscriptions, which it does not share with others, and no half messages', async () => {
    const { id } = await told()
    const bot = await masking(['CARD'])
    const seeing = await makeBot()
    const query = `subscription ($id: ID!) { conversation(id: $id) { __typename ... on MessageAdded { message { text } }
      ... on ConversationSnapshot { conversation { streams { text } messages(last: 1) { nodes { text } } } }
      ... on MessageStreamed { text } } }`
    interface Event {
      __typename: string
      message?: { text: string }
      text?: string
      conversation?: object
    }
    const streams = streamsOf(fixture)
    const { value: begun } = await streams.begin(seeing, id)
    await must(streams.append(seeing, begun!.id, 0, 'The card 4111 1111 '))
    const clients = await Promise.all(
      [bot, seeing].map(async (as) => liveClient(other.url, await fixture.tokenFor(as))),
    )
    const [masked, shown] = clients.map((client) => subscribe<Event>(client, 'conversation', query, { id }))
    for (const { events } of [masked!, shown!]) await until(() => events.length > 0)
    await must(streams.append(seeing, begun!.id, 19, '1111 1111 is yours'))
    await shown!.next(({ text }) => text?.includes('is yours') === true)
    await must(streams.finish(seeing, begun!.id, 37))
    const added = await masked!.next(({ message }) => message !== undefined)
    expect(added.message!.text).toBe('The card [card 1] is yours')
    expect((await shown!.next(({ message }) => message !== undefined)).message!.text).toContain('4111')
    expect(masked!.events.map(({ __typename }) => __typename)).not.toContain('MessageStreamed')
    expect(JSON.stringify(masked!.events)).not.toContain('4111')
    // The half that was there when it subscribed.
    const open = 'query ($id: ID!) { conversation(id: $id) { streams { text } } }'
    const { value: next } = await streams.begin(seeing, id)
    await must(streams.append(seeing, next!.id, 0, 'The card 4111 11'))
    expect(await must(fixture.run(bot, open, { id }))).toEqual({ streams: [] })
    const { value: own } = await streams.begin(bot, id)
    await must(streams.append(bot, own!.id, 0, 'I am'))
    expect(await must(fixture.run(bot, open, { id }))).toEqual({ streams: [{ text: 'I am' }] })
    await must(streams.stop(bot, own!.id))
    expect(await must(fixture.run(fixture.ann, open, { id }))).toEqual({ streams: [{ text: 'The card 4111 11' }] })
    await must(streams.stop(seeing, next!.id))
    for (const client of clients) await client.dispose()
  })

  it('has its connections ended where the mask changes, on every node', async () => {
    const { id } = await told()
    const bot = await makeBot()
    const client = liveClient(other.url, await fixture.tokenFor(bot))
    const { events } = subscribe(
      client,
      'conversation',
      'subscription ($id: ID!) { conversation(id: $id) { __typename } }',
      { id },
    )
    await until(() => events.length > 0)
    const closed = closeCodeOf(client)
    expect(await lastText(bot, id, other)).toBe(TEXT)
    await must(mask(bot, ALL))
    expect(await lastText(bot, id)).toBe(MASKED)
    expect(await closed).toBe(4403)
    await until(async () => (await lastText(bot, id, other)) === MASKED)
    await must(mask(bot, []))
    expect(await lastText(bot, id)).toBe(TEXT)
    await client.dispose()
  })

  it('is sent no more by its webhook, signed as it is sent, and takes no more from a service', async () => {
    const bot = await masking()
    const events = ['message.create.contact.chat']
    const hook = await hooks.register(fixture.admin, { events, bot: bot.id })
    const plain = await hooks.register(fixture.admin, { events })
    const taker = createTaker(fixture)
    const service = await taker.register(fixture.admin, { events, bot: bot.id })
    const { id } = await fixture.create({ messages: [{ role: 'CONTACT', text: 'hello' }] })
    await must(fixture.send(fixture.admin, id, { role: 'CONTACT', text: TEXT }))
    const bodyOf = async ({ receiver }: typeof hook): Promise<string> => {
      const isThat = ({ json }: { json: { data?: { message?: { text?: string } } } }): boolean =>
        json.data?.message?.text?.startsWith('I am') === true
      await until(() => receiver.received.some(isThat))
      return JSON.stringify(receiver.received.find(isThat)!.json)
    }
    expect(await bodyOf(plain)).toContain(TEXT)
    const body = await bodyOf(hook)
    expect(body).toContain(MASKED)
    expectNone(body)
    // It was taken as genuine: the delivery is over.
    await until(
      () => hooks.deliveries(fixture.admin, hook.id),
      (all) => all.length > 0 && all.every(({ status }) => status === 'DELIVERED'),
    )
    const taken = await until(
      () => taker.take(bot, service, { max: 10, waitSeconds: 1 }),
      (all) => all.some(({ payload }) => JSON.stringify(payload).includes('I am')),
    )
    expectNone(taken)
  })

  it('gets no token of a guest, who reads all; one that it got before ends', async () => {
    const { id } = await told()
    const token = 'mutation ($id: ID!) { createGuestToken(conversation: $id) { token } }'
    expect(await fixture.run(await masking(), token, { id })).toMatchObject({
      code: 'FORBIDDEN',
      details: { reason: 'BOT_MASKED' },
    })
    const seeing = await makeBot()
    const rotate = 'mutation ($user: ID!) { rotateApiToken(user: $user) { apiToken } }'
    const { apiToken } = await must(fixture.run<{ apiToken: string }>(fixture.admin, rotate, { user: seeing.id }))
    for (const as of [apiToken, seeing]) {
      await must(mask(seeing, []))
      const guest = await must(fixture.run<{ token: string }>(as, token, { id }))
      expect(await lastText(guest.token, id)).toBe(TEXT)
      await must(mask(seeing, ['CARD']))
      expect(await fixture.run(guest.token, TEXTS, { id })).toMatchObject({ code: 'UNAUTHENTICATED' })
      expect(await other.gql(guest.token, TEXTS, { id })).toMatchObject({ status: 401 })
    }
  })

  it('does not write what it reads over what that stands for, but may say it', async () => {
    const { id, contactId } = await told()
    const bot = await masking()
    const meta = { mail: 'zoe@quill.example', note: 'calls back' }
    const setMeta =
      'mutation ($id: ID!, $meta: JSONObject!) { updateContact(id: $id, patch: { meta: $meta }) { meta } }'
    const metaFor = (as: MadeUser): Promise<{ meta: object }> =>
      must(fixture.run<{ meta: object }>(as, 'query ($id: ID!) { contact(id: $id) { meta } }', { id: contactId }))
    await must(fixture.run(fixture.admin, setMeta, { id: contactId, meta }))
    const read = await metaFor(bot)
    expect(read.meta).toMatchObject({ mail: '[email 1]', note: 'calls back' })
    // Both are what a program does to change one key.
    const whole = { ...read.meta, seen: true }
    expect(await fixture.run(bot, setMeta, { id: contactId, meta: whole })).toMatchObject({
      code: 'FORBIDDEN',
      details: { reason: 'BOT_MASKED', field: 'patch.meta.mail' },
    })
    const rest = await fixture.rest(bot, 'PATCH', `/v2/contacts/${contactId}`, { meta: whole })
    expect(rest).toMatchObject({ status: 403, body: { reason: 'BOT_MASKED' } })
    expect((await metaFor(fixture.admin)).meta).toMatchObject(meta)
    await must(fixture.run(bot, setMeta, { id: contactId, meta: { seen: true } }))
    // Nor by a command, a suggestion or the answer of its webhook.
    const command = { type: 'COMMAND', text: '/set mail [email 1]' }
    expect(await fixture.send(bot, id, command)).toMatchObject({
      code: 'FORBIDDEN',
      details: { reason: 'BOT_MASKED', field: 'message.text' },
    })
    const propose = `mutation ($id: ID!, $suggestion: SuggestionInput!, $mark: String!) {
      propose(conversation: $id, suggestion: $suggestion, mark: $mark) { id } }`
    const { mark } = await must(
      fixture.run<{ mark: string }>(bot, 'query ($id: ID!) { conversation(id: $id) { mark } }', { id }),
    )
    const suggested = (suggestion: object) => fixture.run(bot, propose, { id, suggestion, mark })
    expect(await suggested({ fields: { mail: '[email 1]' } })).toMatchObject({
      details: { reason: 'BOT_MASKED', field: 'suggestion.fields.mail' },
    })
    expect(await suggested({ fields: { summary: '[email 1]' } })).toMatchObject({ details: { reason: 'BOT_MASKED' } })
    const proposed = `mutation ($id: ID!, $message: MessageInput!) { propose(conversation: $id, message: $message) { id } }`
    expect(await fixture.run(bot, proposed, { id, message: { ...command, mark } })).toMatchObject({
      details: { reason: 'BOT_MASKED', field: 'message.text' },
    })
    await must(suggested({ summary: 'Has written from [email 1].' }))
    const handOver =
      'mutation ($id: ID!, $note: String) { handOverConversation(conversation: $id, note: $note) { id } }'
    expect(await fixture.run(bot, handOver, { id, note: 'Wants it at [email 1].' })).not.toMatchObject({
      details: { reason: 'BOT_MASKED' },
    })
    const hook = await hooks.register(fixture.admin, { events: ['message.create.contact.chat'], bot: bot.id })
    hook.receiver.answer = () => ({
      body: JSON.stringify({ messages: [{ type: 'command', text: '/set mail [email 1]' }] }),
    })
    await must(fixture.send(fixture.admin, id, { role: 'CONTACT', text: 'and now?' }))
    const [delivery] = await until(
      () => hooks.deliveries(fixture.admin, hook.id),
      (all) => all[0]?.reply != null,
    )
    expect(delivery!.reply).toMatch(/^refused: .*\[email 1\]/)
    await must(fixture.send(bot, id, { role: 'AGENT', text: 'I have written to [email 1].' }))
    expect(await lastText(fixture.ann, id)).toBe('I have written to [email 1].')
  })

  it('is what administrators say: not the bot itself, and of bots only', async () => {
    const bot = await masking(['IBAN', 'EMAIL', 'EMAIL'])
    expect(
      await must(fixture.run(fixture.admin, 'query ($id: ID!) { user(id: $id) { mask } }', { id: bot.id })),
    ).toEqual({
      mask: ['EMAIL', 'IBAN'],
    })
    expect(await mask(bot, null, bot)).toMatchObject({ code: 'FORBIDDEN' })
    expect(await mask(fixture.ann, ALL)).toMatchObject({ code: 'UNPROCESSABLE', details: { field: 'mask' } })
    const rest = await fixture.rest(fixture.admin, 'PATCH', `/v2/users/${bot.id}`, { mask: ['card'] })
    expect(rest).toMatchObject({ status: 200, body: { mask: ['card'] } })
    const wrong = await fixture.rest(fixture.admin, 'PATCH', `/v2/users/${bot.id}`, { mask: ['card', 'name'] })
    expect(wrong).toMatchObject({ status: 400, body: { field: 'mask[1]' } })
    // What it has sent back as it is changes nothing.
    expect((await fixture.rest(bot, 'PATCH', '/v2/users/me', { mask: ['card'], displayName: 'Bo' })).status).toBe(200)
    // While a service sends events for it, in whichever case it names it, it stays what it is: these would be sent as they are.
    const hook = await hooks.register(fixture.admin, { events: ['message.create.*'], bot: bot.id.toUpperCase() })
    expect(
      await fixture.run(fixture.admin, 'mutation ($id: ID!) { deleteUser(id: $id) }', { id: bot.id }),
    ).toMatchObject({
      details: { reason: 'IN_USE', service: hook.id },
    })
    expect(
      await fixture.run(fixture.admin, 'mutation ($id: ID!) { updateUser(id: $id, patch: { role: AGENT }) { id } }', {
        id: bot.id,
      }),
    ).toMatchObject({ details: { reason: 'IN_USE' } })
    expect((await fixture.rest(fixture.admin, 'DELETE', `/v2/services/${hook.id}`)).status).toBe(204)
    // A person reads all.
    const role = 'mutation ($id: ID!) { updateUser(id: $id, patch: { role: AGENT }) { mask } }'
    expect(await must(fixture.run(fixture.admin, role, { id: bot.id }))).toEqual({ mask: null })
  })
})
