import { TOOLS } from '../../src/api/mcp/tools.js'
import type { Bench, HttpResult } from '../harness/bench.js'
import { alternate, medianOf, short, type Figure } from '../harness/figures.js'
import type { HttpLoad } from '../harness/load-process.js'
import { openSeeded } from './agent-sends.js'

const CONVERSATIONS = 1_000
const ROUNDS = { rounds: 8, warmUpMs: 3_000, roundMs: 1_000 }
const CONCURRENCY = 16
const AIM = 1.4

type Request = Pick<HttpLoad, 'path' | 'bodies'>

/** Tools of `/mcp` against the very same GraphQL documents over HTTP. */
export async function benchMcp(bench: Bench): Promise<Figure[]> {
  const { ids, tokens } = await openSeeded(bench, CONVERSATIONS)
  const run =
    (request: Request) =>
    (ms: number): Promise<HttpResult> =>
      bench.http({ method: 'POST', tokens, concurrency: CONCURRENCY, ms, ...request })
  const calls: Readonly<Record<string, object[]>> = {
    read_conversation: ids.map((conversation) => ({ conversation })),
    find_article: [{ text: 'boat' }],
  }
  const figures: Figure[] = []
  for (const [name, inputs] of Object.entries(calls)) {
    const query = TOOLS.find((tool) => tool.name === name)!.document
    const graphql = { path: '/graphql', bodies: inputs.map((variables) => ({ query, variables })) }
    const mcp = {
      path: '/mcp',
      bodies: inputs.map((given) => ({
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name, arguments: given },
      })),
    }
    const { floor, product } = await alternate(ROUNDS, run(graphql), run(mcp))
    figures.push(figureOf(name, floor, product))
  }
  return figures
}

function figureOf(name: string, graphql: readonly HttpResult[], mcp: readonly HttpResult[]): Figure {
  const line = (of: readonly HttpResult[]): string =>
    `${short(medianOf(of, 'serverMicrosEach'))} us of server CPU, ${short(medianOf(of, 'perSecond'))} requests/s, ` +
    `p50 ${short(medianOf(of, 'p50Ms'))} ms, p99 ${short(medianOf(of, 'p99Ms'))} ms`
  return {
    name: `${name} over /mcp`,
    ratio: medianOf(mcp, 'serverMicrosEach') / medianOf(graphql, 'serverMicrosEach'),
    aim: AIM,
    isTime: true,
    product: line(mcp),
    floor: line(graphql),
    how:
      `Server CPU a call; against the same document posted to /graphql. Concurrency ${CONCURRENCY}, load from another ` +
      `process; medians of ${ROUNDS.rounds} alternating rounds of ${ROUNDS.roundMs / 1_000} s.`,
  }
}
