import { afterAll, beforeAll, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { TOOLS } from '../../src/api/mcp/tools.js'
import { startTestServer, type TestServer } from '../support/test-server.js'

const RUNS = 400

let server: TestServer
let token: string
beforeAll(async () => {
  server = await startTestServer()
  const organization = await server.makeOrganization()
  token = await server.tokenFor(await server.makeUser({ organization, role: 'bot' }))
})
afterAll(() => server.close())

const NAMES = [
  ...TOOLS.flatMap(({ document }) => [...document.matchAll(/\$(\w+):/g)].map(([, name]) => name!)),
  '__proto__',
  'constructor',
  '',
]
const anything = fc.jsonValue({ maxDepth: 3 })
const id = fc.oneof(fc.integer(), fc.string(), fc.constantFrom(null, 0.5, {}, true))
const value = fc.oneof(
  anything,
  fc.constantFrom('\u0000', '\ud800', '-1', '9'.repeat(400), '/close', 'a'.repeat(70_000)),
  fc.uuid(),
  fc.integer(),
)
const call = fc.record({
  jsonrpc: fc.constant('2.0'),
  id,
  method: fc.constant('tools/call'),
  params: fc.record({
    name: fc.oneof(
      { weight: 20, arbitrary: fc.constantFrom(...TOOLS.map(({ name }) => name)) },
      { weight: 1, arbitrary: anything },
    ),
    arguments: fc.oneof(
      { weight: 10, arbitrary: fc.dictionary(fc.constantFrom(...NAMES), value, { maxKeys: 6 }) },
      { weight: 1, arbitrary: anything },
    ),
  }),
})
const other = fc.record(
  {
    jsonrpc: fc.oneof(fc.constant('2.0'), anything),
    id,
    method: fc.oneof(
      fc.constantFrom(
        'initialize',
        'ping',
        'tools/list',
        'resources/read',
        'resources/list',
        'prompts/list',
        'prompts/get',
        'server/discover',
        '__proto__',
      ),
      anything,
    ),
    params: fc.oneof(
      fc.record(
        {
          uri: fc.oneof(anything, fc.constantFrom('article://', 'article://\u0000', 'contact://x')),
          protocolVersion: anything,
          name: fc.oneof(anything, fc.constantFrom('triage', 'answer', 'summarise')),
          arguments: fc.oneof(anything, fc.record({ conversation: value })),
          _meta: anything,
        },
        { requiredKeys: [] },
      ),
      anything,
    ),
  },
  { requiredKeys: [] },
)
const frame = fc.oneof(
  { weight: 4, arbitrary: call.map((each) => JSON.stringify(each)) },
  { weight: 3, arbitrary: other.map((each) => JSON.stringify(each)) },
  { weight: 1, arbitrary: fc.string() },
  { weight: 1, arbitrary: call.chain((each) => fc.nat(200).map((end) => JSON.stringify(each).slice(0, end))) },
)
const version = fc.constantFrom(undefined, '2025-11-25', '2026-07-28', 'x')

it(`answers ${RUNS} malformed messages without an internal error, and as JSON-RPC`, async () => {
  await fc.assert(
    fc.asyncProperty(frame, version, async (body, named) => {
      const answer = await fetch(`${server.url}/mcp`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          authorization: `Bearer ${token}`,
          ...(named !== undefined && { 'mcp-protocol-version': named }),
        },
        body,
      })
      const text = await answer.text()
      expect(answer.status).toBeLessThan(500)
      expect(text).not.toContain('INTERNAL_SERVER_ERROR')
      if (answer.status !== 202) expect(JSON.parse(text)).toMatchObject({ jsonrpc: '2.0' })
    }),
    { numRuns: RUNS, seed: Number(process.env.FUZZ_SEED ?? 1) },
  )
})
