import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { WebSocket } from 'ws'
import { startConversationFixture, until, type ConversationFixture } from '../conversations/conversation-fixture.js'

/** Without ALLOWED_ORIGINS: the services of type web alone say which sites may have the widget. */
let fixture: ConversationFixture
beforeAll(async () => {
  fixture = await startConversationFixture()
})
afterAll(() => fixture.close())

const SHOP = 'https://shop.example'
const CREATE = 'mutation ($input: CreateServiceInput!) { createService(input: $input) { id } }'
const UPDATE = 'mutation ($id: ID!, $params: JSONObject!) { updateService(id: $id, patch: {params: $params}) { id } }'

async function isOpen(origin: string, path = '/graphql'): Promise<boolean> {
  const headers = { origin, 'access-control-request-method': 'POST' }
  const response = await fetch(`${fixture.url}${path}`, { method: 'OPTIONS', headers })
  return response.headers.get('access-control-allow-origin') === origin
}

/** @returns the close code, or `ack` */
function openSocket(token: string, origin: string): Promise<string | number> {
  return new Promise((resolve) => {
    const socket = new WebSocket(`${fixture.url.replace('http', 'ws')}/graphql`, 'graphql-transport-ws', { origin })
    socket.on('open', () =>
      socket.send(JSON.stringify({ type: 'connection_init', payload: { authorization: `Bearer ${token}` } })),
    )
    socket.on('message', () => {
      resolve('ack')
      socket.close()
    })
    socket.on('close', (code) => resolve(code))
    socket.on('error', (error) => resolve(error.message))
  })
}

it('allows pages of the sites of services of type web to call and open sockets as guests, and no others', async () => {
  expect(await isOpen(SHOP)).toBe(false)
  const { value: service } = await fixture.run<{ id: string }>(fixture.admin, CREATE, {
    input: { type: 'web', params: { allowedOrigins: [SHOP] } },
  })
  await until(
    () => isOpen(SHOP),
    (open) => open,
  )
  expect([await isOpen(SHOP, '/v2/attachments'), await isOpen(SHOP, '/v2/users')]).toEqual([true, false])
  expect(await isOpen('https://evil.example')).toBe(false)
  const { value } = await fixture.run<{ tokens: { token: string } }>(
    null,
    'mutation ($service: ID!) { startGuestSession(service: $service) { tokens { token } } }',
    { service: service.id },
  )
  expect(await openSocket(value.tokens.token, SHOP)).toBe('ack')
  expect(await openSocket(value.tokens.token, 'https://evil.example')).toContain('403')
  // A page that has the widget is no console.
  expect(await openSocket(await fixture.tokenFor(fixture.ann), SHOP)).toBe(4403)

  await fixture.run(fixture.admin, UPDATE, { id: service.id, params: {} })
  await until(
    () => isOpen('https://any.example'),
    (open) => open,
  )
  await fixture.run(fixture.admin, UPDATE, { id: service.id, params: { allowedOrigins: ['https://other.example'] } })
  await until(
    () => isOpen(SHOP),
    (open) => !open,
  )
})
