import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
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
