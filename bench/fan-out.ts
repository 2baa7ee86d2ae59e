import type { Bench } from './bench.js'
import type { Pace, Published } from './fan-out-process.js'
import { median, quantile, short, type Figure } from './figures.js'
import { Worker } from './processes.js'
import type { Heard, Subscribe } from './subscriber-process.js'

const SOCKETS = 1_000
const ROUNDS = 6
const PACES: Readonly<Record<string, Pace>> = {
  'one at a time': { events: 50, burst: 1, gapMs: 40 },
  'ten at once': { events: 100, burst: 10, gapMs: 250 },
}

const DOCUMENT = `subscription Watch($id: ID!, $after: String) {
  conversation(id: $id, after: $after) {
    ... on StreamEvent { cursor at }
    ... on ConversationSnapshot { conversation { id status } }
    ... on MessageAdded { message { id type role text createdAt user { id displayName } } }
  }
}`
const SEND = `mutation ($conversation: ID!, $message: MessageInput!) {
  sendMessage(conversation: $conversation, message: $message) { id }
}`

interface Round {
  cpuMicrosEach: number
  /** From the hand-over of an event to its frame at the last of the sockets. */
  lastMs: number[]
}

/** One committed event to 1,000 live subscribers, against bare `ws` broadcasting the same bytes from the same process. */
export async function benchFanOut({ databaseUrl, seeder }: Pick<Bench, 'databaseUrl' | 'seeder'>): Promise<Figure[]> {
  const server = new Worker('fan-out-process')
  const productClients = new Worker('subscriber-process')
  const floorClients = new Worker('subscriber-process')
  try {
    const { url, floorUrl } = await server.ask<{ url: string; floorUrl: string }>('start', { databaseUrl })
    const seed = await seeder.organization(2)
    const [conversation] = await seeder.conversations(seed, 1)
    const token = await server.ask<string>('token', seed.agents[0])
    const authorization = `Bearer ${token}`
    await post(url, authorization, SEND, {
      conversation, message: { type: 'CHAT', role: 'AGENT', text: 'Your order left our warehouse this morning.' },
    })
    const subscribe = (id: string) =>
      JSON.stringify({ id, type: 'subscribe', payload: { query: DOCUMENT, variables: { id: conversation } } })
    const init = JSON.stringify({ type: 'connection_init', payload: { authorization } })
    // Half of the clients number from 1, half use UUIDs.
    const messages = Array.from({ length: SOCKETS }, (_, index) => [
      init, subscribe(index % 2 ? '1' : crypto.randomUUID()),
    ])
    await productClients.ask('open', { url, sockets: SOCKETS, messages } satisfies Subscribe)
    await floorClients.ask('open', { url: floorUrl, sockets: SOCKETS, messages: [] } satisfies Subscribe)

    const stream = `conversation:${conversation}`
    let text = ''
    const product = (pace: Pace) => measure(productClients, pace, () => server.ask<Published>('product', { ...pace, stream }))
    const floor = (pace: Pace) => measure(floorClients, pace, () => server.ask<Published>('floor', { ...pace, text }))
    const figures: Figure[] = []
    for (const [name, pace] of Object.entries(PACES)) {
      // The floor sends what the product sent, as long an id included.
      text = (await product(pace)).last
      await floor(pace)
      const rounds = { product: [] as Round[], floor: [] as Round[] }
      for (let round = 0; round < ROUNDS; round += 1) {
        if (round % 2 === 0) rounds.floor.push(await floor(pace))
        rounds.product.push(await product(pace))
        if (round % 2 === 1) rounds.floor.push(await floor(pace))
      }
      figures.push(figureOf(name, pace, rounds, Buffer.byteLength(text)))
    }
    return figures
  } finally {
    await productClients.stop()
    await floorClients.stop()
    await server.ask('close')
    await server.stop()
  }
}

async function measure(clients: Worker, pace: Pace, publish: () => Promise<Published>): Promise<Round & { last: string }> {
  await clients.ask('reset')
  const { at, cpuMicros } = await publish()
  const heard = await clients.ask<Heard>('wait', pace.events)
  return {
    cpuMicrosEach: cpuMicros / pace.events / SOCKETS,
    lastMs: heard.at.map((each, index) => each - at[index]!),
    last: heard.last,
  }
}

function figureOf(name: string, pace: Pace, rounds: { product: Round[]; floor: Round[] }, bytes: number): Figure {
  const cpu = (of: readonly Round[]) => median(of.map(({ cpuMicrosEach }) => cpuMicrosEach))
  const line = (of: readonly Round[]) => {
    const last = of.flatMap(({ lastMs }) => lastMs)
    return `${short(cpu(of))} us of CPU a delivery, ${short(1e6 / cpu(of))} deliveries per CPU-second; the last socket ` +
      `has it after p50 ${short(median(last))} ms, p99 ${short(quantile(last, 0.99))} ms`
  }
  return {
    name: `fan-out to ${SOCKETS.toLocaleString('en-US')} subscribers, ${name}`,
    ratio: cpu(rounds.floor) / cpu(rounds.product),
    aim: 0.9,
    product: line(rounds.product),
    floor: line(rounds.floor),
    how: `A message's event is committed, executed for the subscription's document and delivered to sockets subscribed ` +
      `over graphql-transport-ws; against a bare ws server in the same process whose broadcast loop sends the same ` +
      `${bytes} bytes, made into a buffer once. Deliveries per CPU-second of the server process, the commit included; ` +
      `bursts of ${pace.burst}; clients in other processes; medians of ${ROUNDS} alternating rounds.`,
  }
}

async function post(url: string, authorization: string, query: string, variables: unknown): Promise<void> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json' },
    body: JSON.stringify({ query, variables }),
  })
  const { errors } = (await response.json()) as { errors?: unknown }
  if (errors) throw new Error(JSON.stringify(errors))
}
