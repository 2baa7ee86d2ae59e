import { createServer } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { OutboundHttp } from '../../src/platform/outbound/outbound-http.js'
import { startReceiver, type Receiver } from '../webhooks/receiver.js'

let receiver: Receiver
let port: number
const guarded = new OutboundHttp({ allowPrivate: false, userAgent: 'tests', keepAlive: true })
const open = new OutboundHttp({ allowPrivate: true, userAgent: 'tests', keepAlive: true })
const once = new OutboundHttp({ allowPrivate: true, userAgent: 'tests', keepAlive: false })

beforeAll(async () => {
  receiver = await startReceiver()
  port = Number(new URL(receiver.url).port)
})
afterAll(async () => {
  guarded.close()
  open.close()
  once.close()
  await receiver.close()
})

const post = (http: OutboundHttp, url: string, more: object = {}) =>
  http.request({ method: 'POST', url, body: '{}', timeoutMs: 3_000, bytesMax: 1_000, ...more })

describe('an address that is not public', () => {
  // 127.0.0.1 in all its forms would reach the receiver; the others would leave for nowhere.
  it.each([
    '127.0.0.1',
    '127.1',
    '2130706433',
    '0x7f000001',
    '0177.0.0.1',
    '0x7f.0.0.1',
    '127.255.255.254',
    '0.0.0.0',
    '0',
    '10.0.0.1',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.1',
    '169.254.169.254',
    '100.64.0.1',
    '198.18.0.1',
    '192.0.2.1',
    '224.0.0.1',
    '240.0.0.1',
    '255.255.255.255',
    '[::1]',
    '[::]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[::ffff:169.254.169.254]',
    '[0:0:0:0:0:ffff:10.0.0.1]',
    '[fc00::1]',
    '[fd12:3456::1]',
    '[fe80::1]',
    '[ff02::1]',
    '[64:ff9b::7f00:1]',
    '[2002:7f00:1::]',
    '[::127.0.0.1]',
    '[2001:db8::1]',
    '[fec0::1]',
    '[100::1]',
    '[5f00::1]',
    'localhost',
    'LOCALHOST.',
    'anything.localhost',
  ])('%s is refused when the connection is made', async (host) => {
    await expect(post(guarded, `http://${host}:${port}/hook`)).rejects.toThrow(/not allowed|ENOTFOUND/)
    await expect(post(guarded, `https://${host}:${port}/hook`)).rejects.toThrow(/not allowed|ENOTFOUND/)
    expect(receiver.received).toEqual([])
  })

  it('is refused behind a host name: the address at the time of connecting counts', async () => {
    await expect(post(guarded, `http://localhost:${port}/hook`)).rejects.toThrow('private or reserved: not allowed')
  })

  it('is reached where the configuration allows it', async () => {
    expect(await post(open, receiver.url)).toMatchObject({ status: 200 })
    expect(receiver.received.splice(0)).toHaveLength(1)
  })
})

describe('a request', () => {
  it('does not follow a redirect', async () => {
    receiver.answer = () => ({ status: 307, headers: { location: receiver.url } })
    expect(await post(open, receiver.url)).toMatchObject({ status: 307 })
    expect(receiver.received.splice(0)).toHaveLength(1)
    receiver.answer = () => ({})
  })

  it('times out if the server does not respond in time, or responds too slowly', async () => {
    receiver.answer = () => ({ delayMs: 1_000 })
    await expect(post(open, receiver.url, { timeoutMs: 150 })).rejects.toThrow('no answer within 0.15 s')
    receiver.answer = () => ({})
    const dripping = createServer((_request, response) => {
      response.writeHead(200)
      const drip = setInterval(() => response.write('x'), 20)
      response.on('close', () => clearInterval(drip))
    })
    await new Promise<void>((resolve) => void dripping.listen(0, '127.0.0.1', resolve))
    const url = `http://127.0.0.1:${(dripping.address() as AddressInfo).port}/`
    await expect(post(open, url, { timeoutMs: 200 })).rejects.toThrow('no answer within 0.2 s')
    dripping.closeAllConnections()
    dripping.close()
  })

  it('reads no more of a response than allowed', async () => {
    receiver.answer = () => ({ body: 'x'.repeat(5_000) })
    const { body, isCut } = await post(open, receiver.url)
    expect([body.length, isCut]).toEqual([1_000, true])
    receiver.answer = () => ({})
  })

  it.each([
    ['x'.repeat(5_000), 200, true],
    ['{'.repeat(5_000), 5_000, false],
    ['', 0, false],
  ])('reads as much of a response as its beginning is worth', async (body, length, isCut) => {
    receiver.answer = () => ({ body })
    const bytesMax = (_: number, beginning: Buffer): number => (String(beginning).startsWith('{') ? 10_000 : 200)
    const answer = await post(open, receiver.url, { bytesMax })
    expect([answer.body.length, answer.isCut]).toEqual([length, isCut])
    receiver.answer = () => ({})
  })

  it('reports why there was no connection', async () => {
    await expect(post(open, 'http://127.0.0.1:1/')).rejects.toThrow('ECONNREFUSED')
  })

  it('reports whether it may have arrived, for callers that must not repeat it', async () => {
    const cutting = createServer((request) => void request.resume().on('end', () => request.socket.destroy()))
    await new Promise<void>((resolve) => void cutting.listen(0, '127.0.0.1', resolve))
    const url = `http://127.0.0.1:${(cutting.address() as AddressInfo).port}/`
    await expect(post(once, url)).rejects.toMatchObject({ mayHaveArrived: true })
    cutting.close()
    // On a connection that is there: a busy machine may take longer to make one than the request has.
    await post(open, receiver.url)
    receiver.answer = () => ({ delayMs: 1_000 })
    await expect(post(open, receiver.url, { timeoutMs: 150 })).rejects.toMatchObject({ mayHaveArrived: true })
    receiver.answer = () => ({})
    await expect(post(once, 'http://127.0.0.1:1/')).rejects.toMatchObject({ mayHaveArrived: false })
    await expect(post(guarded, 'http://127.0.0.1:1/')).rejects.toMatchObject({ mayHaveArrived: false })
  })

  it('is sent again on a new connection when the idle one was closed by the receiver', async () => {
    const connections: Socket[] = []
    const closing = createServer({ keepAlive: true }, (request, response) => {
      request.resume().on('end', () => response.end('taken'))
    })
    closing.on('connection', (socket) => void connections.push(socket))
    await new Promise<void>((resolve) => void closing.listen(0, '127.0.0.1', resolve))
    const url = `http://127.0.0.1:${(closing.address() as AddressInfo).port}/`
    for (let turn = 1; turn <= 12; turn++) {
      expect(await post(open, url)).toMatchObject({ status: 200, body: 'taken' })
      // Without a word, as a receiver that restarts: the next request is on its way before that is noticed.
      if (turn % 3 === 0) connections.at(-1)!.resetAndDestroy()
    }
    expect(connections).toHaveLength(4)
    closing.closeAllConnections()
    closing.close()
  })
})
