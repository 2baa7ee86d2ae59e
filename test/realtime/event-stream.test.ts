import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { createClient } from 'graphql-sse'
import { once } from 'node:events'
import { connect } from 'node:net'
import { startConversationFixture, type ConversationFixture } from '../conversations/conversation-fixture.js'
import type { MadeUser } from '../support/factories.js'
import { sampleOf } from '../support/metrics.js'
import type { RestAnswer } from '../support/test-server.js'
import { until } from '../support/until.js'

// Subscriptions where a proxy blocks WebSocket: the "distinct connections" of GraphQL over Server-Sent Events.
let app: ConversationFixture
let id: string

beforeAll(async () => {
  app = await startConversationFixture()
  ;({ id } = await app.inStatus('ACTIVE'))
})
afterAll(() => app.close())

const LIVE = `subscription ($id: ID!, $after: String) { conversation(id: $id, after: $after) {
  __typename ... on StreamEvent { cursor } ... on ConversationSnapshot { resync } ... on MessageAdded { message { text } } } }`

interface Event {
  event: string
  id: string | null
  data: RestAnswer['body']
}

/** Reads a stream by hand, as a client without a library would. */
async function open(user: MadeUser | null, query: string, variables: object, headers: Record<string, string> = {}) {
  const leave = new AbortController()
  const response = await fetch(`${app.url}/graphql`, {
    method: 'POST',
    headers: {
      accept: 'text/event-stream',
      'content-type': 'application/json',
      ...(user && { authorization: `Bearer ${await app.tokenFor(user)}` }),
      ...headers,
    },
    body: JSON.stringify({ query, variables }),
    signal: leave.signal,
  })
  const events: Event[] = []
  let isDone = false
  const read = async (): Promise<void> => {
    let text = ''
    for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
      text += chunk
      for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
        const lines = text.slice(0, end).split('\n')
        text = text.slice(end + 2)
        const field = (name: string) => lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2)
        const data = field('data')
        if (field('event'))
          events.push({ event: field('event')!, id: field('id') ?? null, data: data && JSON.parse(data) })
      }
    }
  }
  if (response.headers.get('content-type')?.startsWith('text/event-stream')) {
    read().then(
      () => (isDone = true),
      () => (isDone = true),
    )
  }
  return { response, events, isDone: () => isDone, leave: () => leave.abort() }
}

const messagesOf = (events: Event[]): string[] =>
  events.flatMap(({ data }) => data?.data?.conversation.message?.text ?? [])

describe('a subscription by server-sent events', () => {
  it('has the snapshot, then each event once, with its cursor as the id', async () => {
    const stream = await open(app.ann, LIVE, { id })
    expect(stream.response.status).toBe(200)
    expect(stream.response.headers.get('x-accel-buffering')).toBe('no')
    await until(() => stream.events.length > 0)
    expect(stream.events[0]).toMatchObject({
      event: 'next',
      data: { data: { conversation: { __typename: 'ConversationSnapshot', resync: false } } },
    })
    await app.send(app.ann, id, { role: 'AGENT', text: 'one' })
    await app.send(app.ann, id, { role: 'AGENT', text: 'two' })
    await until(() => messagesOf(stream.events).includes('two'))
    expect(messagesOf(stream.events)).toEqual(['one', 'two'])
    for (const { id: cursor, data } of stream.events) expect(cursor).toBe(data.data.conversation.cursor)
    stream.leave()
  })

  it('goes on after Last-Event-ID, with nothing lost and nothing twice', async () => {
    const first = await open(app.ann, LIVE, { id })
    await until(() => first.events.length > 0)
    await app.send(app.ann, id, { role: 'AGENT', text: 'three' })
    const seen = await until(() => first.events.find(({ data }) => data.data.conversation.message?.text === 'three'))
    first.leave()
    await app.send(app.ann, id, { role: 'AGENT', text: 'four' })
    await app.send(app.ann, id, { role: 'AGENT', text: 'five' })
    const second = await open(app.ann, LIVE, { id }, { 'last-event-id': seen!.id! })
    await until(() => messagesOf(second.events).includes('five'))
    expect(messagesOf(second.events)).toEqual(['four', 'five'])
    second.leave()
  })

  it('makes a channel online, and leaves it', async () => {
    const query = 'subscription ($channels: [ID!]) { queue(channels: $channels) { __typename } }'
    const isOnline = async (): Promise<boolean> => {
      const made = await app.create({ messages: [{ role: 'CONTACT', text: 'Hello' }] })
      return made.channels.includes(app.channel)
    }
    expect(await isOnline()).toBe(false)
    const stream = await open(app.ann, query, { channels: [app.channel] })
    await until(() => stream.events.length > 0)
    expect(await isOnline()).toBe(true)
    stream.leave()
    await until(async () => !(await isOnline()))
  })

  it('ends with the reason, complete, when access has ended', async () => {
    const user = await app.makeUser({ organization: app.organization })
    const stream = await open(user, 'subscription { inbox { __typename } }', {})
    await until(() => stream.events.length > 0)
    await app.gql(app.admin, 'mutation ($id: ID!) { deleteUser(id: $id) }', { id: user.id })
    await until(stream.isDone)
    expect(stream.events.slice(-2)).toMatchObject([
      { event: 'next', data: { errors: [{ extensions: { code: 'FORBIDDEN' } }] } },
      { event: 'complete' },
    ])
  })

  it('is what the client of graphql-sse expects', async () => {
    const token = await app.tokenFor(app.ann)
    const client = createClient({
      url: `${app.url}/graphql`,
      headers: { authorization: `Bearer ${token}` },
      retryAttempts: 0,
    })
    const told: unknown[] = []
    const isComplete = new Promise<void>((resolve, reject) => {
      client.subscribe(
        { query: '{ me { id } }' },
        { next: (value) => told.push(value), error: reject, complete: resolve },
      )
    })
    await isComplete
    expect(told).toEqual([{ data: { me: { id: app.ann.id } } }])
    const live = client.iterate<RestAnswer['body']>({ query: LIVE, variables: { id } })
    expect((await live.next()).value.data.conversation.__typename).toBe('ConversationSnapshot')
    await app.send(app.ann, id, { role: 'AGENT', text: 'by the library' })
    expect((await live.next()).value.data.conversation.message.text).toBe('by the library')
    await live.return!()
    const refused = client.iterate<RestAnswer['body']>({ query: '{ nonsense }' })
    expect((await refused.next()).value.errors[0].extensions.code).toBe('GRAPHQL_VALIDATION_FAILED')
    client.dispose()
  })
})

describe('a request for server-sent events', () => {
  it('counts no more once its client has left, also one that left before it began', async () => {
    const { hostname, port } = new URL(app.url)
    const body = JSON.stringify({ query: LIVE, variables: { id } })
    const request = [
      'POST /graphql HTTP/1.1',
      'host: localhost',
      'accept: text/event-stream',
      'content-type: application/json',
      `content-length: ${Buffer.byteLength(body)}`,
      `authorization: Bearer ${await app.tokenFor(app.ann)}`,
      '',
      body,
    ].join('\r\n')
    const sockets = Array.from({ length: 200 }, () => connect(Number(port), hostname))
    for (const socket of sockets) socket.on('error', () => undefined)
    await Promise.all(sockets.map((socket) => once(socket, 'connect')))
    // Others still wait for their turn when the first one begins.
    const first = Promise.race(sockets.map((socket) => once(socket, 'data')))
    for (const socket of sockets) socket.write(request)
    await first
    for (const socket of sockets) socket.resetAndDestroy()
    const last = await open(app.ann, LIVE, { id })
    await until(() => last.events.length > 0)
    last.leave()
    const openSockets = (): Promise<number> => sampleOf(app.url, 'sockets')
    expect(await until(openSockets, (count) => count === 0)).toBe(0)
  })

  it('is refused without valid credentials, before it begins', async () => {
    expect((await open(null, '{ me { id } }', {})).response.status).toBe(401)
    const { response } = await open(null, LIVE, { id }, { authorization: 'Bearer nonsense' })
    expect([response.status, response.headers.get('content-type')]).toEqual([401, expect.stringContaining('json')])
  })

  it('by GET reads, and changes nothing', async () => {
    const headers = { authorization: `Bearer ${await app.tokenFor(app.ann)}`, accept: 'text/event-stream' }
    const ask = async (query: string): Promise<string> => {
      const response = await fetch(`${app.url}/graphql?${new URLSearchParams({ query })}`, { headers })
      return response.text()
    }
    expect(await ask('{ me { id } }')).toContain(`event: next\ndata: {"data":{"me":{"id":"${app.ann.id}"}}}\n\n`)
    const refused = await ask(`mutation { leaveConversation(conversation: "${id}") { id } }`)
    expect(refused).toContain('"a mutation needs POST"')
    expect((await app.show(id)).status).toBe('ACTIVE')
  })

  it.each([
    ['no document', {}],
    ['a document that is none', { query: 5 }],
    ['variables that are no object', { query: '{ me { id } }', variables: [1] }],
  ])('is refused with %s', async (_, body) => {
    const response = await fetch(`${app.url}/graphql`, {
      method: 'POST',
      headers: {
        accept: 'text/event-stream',
        'content-type': 'application/json',
        authorization: `Bearer ${await app.tokenFor(app.ann)}`,
      },
      body: JSON.stringify(body),
    })
    expect(response.status).toBe(400)
  })
})
