import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import type { MadeUser } from './support/factories.js'
import { startTestServer, type TestServer } from './support/test-server.js'
import { until } from './support/until.js'

describe('the server', () => {
  let server: TestServer
  beforeAll(async () => {
    server = await startTestServer()
  })
  afterAll(() => server.close())

  it('is ready once it listens', async () => {
    expect((await fetch(`${server.url}/readyz`)).status).toBe(200)
    expect((await fetch(`${server.url}/healthz`)).status).toBe(200)
    expect(await (await fetch(`${server.url}/metrics`)).text()).toContain('switchboard_http_request_seconds')
  })

  it('shows an operator how long consumers, deliveries, jobs and sockets wait', async () => {
    const organization = await server.makeOrganization({ name: 'Watched' })
    const admin = await server.makeUser({ organization, role: 'admin' })
    const create = `mutation { createConversation(input: {
      touchpoint: WEB, contact: { profile: { email: "watched@example.com" } }, messages: [{ role: CONTACT, text: "Hello" }]
    }) { id status } }`
    const { data } = await server.gql(admin, create)
    expect(data.createConversation.status).toBe('QUEUED')
    const accept = 'mutation ($id: ID!) { acceptConversation(conversation: $id) { status } }'
    await server.gql(admin, accept, { id: data.createConversation.id })
    const text = await until(
      async () => (await fetch(`${server.url}/metrics`)).text(),
      (shown) => /^switchboard_queue_wait_seconds_count [1-9]/m.test(shown),
    )
    const others = [
      'commit_to_delivery_seconds',
      'routing_seconds',
      'job_lateness_seconds',
      'socket_backlog_bytes',
      'http_request_seconds',
    ]
    for (const name of others) expect(text).toContain(`# TYPE switchboard_${name} histogram`)
    expect(text).toContain('nodejs_eventloop_lag_p99_seconds')
  })

  it('has a contact center and its owner after the first start', async () => {
    expect(server.server.firstOwner).toMatchObject({ email: 'owner@example.com', generatedPassword: null })
    const organization = await server.makeOrganization({ name: 'Acme' })
    const admin = await server.makeUser({ organization, role: 'admin' })
    const answer = await server.gql(admin, '{ organizations { edges { node { name level } } totalCount } }')
    expect(answer).toEqual({
      status: 200,
      data: { organizations: { edges: [{ node: { name: 'Acme', level: 1 } }], totalCount: 1 } },
    })
  })
})

describe('two servers of one process', () => {
  let one: TestServer
  let other: TestServer
  beforeAll(async () => {
    one = await startTestServer()
    other = await startTestServer()
  })
  afterAll(() => one.close())

  // They have one schema: each resolver is that of the server which was asked.
  it('each write and read their own database, the first also once the other is closed', async () => {
    const create = 'mutation ($name: String!) { createChannel(input: { name: $name }) { name } }'
    const list = '{ channels { edges { node { name } } } }'
    const admins: MadeUser[] = []
    for (const [server, name] of [
      [one, 'Mine'],
      [other, 'Theirs'],
    ] as const) {
      const { owner } = await server.makeContactCenter({ name })
      admins.push(owner)
      const { data } = await server.gql(owner, create, { name })
      expect(data).toEqual({ createChannel: { name } })
    }
    const namesOf = async (server: TestServer, nth: number): Promise<string[]> => {
      const { data } = await server.gql(admins[nth]!, list)
      return data.channels.edges.map(({ node }: { node: { name: string } }) => node.name)
    }
    expect(await namesOf(one, 0)).toEqual(['Mine'])
    expect(await namesOf(other, 1)).toEqual(['Theirs'])
    await other.close()
    expect(await namesOf(one, 0)).toEqual(['Mine'])
    expect((await one.gql(admins[0]!, create, { name: 'Also mine' })).errors).toBeUndefined()
    expect(await namesOf(one, 0)).toEqual(expect.arrayContaining(['Mine', 'Also mine']))
  })
})
