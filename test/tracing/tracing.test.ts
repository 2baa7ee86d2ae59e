import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals'
import type { Client } from 'graphql-ws'
import pg from 'pg'
import { CONVERSATION } from '@switchboard/client/documents'
import { makeDatabase, type TestDatabase } from '../support/database.js'
import { liveClient, subscribe } from '../support/live-client.js'
import { MainProcess, OWNER } from '../support/main-process.js'
import { startReceiver, type Receiver } from '../webhooks/receiver.js'
import { OtlpReceiver, type ReceivedSpan } from './otlp-receiver.js'

const SEND = `mutation Send($id: ID!, $text: String!) {
  sendMessage(conversation: $id, message: { role: CONTACT, text: $text }) { id } }`
const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736'
const traceparent = (flags: string): string => `00-${TRACE}-00f067aa0ba902b7-${flags}`
/** Values that must be in no trace. */
const CANARIES = {
  text: 'canary-text-of-a-message',
  email: 'canary@example.com',
  name: 'Canaryname',
  path: 'canary-path-of-a-webhook',
  query: 'canary-query',
  agent: 'canary-browser',
  address: '203.0.113.77',
  state: 'canary-state',
}

let database: TestDatabase
let otlp: OtlpReceiver
let webhook: Receiver
let server: MainProcess | undefined
const clients: Client[] = []
beforeAll(async () => {
  database = await makeDatabase()
  otlp = await OtlpReceiver.start()
  webhook = await startReceiver()
})
afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.dispose()))
  server?.kill()
  await server?.ended
  server = undefined
  otlp.mode = 'takes'
})
afterAll(async () => {
  otlp?.close()
  await webhook?.close()
  await database?.drop()
})

const start = async (env: Readonly<Record<string, string>> = {}): Promise<MainProcess> => {
  server = await MainProcess.start({
    DATABASE_URL: database.url,
    REDIS_URL: process.env.TEST_REDIS_URL ?? '',
    WEBHOOK_ALLOW_PRIVATE: 'true',
    TRUST_PROXY: '1',
    OTEL_BSP_SCHEDULE_DELAY: '100',
    ...env,
  })
  return server
}

async function converse(on: MainProcess, headers: { authorization: string }): Promise<string> {
  const create = `mutation ($email: String!, $name: String!) { createConversation(input: {
    touchpoint: WEB, contact: { profile: { email: $email, givenName: $name } }, messages: [{ role: CONTACT, text: "Hello" }]
  }) { id } }`
  const { createConversation } = await on.run(create, { email: CANARIES.email, name: CANARIES.name }, headers)
  return createConversation.id
}

/** Waits until the spans that have ended have been exported: those of a later request are exported after them. */
async function allSent(on: MainProcess, headers: { authorization: string }): Promise<void> {
  const before = otlp.named('graphql query').length
  await on.run('query Last { me { id } }', {}, headers)
  await on.until(() => otlp.named('graphql query').length > before)
}

/** The span of that name right below another one. */
const child = (spans: readonly ReceivedSpan[], parent: ReceivedSpan, name: string | RegExp): ReceivedSpan | undefined =>
  spans.find(
    (span) =>
      span.parentSpanId === parent.spanId && (typeof name === 'string' ? span.name === name : name.test(span.name)),
  )

describe('traces', () => {
  it('follow a message from its request to screens and webhooks, without what is personal', async () => {
    otlp.spans.length = 0
    otlp.raw = ''
    const limit = { OTEL_SPAN_ATTRIBUTE_VALUE_LENGTH_LIMIT: '300' }
    const on = await start({ OTEL_EXPORTER_OTLP_ENDPOINT: otlp.url, ...limit })
    const headers = await on.signIn()
    const register = `mutation ($input: CreateServiceInput!) { createService(input: $input) { id } }`
    const { me } = await on.run('{ me { organization { id } } }', {}, headers)
    const params = { url: `${webhook.url}/${CANARIES.path}?token=${CANARIES.query}`, events: ['message.create.*'] }
    const input = { organization: me.organization.id, type: 'webhook', params }
    const { createService } = await on.run(register, { input }, headers)
    const status = 'query ($id: ID!) { service(id: $id) { status } }'
    await on.until(async () => (await on.run(status, { id: createService.id }, headers)).service.status === 'ACTIVE')
    const id = await converse(on, headers)
    const client = liveClient(on.url, headers.authorization.replace('Bearer ', ''))
    clients.push(client)
    const live = subscribe<{ __typename: string; message?: { text: string } }>(
      client,
      'conversation',
      CONVERSATION.query,
      { id },
    )
    await live.next(({ __typename }) => __typename.endsWith('Snapshot'))

    const place = { traceparent: traceparent('01'), tracestate: `vendor=${CANARIES.state}` }
    const more = { 'user-agent': CANARIES.agent, 'x-forwarded-for': CANARIES.address, ...place }
    await on.run(SEND, { id, text: CANARIES.text }, { ...headers, ...more })
    await live.next(({ message }) => message?.text === CANARIES.text)
    const delivered = await webhook.next(({ json }) => JSON.stringify(json).includes(CANARIES.text))
    await fetch(`${on.url}/v2/conversations/${id}?populate=${CANARIES.query}`, { headers })

    const spans = (): ReceivedSpan[] => otlp.ofTrace(TRACE)
    await on.until(() => spans().some(({ name }) => name === 'webhook attempt'))
    await on.until(() => otlp.spans.some((span) => span.attributes['http.route'] === '/v2/conversations/:id'))
    // Spans are exported as they end: what was asked for first need not end first.
    const names = ['POST /graphql', 'graphql mutation', 'batch', 'commit', 'fan-out', 'POST']
    await on.until(() => names.every((name) => spans().some((span) => span.name === name)))
    if (process.env.TEST_REDIS_URL)
      await on.until(() => spans().some((span) => span.attributes['db.system.name'] === 'redis'))
    const [request] = spans().filter(({ name }) => name === 'POST /graphql') as [ReceivedSpan]
    expect(request).toMatchObject({ parentSpanId: '00f067aa0ba902b7', service: 'switchboard' })
    expect(request.attributes).toMatchObject({ 'http.route': '/graphql', 'http.response.status_code': 200 })
    const operation = child(spans(), request, 'graphql mutation')!
    expect(operation.attributes['graphql.operation.name']).toBe('Send')
    const batch = child(spans(), operation, 'batch')!
    expect(child(spans(), batch, /^append-(shared-)?events$/)).toBeDefined()
    expect(child(spans(), batch, 'commit')).toBeDefined()
    const isStatement = ({ attributes }: ReceivedSpan): boolean => attributes['db.system.name'] === 'postgresql'
    expect(spans().filter((span) => span.parentSpanId === batch.spanId && isStatement(span)).length).toBeGreaterThan(2)
    expect(child(spans(), operation, 'fan-out') ?? spans().find(({ name }) => name === 'fan-out')).toBeDefined()

    // The receiver of the webhook continues the trace of the request.
    const attempt = spans().find(({ name }) => name === 'webhook attempt')!
    const post = child(spans(), attempt, 'POST')!
    expect(delivered.headers.traceparent).toBe(`00-${TRACE}-${post.spanId}-01`)
    expect(delivered.headers.tracestate).toBeUndefined()
    expect(on.output).toContain(`"trace_id":"${TRACE}"`)

    for (const canary of [...Object.values(CANARIES), OWNER.email, OWNER.password])
      expect(otlp.raw).not.toContain(canary)
    expect(otlp.raw).not.toContain(headers.authorization.slice(-20))
    // The ORM has written the service: its statements contain values.
    expect(otlp.named('insert service').length).toBeGreaterThan(0)
    expect(otlp.raw).not.toMatch(/insert into| from | where /i)

    webhook.answer = () => ({ status: 500 })
    await on.run(SEND, { id, text: 'refused' }, headers)
    await on.until(() => otlp.named('webhook attempt').some((span) => span.attributes['error.type'] === '500'))
    webhook.answer = () => ({})
    const attempts = webhook.received.length
    await on.until(() => webhook.received.length > attempts)
    expect(otlp.named('webhook attempt').filter(({ isFailed }) => isFailed).length).toBeGreaterThan(0)
    expect(await on.stop()).toBe(0)
  })

  it('of requests that are written together are linked, and those that a client does not record are not', async () => {
    otlp.spans.length = 0
    const env = { OTEL_EXPORTER_OTLP_ENDPOINT: otlp.url, OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json' }
    const on = await start(env)
    const headers = await on.signIn()
    const { conversations } = await on.run('{ conversations(first: 1) { edges { node { id } } } }', {}, headers)
    const { id } = conversations.edges[0].node
    for (let round = 0; round < 5; round++)
      await Promise.allSettled(
        Array.from({ length: 16 }, (_, nth) => on.run(SEND, { id, text: `${round} ${nth}` }, headers)),
      )
    let batches: ReceivedSpan[] = []
    // A batch may be exported before the requests that it is linked with.
    const isThere = ({ spanId }: { spanId: string }): boolean => otlp.spans.some((span) => span.spanId === spanId)
    await on.until(() => {
      batches = otlp.named('batch').filter(({ attributes }) => Number(attributes['switchboard.writes']) > 1)
      return otlp.named('graphql mutation').length > 60 && batches.every(({ links }) => links.every(isThere))
    })
    expect(batches.length).toBeGreaterThan(0)
    for (const { links, spanId, attributes } of batches) {
      expect(links).toHaveLength(Number(attributes['switchboard.writes']) - 1)
      for (const link of links) {
        const caller = otlp.spans.find((span) => span.spanId === link.spanId)!
        expect(caller.links.map((back) => back.spanId)).toContain(spanId)
      }
    }

    const text = 'sent without being recorded'
    await on.run(SEND, { id, text }, { ...headers, traceparent: traceparent('00') })
    const delivered = await webhook.next(({ json }) => JSON.stringify(json).includes(text))
    expect(delivered.headers.traceparent).toMatch(new RegExp(`^00-${TRACE}-[0-9a-f]{16}-00$`))
    // What goes on by itself belongs to no request, so that it begins no trace. Those of the requests come first.
    const sql = new pg.Client({ connectionString: database.url })
    await sql.connect()
    const jobs = async (): Promise<number> => (await sql.query('select 1 from job')).rows.length
    await on.until(async () => (await jobs()) === 0)
    await allSent(on, headers)
    const ofRequests = new Set(otlp.spans.map(({ traceId }) => traceId))
    // What comes often comes with the question for everything that is due.
    const askedAt = async (): Promise<string> => {
      const { rows } = await sql.query<{ at: string }>(
        `select max(query_start)::text as at from pg_stat_activity where datname = current_database()
           and query like 'select extract(epoch from clock_timestamp())%array[%'`,
      )
      return rows[0]!.at
    }
    for (let round = 0; round < 3; round++) {
      const before = await askedAt()
      await on.until(async () => (await askedAt()) !== before)
    }
    await sql.end()
    await allSent(on, headers)
    const asked = new Set(otlp.spans.filter(({ name }) => name.startsWith('graphql')).map(({ traceId }) => traceId))
    const others = otlp.spans.filter(({ traceId }) => !ofRequests.has(traceId) && !asked.has(traceId))
    expect(others.map(({ name, attributes }) => [name, attributes])).toEqual([])
    expect(await on.stop()).toBe(0)
  })

  it('that the collector does not take cost the server nothing, and are said once', async () => {
    otlp.mode = 'hangs'
    const env = { OTEL_BSP_MAX_QUEUE_SIZE: '512', OTEL_EXPORTER_OTLP_TIMEOUT: '1000' }
    const on = await start({ OTEL_EXPORTER_OTLP_ENDPOINT: otlp.url, ...env })
    const headers = await on.signIn()
    const ask = async (): Promise<void> => {
      for (let round = 0; round < 10; round++)
        await Promise.all(Array.from({ length: 4 }, () => on.run('{ me { id } }', {}, headers)))
    }
    await ask()
    await on.until(() => on.output.includes('failed to send traces, which are dropped meanwhile'))
    otlp.mode = 'fails'
    const requests = otlp.requests
    await on.until(async () => {
      await ask()
      return otlp.requests > requests + 1
    })
    expect(on.output.match(/failed to send traces/g)).toHaveLength(1)
    otlp.mode = 'takes'
    await ask()
    await on.until(() => on.output.includes('traces are sent again'))
    // None is there any more: it ends as quickly as without traces.
    otlp.close()
    await ask()
    expect(await on.stop()).toBe(0)
  })

  it('load nothing when there is nowhere to send them', async () => {
    // Tells of each module of OpenTelemetry but its interface, which the metrics use.
    const tell = `import { registerHooks } from 'node:module'; registerHooks({ resolve(name, context, next) {
      const found = next(name, context)
      if (/node_modules\\/@opentelemetry\\/(?!api\\/)/.test(found.url)) process.stderr.write('loaded ' + found.url + '\\n')
      return found } })`
    const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(tell)}`
    const off = await start({ NODE_OPTIONS, OTEL_SERVICE_NAME: 'unused' })
    expect(off.output).not.toContain('loaded ')
    expect(await off.stop()).toBe(0)
  })
})
