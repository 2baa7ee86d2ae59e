import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { WebSocket } from 'ws'
import { freePort, sleep } from '../bench/chaos/victim.js'
import { makeDatabase, type TestDatabase } from './support/database.js'
import { isInstalled } from './support/programs.js'

const NOTICE_MS = 2_000
const SPREAD_MS = 2_000
const SOCKETS = 40
const WRITERS = 4
const OWNER = { email: 'owner@example.com', password: 'correct horse battery' }
const RUNNER = 'test/support/typescript-process.mjs'

const behindBalancer = isInstalled('haproxy', '-v') ? describe : describe.skip

behindBalancer('a rolling restart behind haproxy', () => {
  let database: TestDatabase
  let folder: string
  let url: string
  let haproxy: ChildProcess | undefined
  const nodes = new Map<number, ChildProcess>()
  beforeAll(async () => {
    database = await makeDatabase()
    folder = await mkdtemp(join(tmpdir(), 'switchboard-drain-'))
    // One after the other: the first one migrates.
    for (const port of [await freePort(), await freePort()]) await start(port)
    const port = await freePort()
    url = `http://127.0.0.1:${port}`
    const file = join(folder, 'haproxy.cfg')
    await writeFile(file, balancer(port, [...nodes.keys()]))
    haproxy = spawn('haproxy', ['-db', '-f', file], { stdio: 'ignore' })
    await untilReady(port)
  }, 400_000)
  afterAll(async () => {
    haproxy?.kill('SIGKILL')
    for (const node of nodes.values()) node.kill('SIGKILL')
    await database?.drop()
    await rm(folder, { recursive: true, force: true })
  })

  async function start(port: number): Promise<void> {
    const env = {
      ...process.env,
      PORT: String(port),
      HOST: '127.0.0.1',
      LOG_LEVEL: 'fatal',
      DATABASE_URL: database.url,
      DATABASE_POOL_SIZE: '6',
      RATE_LIMIT_PER_SECOND: '100000',
      ADMIN_EMAIL: OWNER.email,
      ADMIN_PASSWORD: OWNER.password,
      DRAIN_NOTICE_MS: String(NOTICE_MS),
      DRAIN_SPREAD_MS: String(SPREAD_MS),
      NODE_DISABLE_COMPILE_CACHE: '1',
    }
    const node = spawn(process.execPath, [RUNNER, 'src/main.ts'], { env, stdio: ['ignore', 'ignore', 'inherit'] })
    nodes.set(port, node)
    await untilReady(port)
  }

  const isReady = (port: number): Promise<boolean> =>
    fetch(`http://127.0.0.1:${port}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    )

  async function untilReady(port: number): Promise<void> {
    for (const until = Date.now() + 200_000; !(await isReady(port)); await sleep(50)) {
      if (Date.now() > until) throw new Error(`the node at ${port} is not ready`)
    }
  }

  /** Sends one request; clients that retried would hide what this test is for. */
  async function run(query: string, variables: object = {}, token?: string): Promise<Record<string, unknown>> {
    const response = await fetch(`${url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
      body: JSON.stringify({ query, variables }),
    })
    const text = await response.text()
    if (!response.ok || !text.startsWith('{"data"')) throw new Error(`${response.status} ${text}`)
    return (JSON.parse(text) as { data: Record<string, unknown> }).data
  }

  it('refuses no request, closes sockets evenly, and each node ends with 0', async () => {
    const signIn =
      'mutation ($email: String!, $password: String!) { createToken(email: $email, password: $password) { token } }'
    const { token } = (await run(signIn, OWNER)).createToken as { token: string }
    const create = `mutation { createConversation(input: {
      touchpoint: WEB, contact: { profile: { email: "drain@example.com" } }, messages: [{ role: CONTACT, text: "Hello" }]
    }) { id } }`
    const { id } = (await run(create, {}, token)).createConversation as { id: string }
    const send = `mutation ($id: ID!, $text: String!) {
      sendMessage(conversation: $id, message: { role: CONTACT, text: $text }) { id } }`

    const refused: unknown[] = []
    let sent = 0
    let isOver = false
    const writers = Array.from({ length: WRITERS }, async (_, writer) => {
      for (let nth = 0; !isOver; nth++) {
        await run(send, { id, text: `${writer} ${nth}` }, token).then(
          () => (sent += 1),
          (error: unknown) => refused.push(String(error)),
        )
      }
    })
    const [first, second] = [...nodes.keys()] as [number, number]
    const stopped: { code: unknown; closedAfterMs: number[]; codes: number[] }[] = []
    for (const port of [first, second]) {
      const sockets = Array.from({ length: SOCKETS }, () => {
        return new WebSocket(`ws://127.0.0.1:${port}/graphql`, 'graphql-transport-ws')
      })
      await Promise.all(sockets.map((socket) => once(socket, 'open')))
      for (const socket of sockets) {
        socket.send(JSON.stringify({ type: 'connection_init', payload: { authorization: `Bearer ${token}` } }))
      }
      const node = nodes.get(port)!
      const ended = once(node, 'exit')
      const told = performance.now()
      const closed = Promise.all(
        sockets.map(async (socket) => {
          const [code] = (await once(socket, 'close')) as [number]
          return { code, afterMs: performance.now() - told }
        }),
      )
      node.kill('SIGTERM')
      await sleep(200)
      expect(await isReady(port)).toBe(false)
      const ends = await closed
      const [code] = await ended
      stopped.push({ code, codes: ends.map((end) => end.code), closedAfterMs: ends.map(({ afterMs }) => afterMs) })
      await start(port)
      // haproxy has to find it before the other one stops.
      await sleep(1_000)
    }
    isOver = true
    await Promise.all(writers)

    expect(refused).toEqual([])
    expect(sent).toBeGreaterThan(100)
    for (const { code, codes, closedAfterMs } of stopped) {
      expect(code).toBe(0)
      expect(new Set(codes)).toEqual(new Set([1012]))
      expect(Math.min(...closedAfterMs)).toBeGreaterThanOrEqual(NOTICE_MS - 50)
      const moments = Map.groupBy(closedAfterMs, (ms) => Math.floor(ms / 100))
      expect(Math.max(...closedAfterMs) - Math.min(...closedAfterMs)).toBeGreaterThan(SPREAD_MS / 2)
      expect(Math.max(...moments.values().map(({ length }) => length))).toBeLessThan(SOCKETS / 2)
    }
    const { messages } = (await run(
      'query ($id: ID!) { conversation(id: $id) { messages(first: 1) { totalCount } } }',
      { id },
      token,
    ).then(({ conversation }) => conversation)) as { messages: { totalCount: number } }
    expect(messages.totalCount).toBeGreaterThanOrEqual(sent + 1)
  }, 400_000)
})

/** Three checks a second, of which two must fail: half of the notice. Neither retries nor cuts sockets. */
function balancer(port: number, nodes: readonly number[]): string {
  return `
defaults
  mode http
  timeout connect 5s
  timeout check 5s
  timeout client 60s
  timeout server 60s
  retries 0
  option httpchk GET /readyz
frontend front
  bind 127.0.0.1:${port}
  default_backend nodes
backend nodes
  balance roundrobin
${nodes.map((at) => `  server n${at} 127.0.0.1:${at} check inter 300ms fall 2 rise 1`).join('\n')}
`
}
