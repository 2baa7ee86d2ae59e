import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { WebSocket } from 'ws'
import { freePort } from '../bench/chaos/free-port.js'
import { makeDatabase, type TestDatabase } from './support/database.js'
import { MainProcess, runAt, signInAt } from './support/main-process.js'
import { isInstalled } from './support/programs.js'
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

const behindBalancer = isInstalled('haproxy', '-v') ? describe : describe.skip

behindBalancer('a rolling restart behind haproxy', () => {
  let database: TestDatabase
  let folder: string
  let url: string
  let statistics: string
  let haproxy: ChildProcess | undefined
  const nodes = new Map<number, MainProcess>()
  beforeAll(async () => {
    database = await makeDatabase()
    folder = await mkdtemp(join(tmpdir(), 'switchboard-drain-'))
    // One after the other: the first one migrates.
    for (const port of [await freePort(), await freePort()]) await start(port)
    const port = await freePort()
    url = `http://127.0.0.1:${port}`
    const statisticsPort = await freePort()
    statistics = `http://127.0.0.1:${statisticsPort}/;csv`
    const file = join(folder, 'haproxy.cfg')
    await writeFile(file, balancer(port, statisticsPort, [...nodes.keys()]))
    haproxy = spawn('haproxy', ['-db', '-f', file], { stdio: 'ignore' })
    for (const node of nodes.keys()) await until(() => isUsed(node))
  }, 400_000)
  afterAll(async () => {
    haproxy?.kill('SIGKILL')
    for (const node of nodes.values()) node.kill()
    await database?.drop()
    await rm(folder, { recursive: true, force: true })
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

  /** Tells whether haproxy sends requests to a node. */
  async function isUsed(port: number): Promise<boolean> {
    const text = await fetch(statistics).then(
      (response) => response.text(),
      () => '',
    )
    return new RegExp(`^nodes,n${port},.*,UP,`, 'm').test(text)
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
      await until(async () => !(await isUsed(port)))
      const closedInUse = closedSoFar
      stopped.push({ closedInUse, codes: await closed, code: await ended })
      await start(port)
      // Else there is none when the other one stops.
      await until(() => isUsed(port))
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

/** Three checks a second, of which five must fail: a busy node is not taken for one that stops. Neither retries nor cuts sockets. */
function balancer(port: number, statisticsPort: number, nodes: readonly number[]): string {
  return `
defaults
  mode http
  timeout connect 5s
  timeout check 5s
  timeout client 60s
  timeout server 60s
  retries 0
  option httpchk GET /readyz
listen statistics
  bind 127.0.0.1:${statisticsPort}
  stats enable
  stats uri /
frontend front
  bind 127.0.0.1:${port}
  default_backend nodes
backend nodes
  balance roundrobin
${nodes.map((at) => `  server n${at} 127.0.0.1:${at} check inter 300ms fall 5 rise 1`).join('\n')}
`
}
