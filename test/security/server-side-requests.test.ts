import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { createServer, type AddressInfo, type Server } from 'node:net'
import type { MadeUser } from '../support/factories.js'
import { startTestServer, type TestServer } from '../support/test-server.js'
import { until } from '../support/until.js'

/** A service inside: whoever connects was sent there by the server. */
let trap: Server
let connections = 0
let port: number
let app: TestServer
let admin: MadeUser

beforeAll(async () => {
  trap = createServer((socket) => {
    connections += 1
    socket.destroy()
  })
  // All addresses of this machine, of both families.
  await new Promise<void>((resolve) => void trap.listen(0, '::', resolve))
  port = (trap.address() as AddressInfo).port
  app = await startTestServer()
  admin = await app.makeUser({ organization: await app.makeContactCenter(), role: 'admin' })
})
afterAll(async () => {
  await app.close()
  trap.close()
})

const HOSTS = ['127.0.0.1', '2130706433', '0x7f.1', '0177.0.0.1', '[::1]', '[::ffff:127.0.0.1]', 'localhost', '0.0.0.0']

const REFUSED = /private or reserved: not allowed, unless .*WEBHOOK_ALLOW_PRIVATE=true/
const CREATE = 'mutation ($input: CreateServiceInput!) { createService(input: $input) { id } }'
const makeService = async (type: string, params: object): Promise<string> => {
  const { data, errors } = await app.gql(admin, CREATE, { input: { type, params } })
  expect(errors).toBeUndefined()
  return data.createService.id
}

/** Sends a message by the service. @returns why it has not been delivered */
async function send(service: string, touchpoint: 'SMS' | 'EMAIL', index: number): Promise<string> {
  const profile =
    touchpoint === 'SMS'
      ? { telephone: `+3161111${String(index).padStart(4, '0')}` }
      : { email: `c${index}@example.com` }
  const input = { touchpoint, contact: { profile }, messages: [{ role: 'AGENT', text: 'hello', service }] }
  const { data, errors } = await app.gql(
    admin,
    'mutation ($input: CreateConversationInput!) { createConversation(input: $input) { lastMessage { id } } }',
    { input },
  )
  expect(errors).toBeUndefined()
  return until(async () => {
    const [row] = await app.server.database.query<{ reason: string | null }>(
      'select reason from delivery where message_id = $1',
      [data.createConversation.lastMessage.id],
    )
    return row?.reason
  })
}

describe('a private address, given to the server', () => {
  it('is not connected to by webhooks, however it is written', async () => {
    const ids = await Promise.all(HOSTS.map((host) => makeService('webhook', { url: `http://${host}:${port}/hook` })))
    await until(async () => {
      const rows = await app.server.database.query<{ error: string | null }>(
        'select last_error as error from webhook where service_id = any($1::uuid[])',
        [ids],
      )
      return rows.length === ids.length && rows.every(({ error }) => REFUSED.test(error ?? '')) && rows
    })
    expect(connections).toBe(0)
  })

  it('is not connected to for text messages', async () => {
    for (const [index, host] of HOSTS.entries()) {
      const account = { accountSid: `AC${'0'.repeat(32)}`, authToken: 'secret', from: `+3197010253${10 + index}` }
      const service = await makeService('sms', { ...account, apiUrl: `http://${host}:${port}` })
      expect(await send(service, 'SMS', index)).toMatch(REFUSED)
    }
    expect(connections).toBe(0)
  })

  it('is not connected to as a mail server', async () => {
    for (const [index, host] of HOSTS.entries()) {
      const params = {
        address: `help${index}@example.com`,
        smtpUrl: `smtp://${host}:${port}`,
        smtpUser: 'a',
        smtpPassword: 'b',
      }
      const service = await makeService('email', params)
      expect(await send(service, 'EMAIL', index)).toMatch(REFUSED)
    }
    expect(connections).toBe(0)
  })
})
