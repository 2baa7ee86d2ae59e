import { readFile } from 'node:fs/promises'
import { buildSchema, getOperationAST, parse } from 'graphql'
import { RouteCompiler } from '../rest-compat/compiled-route.js'
import { routes } from '../rest-compat/routes/index.js'
import { alternate, median, short, type Figure } from './figures.js'
import type { LoadResult } from './load.js'
import type { Bench } from './bench.js'
import type { HttpLoad } from './load-process.js'

const CONVERSATIONS = 1_000
const ROUNDS = { rounds: 8, warmUpMs: 3_000, roundMs: 1_000 }
const CONCURRENCY = 16

type Request = Pick<HttpLoad, 'method' | 'path' | 'status'> & { bodies?: unknown[] }
type Measured = LoadResult & { serverMicrosEach: number }

/** Rows of `/v2` against the very same GraphQL documents over HTTP. */
export async function benchRest(bench: Bench): Promise<Figure[]> {
  const { seeder, load, server, url } = bench
  const seed = await seeder.organization(20)
  const conversations = await seeder.conversations(seed, CONVERSATIONS)
  await seeder.settle()
  const tokens = await bench.tokens(seed.agents)
  const run = (request: Request) => async (ms: number): Promise<Measured> => {
    const before = await server.ask<number>('cpu')
    const result = await load.ask<LoadResult>('http', { url, tokens, concurrency: CONCURRENCY, ms, ...request } satisfies HttpLoad)
    return { ...result, serverMicrosEach: ((await server.ask<number>('cpu')) - before) / result.done }
  }
  const graphql = (query: string, variables: object[]): Request => ({
    method: 'POST', path: '/graphql',
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
        method: 'POST', path: '/v2/messages', status: 201,
        bodies: conversations.map((conversation) => ({ conversation, type: 'chat', role: 'agent', text: TEXT })),
      },
      graphql: graphql(
        documentOf('POST', '/v2/messages'),
        conversations.map((conversation) => ({ conversation, message: { type: 'CHAT', role: 'AGENT', text: TEXT } })),
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

const TEXT = 'Your order left our warehouse this morning, and you should have it tomorrow before noon.'

function figureOf(name: string, graphql: readonly Measured[], rest: readonly Measured[]): Figure {
  const middle = (of: readonly Measured[], key: keyof Measured): number => median(of.map((each) => each[key]))
  const line = (of: readonly Measured[]): string =>
    `${short(middle(of, 'serverMicrosEach'))} us of server CPU, ${short(middle(of, 'perSecond'))} requests/s, ` +
    `p50 ${short(middle(of, 'p50Ms'))} ms, p99 ${short(middle(of, 'p99Ms'))} ms`
  return {
    name: `${name} over /v2`,
    ratio: middle(rest, 'serverMicrosEach') / middle(graphql, 'serverMicrosEach'),
    aim: 1.1,
    isTime: true,
    product: line(rest),
    floor: line(graphql),
    how: `Server CPU a request; against the same document, with the same selection, posted to /graphql. Concurrency ` +
      `${CONCURRENCY}, load from another process; medians of ${ROUNDS.rounds} alternating rounds of ${ROUNDS.roundMs / 1_000} s.`,
  }
}
