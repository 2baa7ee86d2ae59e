import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { startTestServer, type TestServer } from '../support/test-server.js'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

const kept = async (): Promise<{ documents: number; bytes: number }> => {
  const metrics = await (await fetch(`${server.url}/metrics`)).text()
  const gauge = (name: string): number => Number(new RegExp(`^switchboard_${name} (\\d+)$`, 'm').exec(metrics)?.[1])
  return { documents: gauge('documents'), bytes: gauge('documents_bytes') }
}

it('keeps no document of anybody without credentials, whatever it asks', async () => {
  const large = (index: number): string => `{ me { ${'id '.repeat(60)} } } #${index}${'x'.repeat(60_000)}`
  for (let index = 0; index < 50; index += 1) {
    await server.gql(index % 2 ? null : 'nonsense', large(index))
    await server.gql(null, `mutation M${index} { createToken(email: "x", password: "y") { token } }`)
  }
  expect(await kept()).toEqual({ documents: 0, bytes: 0 })
})

it('shows what it keeps of those who have some, which is bounded', async () => {
  const agent = await server.makeUser({ organization: await server.makeOrganization() })
  for (let index = 0; index < 10; index += 1) await server.gql(agent, `{ me { id } } #${index}`)
  const { documents, bytes } = await kept()
  expect(documents).toBe(10)
  expect(bytes).toBeGreaterThan(10_000)
})
