import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { MadeUser } from '../support/factories.js'
import { createHooks, type Hooks } from '../webhooks/hooks.js'
import { startTestServer, type TestServer } from '../support/test-server.js'
import { until } from '../support/until.js'

/** They answer no delivery. Each is a host of its own, of which the places are counted. */
let receivers: Server[]
/** More than a node delivers at once. */
const [WEBHOOKS, CONVERSATIONS] = [40, 8]
const held = new Set<ServerResponse>()
let most = 0
/** True while they take the handshake. */
let isTaking = true
let app: TestServer
let hooks: Hooks

beforeAll(async () => {
  const listening = Array.from({ length: WEBHOOKS }, async () => {
    const receiver = createServer(receive)
    await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
    return receiver
  })
  receivers = await Promise.all(listening)
  app = await startTestServer({ WEBHOOK_ALLOW_PRIVATE: 'true' })
  hooks = createHooks(app)
})
afterAll(async () => {
  await hooks?.close()
  await app?.close()
  for (const receiver of receivers ?? []) {
    receiver.closeAllConnections()
    receiver.close()
  }
})

function receive(request: IncomingMessage, response: ServerResponse): void {
  const challenge = new URL(request.url!, 'http://receiver').searchParams.get('challenge')
  if (challenge !== null && isTaking) return void response.end(challenge)
  held.add(response)
  most = Math.max(most, held.size)
  response.once('close', () => held.delete(response))
}

async function makeWebhooks(admin: MadeUser, events: readonly string[]): Promise<string[]> {
  const making = receivers.map(async (receiver) => {
    const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`
    const made = await app.rest(admin, 'POST', '/v2/services', { type: 'webhook', params: { url, events } })
    expect([made.status, made.body.message]).toEqual([201, undefined])
    return made.body.id as string
  })
  return Promise.all(making)
}

it('40 webhooks whose receiver does not answer the handshake take half of the places, and others have theirs', async () => {
  const [{ admin }, other] = [await hooks.center(), await hooks.center()]
  isTaking = false
  const ids = await makeWebhooks(admin, ['message.create.*'])
  await until(() => held.size >= 8)
  // All that are free are given out at each look: the other's is one of them, though it came last.
  await hooks.register(other.admin)
  // Of 16.
  expect(most).toBe(8)
  isTaking = true
  for (const response of held) response.destroy()
  for (const id of ids) expect((await app.rest(admin, 'DELETE', `/v2/services/${id}`)).status).toBe(204)
  await until(() => held.size === 0)
  most = 0
})

it('40 webhooks whose receiver does not answer take half of the places, and others have theirs', async () => {
  const [{ admin }, other] = [await hooks.center(), await hooks.center()]
  const events = ['message.create.*.chat']
  const ids = await makeWebhooks(admin, events)
  for (const id of ids) await hooks.reach(admin, id, 'active')
  const hook = await hooks.register(other.admin, { events })
  for (let count = 0; count < CONVERSATIONS; count += 1) {
    await hooks.say(admin, await hooks.converse(admin), 'nobody answers')
  }
  await until(() => held.size >= 100)
  await hooks.say(other.admin, await hooks.converse(other.admin), 'mine')
  await hook.receiver.next(({ json }) => json.data.message.text === 'mine')
  // Of 256. A few may be closed by their time, and not yet here.
  expect(most).toBeLessThan(160)
  expect(most).toBeGreaterThanOrEqual(100)
})
