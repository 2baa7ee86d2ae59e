import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { startTestServer, type TestServer } from '../support/test-server.js'

let app: TestServer
beforeAll(async () => {
  app = await startTestServer()
})
afterAll(() => app.close())

describe('the server', () => {
  it('serves its schema', async () => {
    const response = await fetch(`${app.url}/schema.graphql`)
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/graphql; charset=utf-8'])
    expect(await response.text()).toBe(readFileSync('schema.graphql', 'utf8'))
  })

  it('leads from `/` to everything that it serves', async () => {
    const links = (await (await fetch(app.url)).json()) as Record<string, string>
    expect(Object.values(links)).toEqual(expect.arrayContaining(['/docs/', '/schema.graphql', '/graphql', '/v2/docs']))
  })
})
