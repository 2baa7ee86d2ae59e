import { createHmac } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals'
import type { MadeUser } from '../support/factories.js'
import { startTestServer, type TestServer } from '../support/test-server.js'
import { until } from '../support/until.js'
import { startProvider, type Provider, type ProviderReply, type ProviderRequest } from '../touchpoints/provider.js'
import { createHooks, type Hooks } from './hooks.js'
import { readNotice, type ShownNotice } from './notice-contracts.js'

type Format = 'slack' | 'teams'

const PUBLIC_URL = 'https://chat.example'
const SECRET = 'a secret of the receiver'
const TAKEN: Readonly<Record<Format, ProviderReply>> = {
  slack: { status: 200, headers: { 'content-type': 'text/html' }, body: 'ok' },
  teams: { status: 202, body: '' },
}

let app: TestServer
let hooks: Hooks
const receivers: Provider[] = []

beforeAll(async () => {
  app = await startTestServer({ WEBHOOK_ALLOW_PRIVATE: 'true', PUBLIC_URL }, { pace: 10 })
  hooks = createHooks(app)
})
afterEach(() => app.clock.goOn())
afterAll(async () => {
  await app.close()
  await hooks.close()
  for (const receiver of receivers) await receiver.close()
})

interface Channel {
  receiver: Provider
  url: string
  /** Answers what is not the handshake. */
  answer: (request: ProviderRequest) => ProviderReply
  notices(): ShownNotice[]
  /** Waits for a notice that says this. */
  says(words: string | RegExp): Promise<ShownNotice>
}

/** A receiver of notices, which refuses what its contract does not have. */
async function openChannel(format: Format): Promise<Channel> {
  const receiver = await startProvider((request) => {
    try {
      readNotice(format, request.body.toString())
    } catch {
      return { status: 400, body: 'invalid_payload' }
    }
    return channel.answer(request)
  })
  receivers.push(receiver)
  const notices = () =>
    receiver.requests.filter(({ method }) => method === 'POST').map(({ body }) => readNotice(format, body.toString()))
  const channel: Channel = {
    receiver,
    url: `${receiver.url}/services/T000/B000/xxxx`,
    answer: () => TAKEN[format],
    notices,
    says: (words) =>
      until(() => notices().find(({ text }) => (typeof words === 'string' ? text.includes(words) : words.test(text)))),
  }
  return channel
}

async function register(admin: MadeUser, channel: Channel, format: Format, params: object = {}): Promise<string> {
  const { data, errors } = await app.gql(
    admin,
    'mutation ($input: CreateServiceInput!) { createService(input: $input) { id } }',
    {
      input: {
        type: 'webhook',
        name: 'Front desk',
        settings: { webhook: { url: channel.url, format: format.toUpperCase(), secret: SECRET, ...params } },
      },
    },
  )
  if (errors) throw new Error(JSON.stringify(errors[0]))
  return data.createService.id
}

async function change(admin: MadeUser, id: string, params: object): Promise<void> {
  const { status, body } = await app.rest(admin, 'PATCH', `/v2/services/${id}`, { params })
  if (status !== 200) throw new Error(JSON.stringify(body))
}

/** A token of before may have expired when the clock goes on. */
const fresh = ({ organization, role }: MadeUser) => app.makeUser({ organization, role })

describe.each<Format>(['slack', 'teams'])('a webhook with the format %s', (format) => {
  it('is active once its receiver has taken a test notice, and is told of conversations in words', async () => {
    const { admin, organization } = await hooks.center()
    const agent = await app.makeUser({ organization, role: 'agent', displayName: 'Jenny Jones' })
    const channel = await openChannel(format)
    const id = await register(admin, channel, format)
    await hooks.reach(admin, id, 'active')
    const test = await channel.says('This is a test of the service “Front desk”')
    expect(test.links).toEqual([`${PUBLIC_URL}/console`])

    const conversation = await hooks.converse(admin, { messages: [{ role: 'contact', text: 'Where is my order?' }] })
    const shown = await channel.says('New message from Eve.')
    expect(shown.text).toContain('Where is my order?')
    expect(shown.text).toContain('Consumer: Eve')
    expect(shown.text).toContain('By: web chat')
    expect(shown.text).not.toMatch(/eve-\d+@example/)
    const { body } = await app.rest(admin, 'GET', `/v2/conversations/${conversation}`)
    expect(shown.links).toEqual([`${PUBLIC_URL}/console/c/${body.slug}`])

    const say = (text: string, more: object = {}) => hooks.say(agent, conversation, text, { role: 'agent', ...more })
    await say('/accept', { type: 'command' })
    await channel.says('The conversation with Eve was accepted by Jenny Jones.')
    await say('It is on its way.')
    expect((await channel.says('Jenny Jones answered Eve.')).text).toContain('It is on its way.')
    await say('She is angry.', { isBackchannel: true })
    await channel.says('Jenny Jones wrote a note in the conversation with Eve.')
    const colleague = await app.makeUser({ organization, role: 'agent', displayName: 'Max Power' })
    const { errors } = await app.gql(
      agent,
      'mutation ($id: ID!, $user: ID) { handOverConversation(conversation: $id, user: $user, evenIfAway: true) { id } }',
      { id: conversation, user: colleague.id },
    )
    expect(errors).toBeUndefined()
    await channel.says('The conversation with Eve was handed over from Jenny Jones to Max Power.')
    await hooks.say(colleague, conversation, '/close', { role: 'agent', type: 'command' })
    await channel.says('The conversation with Eve was closed by Max Power.')
    const recorded = await until(async () => {
      const deliveries = await hooks.deliveries(admin, id)
      return deliveries.every(({ status }) => status === 'DELIVERED') && deliveries
    })
    expect(recorded.map(({ reply }) => reply).filter(Boolean)).toEqual([])
    expect(recorded.every(({ body: sent }) => readNotice(format, sent!).text !== '')).toBe(true)
  })

  it('signs what it sends, and repeats it with the same bytes as long as it is refused', async () => {
    const { admin } = await hooks.center()
    const channel = await openChannel(format)
    const id = await register(admin, channel, format, { events: ['message.create.*'] })
    await hooks.reach(admin, id, 'active')
    const answers: ProviderReply[] = [
      { status: 429, headers: { 'retry-after': '1' }, body: 'rate_limited' },
      { status: 404, body: 'no_service' },
      { status: 410, body: 'channel_is_archived' },
    ]
    channel.answer = () => answers.shift() ?? TAKEN[format]
    const before = channel.receiver.requests.length
    await hooks.say(admin, await hooks.converse(admin), 'hello')
    const sent = await until(async () => {
      app.clock.advance(30_000)
      const requests = channel.receiver.requests.slice(before)
      return requests.length === 4 && requests
    })
    await until(async () => (await hooks.deliveries(await fresh(admin), id))[0]?.status === 'DELIVERED')
    expect(new Set(sent.map(({ body }) => body.toString())).size).toBe(1)
    for (const { headers, body } of [channel.receiver.requests[0]!, ...sent]) {
      const signed = `${headers['webhook-id'] as string}.${headers['webhook-timestamp'] as string}.${body.toString()}`
      expect(headers['webhook-signature']).toBe(`v1,${createHmac('sha256', SECRET).update(signed).digest('base64')}`)
      expect(headers['x-hub-signature']).toBe(`sha1=${createHmac('sha1', SECRET).update(body).digest('hex')}`)
    }
  })

  it('shows what consumers wrote as text, whatever it is', async () => {
    const { admin } = await hooks.center()
    const channel = await openChannel(format)
    const id = await register(admin, channel, format, { events: ['message.create.contact.chat'] })
    await hooks.reach(admin, id, 'active')
    const text =
      '<!channel> <@U024BE7LH> <at>Everyone</at> <https://evil.example|Open the conversation> & *all* _of_ ~it~ `code` :smile: [x](https://evil.example)\n> quoted'
    const name = 'Eve <!here>\u202e <at>x</at>'
    const contact = { profile: { name, email: `hostile-${format}@example.com` } }
    await hooks.say(admin, await hooks.converse(admin, { contact }), text)
    const shown = await channel.says('New message from Eve <!here> <at>x</at>.')
    expect(shown.text).toContain(text)
    expect(shown.links).toEqual([expect.stringMatching(/^https:\/\/chat\.example\/console\/c\//)])
  })

  it('that is busy is sent one notice at a time, all of them, each conversation in order, and is not failing', async () => {
    const { admin } = await hooks.center()
    const channel = await openChannel(format)
    const id = await register(admin, channel, format, { events: ['message.create.contact.chat'] })
    await hooks.reach(admin, id, 'active')
    const conversations = await Promise.all(Array.from({ length: 4 }, () => hooks.converse(admin)))
    const before = channel.receiver.requests.length
    let busy = 0
    let busiest = 0
    // As Slack does: a notice each second, and how long to wait where one comes too soon.
    const taken: number[] = []
    channel.answer = () => {
      const now = app.clock.now().getTime()
      busiest = Math.max(busiest, ++busy)
      setImmediate(() => (busy -= 1))
      if (now - (taken.at(-1) ?? 0) < 1_000)
        return { status: 429, headers: { 'retry-after': '1' }, body: 'rate_limited' }
      taken.push(now)
      return TAKEN[format]
    }
    for (const word of ['one', 'two', 'three']) {
      for (const [index, conversation] of conversations.entries())
        await hooks.say(admin, conversation, `${word} of ${index}`)
    }
    await until(async () => {
      app.clock.advance(1_100)
      const deliveries = await hooks.deliveries(await fresh(admin), id)
      return deliveries.length === 12 && deliveries.every(({ status }) => status === 'DELIVERED')
    })
    expect(busiest).toBe(1)
    expect(taken).toHaveLength(12)
    const said = channel.receiver.requests.slice(before).map(({ body }) => readNotice(format, body.toString()).text)
    for (const index of conversations.keys()) {
      const words = said
        .map((each) => new RegExp(`(\\w+) of ${index}`).exec(each)?.[1])
        .filter((word) => word !== undefined)
      expect([...new Set(words)]).toEqual(['one', 'two', 'three'])
    }
    expect((await hooks.service(await fresh(admin), id)).status).toBe('ACTIVE')
  })

  it('shows of its address the host and its end, to nobody more, and takes what it shows for it', async () => {
    const { admin } = await hooks.center()
    const channel = await openChannel(format)
    const path = '/services/T0ZQPATH/B0ZQPATH/zqTokenOfTheChannel42'
    const address = `${new URL(channel.url).origin}${path}`
    const id = await register(admin, { ...channel, url: address }, format, { events: ['message.create.contact.chat'] })
    await hooks.reach(admin, id, 'active')
    const shown = `${new URL(channel.url).origin}/********el42`
    const { body } = await app.rest(admin, 'GET', `/v2/services/${id}`)
    expect(body.params).toMatchObject({ url: shown, format })
    const requests = channel.receiver.requests.length
    // What is shown may be sent back; nothing is tested anew by it.
    await change(admin, id, { ...body.params, events: ['message.create.*'] })
    expect((await hooks.service(admin, id)).status).toBe('ACTIVE')
    const refused = async (params: object, words: RegExp) => {
      const answer = await app.rest(admin, 'PATCH', `/v2/services/${id}`, { params })
      expect([answer.status, answer.body.field, answer.body.message]).toEqual([
        400,
        'params.url',
        expect.stringMatching(words),
      ])
    }
    await refused({ ...body.params, format: 'json' }, /would be shown from now on/)
    await refused({ ...body.params, url: shown.replace('el42', 'el43') }, /mask in place of its path/)
    // A receiver that repeats where it was asked is not repeated.
    channel.answer = () => ({ status: 400, body: `no_service at ${path} or ${encodeURIComponent(path)}` })
    await hooks.say(admin, await hooks.converse(admin), 'hello')
    const failed = await until(async () =>
      (await hooks.deliveries(admin, id)).find(({ attempts }) => attempts.length > 0),
    )
    expect(failed.attempts[0]!.response).toContain('no_service at ********')
    expect(channel.receiver.requests.slice(requests).every(({ url }) => url.pathname === path)).toBe(true)
    const audit = 'query ($id: ID!) { auditEntries(filter: { object: { eq: $id } }) { edges { node { details } } } }'
    const { data } = await app.gql(admin, audit.replace('ID!', 'String!'), { id })
    expect(data.auditEntries.edges.length).toBeGreaterThan(1)
    const everything = await app.server.database.query<{ words: string }>(
      `select data::text as words from event where data ->> 'id' = $1 union all select params::text from service where id = $1::uuid
       union all select coalesce(verified_url, '') || coalesce(last_error, '') from webhook where service_id = $1::uuid
       union all select coalesce(error, '') || coalesce(response, '') from webhook_attempt`,
      [id],
    )
    const words = JSON.stringify([data, everything, await hooks.deliveries(admin, id)])
    expect(words).toContain(shown)
    for (const secret of ['zqTokenOfTheChannel', 'T0ZQPATH']) expect(words).not.toContain(secret)
  })

  it('adds no messages of an answer, with a token or without', async () => {
    const { admin, organization } = await hooks.center()
    const token = await app.tokenFor(await app.makeUser({ organization, role: 'bot' }))
    const channel = await openChannel(format)
    const id = await register(admin, channel, format, { events: ['message.create.contact.chat'] })
    await hooks.reach(admin, id, 'active')
    const conversation = await hooks.converse(admin)
    channel.answer = () => ({
      status: 200,
      body: JSON.stringify({ token, messages: [{ text: 'from the receiver' }] }),
    })
    await hooks.say(admin, conversation, 'hello')
    const delivery = await until(async () => {
      const [found] = await hooks.deliveries(admin, id)
      return found?.status === 'DELIVERED' && found
    })
    expect(delivery.reply).toBe('ignored: who takes notices adds no messages')
    const { body } = await app.rest(admin, 'GET', `/v2/conversations/${conversation}/messages`)
    expect(body.map((message: { text: string }) => message.text)).not.toContain('from the receiver')
  })
})

it('is refused with what notices have no use for, and for services that send nothing', async () => {
  const { admin, bot } = await hooks.center()
  const write = async (type: string, params: object) => {
    const { status, body } = await app.rest(admin, 'POST', '/v2/services', { type, params })
    return { status, field: body.error?.field ?? body.field, message: body.message }
  }
  const url = 'https://hooks.example/services/1'
  for (const format of ['slack', 'teams']) {
    expect(await write('webhook', { url, format, bot: bot.id })).toMatchObject({
      status: 400,
      message: expect.stringContaining(`params.bot has no effect with params.format ${format}`),
    })
    expect(await write('webhook', { url, format, query: '{ message { text } }' })).toMatchObject({
      status: 400,
      message: expect.stringContaining('params.query has no effect'),
    })
    expect(await write('events', { format })).toMatchObject({
      status: 400,
      message: expect.stringContaining('params.format'),
    })
  }
  expect(await write('webhook', { url, format: 'discord' })).toMatchObject({
    status: 400,
    message: expect.stringContaining('must be one of json, slack, teams'),
  })
  const { errors } = await app.gql(
    admin,
    'mutation ($input: CreateServiceInput!) { createService(input: $input) { id } }',
    {
      input: { type: 'webhook', settings: { webhook: { url, format: 'SLACK', bot: bot.id } } },
    },
  )
  expect(errors![0]!.extensions).toMatchObject({ code: 'BAD_USER_INPUT', field: 'settings.webhook.bot' })
})

it('stays unverified while the test notice is refused, says why, and is tested again on request', async () => {
  const { admin } = await hooks.center()
  const channel = await openChannel('slack')
  channel.answer = () => ({ status: 404, body: 'no_service' })
  const id = await register(admin, channel, 'slack', { events: ['message.create.*'] })
  const refused = await until(async () => {
    const service = await hooks.service(admin, id)
    return Boolean(service.webhook?.lastError) && service
  })
  expect(refused).toMatchObject({
    status: 'UNVERIFIED',
    webhook: { lastError: 'the test notice failed: answered 404: no_service' },
  })
  const test = async () => {
    const { data } = await app.gql(admin, 'mutation ($id: ID!) { testService(service: $id) { ok message } }', { id })
    return data.testService
  }
  expect(await test()).toEqual({ ok: false, message: 'the test notice failed: answered 404: no_service' })
  channel.answer = () => TAKEN.slack
  expect(await test()).toMatchObject({ ok: true, message: expect.stringContaining('took the test notice') })
  await app.gql(admin, 'mutation ($id: ID!) { verifyWebhook(service: $id) { id } }', { id })
  await hooks.reach(admin, id, 'active')
  expect(channel.notices().every(({ text }) => text.includes('This is a test of'))).toBe(true)
})

it('of another format is verified anew, and what waits is sent in the new one', async () => {
  const { admin } = await hooks.center()
  const events = ['message.create.contact.chat']
  const channel = await openChannel('slack')
  const id = await register(admin, channel, 'slack', { events })
  await hooks.reach(admin, id, 'active')
  const conversation = await hooks.converse(admin)
  await hooks.say(admin, conversation, 'first')
  await channel.says('first')
  await until(async () => (await hooks.deliveries(admin, id))[0]?.status === 'DELIVERED')
  // A receiver of notices cannot be made one of whole events without its consent.
  await change(admin, id, { url: channel.url, secret: SECRET, events, format: 'json' })
  const unverified = await until(async () => {
    const service = await hooks.service(admin, id)
    return Boolean(service.webhook?.lastError) && service
  })
  expect(unverified.webhook!.lastError).toContain('the handshake failed')
  // Nor by being switched on, by who takes the first consent for one of whole events.
  await app.rest(admin, 'PATCH', `/v2/services/${id}`, { status: 'active' })
  expect((await hooks.service(admin, id)).status).toBe('UNVERIFIED')
  await hooks.say(admin, conversation, 'second')
  expect(
    channel
      .notices()
      .map(({ text }) => text)
      .join('\n'),
  ).not.toContain('second')
  await change(admin, id, { url: channel.url, secret: SECRET, events, format: 'slack' })
  await hooks.reach(admin, id, 'active')
  await channel.says('second')

  const json = await hooks.register(admin, { events })
  await hooks.say(admin, conversation, 'third')
  await json.receiver.count(1)
  const cards = await openChannel('teams')
  await change(admin, json.id, { url: cards.url, secret: SECRET, events, format: 'teams' })
  await hooks.reach(admin, json.id, 'active')
  const [delivery] = await hooks.deliveries(admin, json.id)
  await app.gql(admin, 'mutation ($id: ID!) { redeliverWebhook(delivery: $id) }', { id: delivery!.id })
  await cards.says('third')
  expect(cards.receiver.requests.every(({ body }) => !body.toString().startsWith('{"id"'))).toBe(true)
})

it('replays and keeps the order of a conversation, and forgets what was erased', async () => {
  const { admin } = await hooks.center()
  const channel = await openChannel('teams')
  const id = await register(admin, channel, 'teams', { events: ['message.create.contact.chat'] })
  await hooks.reach(admin, id, 'active')
  const since = app.clock.now().toISOString()
  const conversation = await hooks.converse(admin)
  const ids: string[] = []
  for (const text of ['one', 'two', 'three']) ids.push(await hooks.say(admin, conversation, text))
  const told = () => channel.notices().flatMap(({ text }) => text.match(/one|two|three/) ?? [])
  await until(() => told().length === 3)
  expect(told()).toEqual(['one', 'two', 'three'])
  await until(async () => (await hooks.deliveries(admin, id)).every(({ status }) => status === 'DELIVERED'))
  await app.rest(admin, 'DELETE', `/v2/messages/${ids[1]!}`)
  // Its words are erased by a job.
  await until(async () => (await hooks.deliveries(admin, id)).every(({ body }) => !body?.includes('two')))
  await app.gql(
    admin,
    'mutation ($id: ID!, $since: DateTime) { replayWebhook(service: $id, since: $since) { since } }',
    {
      id,
      since,
    },
  )
  await until(() => told().length >= 5)
  await until(async () => (await hooks.deliveries(admin, id)).every(({ status }) => status === 'DELIVERED'))
  expect(told()).toEqual(['one', 'two', 'three', 'one', 'three'])
})

it('that keeps failing is failing, and says so', async () => {
  const { admin } = await hooks.center()
  const channel = await openChannel('slack')
  const id = await register(admin, channel, 'slack', { events: ['message.create.contact.chat'] })
  await hooks.reach(admin, id, 'active')
  channel.answer = () => ({ status: 410, body: 'channel_is_archived' })
  for (let count = 0; count < 4; count++) await hooks.say(admin, await hooks.converse(admin), 'hello')
  const failing = await until(async () => {
    app.clock.advance(5_000)
    const service = await hooks.service(await fresh(admin), id)
    return service.status === 'FAILING' && service
  })
  expect(failing.webhook).toMatchObject({ lastError: 'answered 410' })
})

it('is nobody who hears what agents ask bots for', async () => {
  const { admin, organization } = await hooks.center()
  const agent = await app.makeUser({ organization })
  const channel = await openChannel('slack')
  const id = await register(admin, channel, 'slack', { events: ['proposal.requested'] })
  await hooks.reach(admin, id, 'active')
  const conversation = await hooks.converse(admin)
  const isHeard = async () => {
    const { data } = await app.gql(agent, 'query ($id: ID!) { canRequestProposal(conversation: $id) }', {
      id: conversation,
    })
    return data.canRequestProposal
  }
  expect(await isHeard()).toBe(false)
  await hooks.register(admin, { events: ['proposal.requested'] })
  expect(await isHeard()).toBe(true)
})
