import WebSocket from 'ws'
import type { Bench } from '../harness/bench.js'
import { failuresOf, type Check } from '../harness/figures.js'
import { Worker } from '../harness/processes.js'
import { readGauge } from './stalled.js'

const CONNECTS = Number(process.env.BENCH_LEAK_CONNECTS ?? 20_000)
const SUBSCRIPTIONS = 10
const AT_ONCE = 32
const AGENTS = 20
const CONVERSATIONS = 200
const GROWTH_MAX = 0.05
/** Gauges of what is live on a node. */
export const GAUGES = ['sockets', 'subscriptions', 'delivery_groups', 'watched_streams']

const DOCUMENTS = [
  'subscription { queue { __typename } }',
  'subscription { inbox { __typename } }',
  'subscription ($id: ID!) { conversation(id: $id) { __typename } }',
]

/** Sockets come, subscribe to what is silent, and are cut: nothing of them may stay. */
export async function checkLeaks({ databaseUrl, seeder }: Bench): Promise<Check[]> {
  const server = new Worker('bench/harness/server-process.js', ['--expose-gc'])
  try {
    const { url } = await server.ask<{ url: string }>('start', { databaseUrl })
    const seed = await seeder.organization(AGENTS)
    const conversations = await seeder.conversations(seed, CONVERSATIONS)
    const tokens = await server.ask<string[]>('tokens', seed.agents)
    const startedAt = performance.now()
    const heaps: number[] = []
    let done = 0
    // What is compiled and cached fills in the first third.
    for (const until of [1 / 3, 2 / 3, 1].map((share) => Math.round(CONNECTS * share))) {
      const turn = async (): Promise<void> => {
        while (done < until) await connectAndCut(url, tokens, conversations, done++)
      }
      await Promise.all(Array.from({ length: AT_ONCE }, turn))
      await settle(url)
      heaps.push(await server.ask<number>('heap'))
    }
    const left = await Promise.all(GAUGES.map((name) => readGauge(url, `switchboard_${name}`)))
    const [row] = await seeder.query<{ rows: number }>(
      `select ((select count(*) from queue_subscriber) + (select count(*) from conversation_viewer))::int as rows`,
    )
    const presence = row!.rows
    const growth = heaps.at(-1)! / heaps[0]! - 1
    const mib = (bytes: number) => (bytes / 2 ** 20).toFixed(1)
    return [
      {
        name: `${CONNECTS.toLocaleString('en-US')} connects with ${SUBSCRIPTIONS} silent subscriptions each, cut`,
        aim: 'live sources at the end 0; heap growth after collection under 5 % over the last two thirds',
        failures: failuresOf({
          [`left: ${GAUGES.map((name, index) => `${name} ${left[index]}`).join(', ')}`]: left.every(
            (count) => count === 0,
          ),
          [`${presence} rows of presence are left`]: presence === 0,
          [`the heap grew by ${(growth * 100).toFixed(1)} %`]: growth < GROWTH_MAX,
        }),
        found: [
          `at the end ${GAUGES.map((name, index) => `${name} ${left[index]}`).join(', ')}, rows of presence ${presence}`,
          `heap after collection at each third: ${heaps.map(mib).join(', ')} MiB (${(growth * 100).toFixed(1)} %); ` +
            `${Math.round((performance.now() - startedAt) / 1_000)} s`,
        ],
        how:
          `${AT_ONCE} sockets at a time subscribe to queue, inbox and ${CONVERSATIONS} conversations, and are cut without a word once ` +
          'all subscriptions have begun, or a moment before.',
      },
    ]
  } finally {
    await server.ask('close').catch(() => undefined)
    await server.stop()
  }
}

/** One in four is cut while its subscriptions begin. */
export function connectAndCut(
  url: string,
  tokens: readonly string[],
  conversations: readonly string[],
  turn: number,
): Promise<void> {
  const ws = new WebSocket(`${url.replace('http', 'ws')}/graphql`, 'graphql-transport-ws', { perMessageDeflate: false })
  const isHasty = turn % 4 === 3
  let begun = 0
  ws.on('open', () => {
    const authorization = `Bearer ${tokens[turn % tokens.length]}`
    ws.send(JSON.stringify({ type: 'connection_init', payload: { authorization } }))
  })
  ws.on('message', (data) => {
    const { type } = JSON.parse(String(data)) as { type: string }
    if (type === 'next') begun += 1
    if (type === 'error') throw new Error(String(data))
    if (type === 'connection_ack') {
      for (let index = 0; index < SUBSCRIPTIONS; index += 1) {
        const query = DOCUMENTS[Math.min(index, DOCUMENTS.length - 1)]
        const variables = { id: conversations[(turn * SUBSCRIPTIONS + index) % conversations.length] }
        ws.send(JSON.stringify({ id: String(index), type: 'subscribe', payload: { query, variables } }))
      }
    }
    if (begun === (isHasty ? 1 : SUBSCRIPTIONS)) ws.terminate()
  })
  return new Promise((resolve, reject) => {
    ws.on('error', reject)
    ws.on('close', () => (begun > 0 ? resolve() : reject(new Error('closed before anything was subscribed'))))
  })
}

/** Waits for the server to have seen the last of them go. */
export async function settle(url: string): Promise<void> {
  for (let tries = 0; tries < 200; tries += 1) {
    if ((await readGauge(url, 'switchboard_sockets')) + (await readGauge(url, 'switchboard_watched_streams')) === 0)
      return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}
