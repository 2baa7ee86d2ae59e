import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { setTimeout as sleep } from 'node:timers/promises'
import { MainProcess } from '../support/main-process.js'
import { startTestServer, type TestServer } from '../support/test-server.js'
import { until } from '../support/until.js'
import { conversationOf, createFeeds, messagesOf, type Fed, type Feeds } from './feeds.js'
import { createHooks, type Hooks } from './hooks.js'

/** The address of both nodes, which payloads have. */
const PUBLIC_URL = 'http://localhost:1'
const TYPES = ['message.create.*']
const WRITERS = 16
const MESSAGES = 2_000
const CONVERSATIONS = 5

let app: TestServer
let hooks: Hooks
let feeds: Feeds

beforeAll(async () => {
  app = await startTestServer({ WEBHOOK_ALLOW_PRIVATE: 'true', PUBLIC_URL })
  hooks = createHooks(app)
  feeds = createFeeds(app)
})
afterAll(async () => {
  await app.close()
  await hooks.close()
})

/** Holds transactions open, one after the other, until it is told to end. */
async function hold(ms: number, isHolding: () => boolean): Promise<void> {
  while (isHolding()) {
    await app.server.database.sqlTransaction(async (sql) => {
      await sql.query('select pg_current_xact_id()')
      await sleep(ms)
    })
  }
}

it('2,000 messages by 16 writers on two nodes, of which one is killed, while long transactions run: a reader has each once, in the order of a webhook', async () => {
  const { admin } = await hooks.center()
  await feeds.begin(admin)
  const hook = await hooks.register(admin, { events: TYPES })
  const conversations = await Promise.all(Array.from({ length: CONVERSATIONS }, () => hooks.converse(admin)))
  const { cursor: start } = await feeds.read(admin)
  const node = await MainProcess.start({ DATABASE_URL: app.databaseUrl, WEBHOOK_ALLOW_PRIVATE: 'true', PUBLIC_URL })
  const token = await app.tokenFor(admin)
  const said = new Set<string>()
  let [isKilled, isWriting, next] = [false, true, 0]
  const say = async (url: string, nth: number): Promise<boolean> => {
    const path = `/v2/conversations/${conversations[nth % CONVERSATIONS]}/messages`
    const headers = {
      'content-type': 'application/json',
      authorization: `Bearer ${token}`,
      'idempotency-key': `${nth}`,
    }
    const body = JSON.stringify({ text: `${nth}`, role: 'contact' })
    const response = await fetch(`${url}${path}`, { method: 'POST', headers, body }).catch(() => null)
    if (response && ![201, 503].includes(response.status))
      throw new Error(`${response.status} ${await response.text()}`)
    return response?.status === 201
  }
  const write = async (writer: number): Promise<void> => {
    for (let nth = next++; nth < MESSAGES; nth = next++) {
      const onOther = writer % 2 === 0
      // What was in flight on the node that is killed is repeated on the other, with its key.
      while (!(await say(onOther && !isKilled ? node.url : app.url, nth)));
      said.add(`${nth}`)
      if (said.size === MESSAGES / 2) {
        node.kill()
        isKilled = true
      }
    }
  }
  const read: Fed[] = []
  const follow = async (): Promise<void> => {
    for (let after = start; read.length < MESSAGES;) {
      const { events, cursor } = await feeds.read(admin, { after, types: TYPES, limit: 37, waitSeconds: 5 })
      read.push(...events)
      after = cursor
    }
  }
  const reading = follow()
  const holding = [50, 300, 1_000].map((ms) => hold(ms, () => isWriting))
  await Promise.all(Array.from({ length: WRITERS }, (_, writer) => write(writer)))
  isWriting = false
  await Promise.all([reading, ...holding])
  expect(isKilled).toBe(true)
  expect(new Set(read.map(({ id }) => id)).size).toBe(MESSAGES)
  expect(new Set(messagesOf(read))).toEqual(said)
  // From the beginning, by another size: the same order.
  const again = await feeds.readAll(admin, { after: start, types: TYPES, limit: 500 })
  expect(again.map(({ id }) => id)).toEqual(read.map(({ id }) => id))
  const received = await until(
    () => [...new Map(hook.receiver.received.map(({ json }) => [json.id as string, json])).values()],
    (all) => all.length === MESSAGES,
  )
  const inOrder = (all: readonly Pick<Fed, 'payload'>[]) => Map.groupBy(all, conversationOf)
  const own = inOrder(read)
  for (const [conversation, hooked] of inOrder(received.map((payload) => ({ payload }))))
    expect(own.get(conversation)!.map(({ payload }) => payload.id)).toEqual(hooked.map(({ payload }) => payload.id))
  const bodies = new Map(received.map((payload) => [payload.id, payload]))
  for (const { id, payload } of read) expect(payload).toEqual(bodies.get(id))
})
