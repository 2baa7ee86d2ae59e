import { request } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { readConfig } from '../../src/platform/config.js'
import { addressOf } from '../../src/api/realtime/upgrade.js'
import { startTestServer, type TestServer } from '../support/test-server.js'

// What is the operator's alone: metrics, and who says where a client comes from.
let app: TestServer
beforeAll(async () => {
  app = await startTestServer()
})
afterAll(() => app.close())

const TOKEN = 'a token of the operator'.replaceAll(' ', '-')
const status = (url: string, headers: Record<string, string> = {}): Promise<number> =>
  new Promise((resolve, reject) => {
    request(url, { headers }, (response) => {
      response.resume()
      resolve(response.statusCode!)
    })
      .on('error', reject)
      .end()
  })

describe('/metrics', () => {
  it('without a setting is available to this machine only, not through a proxy nor under another name', async () => {
    const url = `${app.url}/metrics`
    expect(await status(url)).toBe(200)
    const proxied: Record<string, string>[] = [
      { 'x-forwarded-for': '203.0.113.1' },
      { forwarded: 'for=203.0.113.1' },
      { 'x-real-ip': '203.0.113.1' },
      { via: '1.1 proxy' },
      { host: 'chat.example' },
    ]
    for (const headers of proxied) expect([headers, await status(url, headers)]).toEqual([headers, 403])
  })

  it('requires the token if one is set, also from this machine', async () => {
    const server = await startTestServer({ METRICS_TOKEN: TOKEN }, { beside: app })
    const url = `${server.url}/metrics`
    const bearer = (token: string) => status(url, { authorization: `Bearer ${token}` })
    expect([await status(url), await bearer('wrong'), await bearer(`${TOKEN}x`), await bearer(TOKEN)]).toEqual([
      401, 401, 401, 200,
    ])
    await server.server.close()
  })

  it('on a separate port is on no other, and that port serves nothing else', async () => {
    const server = await startTestServer({ METRICS_PORT: '0', METRICS_TOKEN: TOKEN }, { beside: app })
    const own = `http://127.0.0.1:${server.server.metricsPort}`
    expect(await status(`${server.url}/metrics`)).toBe(404)
    expect(await status(`${own}/metrics`)).toBe(401)
    expect(await status(`${own}/metrics`, { authorization: `Bearer ${TOKEN}` })).toBe(200)
    expect(await status(`${own}/graphql`)).toBe(404)
    await server.server.close()
    await expect(status(`${own}/metrics`)).rejects.toThrow('ECONNREFUSED')
  })
})

describe('TRUST_PROXY', () => {
  const from = (setting: string, forwarded: string, peer = '10.0.0.1'): string =>
    addressOf(
      { headers: { 'x-forwarded-for': forwarded }, socket: { remoteAddress: peer } } as never,
      readConfig({ TRUST_PROXY: setting }),
    )

  it("ignores an address that the client itself put before the proxy's", () => {
    expect(from('', '6.6.6.6')).toBe('10.0.0.1')
    expect(from('true', '6.6.6.6, 203.0.113.1')).toBe('203.0.113.1')
    expect(from('1', '6.6.6.6, 203.0.113.1')).toBe('203.0.113.1')
    expect(from('2', '6.6.6.6, 203.0.113.1, 10.0.0.2')).toBe('203.0.113.1')
    expect(from('10.0.0.0/8', '6.6.6.6, 203.0.113.1, 10.0.0.2')).toBe('203.0.113.1')
    expect(from('10.0.0.0/8', '6.6.6.6', '198.51.100.1')).toBe('198.51.100.1')
  })

  it('is refused when it is neither a number nor networks', () => {
    for (const wrong of ['yes', '10.0.0.0/33', '1.2.3', '10.0.0.1/8/8', 'fe80::/129', '-1']) {
      expect(() => readConfig({ TRUST_PROXY: wrong })).toThrow('TRUST_PROXY')
    }
    expect(readConfig({ TRUST_PROXY: 'loopback, fd00::/8' }).trustProxy).toEqual(['loopback', 'fd00::/8'])
  })

  it('counts requests over HTTP by the same address', async () => {
    const server = await startTestServer({ TRUST_PROXY: '1', RATE_LIMIT_PER_SECOND: '3' }, { beside: app })
    // At once: one after the other they may take longer than the limit asks for.
    const codes = await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        status(`${server.url}/v2/users/me`, { 'x-forwarded-for': `6.6.6.${index}, 203.0.113.9` }),
      ),
    )
    expect(codes).toContain(429)
    await server.server.close()
  })
})
