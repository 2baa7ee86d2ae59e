import { afterAll, beforeAll, expect, it } from '@jest/globals'
import type { MadeUser } from '../support/factories.js'
import { startTestServer, type TestServer } from '../support/test-server.js'
import { done } from './answers.js'

let test: TestServer
let admin: MadeUser

beforeAll(async () => {
  test = await startTestServer({ PUBLIC_URL: 'https://chat.example' })
  admin = await test.makeUser({ organization: await test.makeOrganization(), role: 'admin' })
  for (const name of ['Pier B', 'Pier C', 'Quay', 'Pier A']) {
    await done(test.rest(admin, 'POST', '/v2/locations', { name }), 201)
  }
})
afterAll(() => test.close())

async function list(query: string): Promise<{ names: string[]; total: string | null; next: string | null }> {
  const { status, headers, body } = await test.rest(admin, 'GET', `/v2/locations?${query}`)
  expect(status).toBe(200)
  const next = /^<https:\/\/chat\.example\/v2\/locations\?(.+)>; rel="next"$/.exec(headers.get('link') ?? '')
  const names = body.map(({ name }: { name: string }) => name)
  return { names, total: headers.get('x-total-count'), next: next?.[1] ?? null }
}

// [4.7 lists filter, lists sort]
it('is filtered by a field, and sorted either way', async () => {
  expect(await list('name=Quay')).toEqual({ names: ['Quay'], total: '1', next: null })
  const piers = ['Pier A', 'Pier B', 'Pier C']
  expect(await list('name=~pier&sort=name')).toEqual({ names: piers, total: '3', next: null })
  expect(await list('name=~pier&sort=-name')).toEqual({ names: piers.toReversed(), total: '3', next: null })
})

// [4.7 lists page]
it('is read page by page: to an offset, or by the link of the page before', async () => {
  const first = await list('sort=name&limit=3')
  expect(first).toEqual({ names: ['Pier A', 'Pier B', 'Pier C'], total: '4', next: expect.any(String) })
  expect(await list(first.next!)).toMatchObject({ names: ['Quay'], next: null })
  expect(await list('sort=name&limit=2&offset=1')).toMatchObject({ names: ['Pier B', 'Pier C'], total: '4' })
})
