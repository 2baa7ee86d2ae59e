import { request as send, type IncomingHttpHeaders } from 'node:http'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import type { MadeUser } from '../support/factories.js'
import { startTestServer, type TestServer } from '../support/test-server.js'

let app: TestServer
let admin: MadeUser
let token: string

beforeAll(async () => {
  app = await startTestServer()
  admin = await app.makeUser({ organization: await app.makeOrganization(), role: 'admin' })
  token = await app.tokenFor(admin)
  for (let index = 0; index < 30; index++) {
    const { status } = await app.rest(admin, 'POST', '/v2/channels', { name: `Channel ${index}` })
    expect(status).toBe(201)
  }
})
afterAll(() => app.close())

interface Raw {
  headers: IncomingHttpHeaders
  bytes: Buffer
}

/** Fetches the bytes as they come over the wire. */
function get(path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Raw> {
  return new Promise((resolve, reject) => {
    const options = { method, headers: { authorization: `Bearer ${token}`, ...headers } }
    const request = send(`${app.url}${path}`, options, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () => resolve({ headers: response.headers, bytes: Buffer.concat(chunks) }))
    })
    request.on('error', reject).end()
  })
}

describe('a large answer', () => {
  const LIST = '/v2/channels?limit=30'

  it.each([
    ['br, gzip', 'br', brotliDecompressSync],
    ['gzip, deflate', 'gzip', gunzipSync],
    ['gzip, br;q=0', 'gzip', gunzipSync],
    ['*', 'br', brotliDecompressSync],
  ])('is compressed for a client that accepts %s by %s', async (accepted, encoding, decompress) => {
    const plain = await get(LIST)
    const { headers, bytes } = await get(LIST, { 'accept-encoding': accepted })
    expect(headers['content-encoding']).toBe(encoding)
    expect(headers.vary).toMatch(/Accept-Encoding/)
    expect(headers['content-length']).toBe(String(bytes.length))
    expect(decompress(bytes).equals(plain.bytes)).toBe(true)
    expect(bytes.length).toBeLessThan(plain.bytes.length / 3)
  })

  it.each([[{}], [{ 'accept-encoding': 'identity' }], [{ 'accept-encoding': 'br;q=0, gzip;q=0' }]])(
    'is uncompressed for a client that sends %j, with Vary for caches',
    async (headers) => {
      const { headers: given, bytes } = await get(LIST, headers)
      expect(given['content-encoding']).toBeUndefined()
      expect(given.vary).toMatch(/Accept-Encoding/)
      expect(JSON.parse(bytes.toString())).toHaveLength(30)
    },
  )

  it('is uncompressed for a request with a cookie, which a foreign page could cause (BREACH)', async () => {
    const { headers } = await get(LIST, { 'accept-encoding': 'br', cookie: 'a=b' })
    expect(headers['content-encoding']).toBeUndefined()
  })

  it('of GraphQL, of the OpenAPI document and of its page are compressed too', async () => {
    const query = encodeURIComponent(
      '{ channels(first: 30) { edges { node { id name status createdAt updatedAt } } } }',
    )
    // What never changes is kept compressed.
    const encodings = [
      [`/graphql?query=${query}`, 'br'],
      ['/v2/openapi.json', 'gzip'],
      ['/v2/docs', 'gzip'],
      ['/schema.graphql', 'gzip'],
    ] as const
    for (const [path, encoding] of encodings) {
      const headers = { 'accept-encoding': 'gzip, br', 'apollo-require-preflight': 'true', accept: 'application/json' }
      const answer = await get(path, headers)
      expect([path, answer.headers['content-encoding']]).toEqual([path, encoding])
    }
  })
})

describe('a small answer', () => {
  it('is not compressed', async () => {
    const { headers, bytes } = await get('/v2/users/me', { 'accept-encoding': 'br' })
    expect(headers['content-encoding']).toBeUndefined()
    expect(JSON.parse(bytes.toString())).toHaveProperty('id', admin.id)
  })
})
