import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals'
import { createClient, type Client } from 'graphql-ws'
import { connect } from 'node:net'
import { WebSocket } from 'ws'
import { LiveClient } from './live-client.js'
import { startLiveServer, type LiveServer } from './live-server.js'
import { until } from '../support/until.js'

const DOCUMENT = `subscription ($names: [String!], $after: String) {
  counters(names: $names, after: $after) {
    ... on CounterSnapshot { cursor resync counters { name value } }
    ... on Counted { cursor name value padding }
  }
}`

let server: LiveServer
beforeAll(async () => {
  server = await startLiveServer({
    limits: {
      operations: 5,
      messagesPerSecond: 50,
      messageBurst: 100,
      closeWaitMs: 500,
      roundMs: 300,
      socketsPerAddress: 300,
    },
  })
})
afterAll(() => server.close())
afterEach(async () => {
  LiveClient.cutAll()
  server.rules.isAllowed = () => true
  server.rules.defaultNames = ['a', 'b']
  await until(() => server.realtime.stats().sockets === 0)
})

const statusOfUpgrade = (headers: Record<string, string>, url = server.url): Promise<number> =>
  new Promise((resolve) => {
    const ws = new WebSocket(url, 'graphql-transport-ws', { headers })
    ws.on('open', () => {
      ws.close()
      resolve(101)
    })
    ws.on('unexpected-response', (_request, response) => {
      resolve(response.statusCode!)
      ws.terminate()
    })
    ws.on('error', () => undefined)
  })

describe('an upgrade', () => {
  it('accepts pages of this server and of allowed origins, and clients that are not browsers', async () => {
    const { host } = new URL(server.url)
    expect(await statusOfUpgrade({})).toBe(101)
    expect(await statusOfUpgrade({ origin: `http://${host}` })).toBe(101)
    expect(await statusOfUpgrade({ origin: 'http://public.example' })).toBe(101)
    expect(await statusOfUpgrade({ origin: 'https://app.example' })).toBe(101)
    expect(await statusOfUpgrade({ origin: 'https://evil.example' })).toBe(403)
    expect(await statusOfUpgrade({ origin: 'https://app.example.evil.example' })).toBe(403)
    expect(await statusOfUpgrade({ origin: 'null' })).toBe(403)
  })

  it('is refused at another path, and with another subprotocol', async () => {
    expect(await statusOfUpgrade({}, server.url.replace('/graphql', '/v2'))).toBe(404)
    const client = await LiveClient.open(server.url, { protocol: 'graphql-ws' }).catch((error: Error) => error.message)
    expect(client).toContain('subprotocol')
  })
})

describe('connection_init', () => {
  const closeAfter = async (payload: unknown, headers: Record<string, string> = {}) => {
    const client = await LiveClient.open(server.url, { headers })
    client.send({ type: 'connection_init', payload })
    return client.closed
  }

  it('takes the token from its payload or from the header of the upgrade', async () => {
    const inPayload = await LiveClient.open(server.url)
    inPayload.send({ type: 'connection_init', payload: { Authorization: 'Bearer someone' } })
    const inHeader = await LiveClient.open(server.url, { headers: { authorization: 'Bearer someone' } })
    inHeader.send({ type: 'connection_init' })
    for (const client of [inPayload, inHeader]) {
      expect(await client.until(({ type }) => type === 'connection_ack')).toEqual({ type: 'connection_ack' })
      await client.close()
    }
  })

  it('closes with 4403 and the reason without good credentials', async () => {
    expect(await closeAfter({ authorization: 'Bearer ???' })).toEqual({ code: 4403, reason: 'invalid token' })
    expect(await closeAfter({ authorization: 'Bearer expired' })).toEqual({ code: 4403, reason: 'jwt expired' })
    expect(await closeAfter(undefined)).toEqual({ code: 4403, reason: 'authentication is required' })
    expect(await closeAfter({ authorization: 5 })).toEqual({ code: 4403, reason: 'authentication is required' })
  })

  it('must arrive in time', async () => {
    // On a server of its own: no other socket may be late there.
    const hasty = await startLiveServer({ limits: { initWaitMs: 300 } })
    const idle = await LiveClient.open(hasty.url)
    expect((await idle.closed).code).toBe(4408)
    await hasty.close()
  })

  it('must arrive once, and before anything else', async () => {
    const twice = await LiveClient.connect(server.url)
    twice.send({ type: 'connection_init' })
    expect((await twice.closed).code).toBe(4429)
    const early = await LiveClient.open(server.url)
    early.subscribe('1', '{ hello }')
    expect((await early.closed).code).toBe(4401)
  })
})

describe('an operation on a socket', () => {
  it('runs queries and mutations, each with a context of its own', async () => {
    const client = await LiveClient.connect(server.url, 'someone')
    client.subscribe('1', '{ me hello }')
    client.subscribe('2', 'mutation ($to: String!) { add(to: $to) }', { to: 'operations' })
    client.subscribe('3', '{ slow(ms: 50) boom }')
    await client.when(() => client.messages.filter(({ type }) => type === 'complete').length === 3)
    expect(client.of('1')).toEqual([
      { id: '1', type: 'next', payload: { data: { me: 'user:someone', hello: 'world' } } },
      { id: '1', type: 'complete' },
    ])
    expect(client.of('2')[0]).toMatchObject({ payload: { data: { add: 1 } } })
    const { payload } = client.of('3')[0]!
    expect(payload).toMatchObject({ data: { slow: 50, boom: null } })
    expect(payload.errors).toEqual([
      {
        message: 'internal server error',
        path: ['boom'],
        locations: expect.anything(),
        extensions: {
          code: 'INTERNAL_SERVER_ERROR',
          reason: 'INTERNAL_ERROR',
          requestId: expect.any(String),
          docs: '/docs/errors#INTERNAL_ERROR',
        },
      },
    ])
    await client.close()
  })

  it('that is refused gets an error with its id, and the socket stays open', async () => {
    const client = await LiveClient.connect(server.url)
    const refused: Record<string, [string, Record<string, unknown>?]> = {
      GRAPHQL_PARSE_FAILED: ['{'],
      GRAPHQL_VALIDATION_FAILED: ['{ nothing }'],
      DOCUMENT_TOO_LARGE: [`{ ${Array.from({ length: 200 }, (_each, index) => `a${index}: hello`).join(' ')} }`],
      OPERATION_RESOLUTION_FAILURE: ['query A { hello } query B { hello }'],
      BAD_USER_INPUT: [DOCUMENT, { names: [{}] }],
    }
    for (const [code, [query, variables]] of Object.entries(refused)) {
      client.subscribe(code, query, variables)
      await client.until(({ id }) => id === code)
      expect(client.of(code)).toMatchObject([{ type: 'error', payload: [{ extensions: { code } }] }])
    }
    server.rules.isAllowed = () => false
    client.subscribe('forbidden', DOCUMENT)
    await client.until(({ id }) => id === 'forbidden')
    expect(client.of('forbidden')).toMatchObject([{ type: 'error', payload: [{ extensions: { code: 'FORBIDDEN' } }] }])
    client.subscribe('broken', 'subscription { broken { __typename } }')
    await client.until(({ id }) => id === 'broken')
    expect(client.of('broken')).toMatchObject([
      { type: 'error', payload: [{ message: 'internal server error', extensions: { code: 'INTERNAL_SERVER_ERROR' } }] },
    ])
    client.subscribe('last', '{ hello }')
    await client.until(({ id, type }) => id === 'last' && type === 'next')
    await until(() => server.realtime.stats().operations === 0 && server.realtime.stats().groups === 0)
    await client.close()
  })

  it('is bounded in number', async () => {
    const client = await LiveClient.connect(server.url)
    for (let id = 1; id <= 6; id += 1) client.subscribe(String(id), DOCUMENT)
    await client.until(({ id }) => id === '6')
    expect(client.of('6')).toMatchObject([{ type: 'error', payload: [{ extensions: { code: 'RATE_LIMITED' } }] }])
    await client.when(() => [1, 2, 3, 4, 5].every((id) => client.events(String(id)).length === 1))
    client.send({ id: '1', type: 'complete' })
    client.subscribe('7', DOCUMENT)
    await client.when(() => client.events('7').length === 1)
    await client.close()
  })

  it('can be completed and restarted under its id, in any state', async () => {
    const client = await LiveClient.connect(server.url)
    await server.increment('last')
    for (let round = 0; round < 20; round += 1) {
      client.subscribe('x', DOCUMENT, { names: ['again'] })
      if (round % 4 === 1) await new Promise((resolve) => setTimeout(resolve, round))
      client.send({ id: 'x', type: 'complete' })
    }
    // Under a name of its own: what it begins with is not taken for the answer of an earlier round.
    client.subscribe('x', DOCUMENT, { names: ['last'] })
    await client.when(() => client.events('x').at(-1)?.counters?.[0]?.name === 'last')
    await until(() => {
      const { operations, groups } = server.realtime.stats()
      return operations === 1 && groups === 1
    })
    const before = client.of('x').length
    await server.increment('last')
    await client.when(() => client.of('x').length > before)
    await server.increment('last')
    await client.when(() => client.of('x').length > before + 1)
    // Each once: a second one of the first would have come before the second.
    const events = client.events('x').slice(-2)
    expect(client.of('x').slice(before)).toMatchObject([{ type: 'next' }, { type: 'next' }])
    expect(events).toMatchObject([{ name: 'last' }, { name: 'last', value: events[0].value + 1 }])
    client.send({ id: 'x', type: 'complete' })
    await until(() => server.realtime.stats().groups === 0)
    await client.close()
    await until(() => server.counts.begun === server.counts.ended)
  })
})

describe('access', () => {
  it('ends when the token expires', async () => {
    const expiresAt = new Date(Date.now() + 3_600_000)
    server.expiries.set('short', expiresAt)
    const client = await LiveClient.connect(server.url, 'short')
    client.subscribe('1', DOCUMENT)
    await client.when(() => client.events('1').length === 1)
    expiresAt.setTime(Date.now())
    expect(await client.closed).toEqual({ code: 4403, reason: 'jwt expired' })
    expect(client.events('1')).toHaveLength(1)
  })

  it("ends when the caller's access has ended", async () => {
    const [revoked, other] = [await LiveClient.connect(server.url, 'gone'), await LiveClient.connect(server.url)]
    server.ended.add('gone')
    expect(await revoked.closed).toEqual({ code: 4403, reason: 'access has ended' })
    other.subscribe('1', '{ hello }')
    await other.until(({ type }) => type === 'next')
    await other.close()
  })

  it('to one subscription ends with FORBIDDEN, and the socket stays open', async () => {
    const client = await LiveClient.connect(server.url)
    client.subscribe('1', DOCUMENT, { names: ['a'] })
    client.subscribe('2', DOCUMENT, { names: ['b'] })
    await client.when(() => client.events('1').length + client.events('2').length === 2)
    server.rules.isAllowed = (_caller, names) => !names.includes('a')
    await client.until(({ id, type }) => id === '1' && type === 'error')
    expect(client.of('1').at(-1)).toMatchObject({ payload: [{ extensions: { code: 'FORBIDDEN' } }] })
    await Promise.all([server.increment('a'), server.increment('b')])
    await client.when(() => client.events('2').length === 2)
    expect(client.of('1').at(-1)!.type).toBe('error')
    await client.close()
  })

  it('is checked immediately on request', async () => {
    const client = await LiveClient.connect(server.url, 'told')
    client.subscribe('1', DOCUMENT)
    await client.when(() => client.events('1').length === 1)
    server.rules.isAllowed = () => false
    await server.realtime.recheck(new Set(['another']))
    expect(client.of('1')).toHaveLength(1)
    await server.realtime.recheck(new Set(['told']))
    await client.when(() => client.of('1').length === 2)
    await client.close()
  })

  it('is checked once for all subscriptions with the same access', async () => {
    const clients = await Promise.all(Array.from({ length: 30 }, () => LiveClient.connect(server.url, 'many')))
    for (const client of clients) client.subscribe('1', DOCUMENT, { names: ['a'] })
    await Promise.all(clients.map((client) => client.when(() => client.events('1').length === 1)))
    const { asked } = server.counts
    await server.realtime.recheck(new Set(['many']))
    expect(server.counts.asked - asked).toBeLessThan(5)
    server.rules.isAllowed = () => false
    await Promise.all(clients.map((client) => client.until(({ type }) => type === 'error')))
    await Promise.all(clients.map((client) => client.close()))
  })

  it('continues with a fresh snapshot if it is to other streams than before', async () => {
    const client = await LiveClient.connect(server.url)
    client.subscribe('1', DOCUMENT)
    await client.when(() => client.events('1').length === 1)
    await server.increment('c')
    server.rules.defaultNames = ['b', 'c']
    await client.when(() => client.events('1').length === 2)
    expect(client.events('1')[1]).toMatchObject({
      resync: true,
      counters: expect.arrayContaining([{ name: 'c', value: 1 }]),
    })
    await server.increment('a')
    await server.increment('c')
    await client.when(() => client.events('1').length === 3)
    expect(client.events('1')[2]).toMatchObject({ name: 'c', value: 2 })
    await client.close()
    await until(() => server.counts.begun === server.counts.ended)
  })
})

describe('a client that misbehaves', () => {
  it('is disconnected for messages that are too large, binary or malformed', async () => {
    const expected: [number, (client: LiveClient) => void][] = [
      [1009, ({ ws }) => ws.send('x'.repeat(70_000))],
      [1003, ({ ws }) => ws.send(Buffer.from('{"type":"ping"}'))],
      [4400, ({ ws }) => ws.send('not json')],
      [4400, ({ ws }) => ws.send('[]')],
      [4400, (client) => client.send({ type: 'nonsense' })],
      [4400, (client) => client.send({ type: 'subscribe', id: '1' })],
      [4400, (client) => client.send({ type: 'next', id: '1', payload: {} })],
      [4400, (client) => client.send({ type: 'subscribe', id: '', payload: { query: '{ hello }' } })],
      [4400, (client) => client.subscribe('x'.repeat(300), '{ hello }')],
    ]
    for (const [code, act] of expected) {
      const client = await LiveClient.connect(server.url)
      act(client)
      expect((await client.closed).code).toBe(code)
    }
  })

  it('is disconnected for flooding', async () => {
    const client = await LiveClient.connect(server.url)
    for (let count = 0; count < 300; count += 1) client.send({ type: 'ping' })
    expect((await client.closed).code).toBe(4429)
  })

  it('is closed with 1013 when it does not read, and delays no other', async () => {
    const slow = await LiveClient.connect(server.url)
    const fast = await LiveClient.connect(server.url)
    for (const client of [slow, fast]) client.subscribe('1', DOCUMENT, { names: ['large'] })
    await Promise.all([slow, fast].map((client) => client.when(() => client.events('1').length === 1)))
    slow.ws.pause()
    const padding = 'x'.repeat(60_000)
    let peak = 0
    for (let count = 1; count <= 150; count += 1) {
      await server.increment('large', padding)
      await fast.when(() => fast.events('1').length === count + 1)
      peak = Math.max(peak, server.realtime.stats().backlogBytes)
    }
    await until(() => server.realtime.stats().sockets === 1)
    expect(peak).toBeGreaterThan(500_000)
    expect(peak).toBeLessThan(1_048_576 + 70_000)
    slow.ws.resume()
    expect([1013, 1006]).toContain((await slow.closed).code)
    await fast.close()
  })

  it('receives delayed data unchanged, whatever others were sent meanwhile', async () => {
    const slow = await LiveClient.connect(server.url)
    const fast = await LiveClient.connect(server.url)
    for (const client of [slow, fast]) client.subscribe('a-long-id', DOCUMENT, { names: ['lettered'] })
    await Promise.all([slow, fast].map((client) => client.when(() => client.events('a-long-id').length === 1)))
    slow.ws.pause()
    const sent: string[] = []
    while (server.realtime.stats().backlogBytes < 300_000) {
      // One at a time, and several that are written together.
      for (const times of [1, 4]) {
        const padding = String.fromCharCode(97 + (sent.length % 26)).repeat(3_000)
        await server.increment('lettered', padding, times)
        sent.push(...Array.from({ length: times }, () => padding))
        await fast.when(() => fast.events('a-long-id').length === sent.length + 1)
      }
    }
    slow.ws.resume()
    await slow.when(() => slow.events('a-long-id').length === sent.length + 1)
    for (const client of [slow, fast]) {
      expect(
        client
          .events('a-long-id')
          .slice(1)
          .map(({ padding }) => padding),
      ).toEqual(sent)
      await client.close()
    }
  })

  it('cannot crash the server with any input', async () => {
    const faults: unknown[] = []
    const note = (error: unknown): void => void faults.push(error)
    process.on('unhandledRejection', note)
    process.on('uncaughtException', note)
    const deep = (open: string, close: string, count: number): string => open.repeat(count) + close.repeat(count)
    const pieces = [
      '',
      'null',
      '5',
      '{"type":null}',
      '{"type":"complete"}',
      '{"type":"complete","id":"nobody"}',
      '{"type":"next","id":"1","payload":{}}',
      '{"type":"pong"}',
      '{"type":"ping","payload":5}',
      '{"type":"error","id":"1","payload":[]}',
      '\u0000',
      '{"__proto__":{"type":"ping"}}',
      `{"type":"ping","payload":${deep('{"a":', '}', 5_000).replace('{"a":}', '{"a":1}')}}`,
      deep('[', ']', 20_000),
      JSON.stringify({ type: 'subscribe', id: '__proto__', payload: { query: '{ hello }' } }),
      JSON.stringify({ type: 'subscribe', id: 'constructor', payload: { query: DOCUMENT } }),
      JSON.stringify({ type: 'subscribe', id: 'd', payload: { query: `{ a(b: ${deep('[', ']', 1_500)}) }` } }),
      JSON.stringify({ type: 'subscribe', id: 'e', payload: { query: deep('{ a ', '}', 1_000) } }),
      JSON.stringify({
        type: 'subscribe',
        id: 'f',
        payload: { query: DOCUMENT, variables: { names: { length: 1e9 }, after: 7 } },
      }),
      `{"type":"subscribe","id":"g","payload":{"query":${JSON.stringify(DOCUMENT)},"variables":{"names":${deep('[', ']', 10_000)}}}}`,
      JSON.stringify({
        type: 'subscribe',
        id: 'h',
        payload: { query: 'subscription { counters @skip(if: true) { __typename } }' },
      }),
      JSON.stringify({ type: 'subscribe', id: 'i', payload: { query: 'subscription { __typename }' } }),
      JSON.stringify({ type: 'subscribe', id: 'j', payload: { query: DOCUMENT, operationName: 'nobody' } }),
      JSON.stringify({
        type: 'subscribe',
        id: 'k',
        payload: { query: 'subscription { ...A } fragment A on Subscription { ...A }' },
      }),
    ]
    let seed = 7
    const random = (below: number): number => (seed = (seed * 48_271) % 2_147_483_647) % below
    await Promise.all(
      Array.from({ length: 60 }, async (_each, index) => {
        const client = await LiveClient.open(server.url)
        if (index % 3) client.send({ type: 'connection_init', payload: { authorization: 'Bearer fuzz' } })
        for (let count = 0; count < 40 && client.ws.readyState === client.ws.OPEN; count += 1) {
          const piece = pieces[random(pieces.length)]!
          const kind = random(10)
          if (kind === 0) client.ws.send(Buffer.from(piece), { binary: true })
          else if (kind === 1) client.ws.send(piece.slice(0, random(piece.length + 1)))
          else if (kind === 2) client.ws.ping(piece.slice(0, 100))
          else client.ws.send(piece)
          if (random(5) === 0) await new Promise((resolve) => setTimeout(resolve, random(20)))
        }
        client.ws.terminate()
        await client.closed
      }),
    )
    // Below the protocol: no WebSocket at all, and frames that are none.
    for (const bytes of [
      Buffer.from('GET /graphql HTTP/1.1\r\nUpgrade: websocket\r\n\r\n'),
      Buffer.alloc(5_000, 255),
    ]) {
      const raw = connect(Number(new URL(server.url).port), '127.0.0.1')
      raw.on('error', () => undefined)
      raw.write(bytes)
      // Refused, or cut.
      await new Promise<void>((resolve) => raw.once('data', () => resolve()).once('close', () => resolve()))
      raw.destroy()
    }
    const open = await LiveClient.connect(server.url)
    const { _socket: raw } = open.ws as unknown as { _socket: NodeJS.WritableStream }
    raw.write(Buffer.from([0xff, 0xff, 0xff, 0xff, 1, 2, 3]))
    await open.closed
    await until(() => server.realtime.stats().sockets === 0)
    const after = await LiveClient.connect(server.url)
    after.subscribe('1', '{ hello }')
    await after.until(({ type }) => type === 'next')
    await after.close()
    process.off('unhandledRejection', note)
    process.off('uncaughtException', note)
    expect(faults).toEqual([])
  })
})

describe('sockets that are cut', () => {
  it('leave nothing behind, in any state', async () => {
    await Promise.all(
      Array.from({ length: 200 }, async (_each, index) => {
        const client = await LiveClient.open(server.url)
        const cutAfterMs = [0, 1, 3, 6, 12, 25][index % 6]!
        if (index % 5) client.send({ type: 'connection_init', payload: { authorization: 'Bearer cut' } })
        if (index % 5 > 1) await client.until(({ type }) => type === 'connection_ack')
        if (index % 5 > 1) client.subscribe('1', DOCUMENT, { names: [`cut${index % 7}`] })
        if (index % 5 > 2) client.subscribe('2', DOCUMENT)
        if (index % 5 > 3) await client.when(() => client.events('1').length > 0)
        if (cutAfterMs > 0) await new Promise((resolve) => setTimeout(resolve, cutAfterMs))
        client.ws.terminate()
        await client.closed
      }),
    )
    await until(() => server.counts.begun === server.counts.ended)
    await until(() => server.realtime.stats().sockets === 0)
    expect(server.realtime.stats()).toEqual({ sockets: 0, operations: 0, groups: 0, backlogBytes: 0 })
    expect(server.dispatcher.watchedCount).toBe(0)
    expect([...server.presence.values()].filter((count) => count !== 0)).toEqual([])
  })
})

describe('a public client of the protocol', () => {
  let client: Client
  afterEach(async () => client.dispose())

  it('subscribes, is drained with 1012, and resumes from its cursor on another server', async () => {
    const first = await startLiveServer()
    const second = await startLiveServer()
    let url = first.url
    const codes: number[] = []
    client = createClient({
      url: () => url,
      webSocketImpl: WebSocket,
      retryAttempts: 5,
      retryWait: async () => undefined,
      connectionParams: { authorization: 'Bearer someone' },
      on: { closed: (event) => codes.push((event as { code: number }).code) },
    })
    const events = client.iterate<{ counters: { value?: number; counters?: unknown[] } }>({
      query: DOCUMENT,
      variables: { names: ['p'] },
    })
    expect((await events.next()).value.data.counters.counters).toEqual([])
    await first.increment('p')
    expect((await events.next()).value.data.counters.value).toBe(1)
    url = second.url
    await first.close()
    expect((await events.next()).value.data.counters.counters).toEqual([])
    expect(codes).toEqual([1012])
    await client.dispose()
    await second.close()
  })
})
