import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { once } from 'node:events'
import type { Socket } from 'node:net'
import { WebSocket } from 'ws'
import { LiveClient } from '../realtime/live-client.js'
import { startTestServer, type TestServer } from '../support/test-server.js'

let server: TestServer
let url: string
beforeAll(async () => {
  server = await startTestServer()
  url = `${server.url.replace('http', 'ws')}/graphql`
})
afterAll(async () => {
  LiveClient.cutAll()
  await server.close()
})

async function openUnknown(): Promise<WebSocket> {
  const ws = new WebSocket(url, 'graphql-transport-ws')
  await once(ws, 'open')
  return ws
}

async function closed(ws: WebSocket): Promise<[code: number, reason: string]> {
  const [code, reason] = (await once(ws, 'close')) as [number, Buffer]
  return [code, String(reason)]
}

const ping = (members: number): string =>
  JSON.stringify({
    type: 'ping',
    payload: Object.fromEntries(Array.from({ length: members }, (_, at) => [`k${at}`, 0])),
  })

describe('a socket without credentials', () => {
  it('is closed by a wide message, which is not parsed', async () => {
    const ws = await openUnknown()
    let pongs = 0
    ws.on('message', () => (pongs += 1))
    for (let count = 0; count < 19; count += 1) ws.send(ping(1_000))
    expect(await closed(ws)).toEqual([4400, 'message has more than 200 members and elements in its objects and lists'])
    expect(pongs).toBe(0)
  })

  it('is closed by a large message', async () => {
    const ws = await openUnknown()
    ws.send(JSON.stringify({ type: 'ping', payload: { text: 'x'.repeat(20_000) } }))
    expect(await closed(ws)).toEqual([4400, 'a message before the sign-in may have 16384 bytes'])
  })

  it('is closed by its twenty-first message', async () => {
    const ws = await openUnknown()
    let pongs = 0
    ws.on('message', () => (pongs += 1))
    for (let count = 0; count < 40; count += 1) ws.send(ping(1))
    expect(await closed(ws)).toEqual([4429, 'too many messages before the sign-in'])
    expect(pongs).toBeLessThanOrEqual(20)
  })

  it.each([
    ['pings', 0x89],
    ['pongs that nobody asked for', 0x8a],
  ])('is closed by %s, of which one is read in each turn of the event loop', async (_kind, opcode) => {
    const ws = await openUnknown()
    const socket = (ws as unknown as { _socket: Socket })._socket
    const frame = Buffer.from([opcode, 0x80, 0, 0, 0, 0])
    let turns = 0
    let isOver = false
    const count = (): void => {
      turns += 1
      if (!isOver) setImmediate(count)
    }
    count()
    let answers = 0
    ws.on('pong', () => (answers += 1))
    // One piece, as the server reads it.
    socket.write(Buffer.concat(Array.from({ length: 10_000 }, () => frame)))
    expect(await closed(ws)).toEqual([4429, 'too many messages before the sign-in'])
    isOver = true
    // The server has the same loop here: without turns of its own it would have read all of them in one.
    expect(turns).toBeGreaterThan(20)
    expect(answers).toBeLessThan(200)
  })

  it('may ping, and sign in with more', async () => {
    const user = await server.makeUser({ organization: await server.makeContactCenter(), role: 'agent' })
    const ws = await openUnknown()
    ws.send(ping(1))
    const more = Object.fromEntries(Array.from({ length: 50 }, (_, at) => [`client${at}`, 'x'.repeat(100)]))
    const payload = { authorization: `Bearer ${await server.tokenFor(user)}`, ...more }
    ws.send(JSON.stringify({ type: 'connection_init', payload }))
    for (let type = ''; type !== 'connection_ack';) {
      const [data] = (await once(ws, 'message')) as [Buffer]
      ;({ type } = JSON.parse(String(data)) as { type: string })
    }
    // From now on as wide as a request may be.
    ws.send(ping(1_000))
    const [data] = (await once(ws, 'message')) as [Buffer]
    expect(JSON.parse(String(data))).toMatchObject({ type: 'pong', payload: { k999: 0 } })
    ws.send(`{"type":"ping","payload":${'['.repeat(80)}${']'.repeat(80)}}`)
    expect(await closed(ws)).toEqual([4400, 'message nests deeper than 64 objects and lists'])
  })
})
