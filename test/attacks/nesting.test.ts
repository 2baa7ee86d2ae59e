import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { createHmac } from 'node:crypto'
import type { MadeUser } from '../support/factories.js'
import { startTestServer, type TestServer } from '../support/test-server.js'
import { LiveClient, type Message } from '../realtime/live-client.js'

const RUNS = 150
const APP_SECRET = 'a secret of the app'

let server: TestServer
let admin: MadeUser
let token: string
let conversation: string
let service: string

beforeAll(async () => {
  server = await startTestServer({ GRAPHQL_COST_PER_MINUTE: '1000000000' })
  const organization = await server.makeContactCenter()
  admin = await server.makeUser({ organization, role: 'admin' })
  token = await server.tokenFor(admin)
  const made = await server.gql(
    admin,
    `mutation { createConversation(input: { touchpoint: WEB,
    contact: { profile: { name: "C", email: "c@example.com" } } }) { id } }`,
  )
  conversation = made.data.createConversation.id
  const params = { pageId: '1', pageAccessToken: 'x', appSecret: APP_SECRET, verifyToken: 'y' }
  service = (await server.rest(admin, 'POST', '/v2/services', { name: 'M', type: 'messenger', params })).body.id
})
afterAll(async () => {
  LiveClient.cutAll()
  await server.close()
})

const depths = fc.constantFrom(1, 10, 30, 60, 64, 65, 100, 500, 1_300, 1_990, 5_000, 20_000)
const widths = fc.constantFrom(1, 2, 19, 20, 21, 100, 5_000)
const leaves = fc.constantFrom('1', '"x"', 'null', 'true')
const openings = fc.constantFrom('[', '{"a":', '[{"and":', '{"or":[', '[[')

const CLOSING: Readonly<Record<string, string>> = { '[': ']', '{': '}' }

/** Repeats an opening so often, with a list of so many leaves within. */
function nested(opening: string, depth: number, width: number, leaf: string): string {
  const closing = [...opening.replaceAll(/[^[{]/g, '')]
    .toReversed()
    .map((each) => CLOSING[each])
    .join('')
  return opening.repeat(depth) + `[${Array.from({ length: width }, () => leaf).join()}]` + closing.repeat(depth)
}

const values = fc
  .tuple(openings, depths, widths, leaves)
  .map(([opening, depth, width, leaf]) => nested(opening, depth, width, leaf))
const literal = (json: string): string => json.replaceAll(/"(\w+)":/g, '$1: ')

const sources = fc.oneof(
  values.map((value) => `{ contacts(filter: ${literal(value)}) { totalCount } }`),
  values.map((value) => `{ conversations(filter: { meta: ${literal(value)} }) { totalCount } }`),
  values.map((value) => `mutation { setConversation(conversation: "x", patch: { meta: ${literal(value)} }) { id } }`),
  values.map((value) => `query ($a: JSON = ${literal(value)}) { me { id } }`),
  depths.map((depth) => `query ($a: ${'['.repeat(depth)}Int${']'.repeat(depth)}) { me { id } }`),
  depths.map((depth) => `{ ${'... { '.repeat(depth)} me { id } ${'} '.repeat(depth)} }`),
  depths.map((depth) => `{ ${'me { '.repeat(depth)} id ${'} '.repeat(depth)} }`),
  depths.map((depth) => '{'.repeat(depth)),
  depths.map((depth) => `{ me { id } } # ${'{'.repeat(depth)}`),
  fc
    .tuple(widths, leaves)
    .map(([width, leaf]) => `{ contacts(filter: { id: { in: [${Array(width).fill(leaf).join()}] } }) { totalCount } }`),
  widths.map((width) => `{ ${Array.from({ length: width }, (_, index) => `a${index}: me { id }`).join(' ')} }`),
  widths.map(
    (width) => `query (${Array.from({ length: width }, (_, index) => `$a${index}: Int`).join()}) { me { id } }`,
  ),
)

const OPERATIONS = [
  'query ($v: ContactFilter) { contacts(filter: $v) { totalCount } }',
  'query ($v: [ID!]) { contacts(filter: { id: { in: $v } }) { totalCount } }',
  'query ($v: [MessageInput!]!) { me { id } createdAt: me { id @include(if: true) } contacts { totalCount } }',
  'mutation ($v: JSONObject) { setConversation(conversation: "x", patch: { meta: $v }) { id } }',
  'mutation ($v: [RuleInput!]!) { createWorkflow(input: { name: "W", rules: $v }) { id } }',
]
const payloads = fc.oneof(
  sources.map((query) => JSON.stringify({ query })),
  fc
    .tuple(fc.constantFrom(...OPERATIONS), values)
    .map(([query, value]) => `{"query":${JSON.stringify(query)},"variables":{"v":${value}}}`),
  values.map((value) => `{"query":"{ me { id } }","variables":${value}}`),
  values.map((value) => `{"query":"{ me { id } }","extensions":${value}}`),
  fc
    .constantFrom('', ' ', 'A', '\u0000')
    .map((operationName) => JSON.stringify({ query: 'query A { me { id } }', operationName })),
  fc
    .constantFrom('', 'A')
    .map((operationName) => JSON.stringify({ query: 'query A { me { id } } query B { me { id } }', operationName })),
)

async function post(
  path: string,
  body: string,
  headers: Record<string, string> = {},
): Promise<{ status: number; text: string }> {
  const response = await fetch(`${server.url}${path}`, {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}`, ...headers },
  })
  return { status: response.status, text: await response.text() }
}

function expectNoFault({ status, text }: { status: number; text: string }): void {
  expect(status).toBeLessThan(500)
  expect(text).not.toContain('INTERNAL_SERVER_ERROR')
}

describe('requests of any depth and width are answered, and never by an internal error', () => {
  it('GraphQL over HTTP, posted', async () => {
    await fc.assert(
      fc.asyncProperty(payloads, async (payload) => expectNoFault(await post('/graphql', payload))),
      { numRuns: RUNS },
    )
  })

  it('GraphQL over HTTP, in the query string', async () => {
    await fc.assert(
      fc.asyncProperty(values, async (value) => {
        const search = new URLSearchParams({ query: OPERATIONS[0]!, variables: `{"v":${value}}` })
        const response = await fetch(`${server.url}/graphql?${search}`, {
          headers: { authorization: `Bearer ${token}`, 'apollo-require-preflight': 'true' },
        }).catch(() => null)
        // A line too long for HTTP is refused by the connection's end.
        if (response) expectNoFault({ status: response.status, text: await response.text() })
      }),
      { numRuns: RUNS },
    )
  })

  it('GraphQL on a socket, which stays open unless a message violates the protocol', async () => {
    const connect = (): Promise<LiveClient> => LiveClient.connect(`${server.url.replace('http', 'ws')}/graphql`, token)
    let client = await connect()
    let count = 0
    const subscriptions = values.map(
      (value) =>
        `{"query":"subscription ($v: [ID!]) { queue(channels: $v) { __typename } }","variables":{"v":${value}}}`,
    )
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(payloads, subscriptions).filter((payload) => payload.length < 60_000),
        async (payload) => {
          const id = String(++count)
          // Slower than the bound on messages a second.
          await new Promise((resolve) => setTimeout(resolve, 10))
          client.ws.send(`{"id":"${id}","type":"subscribe","payload":${payload}}`)
          const said = client.until((message) => message.id === id)
          said.catch(() => undefined)
          const answer: Message | { code: number } = await Promise.race([said, client.closed])
          if ('code' in answer) {
            expect(answer.code).toBe(4400)
            client = await connect()
            return
          }
          expect(JSON.stringify(answer)).not.toContain('INTERNAL_SERVER_ERROR')
          expect(JSON.stringify(answer)).not.toContain('Unable to identify')
          client.ws.send(`{"id":"${id}","type":"complete"}`)
        },
      ),
      { numRuns: RUNS },
    )
  })

  it('bodies of /v2', async () => {
    const routes = () =>
      fc.constantFrom(
        ['/v2/contacts', 'profile'],
        ['/v2/contacts', 'meta'],
        ['/v2/workflows', 'rules'],
        ['/v2/conversations', 'contact'],
        ['/v2/conversations', 'messages'],
        [`/v2/conversations/${conversation}/messages`, 'items'],
        [`/v2/conversations/${conversation}/messages`, 'meta'],
        ['/v2/services', 'params'],
        ['/v2/forms', 'fields'],
        ['/v2/users', 'settings'],
      )
    await fc.assert(
      fc.asyncProperty(routes(), values, fc.boolean(), async ([path, key], value, isBare) => {
        expectNoFault(await post(path!, isBare ? value : `{"name":"x","text":"x","${key}":${value}}`))
      }),
      { numRuns: RUNS },
    )
  })

  it('query strings of /v2', async () => {
    const names = fc.tuple(
      fc.constantFrom('meta', 'and', 'or', 'participants', 'profile', 'select', 'populate', 'sort'),
      fc.constantFrom('.a', '.user', '[a]', '.and', ''),
      depths.filter((depth) => depth <= 5_000),
    )
    await fc.assert(
      fc.asyncProperty(
        names,
        widths,
        fc.constantFrom('1', 'a.b', 'messages.user'),
        async ([name, part, depth], width, value) => {
          const one = `${name}${part.repeat(depth)}=${`${value},`.repeat(Math.min(width, 500))}${value}`
          const all = Array.from({ length: Math.ceil(width / 20) }, (_, index) => `${one}&x${index}=1`)
            .join('&')
            .slice(0, 14_000)
          const response = await fetch(`${server.url}/v2/conversations?${all}`, {
            headers: { authorization: `Bearer ${token}` },
          })
          expectNoFault({ status: response.status, text: await response.text() })
        },
      ),
      { numRuns: RUNS },
    )
  })

  it('signed requests of a provider to /inbound', async () => {
    await fc.assert(
      fc.asyncProperty(values, fc.constantFrom('entry', 'object', ''), async (value, key) => {
        const body = key ? `{"object":"page","${key}":${value}}` : value
        const signature = `sha256=${createHmac('sha256', APP_SECRET).update(body).digest('hex')}`
        expectNoFault(await post(`/inbound/messenger/${service}`, body, { 'x-hub-signature-256': signature }))
      }),
      { numRuns: RUNS },
    )
  })
})
