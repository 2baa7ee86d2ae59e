import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { once } from 'node:events'
import { WebSocket } from 'ws'
import { freePort } from '../bench/chaos/free-port.js'
import { makeDatabase, type TestDatabase } from './support/database.js'
import { hasHaproxy, startHaproxy, type Haproxy } from './support/haproxy.js'
import { MainProcess, runAt, signInAt } from './support/main-process.js'
import { until } from './support/until.js'

/** Far longer than haproxy takes to notice, also where the processors are busy with something else. */
const NOTICE_MS = 10_000
const SPREAD_MS = 4_000
const SOCKETS = 40
const WRITERS = 4

interface Stopped {
  code: number | null
  /** Sockets that were closed when the balancer sent nothing there any more. */
  closedInUse: number
  codes: number[]
}

const behindBalancer = hasHaproxy ? describe : describe.skip

behindBalancer('a rolling restart behind haproxy', () => {
  let database: TestDatabase
  let url: string
  let haproxy: Haproxy | undefined
  const nodes = new Map<number, MainProcess>()
  beforeAll(async () => {
    database = await makeDatabase()
    // One after the other: the first one migrates.
    for (const port of [await freePort(), await freePort()]) await start(port)
    haproxy = await startHaproxy([...nodes.keys()])
    url = haproxy.url
  }, 400_000)
  afterAll(async () => {
    await haproxy?.stop()
    for (const node of nodes.values()) node.kill()
    await database?.drop()
  })

  async function start(port: number): Promise<void> {
    const env = {
      LOG_LEVEL: 'fatal',
      DATABASE_URL: database.url,
      DRAIN_NOTICE_MS: String(NOTICE_MS),
      DRAIN_SPREAD_MS: String(SPREAD_MS),
    }
    const node = await MainProcess.spawn(env, port)
    nodes.set(port, node)
    await node.untilReady()
  }

  it('refuses no request, closes sockets when no more come, and each node ends with 0', async () => {
    const headers = await signInAt(url)
    const create = `mutation ($email: String!) { createConversation(input: {
      touchpoint: WEB, contact: { profile: { email: $email } }, messages: [{ role: CONTACT, text: "Hello" }]
    }) { id } }`
    // The first two writers share one, for which both nodes contend.
    const ids: string[] = []
    for (let writer = 1; writer < WRITERS; writer++) {
      const { createConversation } = await runAt(url, create, { email: `drain${writer}@example.com` }, headers)
      ids.push(createConversation.id)
    }
    const send = `mutation ($id: ID!, $text: String!) {
      sendMessage(conversation: $id, message: { role: CONTACT, text: $text }) { id } }`

    const refused: unknown[] = []
    let sent = 0
    let isOver = false
    const writers = Array.from({ length: WRITERS }, async (_, writer) => {
      for (let nth = 0; !isOver; nth++) {
        await runAt(url, send, { id: ids[Math.max(0, writer - 1)], text: `${writer} ${nth}` }, headers).then(
          () => (sent += 1),
          (error: unknown) => refused.push(String(error)),
        )
      }
    })
    const [first, second] = [...nodes.keys()] as [number, number]
    const stopped: Stopped[] = []
    for (const port of [first, second]) {
      const sockets = Array.from({ length: SOCKETS }, () => {
        return new WebSocket(`ws://127.0.0.1:${port}/graphql`, 'graphql-transport-ws')
      })
      await Promise.all(sockets.map((socket) => once(socket, 'open')))
      for (const socket of sockets) {
        socket.send(JSON.stringify({ type: 'connection_init', payload: headers }))
      }
      const node = nodes.get(port)!
      let closedSoFar = 0
      const closed = Promise.all(
        sockets.map(async (socket) => {
          const [code] = (await once(socket, 'close')) as [number]
          closedSoFar += 1
          return code
        }),
      )
      const ended = node.stop()
      await until(async () => !(await node.isReady()))
      await until(async () => !(await haproxy!.isUsed(port)))
      const closedInUse = closedSoFar
      stopped.push({ closedInUse, codes: await closed, code: await ended })
      await start(port)
      // Else there is none when the other one stops.
      await until(() => haproxy!.isUsed(port))
    }
    isOver = true
    await Promise.all(writers)

    expect(refused).toEqual([])
    expect(sent).toBeGreaterThan(100)
    for (const { code, codes, closedInUse } of stopped) {
      expect(code).toBe(0)
      expect(codes).toEqual(Array.from({ length: SOCKETS }, () => 1012))
      // Not before the notice is over. How evenly, says test/realtime/close-evenly.test.ts.
      expect(closedInUse).toBe(0)
    }
    const count = 'query ($id: ID!) { conversation(id: $id) { messages(first: 1) { totalCount } } }'
    let kept = 0
    for (const id of ids) {
      const { conversation } = await runAt(url, count, { id }, headers)
      kept += conversation.messages.totalCount
    }
    expect(kept).toBeGreaterThanOrEqual(sent + ids.length)
  }, 400_000)
})
