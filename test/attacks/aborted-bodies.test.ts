import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { once } from 'node:events'
import { connect } from 'node:net'
import { Writable } from 'node:stream'
import pino from 'pino'
import type { MadeUser } from '../support/factories.js'
import { startTestServer, type TestServer } from '../support/test-server.js'
import { until } from '../support/until.js'

let server: TestServer
let admin: MadeUser
let token: string
let mail: string
const SECRET = 'a secret of the service'
const lines: { level: number; msg: string; err?: object }[] = []

beforeAll(async () => {
  const sink = new Writable({
    write(chunk, _encoding, done) {
      lines.push(JSON.parse(String(chunk)) as (typeof lines)[0])
      done()
    },
  })
  server = await startTestServer({}, { log: pino({ level: 'debug' }, sink) })
  admin = await server.makeUser({ organization: await server.makeContactCenter(), role: 'admin' })
  token = await server.tokenFor(admin)
  const params = { address: 'help@example.com', inboundSecret: SECRET }
  mail = (await server.rest(admin, 'POST', '/v2/services', { name: 'E', type: 'email', params })).body.id
})
afterAll(() => server.close())

it.each([
  ['/graphql', 'application/json', '{"query": "{ me { id } }", '],
  ['/v2/contacts', 'application/json', '{"profile": '],
  [
    '/v2/attachments',
    'multipart/form-data; boundary=x',
    '--x\r\ncontent-disposition: form-data; name="file"; filename="a"\r\n\r\nGIF89a',
  ],
  ['/inbound/email/', 'message/rfc822', 'from: someone@example.com\r\n'],
])(
  'a client that disconnects in the middle of a body for %s is not treated as a database failure',
  async (path, type, half) => {
    const at = lines.length
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
    const head = [
      `POST ${path}${path.endsWith('/') ? mail : ''} HTTP/1.1`,
      'host: x',
      `authorization: Bearer ${token}`,
      `x-inbound-secret: ${SECRET}`,
      `content-type: ${type}`,
      'content-length: 100000',
      // So it is told once the server has the request.
      'expect: 100-continue',
    ]
    socket.write(`${head.join('\r\n')}\r\n\r\n`)
    await once(socket, 'data')
    socket.write(half)
    await new Promise((resolve) => setTimeout(resolve, 200))
    socket.resetAndDestroy()
    await until(() => lines.slice(at).some(({ msg }) => msg === 'the client aborted the request'))
    // What another one asks after it is answered, and what was to be said of the first is.
    expect((await fetch(`${server.url}/readyz`)).status).toBe(200)
    expect(lines.slice(at).filter(({ level, err }) => level > 30 || err !== undefined)).toEqual([])
  },
)
