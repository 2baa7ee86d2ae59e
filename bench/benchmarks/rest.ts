import { readFile } from 'node:fs/promises'
import { buildSchema, getOperationAST, parse } from 'graphql'
import { RouteCompiler } from '../../rest-compat/compiled-route.js'
import { routes } from '../../rest-compat/routes/index.js'
import { alternate, medianOf, short, type Figure } from '../harness/figures.js'
import type { Bench, HttpResult } from '../harness/bench.js'
import type { HttpLoad } from '../harness/load-process.js'
import { openSeeded, TEXT } from './agent-sends.js'

const CONVERSATIONS = 1_000
const ROUNDS = { rounds: 8, warmUpMs: 3_000, roundMs: 1_000 }
const CONCURRENCY = 16

type Request = Pick<HttpLoad, 'method' | 'path' | 'status'> & { bodies?: unknown[] }

/** Rows of `/v2` against the very same GraphQL documents over HTTP. */
export async function benchRest(bench: Bench): Promise<Figure[]> {
  const { seed, ids, tokens } = await openSeeded(bench, CONVERSATIONS)
  const run =
    (request: Request) =>
    (ms: number): Promise<HttpResult> =>
      bench.http({ tokens, concurrency: CONCURRENCY, ms, ...request })
  const graphql = (query: string, variables: object[]): Request => ({
    method: 'POST',
    path: '/graphql',
    bodies: variables.map((each) => ({ query, variables: { ...switchesOf(query), ...each } })),
  })
  const documents = new RouteCompiler(buildSchema(await readFile('schema.graphql', 'utf8')))
  const documentOf = (method: string, path: string): string =>
    documents.compile(routes.find((row) => row.method === method && row.path === path)!).document

  const pairs: Readonly<Record<string, { rest: Request; graphql: Request }>> = {
    'fetching a channel': {
      rest: { method: 'GET', path: `/v2/channels/${seed.channel}` },
      graphql: graphql(documentOf('GET', '/v2/channels/:id'), [{ id: seed.channel }]),
    },
    'sending a message': {
      rest: {
        method: 'POST',
        path: '/v2/messages',
        status: 201,
        bodies: ids.map((conversation) => ({ conversation, type: 'chat', role: 'agent', text: TEXT })),
      },
      graphql: graphql(
        documentOf('POST', '/v2/messages'),
        ids.map((conversation) => ({ conversation, message: { type: 'CHAT', role: 'AGENT', text: TEXT } })),
      ),
    },
  }
  const figures: Figure[] = []
  for (const [name, pair] of Object.entries(pairs)) {
    const results = await alternate(ROUNDS, run(pair.graphql), run(pair.rest))
    figures.push(figureOf(name, results.floor, results.product))
  }
  return figures
}

/** The variables by which a route says what it selects, as they are when a request neither selects nor populates. */
function switchesOf(query: string): Record<string, boolean> {
  const names = getOperationAST(parse(query))!.variableDefinitions!.map(({ variable }) => variable.name.value)
  const switches = names.filter((name) => /^(?:with|populate)_/.test(name))
  return Object.fromEntries(switches.map((name) => [name, name.startsWith('with_')]))
}

function figureOf(name: string, graphql: readonly HttpResult[], rest: readonly HttpResult[]): Figure {
  const line = (of: readonly HttpResult[]): string =>
    `${short(medianOf(of, 'serverMicrosEach'))} us of server CPU, ${short(medianOf(of, 'perSecond'))} requests/s, ` +
    `p50 ${short(medianOf(of, 'p50Ms'))} ms, p99 ${short(medianOf(of, 'p99Ms'))} ms`
  return {
    name: `${name} over /v2`,
    ratio: medianOf(rest, 'serverMicrosEach') / medianOf(graphql, 'serverMicrosEach'),
    aim: 1.1,
    isTime: true,
    product: line(rest),
    floor: line(graphql),
    how:
      `Server CPU a request; against the same document, with the same selection, posted to /graphql. Concurrency ` +
      `${CONCURRENCY}, load from another process; medians of ${ROUNDS.rounds} alternating rounds of ${ROUNDS.roundMs / 1_000} s.`,
  }
}
