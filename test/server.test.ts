import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { startTestServer, type TestServer } from './support/test-server.js'

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

  it('has a level-1 organization and its owner after the first start', async () => {
    expect(server.server.firstOwner).toMatchObject({ email: 'owner@example.com', generatedPassword: null })
    const organization = await server.makeOrganization({ name: 'Acme' })
    const admin = await server.makeUser({ organization, role: 'admin' })
    const answer = await server.gql(admin, '{ organizations { edges { node { name level } } totalCount } }')
    expect(answer).toEqual({ status: 200, data: { organizations: { edges: [{ node: { name: 'Acme', level: 1 } }], totalCount: 1 } } })
  })
})
