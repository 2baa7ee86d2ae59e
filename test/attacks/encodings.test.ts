import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { once } from 'node:events'
import { connect } from 'node:net'
import { gzipSync } from 'node:zlib'
import { startTestServer, type TestServer } from '../support/test-server.js'
import { PATIENCE_MS } from '../support/until.js'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

const QUERY = JSON.stringify({ query: '{ __typename }' })

/** Sends a request as it is, and waits for the end of the connection. */
async function raw(path: string, headers: readonly string[], body: string | Buffer): Promise<string> {
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
  let answer = ''
  socket.on('data', (data) => (answer += String(data)))
  socket.write(`POST ${path} HTTP/1.1\r\nhost: x\r\n${headers.join('\r\n')}\r\n\r\n`)
  socket.write(body)
  socket.setTimeout(PATIENCE_MS, () => socket.destroy(new Error(`the connection stays open: ${answer}`)))
  await once(socket, 'close')
  return answer
}

async function post(headers: Record<string, string>, body: string | Uint8Array<ArrayBuffer>, path = '/graphql') {
  const answer = await fetch(server.url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body,
  })
  return { status: answer.status, text: await answer.text() }
}

describe('a body in an encoding that is not decoded', () => {
  it.each(['gzip', 'br', 'identity, gzip', 'GZIP', 'x-unknown'])('is refused: %s', async (encoding) => {
    for (const path of ['/graphql', '/v2/auth/token', '/v2/contacts']) {
      for (const body of [QUERY, new Uint8Array(gzipSync(QUERY))]) {
        const { status, text } = await post({ 'content-encoding': encoding }, body, path)
        expect([status, text]).toEqual([415, expect.stringContaining('Content-Encoding')])
      }
    }
  })

  it.each(['utf-16', 'UTF-16LE', '"utf-7"', 'iso-8859-1'])('is refused: JSON in %s', async (charset) => {
    const { status, text } = await post({ 'content-type': `application/json; charset=${charset}` }, QUERY)
    expect([status, text]).toEqual([415, expect.stringContaining('Content-Type')])
  })

  it.each(['gzip, chunked', 'identity, chunked', 'chunked, chunked'])(
    'is refused and ends its connection, so that nothing is smuggled in: %s',
    async (encoding) => {
      const smuggled = 'GET /v2/users HTTP/1.1\r\nhost: x\r\n\r\n'
      const answer = await raw(
        '/graphql',
        ['content-type: application/json', `transfer-encoding: ${encoding}`],
        `${QUERY.length.toString(16)}\r\n${QUERY}\r\n0\r\n\r\n${smuggled}`,
      )
      expect(answer).toMatch(/^HTTP\/1\.1 400 /)
      expect(answer.match(/HTTP\/1\.1 /g)).toHaveLength(1)
    },
  )

  it.each<Record<string, string>>([
    { 'content-encoding': 'identity' },
    { 'content-type': 'application/json;charset="UTF-8"' },
    { 'content-type': 'application/json; charset=utf8' },
  ])('is none: %j', async (headers) => {
    expect(await post(headers, QUERY)).toMatchObject({ status: 200 })
  })
})

describe('a persisted query, which this server does not keep', () => {
  it('is refused with the code and the status that make its client send the query itself', async () => {
    const persisted = { extensions: { persistedQuery: { version: 1, sha256Hash: 'a'.repeat(64) } } }
    const { status, text } = await post({}, JSON.stringify(persisted))
    expect([status, text]).toEqual([200, expect.stringContaining('"PERSISTED_QUERY_NOT_SUPPORTED"')])
  })
})
