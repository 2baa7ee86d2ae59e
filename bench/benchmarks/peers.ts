import { join } from 'node:path'
import type { Bench } from '../harness/bench.js'
import { createDatabase } from '../harness/database.js'
import { WATCH } from './fan-out/fan-out.js'
import { alternate, median, short, type Figure } from '../harness/figures.js'
import { post } from '../harness/http-client.js'
import { installPackage } from '../harness/install.js'
import type { LoadResult } from '../harness/load.js'
import type { HttpLoad } from '../harness/load-process.js'
import type { StartPeer } from '../harness/peer-process.js'
import { Worker } from '../harness/processes.js'
import { SEND } from './send.js'
import type { Received, Subscribe } from '../harness/subscriber-process.js'

const SOCKETS = 1_000
const SOCKETS_TEXT = SOCKETS.toLocaleString('en-US')
const CONCURRENCY = 16
const ROUNDS = { rounds: 6, warmUpMs: 3_000, roundMs: 2_000 }
const AIM = 5
const TEXT = 'Your order left our warehouse this morning, and you should have it tomorrow before noon.'

/** Directory in this repository, from which npm runs the bench. */
const DIRECTORY = join('bench', 'peers')
const APP = { appId: 'bench', masterKey: 'correct horse battery', className: 'Message' }

type Write = Pick<HttpLoad, 'url' | 'method' | 'path' | 'tokens' | 'headers' | 'bodies' | 'status'>

/** A server, its subscribed sockets, and the write whose event all of them receive. */
interface Contender {
  server: Worker
  listeners: Worker
  write: Write
}

interface Round {
  writesPerSecond: number
  deliveriesPerCpuSecond: number
  p50Ms: number
  /** Bytes of the last frame's text. */
  bytes: number
}

/** One message, written over HTTP and received by live subscribers, compared with a general-purpose live backend on the same PostgreSQL. */
export async function benchPeers(bench: Bench): Promise<Figure[]> {
  const version = await installPackage(DIRECTORY, 'parse-server')
  const database = await createDatabase(bench.databaseUrl, 'of the bench')
  const workers = {
    // It warns of its own defaults at length.
    peer: new Worker('bench/harness/peer-process.js', [], true),
    listeners: new Worker('bench/harness/subscriber-process.js'),
    peerListeners: new Worker('bench/harness/subscriber-process.js'),
  }
  try {
    const product = await startProduct(bench, workers.listeners)
    const peer = await startPeer(database.url, workers.peer, workers.peerListeners)
    const run = (contender: Contender) => (ms: number) => runRound(bench.load, contender, ms)
    const results = await alternate(ROUNDS, run(peer), run(product))
    return figuresOf(`Parse Server ${version}`, results)
  } finally {
    for (const worker of Object.values(workers)) await worker.stop()
    await database.close()
  }
}

/** The sender is the only agent in the conversation: what another one has not read would be an event of its own. */
async function startProduct({ seeder, server, url, tokens }: Bench, listeners: Worker): Promise<Contender> {
  const seed = await seeder.organization(2)
  const conversation = (await seeder.conversations(seed, 2))[1]!
  const sender = seed.agents[0]!
  await seeder.query('delete from participant where conversation_id = $1 and user_id <> $2', [conversation, sender.id])
  const [token] = await tokens([sender])
  const variables = { conversation, message: { type: 'CHAT', role: 'AGENT', text: TEXT } }
  const body = { query: SEND, variables }
  await post(`${url}/graphql`, { authorization: `Bearer ${token}` }, body)
  const messages = Array.from({ length: SOCKETS }, () => [
    JSON.stringify({ type: 'connection_init', payload: { authorization: `Bearer ${token}` } }),
    JSON.stringify({
      id: crypto.randomUUID(),
      type: 'subscribe',
      payload: { query: WATCH, variables: { id: conversation } },
    }),
  ])
  await listeners.ask('open', { url: `${url}/graphql`, sockets: SOCKETS, messages } satisfies Subscribe)
  return { server, listeners, write: { url, method: 'POST', path: '/graphql', tokens: [token!], bodies: [body] } }
}

/** Its sockets need no session and its writes are the master key's: it looks nobody up and decides nothing. */
async function startPeer(databaseUrl: string, server: Worker, listeners: Worker): Promise<Contender> {
  const url = await server.ask<string>('start', { directory: DIRECTORY, databaseUrl, ...APP } satisfies StartPeer)
  const path = `/parse/classes/${APP.className}`
  const headers = { 'x-parse-application-id': APP.appId, 'x-parse-master-key': APP.masterKey }
  const conversation = crypto.randomUUID()
  const body = {
    conversation,
    type: 'CHAT',
    role: 'AGENT',
    text: TEXT,
    user: crypto.randomUUID(),
    displayName: 'Agent 1',
  }
  // The first write makes the class.
  await post(`${url}${path}`, headers, body)
  const query = { className: APP.className, where: { conversation } }
  const messages = [
    [
      JSON.stringify({ op: 'connect', applicationId: APP.appId }),
      JSON.stringify({ op: 'subscribe', requestId: 1, query }),
    ],
  ]
  await listeners.ask('open', { url: `${url}/`, sockets: SOCKETS, messages } satisfies Subscribe)
  return { server, listeners, write: { url, method: 'POST', path, tokens: [], headers, bodies: [body], status: 201 } }
}

/** Writes for a time; the round ends when the last socket has received the last write. */
async function runRound(load: Worker, { server, listeners, write }: Contender, ms: number): Promise<Round> {
  await listeners.ask('reset')
  const cpuBefore = await server.ask<number>('cpu')
  const startedAt = Date.now()
  const { done, p50Ms } = await load.ask<LoadResult>('http', {
    ...write,
    concurrency: CONCURRENCY,
    ms,
  } satisfies HttpLoad)
  const { at, last } = await listeners.ask<Received>('wait', done)
  const cpuSeconds = ((await server.ask<number>('cpu')) - cpuBefore) / 1e6
  if (!last.includes(TEXT)) throw new Error(`not the message: ${last}`)
  return {
    writesPerSecond: done / ((at.at(-1)! - startedAt) / 1_000),
    deliveriesPerCpuSecond: (done * SOCKETS) / cpuSeconds,
    p50Ms,
    bytes: Buffer.byteLength(last),
  }
}

function figuresOf(name: string, { floor, product }: { floor: Round[]; product: Round[] }): Figure[] {
  const middle = (of: readonly Round[], key: keyof Round): number => median(of.map((each) => each[key]))
  const bytes = (of: readonly Round[]): number => Math.round(middle(of, 'bytes'))
  const how =
    `An agent's message by HTTP GraphQL into a conversation that ${SOCKETS_TEXT} sockets watch over ` +
    `graphql-transport-ws, against one object created by REST with the master key of ${name}, received by ${SOCKETS_TEXT} live ` +
    `queries of its class that need no session; the same text, frames of ${bytes(product)} and ${bytes(floor)} bytes. Same ` +
    `PostgreSQL, a database each; servers, sockets and load in processes of their own; concurrency ${CONCURRENCY}; medians of ` +
    `${ROUNDS.rounds} alternating rounds of ${ROUNDS.roundMs / 1_000} s and until the last socket has the last message.`
  const figure = (what: string, key: keyof Round, line: (of: readonly Round[]) => string): Figure => ({
    name: `${what} with ${SOCKETS_TEXT} live subscribers, against ${name}`,
    ratio: middle(product, key) / middle(floor, key),
    aim: AIM,
    product: line(product),
    floor: line(floor),
    how,
  })
  return [
    figure(
      'deliveries',
      'deliveriesPerCpuSecond',
      (of) => `${short(middle(of, 'deliveriesPerCpuSecond'))} per CPU-second of the server`,
    ),
    figure(
      'writes',
      'writesPerSecond',
      (of) => `${short(middle(of, 'writesPerSecond'))} a second, answered after p50 ${short(middle(of, 'p50Ms'))} ms`,
    ),
  ]
}
