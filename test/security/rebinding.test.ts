import dns from 'node:dns'
import { syncBuiltinESMExports } from 'node:module'
import { createServer, type Server } from 'node:net'
import type { AddressInfo, LookupFunction } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals'
import { OutboundHttp } from '../../src/platform/outbound/outbound-http.js'
import { connectPublic } from '../../src/platform/outbound/public-addresses.js'

/** Anything public; nothing is sent there, since what is tried here fails or is ended before. */
const PUBLIC = { address: '93.184.216.34', family: 4 }
const LOOPBACK = { address: '127.0.0.1', family: 4 }

/** Answers of the attacker's name server, one after the other; the last one is repeated. */
let answers: dns.LookupAddress[][] = []
let lookups = 0
const lookup: LookupFunction = (_name, options, callback) => {
  const answer = answers[Math.min(lookups, answers.length - 1)]!
  lookups += 1
  if (options.all) callback(null, answer)
  else callback(null, answer[0]!.address, answer[0]!.family)
}

let inner: Server
let port: number
let connections = 0
let guarded: OutboundHttp
beforeAll(async () => {
  inner = createServer((socket) => {
    connections += 1
    socket.end('HTTP/1.1 200 OK\r\ncontent-length: 6\r\n\r\nsecret')
  })
  await new Promise<void>((resolve) => inner.listen(0, '127.0.0.1', resolve))
  port = (inner.address() as AddressInfo).port
  jest.spyOn(dns, 'lookup').mockImplementation(lookup as typeof dns.lookup)
  syncBuiltinESMExports()
  guarded = new OutboundHttp({ allowPrivate: false, userAgent: 'tests', keepAlive: true })
})
afterAll(() => {
  guarded.close()
  inner.close()
  jest.restoreAllMocks()
  syncBuiltinESMExports()
})
beforeEach(() => {
  lookups = 0
  connections = 0
})

const get = async (): Promise<string> => {
  const url = `http://rebinding.example.org:${port}/`
  const request = { method: 'GET' as const, url, timeoutMs: 1_000, bytesMax: 1_000 }
  return guarded.request(request).then(
    ({ body }) => body,
    (error: Error) => error.message,
  )
}

describe('a name whose addresses change', () => {
  it.each([
    ['is public first and the server itself from then on', [[PUBLIC], [LOOPBACK]]],
    ['is public and the server itself at once', [[PUBLIC, LOOPBACK]]],
    ['is the server itself and public at once', [[LOOPBACK, PUBLIC]]],
    ['is the server itself in IPv6', [[{ address: '::ffff:127.0.0.1', family: 6 }]]],
  ])('leads no request to the server: one that %s', async (_how, given) => {
    answers = given
    for (let times = 0; times < 3; times += 1) expect(await get()).not.toContain('secret')
    expect(lookups).toBeGreaterThan(0)
    expect(connections).toBe(0)
  })

  it('leads no mail to the server', async () => {
    answers = [[LOOPBACK]]
    const socket = connectPublic({ host: 'rebinding.example.org', port })
    await new Promise((resolve) => socket.once('error', resolve))
    expect(connections).toBe(0)
  })
})
