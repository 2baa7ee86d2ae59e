import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { createClient, type ExecutionResult } from 'graphql-ws'
import { WebSocket } from 'ws'
import { startTestServer, type TestServer } from '../support/test-server.js'

let app: TestServer
let token: string
let guest: string

beforeAll(async () => {
  app = await startTestServer({ GRAPHQL_COST_PER_MINUTE: '100000' })
  const organization = await app.makeOrganization()
  token = await app.tokenFor(await app.makeUser({ organization, role: 'agent' }))
  const admin = await app.makeUser({ organization, role: 'admin' })
  const { body } = await app.rest(admin, 'POST', '/v2/conversations', {
    touchpoint: 'web',
    contact: { profile: { name: 'Bo', email: 'bo@example.com' } },
    messages: [{ role: 'contact', text: 'hi' }],
  })
  guest = (await app.gql(admin, GUEST, { id: body.id })).data.createGuestToken.token
})
afterAll(() => app.close())

const GUEST = 'mutation ($id: ID!) { createGuestToken(conversation: $id) { token } }'
const CHEAP = '{ me { id } }'

async function ask(
  as: string,
  query: string,
  extensions?: object,
): Promise<{ headers: Headers; body: ExecutionResult }> {
  const response = await fetch(`${app.url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${as}` },
    body: JSON.stringify({ query, extensions }),
  })
  return { headers: response.headers, body: (await response.json()) as ExecutionResult }
}

const leftOf = ({ headers }: { headers: Headers }): number =>
  Number(/^"cost";r=(\d+);t=\d+$/.exec(headers.get('ratelimit')!)![1])

it('says in headers what an operation leaves of its budget, as /v2 does', async () => {
  const first = await ask(token, CHEAP)
  expect(first.headers.get('ratelimit-policy')).toBe('"cost";q=100000;w=60')
  expect(first.body.extensions).toBeUndefined()
  const second = await ask(token, '{ channels(first: 100) { edges { node { id members { userId } } } } }')
  const [cheap, dear] = [100_000 - leftOf(first), leftOf(first) - leftOf(second)]
  expect(dear).toBeGreaterThan(100 * cheap)
})

it('says the cost in the answer where it is asked for, also of what fails', async () => {
  const { headers, body } = await ask(token, CHEAP, { cost: true })
  const [, remaining, resetSeconds] = /r=(\d+);t=(\d+)/.exec(headers.get('ratelimit')!)!.map(Number)
  expect(body.extensions).toEqual({ cost: { cost: expect.any(Number), limit: 100_000, remaining, resetSeconds } })
  const failed = await ask(token, '{ channel(id: "abc") { id } }', { cost: true })
  expect(failed.body).toMatchObject({ errors: [{}], extensions: { cost: { limit: 100_000 } } })
  expect((await ask(token, CHEAP, { cost: 'yes' })).body.extensions).toBeUndefined()
})

it("says a guest's own budget, a hundredth of a user's", async () => {
  const { headers } = await ask(guest, '{ __typename }')
  expect(headers.get('ratelimit-policy')).toBe('"cost";q=1000;w=60')
})

it('says the cost of an operation on a socket', async () => {
  const client = createClient({
    url: `${app.url.replace('http', 'ws')}/graphql`,
    webSocketImpl: WebSocket,
    connectionParams: { authorization: `Bearer ${token}` },
    retryAttempts: 0,
  })
  const answers = client.iterate({ query: CHEAP, extensions: { cost: true } })
  const { value } = await answers.next()
  expect((value as ExecutionResult).extensions).toEqual({ cost: expect.objectContaining({ limit: 100_000 }) })
  await client.dispose()
})
