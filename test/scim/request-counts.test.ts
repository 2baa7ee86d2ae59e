import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { until } from '../support/until.js'
import { clientOf, makeScim, startScimWorld, type ScimClient, type ScimWorld } from './scim-fixture.js'

const PER_SECOND = 10

let world: ScimWorld
let clients: [ScimClient, ScimClient]

beforeAll(async () => {
  world = await startScimWorld({ RATE_LIMIT_PER_SECOND: String(PER_SECOND) })
  const { server, idp } = world
  const center = await server.makeContactCenter()
  const admin = await server.makeUser({ organization: center, role: 'admin' })
  clients = [await world.makeScim(), await makeScim(server, admin, idp, center)]
})
afterAll(() => world.close())

const statusesOf = (client: ScimClient, times: number): Promise<number[]> =>
  Promise.all(Array.from({ length: times }, async () => (await client.ask('GET', '/Users?count=0')).status))

describe('requests from one address', () => {
  it('are counted for each provider by itself', async () => {
    const statuses = await Promise.all(clients.map((client) => statusesOf(client, PER_SECOND - 2)))
    expect(new Set(statuses.flat())).toEqual(new Set([200]))
  })

  it('are counted together while their tokens are wrong, at the cost of no provider', async () => {
    const wrong = clientOf(world.server, { ...clients[0], token: 'scim_wrong' })
    await until(
      () => statusesOf(wrong, 3 * PER_SECOND),
      (statuses) => statuses.includes(429) && statuses.includes(401),
    )
    const [refused, good] = await Promise.all([statusesOf(wrong, PER_SECOND), statusesOf(clients[1], 1)])
    expect(refused.every((status) => status === 401 || status === 429)).toBe(true)
    expect(good).toEqual([200])
  })
})
