import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { readFileSync } from 'node:fs'
import { fuzz } from '../../bench/fuzz/run.js'
import { describeTally } from '../../bench/fuzz/table.js'
import { freePort } from '../../bench/chaos/free-port.js'
import { startTestServer, type TestServer } from '../support/test-server.js'
import { PATIENCE_MS } from '../support/until.js'

const REQUESTS = 1_000
const FRAMES = 200
const CONNECTIONS = 300
const MAILS = 60

let server: TestServer
let tokens: string[]
let mailPort: number
beforeAll(async () => {
  mailPort = await freePort()
  server = await startTestServer({
    GRAPHQL_COST_PER_MINUTE: '1000000000',
    SMTP_LISTEN_PORT: String(mailPort),
    SMTP_LISTEN_HOST: '127.0.0.1',
  })
  const organization = await server.makeOrganization()
  tokens = []
  for (const role of ['admin', 'agent', 'bot'] as const) {
    tokens.push(await server.tokenFor(await server.makeUser({ organization, role })))
  }
  for (let count = 0; count < 5; count += 1) await server.makeUser({ organization })
})
afterAll(() => server.close())

it(`answers ${REQUESTS} generated requests, ${FRAMES} frames, ${CONNECTIONS} requests on misused connections and ${MAILS} mails, many of them valid, without an internal error`, async () => {
  const seed = Number(process.env.FUZZ_SEED ?? 1)
  const schema = readFileSync('schema.graphql', 'utf8')
  const tally = await fuzz({
    url: server.url,
    tokens,
    schema,
    requests: REQUESTS,
    frames: FRAMES,
    connections: CONNECTIONS,
    mails: { count: MAILS, port: mailPort },
    seed,
    concurrency: 4,
    // Whether it is fast, a busy machine does not tell.
    msMax: PATIENCE_MS,
    readyMsMax: Infinity,
  })
  process.stdout.write(`FUZZ_SEED=${seed}\n${describeTally(tally)}`)
  expect(tally.faults).toEqual([])
  expect(tally.successes('requests')).toBeGreaterThan(0.2)
  expect(tally.successes('frames')).toBeGreaterThan(0.2)
  expect(tally.successes('connections')).toBeGreaterThan(0.2)
  expect(tally.successes('mails')).toBeGreaterThan(0.2)
})
