import { buildSchema, parse } from 'graphql'
import pino from 'pino'
import { createGraphqlHttp } from '../../src/api/graphql/apollo.js'
import type { Operations } from '../../src/api/graphql/operations.js'
import type { Context } from '../../src/platform/context.js'
import type { Bench } from '../harness/bench.js'
import { bypassApollo } from '../harness/bypass-apollo.js'
import { median, short, type Figure } from '../harness/figures.js'
import { ratioOf, runInPairs } from '../harness/pairs.js'
import { openSeeded, sendBodies } from './agent-sends.js'

const CONVERSATIONS = 2_000
const CONCURRENCY = 16
const AIM = 1.05

/**
 * Measures what Apollo Server, in the path of every operation, costs a send: against the same process past it, and by itself.
 */
export async function benchApollo(bench: Bench): Promise<Figure[]> {
  const { ids, tokens } = await openSeeded(bench, CONVERSATIONS)
  const load = { method: 'POST', path: '/graphql', tokens, concurrency: CONCURRENCY, bodies: sendBodies(ids) }
  const pairs = await runInPairs(async (isBypassed, ms) => {
    await bench.server.ask('bypassApollo', isBypassed)
    return bench.http({ ...load, ms })
  })
  const micros = (arm: 'with' | 'without'): number => median(pairs.map((pair) => pair[arm].serverMicrosEach))
  const { ratio, how } = ratioOf(pairs, ({ serverMicrosEach }) => serverMicrosEach)
  const send = micros('without')
  const alone = await measureAlone()
  return [
    {
      name: 'a send through Apollo Server',
      ratio,
      aim: AIM,
      isTime: true,
      product: `${short(micros('with'))} us of the server's CPU each`,
      floor: `${short(send)} us each`,
      how:
        `The same process, in one round of each pair with operations executed without Apollo's request pipeline and plugins. ` +
        `Concurrency ${CONCURRENCY}. ${how}`,
    },
    {
      name: 'a send with what Apollo Server takes by itself',
      ratio: (send + alone) / send,
      aim: AIM,
      isTime: true,
      product: `${short(alone)} us of CPU for each operation, in addition to a send`,
      floor: `${short(send)} us for a send without it`,
      how:
        `The product's way of a request through Apollo, and the same without Apollo, with operations that do nothing: ` +
        `${ALONE_ROUNDS} pairs of rounds of ${ALONE_TURNS} in the benchmark's process, median. Of the pairs of sends the ` +
        `quartiles are wider than what is looked for.`,
    },
  ]
}

const ALONE_ROUNDS = 20
const ALONE_TURNS = 10_000

/** @returns microseconds of CPU that Apollo adds to one operation */
async function measureAlone(): Promise<number> {
  const { query } = sendBodies(['c'])[0]!
  const document = parse('mutation { send }')
  const response = { status: 200, data: { send: 1 }, extensions: { position: 'p' } }
  const operations = {
    schema: buildSchema('type Query { none: Int } type Mutation { send: Int }'),
    prepareFor: () => Promise.resolve({ document, source: query }),
    respondTo: () => Promise.resolve(response),
  } as unknown as Operations
  const http = await createGraphqlHttp(operations, pino({ level: 'silent' }))
  const ctx = { spent: { limit: 1, remaining: 1, resetSeconds: 1 } } as unknown as Context
  const headers = { accept: '*/*', 'content-type': 'application/json', host: 'localhost', authorization: 'Bearer none' }
  const round = async (isBypassed: boolean): Promise<number> => {
    bypassApollo(isBypassed)
    const since = process.cpuUsage()
    for (let turn = 0; turn < ALONE_TURNS; turn += 1)
      await http.respond({ method: 'POST', headers, search: '', body: { query, variables: {} } }, ctx)
    const { user, system } = process.cpuUsage(since)
    return (user + system) / ALONE_TURNS
  }
  const differences: number[] = []
  for (let pair = -2; pair < ALONE_ROUNDS; pair += 1) {
    const without = await round(true)
    const difference = (await round(false)) - without
    if (pair >= 0) differences.push(difference)
  }
  await http.stop()
  return median(differences)
}
