import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { readFileSync } from 'node:fs'
import { fuzz } from '../../bench/fuzz/run.js'
import { startTestServer, type TestServer } from '../support/test-server.js'

const REQUESTS = 1_000
const FRAMES = 200

let server: TestServer
let tokens: string[]
beforeAll(async () => {
  server = await startTestServer({ GRAPHQL_COST_PER_MINUTE: '1000000000' })
  const organization = await server.makeOrganization()
  tokens = []
  for (const role of ['admin', 'agent', 'bot'] as const) {
    tokens.push(await server.tokenFor(await server.makeUser({ organization, role })))
  }
  for (let count = 0; count < 5; count += 1) await server.makeUser({ organization })
})
afterAll(() => server.close())

it(`answers ${REQUESTS} generated requests and ${FRAMES} frames, many of them valid, without an internal error`, async () => {
  const seed = Number(process.env.FUZZ_SEED ?? 1)
  const schema = readFileSync('schema.graphql', 'utf8')
  const tally = await fuzz({
    url: server.url,
    tokens,
    schema,
    requests: REQUESTS,
    frames: FRAMES,
    seed,
    concurrency: 4,
  })
  process.stdout.write(`FUZZ_SEED=${seed}\n${tally.describe('requests')}\n${tally.describe('frames')}\n`)
  expect(tally.faults).toEqual([])
  expect(tally.successes('requests')).toBeGreaterThan(0.3)
  expect(tally.successes('frames')).toBeGreaterThan(0.3)
}, 300_000)
