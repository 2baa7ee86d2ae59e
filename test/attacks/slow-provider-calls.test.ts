import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { createHmac } from 'node:crypto'
import { RawSockets } from '../support/raw-sockets.js'
import { startTestServer, type TestServer } from '../support/test-server.js'
import { until } from '../support/until.js'
import { rawMail } from '../touchpoints/email/mails.js'

const SECRET = 'an inbound secret of the test'
const PUBLIC_URL = 'https://chat.example.com'
const AUTH_TOKEN = 'a-token-of-the-provider'
const sockets = new RawSockets()

let server: TestServer
let mail: string
let texts: string
let attackers: string

beforeAll(async () => {
  server = await startTestServer({ PUBLIC_URL })
  ;[mail, texts] = await makeServices()
  ;[, attackers] = await makeServices()
})
afterAll(async () => {
  sockets.close()
  await server.close()
})

let made = 0

/** Services for mail and for texts of a new contact center. */
async function makeServices(): Promise<[mail: string, texts: string]> {
  const admin = await server.makeUser({ organization: await server.makeContactCenter(), role: 'admin' })
  const make = async (type: string, params: object): Promise<string> => {
    const created = await server.gql(
      admin,
      'mutation ($input: CreateServiceInput!) { createService(input: $input) { id } }',
      { input: { type, name: 'S', params } },
    )
    expect(created.errors).toBeUndefined()
    return created.data.createService.id
  }
  made += 1
  return [
    await make('email', { address: `support${made}@boats.example`, inboundSecret: SECRET }),
    await make('sms', { accountSid: `AC${made}`.padEnd(34, '0'), authToken: AUTH_TOKEN, from: `+3161234567${made}` }),
  ]
}

/** Begins a call with a signature that is yet to be verified. */
function begin(from: string): { text: () => string; send: (bytes: string) => void; isClosed: () => boolean } {
  const socket = sockets.open(server.url, from)
  socket.write(
    `POST /inbound/sms/${attackers} HTTP/1.1\r\nhost: x\r\nx-twilio-signature: abc\r\n` +
      'content-type: application/x-www-form-urlencoded\r\ncontent-length: 60000\r\n\r\nBody=',
  )
  return { text: RawSockets.textOf(socket), send: (bytes) => socket.write(bytes), isClosed: () => socket.destroyed }
}

/** Takes as many places as the network may have. */
async function fill(from: string): Promise<void> {
  const calls = Array.from({ length: 155 }, () => begin(from))
  await until(() => calls.filter(({ text }) => text().startsWith('HTTP/1.1 503 ')).length >= 5)
}

describe("providers' calls whose bodies come slowly", () => {
  it("of two networks leave all places to other centers' providers", async () => {
    await fill('127.0.0.2')
    await fill('127.0.0.3')
    const mailed = await fetch(`${server.url}/inbound/email/${mail}`, {
      method: 'POST',
      headers: { 'content-type': 'message/rfc822', 'x-inbound-secret': SECRET },
      body: rawMail({ from: 'carl@example.com', to: 'support1@boats.example' }),
    })
    expect(mailed.status).toBe(200)
    const path = `/inbound/sms/${texts}`
    const form = { Body: 'Hello', From: '+31612340000', MessageSid: 'SM1', To: '+31612345671' }
    const signed = Object.entries(form).flat().join('')
    const texted = await fetch(server.url + path, {
      method: 'POST',
      headers: {
        'x-twilio-signature': createHmac('sha1', AUTH_TOKEN)
          .update(PUBLIC_URL + path + signed)
          .digest('base64'),
      },
      body: new URLSearchParams(form),
    })
    expect(texted.status).toBe(200)
    sockets.close()
  })

  it('are cut off, though they go on', async () => {
    const call = begin('127.0.0.4')
    let sent = 5
    await until(() => {
      if (call.isClosed() || sent > 59_000) return true
      call.send('a'.repeat(60))
      sent += 60
      return false
    })
    expect([call.isClosed(), call.text()]).toEqual([true, ''])
  })
})
