import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import type { MadeUser } from '../support/factories.js'
import { sampleOf } from '../support/metrics.js'
import { startTestServer, type TestServer } from '../support/test-server.js'
import { LiveClient, type Message } from '../realtime/live-client.js'

const SOCKETS = 20
const SUBSCRIPTIONS = 100

let server: TestServer
let url: string
let attacker: MadeUser
let neighbour: MadeUser

beforeAll(async () => {
  server = await startTestServer({ GRAPHQL_COST_PER_MINUTE: '1000000000' })
  url = `${server.url.replace('http', 'ws')}/graphql`
  const organization = await server.makeContactCenter()
  attacker = await server.makeUser({ organization, role: 'admin' })
  neighbour = await server.makeUser({ organization: await server.makeContactCenter({ name: 'Other' }) })
})
afterAll(async () => {
  LiveClient.cutAll()
  await server.close()
})

/** Each one is a group of its own, by a document of its own. */
function subscribe(client: LiveClient, id: string): void {
  client.send({ id, type: 'subscribe', payload: { query: `subscription S${id} { inbox { __typename } }` } })
}

const isFirst = (id: string) => (message: Message) => message.id === id && message.type !== 'complete'

async function first(token: string): Promise<void> {
  const client = await LiveClient.connect(url, token)
  subscribe(client, '1')
  const { type } = await client.until(isFirst('1'))
  expect(type).toBe('next')
  client.ws.close()
}

describe('thousands of subscriptions of one caller', () => {
  it('are set up alternately with those of others', async () => {
    const [mine, theirs] = [await server.tokenFor(attacker), await server.tokenFor(neighbour)]
    await first(theirs)
    const clients = await Promise.all(Array.from({ length: SOCKETS }, () => LiveClient.connect(url, mine)))
    for (const client of clients) for (let count = 0; count < SUBSCRIPTIONS; count += 1) subscribe(client, `${count}`)
    for (let count = 0; count < 3; count += 1) await first(theirs)
    // Three of the neighbour's, one after the other, before a third of those that were there first.
    const before = clients.flatMap(({ messages }) => messages).filter(({ type }) => type === 'next').length
    expect(before).toBeLessThan((SOCKETS * SUBSCRIPTIONS) / 3)
    expect(await sampleOf(server.url, 'subscriptions_waiting')).toBeGreaterThan(0)
    expect(await sampleOf(server.url, 'subscriptions_running')).toBeLessThanOrEqual(8)
    await Promise.all(clients.map((client) => client.until(isFirst(`${SUBSCRIPTIONS - 1}`))))
    process.stdout.write(
      `${before} of ${SOCKETS * SUBSCRIPTIONS} subscriptions were live before three of a neighbour\n`,
    )
  })
})

describe('a guest', () => {
  it('has a limited number of sockets and subscriptions', async () => {
    const admin = attacker
    const made = await server.rest(admin, 'POST', '/v2/services', { name: 'W', type: 'web', params: {} })
    const session = await server.gql(
      null,
      'mutation ($service: ID!) { startGuestSession(service: $service) { tokens { token } conversationId } }',
      { service: made.body.id },
    )
    const { tokens, conversationId } = session.data.startGuestSession
    const clients = await Promise.all(Array.from({ length: 10 }, () => LiveClient.connect(url, tokens.token)))
    const eleventh = await LiveClient.open(url)
    eleventh.send({ type: 'connection_init', payload: { authorization: `Bearer ${tokens.token}` } })
    expect(await eleventh.closed).toEqual({ code: 4429, reason: 'a caller may have 10 sockets open at once' })

    const query = 'subscription ($id: ID!) { conversation(id: $id) { __typename } }'
    const payload = { query, variables: { id: conversationId } }
    for (const client of clients) for (const id of ['a', 'b', 'c']) client.send({ id, type: 'subscribe', payload })
    const answers = await Promise.all(
      clients.flatMap((client) => ['a', 'b', 'c'].map((id) => client.until(isFirst(id)))),
    )
    expect(answers.filter(({ type }) => type === 'next')).toHaveLength(20)
    const refused = answers.filter(({ type }) => type === 'error')
    expect(refused).toHaveLength(10)
    expect(refused[0]!.payload[0]).toMatchObject({ extensions: { code: 'RATE_LIMITED' } })

    // What it gives up it may have again.
    for (const client of clients) client.ws.close()
    await Promise.all(clients.map(({ closed }) => closed))
    const again = await LiveClient.connect(url, tokens.token)
    again.send({ id: '1', type: 'subscribe', payload })
    expect((await again.until(isFirst('1'))).type).toBe('next')
  })
})
