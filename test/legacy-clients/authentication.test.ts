import { afterAll, beforeAll, expect, it } from '@jest/globals'
import type { MadeUser } from '../support/factories.js'
import { startWorld, type World } from './world.js'

let world: World
let owner: MadeUser
const password = 'a good password'

beforeAll(async () => {
  world = await startWorld()
  owner = await world.server.makeUser({ organization: world.organization, role: 'admin', password })
})
afterAll(() => world.close())

const signIn = async (more: object = {}) => {
  const { status, body } = await world.server.rest(null, 'POST', '/v2/auth/token', {
    email: owner.email,
    password,
    ...more,
  })
  expect(status).toBe(201)
  return body as { token: string; refreshToken: string }
}

// [legacy authentication.refresh, authentication.stale header, authentication.otp]
// [4.1 new pair, POST token refresh
// response]
it('refreshes an access token that has expired, with one call', async () => {
  const { token, refreshToken } = await signIn({ otp: '123456' })
  const client = await world.client(owner, { token, refreshToken })
  const tokens: string[] = []
  client.on('token', (fresh: string) => void tokens.push(fresh))
  world.server.clock.advance(25 * 3_600_000)
  expect((await client.users.get('me')).email).toBe(owner.email)
  expect(tokens).toHaveLength(1)
  const stale = { authorization: `Bearer ${token}` }
  const body = { refreshToken: client.auth.refreshToken, clientId: owner.email }
  expect((await world.server.rest(null, 'POST', '/v2/auth/token', body, stale)).status).toBe(201)
})

// [legacy authentication.refused refresh]
it('gives up when its refresh is refused, instead of retrying forever', async () => {
  const { token, refreshToken } = await signIn()
  const asked: number[] = []
  for (const unusable of [`${refreshToken}x`, token, 'none', refreshToken]) {
    let requests = 0
    const beforeRequest = [async () => void requests++]
    const options = { token, refreshToken: unusable, fetchExtensions: { beforeRequest } }
    const client = await world.client(owner, options)
    if (unusable === refreshToken) {
      // Spent: its family is revoked.
      await world.server.rest(null, 'POST', '/v2/auth/token', { refreshToken, clientId: owner.email })
    }
    world.server.clock.advance(25 * 3_600_000)
    await expect(client.users.get('me')).rejects.toThrow(/jwt expired|Could not get tokens/)
    asked.push(requests)
  }
  expect(asked).toEqual([2, 2, 2, 2])
})

// [legacy authentication.401 only]
// [5 access token, access token expired] [7 403 of an expired token]
it('does not refresh on 403, which is the status without the setting', async () => {
  const plain = await startWorld({ EXPIRED_TOKEN_STATUS: '403' })
  try {
    const user = await plain.server.makeUser({ organization: plain.organization, role: 'admin', password })
    const { body } = await plain.server.rest(null, 'POST', '/v2/auth/token', { email: user.email, password })
    const client = await plain.client(user, body)
    plain.server.clock.advance(24 * 3_600_000 - 60_000)
    expect((await client.users.get('me')).id).toBe(user.id)
    plain.server.clock.advance(120_000)
    await expect(client.users.get('me')).rejects.toMatchObject({ statusCode: 403, message: 'jwt expired' })
  } finally {
    await plain.close()
  }
})
