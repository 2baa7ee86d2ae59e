import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { storedParams } from '../../support/stored-params.js'
import type { MadeUser } from '../../support/factories.js'
import { startProviderFixture, type ProviderFixture, type Said } from '../provider-fixture.js'
import { APP, startGraph, type Graph } from './graph.js'
import { until } from '../../support/until.js'

let fixture: ProviderFixture
let graph: Graph
let service: string
let people = 0
let mids = 0

const HOUR_MS = 3_600_000

beforeAll(async () => {
  fixture = await startProviderFixture()
  graph = await startGraph()
  service = await fixture.makeService('messenger', { ...APP, apiUrl: graph.url })
})
afterAll(async () => {
  await fixture.app.close()
  await graph.close()
})

const person = (): string => `psid-${++people}`
const mid = (): string => `m_in_${++mids}`
const about = (sender: string) => ({ sender: { id: sender }, recipient: { id: APP.pageId }, timestamp: Date.now() })
const wrap = (...messaging: object[]) => ({ object: 'page', entry: [{ id: APP.pageId, time: Date.now(), messaging }] })

function tell(...messaging: object[]): Promise<number> {
  return graph.call(fixture.hook('messenger', service).url, wrap(...messaging))
}

/** Takes what was told before, receipts a little later than the rest. */
async function told(): Promise<void> {
  fixture.app.clock.advance(1_000)
  const left = () => fixture.app.server.database.query(`select 1 from job where kind = 'messenger.event'`)
  await until(async () => (await left()).length === 0)
}

async function saidBy(sender: string, count = 1): Promise<Said[]> {
  return until(async () => {
    const rows = await fixture.app.server.database.query<{ contact_id: string }>(
      'select contact_id from contact_handle where service_id = $1 and address = $2',
      [service, sender],
    )
    const said = (await fixture.receivedBy(service)).filter((message) => message.contact_id === rows[0]?.contact_id)
    return said.length >= count && said
  })
}

/** A conversation that a person began. */
async function begun(): Promise<{ sender: string; conversation: string }> {
  const sender = person()
  await tell({ ...about(sender), message: { mid: mid(), text: 'Hello' } })
  const [said] = await saidBy(sender)
  return { sender, conversation: said!.conversation_id }
}

const sentTo = (sender: string) => graph.sent.filter(({ recipient }) => recipient.id === sender)

describe('the handshake', () => {
  const shake = async (query: Record<string, string>) => {
    const response = await fetch(`${fixture.hook('messenger', service).url}?${new URLSearchParams(query).toString()}`)
    return [response.status, await response.text(), response.headers.get('content-type')]
  }
  const right = { 'hub.mode': 'subscribe', 'hub.verify_token': APP.verifyToken, 'hub.challenge': '1158201444' }

  it("answers the challenge of a caller who knows the service's token", async () => {
    expect(await shake(right)).toEqual([200, '1158201444', 'text/plain; charset=utf-8'])
    for (const wrong of [
      { 'hub.verify_token': 'x' },
      { 'hub.verify_token': '' },
      { 'hub.mode': 'unsubscribe' },
      { 'hub.challenge': '' },
    ]) {
      expect((await shake({ ...right, ...wrong }))[0]).toBe(403)
    }
  })

  it('has a token that is generated if absent, and kept', async () => {
    const made = await fixture.makeService('messenger', { ...APP, verifyToken: null, pageId: '2' })
    const stored = async () => (await storedParams<{ verifyToken: string }>(fixture.app.server, made)).verifyToken
    const token = await stored()
    expect(token.length).toBeGreaterThan(30)
    await fixture.app.gql(
      fixture.admin,
      'mutation ($id: ID!) { updateService(id: $id, patch: { params: { pageId: "3" } }) { id } }',
      { id: made },
    )
    expect(await stored()).toBe(token)
  })
})

describe('an inbound event', () => {
  it('creates a contact with its name, and a queued conversation (4.7, rule 6)', async () => {
    const sender = person()
    graph.people.set(sender, { first_name: 'Zoë', last_name: 'Müller' })
    expect(
      await tell(
        { ...about(sender), message: { mid: mid(), text: 'Žluťoučký 😀' } },
        { ...about(sender), message: { mid: mid(), text: 'Hi' } },
      ),
    ).toBe(200)
    const said = await saidBy(sender, 2)
    expect(said.map((message) => [message.role, message.touchpoint, message.text])).toEqual([
      ['contact', 'messenger', 'Žluťoučký 😀'],
      ['contact', 'messenger', 'Hi'],
    ])
    expect(new Set(said.map((message) => message.conversation_id)).size).toBe(1)
    const { data } = await fixture.app.gql(
      fixture.admin,
      'query ($id: ID!) { conversation(id: $id) { status touchpoint contact { profile { name } } } }',
      { id: said[0]!.conversation_id },
    )
    expect(data.conversation).toEqual({
      status: 'QUEUED',
      touchpoint: 'MESSENGER',
      contact: { profile: { name: 'Zoë Müller' } },
    })
  })

  it('is stored once if it arrives a hundred times concurrently', async () => {
    const sender = person()
    const event = { ...about(sender), message: { mid: mid(), text: 'Once' } }
    const statuses = await Promise.all(Array.from({ length: 100 }, () => tell(event)))
    expect(new Set(statuses)).toEqual(new Set([200]))
    await until(async () => {
      const [jobs] = await fixture.app.server.database.query<{ left: boolean }>(
        "select exists (select 1 from job where kind = 'messenger.event') as left",
      )
      return !jobs!.left
    })
    expect(await saidBy(sender)).toHaveLength(1)
  })

  it("is refused without the app's signature, and nothing is stored", async () => {
    const { url } = fixture.hook('messenger', service)
    const sender = person()
    const body = wrap({ ...about(sender), message: { mid: mid(), text: 'Forged' } })
    expect(await graph.call(url, body, { secret: 'another' })).toBe(403)
    expect(await graph.call(url, body, { signature: '' })).toBe(403)
    const other = createHmac('sha256', APP.appSecret).update('{}').digest('hex')
    expect(await graph.call(url, body, { signature: `sha256=${other}` })).toBe(403)
    const rows = await fixture.app.server.database.query('select 1 from job where payload::text like $1', [
      `%${sender}%`,
    ])
    expect(rows).toEqual([])
  })

  it('includes its pictures and its location', async () => {
    const sender = person()
    const png = Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), Buffer.alloc(100, 5)])
    graph.files.set('/cdn/i.png', { type: 'image/png', bytes: png })
    await tell(
      {
        ...about(sender),
        message: { mid: mid(), attachments: [{ type: 'image', payload: { url: `${graph.url}/cdn/i.png` } }] },
      },
      {
        ...about(sender),
        message: {
          mid: mid(),
          attachments: [{ type: 'location', title: 'Pier 3', payload: { coordinates: { lat: 52.1, long: 4.2 } } }],
        },
      },
    )
    const said = await saidBy(sender, 2)
    expect(said.find(({ meta }) => meta?.location)).toMatchObject({
      text: 'Pier 3\n52.1, 4.2',
      meta: { location: { latitude: 52.1, longitude: 4.2 } },
    })
    const kept = await fixture.app.server.database.query(
      'select file_type, size from attachment where contact_id = $1',
      [said[0]!.contact_id],
    )
    expect(kept).toEqual([{ file_type: 'image/png', size: png.length }])
  })

  it('reaches the service of its page, where an app has several', async () => {
    const second = await fixture.makeService('messenger', { ...APP, pageId: 'second-page', apiUrl: graph.url })
    const event = {
      sender: { id: 'someone' },
      recipient: { id: 'second-page' },
      timestamp: 1,
      message: { mid: mid(), text: 'To the second' },
    }
    await graph.call(fixture.hook('messenger', service).url, {
      object: 'page',
      entry: [{ id: 'second-page', messaging: [event] }],
    })
    const [said] = await until(async () => (await fixture.receivedBy(second)).length > 0 && fixture.receivedBy(second))
    expect(said!.text).toBe('To the second')
  })
})

describe("an agent's answer", () => {
  it('is sent once, as a response, and receipts update its status', async () => {
    const { sender, conversation } = await begun()
    const message = await fixture.answer(conversation, { text: 'Sail or motor?' })
    const delivery = await fixture.becomes(message, 'sent')
    expect(sentTo(sender)).toEqual([
      {
        recipient: { id: sender },
        messaging_type: 'RESPONSE',
        mid: delivery.provider_id,
        message: { text: 'Sail or motor?', metadata: `${delivery.id}:0` },
      },
    ])
    await tell({ ...about(sender), delivery: { mids: [delivery.provider_id], watermark: 1 } })
    await fixture.becomes(message, 'delivered')
    await tell({ ...about(sender), read: { watermark: Date.now() } })
    await fixture.becomes(message, 'read')
    await tell({ ...about(sender), delivery: { mids: [delivery.provider_id], watermark: Date.now() } })
    await tell({ ...about(sender), message: { mid: delivery.provider_id, is_echo: true, text: 'Sail or motor?' } })
    await told()
    expect((await fixture.delivery(message)).status).toBe('read')
    expect(await saidBy(sender)).toHaveLength(1)
  })

  it('with several calls continues after the accepted ones', async () => {
    const { sender, conversation } = await begun()
    // The second call finds the platform busy.
    graph.faults.push({ status: 200, body: JSON.stringify({ recipient_id: sender, message_id: 'first' }) })
    graph.faults.push({
      status: 400,
      body: JSON.stringify({ error: { code: 613, message: 'Calls to this api have exceeded the rate limit.' } }),
    })
    const before = graph.requests.length
    const message = await fixture.answer(conversation, { text: 'word '.repeat(1_000) })
    expect((await fixture.becomes(message, 'sent')).attempts).toBe(2)
    const texts = graph.requests.slice(before).map(({ body }) => JSON.parse(body.toString()).message.text as string)
    expect(texts).toHaveLength(4)
    expect(texts[1]).toBe(texts[2])
    expect([texts[0], texts[2], texts[3]].join(' ')).toBe('word '.repeat(1_000).trim())
  })

  it('has an unknown outcome if the connection is lost, and is not retried automatically', async () => {
    const { sender, conversation } = await begun()
    graph.faults.push('cut')
    const message = await fixture.answer(conversation, { text: 'Maybe' })
    expect((await fixture.becomes(message, 'maybeSent')).attempts).toBe(1)
    await fixture.becomes(await fixture.answer(conversation, { text: 'After' }), 'sent')
    expect(sentTo(sender).map((call) => call.message.text)).toEqual(['After'])
  })

  it("is refused with the platform's reason", async () => {
    const { conversation } = await begun()
    graph.faults.push({
      status: 400,
      body: JSON.stringify({
        error: { code: 551, message: "This person isn't available right now.", error_subcode: 1545041 },
      }),
    })
    const message = await fixture.answer(conversation, { text: 'Hello' })
    expect(await fixture.becomes(message, 'failed')).toMatchObject({
      reason: "the platform refused: 551/1545041 This person isn't available right now.",
    })
  })

  it('has its buttons, and a click on one is received (2.10)', async () => {
    const { sender, conversation } = await begun()
    const actions = [
      { type: 'REPLY', text: 'Sail', payload: 'INTENT_SAIL' },
      { type: 'POSTBACK', text: 'Both', payload: JSON.stringify([{ text: 'Sail please' }, { text: 'And motor' }]) },
      { type: 'POSTBACK', text: 'Bad', payload: JSON.stringify({ text: 'x', role: 'agent' }) },
      { type: 'WEBVIEW', text: 'Book', uri: 'https://book.example/', size: 'full' },
    ]
    await fixture.becomes(await fixture.answer(conversation, { text: 'Which?', actions }), 'sent')
    const [call] = sentTo(sender)
    const [reply] = call!.message.quick_replies
    const [both, bad, book] = call!.message.attachment.payload.buttons
    // The site is not registered with the platform, which refused the extensions.
    expect(book).toEqual({ type: 'web_url', title: 'Book', url: 'https://book.example/', webview_height_ratio: 'full' })
    await tell({
      ...about(sender),
      message: { mid: mid(), text: reply.title, quick_reply: { payload: reply.payload } },
    })
    await tell({ ...about(sender), postback: { mid: mid(), title: both.title, payload: both.payload } })
    await tell({ ...about(sender), postback: { mid: mid(), title: bad.title, payload: bad.payload } })
    await tell({ ...about(sender), postback: { mid: mid(), title: 'Menu', payload: 'MENU_HELP' } })
    const said = await saidBy(sender, 5)
    expect(said.slice(1).map(({ type, text }) => [type, text])).toEqual([
      ['postback', 'INTENT_SAIL'],
      ['postback', actions[1]!.payload],
      ['chat', 'Bad'],
      ['postback', 'MENU_HELP'],
    ])
    const all = await fixture.app.server.database.query<{ text: string }>(
      "select text from message where conversation_id = $1 and role = 'contact' and type = 'chat' order by position",
      [conversation],
    )
    expect(all.map(({ text }) => text)).toEqual(['Hello', 'Sail please', 'And motor', 'Bad'])
  })

  // [2.10 postback again]
  it('is stored once for each click, whatever the platform repeats or echoes of it', async () => {
    const { sender, conversation } = await begun()
    const actions = [{ type: 'POSTBACK', text: 'More', payload: 'MORE' }]
    await fixture.becomes(await fixture.answer(conversation, { text: 'Which?', actions }), 'sent')
    const [more] = sentTo(sender)[0]!.message.attachment.payload.buttons
    const clicked = () => ({ ...about(sender), postback: { mid: mid(), title: more.title, payload: more.payload } })
    const first = clicked()
    // Repeated, alone and with what came before; of an older version, which gives clicks no id.
    const { mid: _, ...unnamed } = first.postback
    const older = {
      ...about(sender),
      timestamp: Date.now() + 1,
      postback: { ...unnamed, title: 'Menu', payload: 'MENU' },
    }
    for (const messaging of [[first], [first, older], [older]]) await tell(...messaging)
    // The page's own messages come back: what it sent, and what stands on the button.
    const echo = { ...about(APP.pageId), recipient: { id: sender } }
    for (const text of ['Which?', 'More', 'Menu']) {
      await tell({ ...echo, message: { mid: mid(), is_echo: true, app_id: 7, text } })
      await tell({ ...about(sender), message: { mid: mid(), is_echo: true, text } })
      await tell({ ...echo, postback: { mid: mid(), title: text, payload: 'MENU' } })
    }
    // Pressed again: another click.
    await tell(clicked())
    await saidBy(sender, 4)
    await told()
    expect((await saidBy(sender, 4)).map(({ type, text, role }) => [type, text, role])).toEqual([
      ['chat', 'Hello', 'contact'],
      ['postback', 'MORE', 'contact'],
      ['postback', 'MENU', 'contact'],
      ['postback', 'MORE', 'contact'],
    ])
    const rows = await fixture.app.server.database.query<{ n: number }>(
      'select count(*)::int as n from message where conversation_id = $1',
      [conversation],
    )
    expect(rows).toEqual([{ n: 5 }])
  })

  it("does not take another person's button for a click", async () => {
    const { sender, conversation } = await begun()
    await fixture.becomes(
      await fixture.answer(conversation, {
        text: 'Which?',
        actions: [{ type: 'REPLY', text: 'Mine', payload: 'SECRET' }],
      }),
      'sent',
    )
    const { payload } = sentTo(sender)[0]!.message.quick_replies[0]
    const outsider = person()
    await tell({ ...about(outsider), message: { mid: mid(), text: 'Mine', quick_reply: { payload } } })
    expect((await saidBy(outsider)).map(({ type, text }) => [type, text])).toEqual([['chat', 'Mine']])
  })
})

describe("the platform's messaging window", () => {
  it('is a day for all, seven days for human agents, and then closed', async () => {
    const { sender, conversation } = await begun()
    const bot = await fixture.app.makeUser({ organization: fixture.organization, role: 'bot' })
    // Tokens of a day have ended by then.
    const later = (as: MadeUser): Promise<string> => fixture.app.tokenFor(as)
    fixture.app.clock.advance(25 * HOUR_MS)
    await fixture.becomes(await fixture.answer(conversation, { text: 'Next day' }, await later(fixture.agent)), 'sent')
    expect(sentTo(sender)[0]).toMatchObject({ messaging_type: 'MESSAGE_TAG', tag: 'HUMAN_AGENT' })
    const automatic = await fixture.answer(conversation, { text: 'By itself' }, await later(bot))
    expect(await fixture.becomes(automatic, 'failed')).toMatchObject({
      code: 'windowClosed',
      reason: expect.stringMatching(/takes no answers since \S+ except from people: the contact has to write first/),
    })
    fixture.app.clock.advance(7 * 24 * HOUR_MS)
    const late = await fixture.answer(conversation, { text: 'Too late' }, await later(fixture.agent))
    expect(await fixture.becomes(late, 'failed')).toMatchObject({ code: 'windowClosed', attempts: 0 })
    expect(sentTo(sender)).toHaveLength(1)
    const { data, errors } = await fixture.app.gql(
      await later(fixture.admin),
      'query ($id: ID!) { message(id: $id) { deliveries { status code } } }',
      { id: late },
    )
    expect(errors ?? data.message.deliveries).toEqual([{ status: 'FAILED', code: 'WINDOW_CLOSED' }])
  })
})

describe("hostile requests to the platform's address", () => {
  it('are never answered with a server error', async () => {
    const { url } = fixture.hook('messenger', service)
    const statuses = new Set<number>()
    const value = fc.oneof(
      fc.jsonValue(),
      fc.constantFrom('\0', '\ud800', { id: APP.pageId }, { mid: 'm', text: '\0\ud800' }),
    )
    await fc.assert(
      fc.asyncProperty(value, value, async (message, postback) => {
        statuses.add(
          await graph.call(
            url,
            JSON.stringify(
              wrap({ ...about('hostile'), message }, { ...about('hostile'), postback }, message as object),
            ),
          ),
        )
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
      `{"object":"page","entry":${'['.repeat(5_000)}${']'.repeat(5_000)}}`,
      'x'.repeat(1_100_000),
    ]) {
      statuses.add(await graph.call(url, body))
      statuses.add((await fetch(url, { method: 'POST', body })).status)
    }
    expect([...statuses].filter((each) => each >= 500)).toEqual([])
  })
})
