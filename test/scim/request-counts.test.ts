import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { startIdentityProvider, type IdentityProvider } from '../sso/identity-provider.js'
import { PUBLIC_URL } from '../sso/sso-fixture.js'
import { startTestServer, type TestServer } from '../support/test-server.js'
import { until } from '../support/until.js'
import { clientOf, makeScim, type ScimClient } from './scim-fixture.js'

const PER_SECOND = 10

let server: TestServer
let idp: IdentityProvider
let clients: [ScimClient, ScimClient]

beforeAll(async () => {
  server = await startTestServer({
    PUBLIC_URL,
    WEBHOOK_ALLOW_PRIVATE: 'true',
    RATE_LIMIT_PER_SECOND: String(PER_SECOND),
  })
  idp = await startIdentityProvider()
  const make = async (): Promise<ScimClient> => {
    const center = await server.makeContactCenter()
    return makeScim(server, await server.makeUser({ organization: center, role: 'admin' }), idp, center)
  }
  clients = [await make(), await make()]
})
afterAll(async () => {
  await server.close()
  await idp.close()
})

const statusesOf = (client: ScimClient, times: number): Promise<number[]> =>
  Promise.all(Array.from({ length: times }, async () => (await client.ask('GET', '/Users?count=0')).status))

describe('requests from one address', () => {
  it('are counted for each provider by itself', async () => {
    const statuses = await Promise.all(clients.map((client) => statusesOf(client, PER_SECOND - 2)))
    expect(new Set(statuses.flat())).toEqual(new Set([200]))
  })

  it('are counted together while their tokens are wrong, at the cost of no provider', async () => {
    const wrong = clientOf(server, { ...clients[0], token: 'scim_wrong' })
    await until(
      () => statusesOf(wrong, 3 * PER_SECOND),
      (statuses) => statuses.includes(429) && statuses.includes(401),
    )
    const [refused, good] = await Promise.all([statusesOf(wrong, PER_SECOND), statusesOf(clients[1], 1)])
    expect(refused.every((status) => status === 401 || status === 429)).toBe(true)
    expect(good).toEqual([200])
  })
})
