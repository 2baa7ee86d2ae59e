import type { Bench } from '../../harness/bench.js'
import type { Pace, Published } from './fan-out-process.js'
import { isQuick, median, quantile, short, type Figure } from '../../harness/figures.js'
import { post } from '../../harness/http-client.js'
import { Worker } from '../../harness/processes.js'
import type { Received, Subscribe } from '../../harness/subscriber-process.js'

type Kind = 'product' | 'bare' | 'plain'

interface Size {
  sockets: number
  rounds: number
  /** Until code runs as it does in a server that has been up for a while: of hundreds of events. */
  warmUp: Pace
  single: Pace
  burst: Pace
}

/** Single events come when the last one has been written, which takes about half of the gap; bursts likewise. */
const SIZES: readonly Size[] = [
  {
    sockets: 1_000,
    rounds: 4,
    warmUp: { events: 400, burst: 1, gapMs: 20 },
    single: { events: 100, burst: 1, gapMs: 20 },
    burst: { events: 100, burst: 10, gapMs: 250 },
  },
  {
    sockets: 5_000,
    rounds: 2,
    warmUp: { events: 200, burst: 2, gapMs: 120 },
    single: { events: 30, burst: 1, gapMs: 100 },
    burst: { events: 30, burst: 10, gapMs: 1_200 },
  },
  {
    sockets: 10_000,
    rounds: 2,
    warmUp: { events: 200, burst: 4, gapMs: 240 },
    single: { events: 20, burst: 1, gapMs: 200 },
    burst: { events: 20, burst: 10, gapMs: 2_500 },
  },
]
const QUICK_PACE = { events: 10, burst: 5, gapMs: 20 }
const QUICK: Size = { sockets: 100, rounds: 1, warmUp: QUICK_PACE, single: QUICK_PACE, burst: QUICK_PACE }
/** Each subscriber's own execution takes so long that fewer events do. */
const PLAIN: Readonly<Record<string, Pace>> = {
  'one at a time': { events: 40, burst: 1, gapMs: 80 },
  'ten at once': { events: 40, burst: 10, gapMs: 800 },
}
const PLAIN_ROUNDS = 2
/** Fewer than a user may have open (`REALTIME_LIMITS.socketsPerUser`). */
const SOCKETS_PER_AGENT = 1_000
const FLAGS: readonly string[] = ['--expose-gc', ...(process.env.BENCH_SERVER_FLAGS?.split(' ') ?? [])]

export const WATCH = `subscription Watch($id: ID!, $after: String) {
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
  /** From an event's commit to its frame at the last of the sockets. */
  lastMs: number[]
  last: string
}

/** Events to live subscribers, against bare `ws` sending the same bytes, and against plain graphql-ws with graphql-js. */
export async function benchFanOut(bench: Pick<Bench, 'databaseUrl' | 'seeder'>): Promise<Figure[]> {
  const figures: Figure[] = []
  for (const size of isQuick() ? [QUICK] : chosen()) figures.push(...(await benchSize(bench, size)))
  return figures
}

/** All sizes take five minutes: BENCH_SOCKETS=1000 is one of them. */
function chosen(): readonly Size[] {
  const wanted = Number(process.env.BENCH_SOCKETS ?? 0)
  return wanted > 0 ? SIZES.filter(({ sockets }) => sockets === wanted) : SIZES
}

async function benchSize(bench: Pick<Bench, 'databaseUrl' | 'seeder'>, size: Size): Promise<Figure[]> {
  const { sockets, rounds } = size
  const open: Contender[] = []
  const start = async (kind: Kind): Promise<Contender> => {
    const contender = await Contender.start(kind, bench, sockets)
    open.push(contender)
    return contender
  }
  try {
    const product = await start('product')
    const bare = await start('bare')
    const figures: Figure[] = []
    // The others send what the product sent, as long an id included.
    const sample = (await product.round(size.warmUp)).last
    bare.subject = sample
    await bare.round(size.warmUp)
    for (const [name, pace, aim] of [
      ['one at a time', size.single, 1],
      ['ten at once', size.burst, 3],
    ] as const) {
      await product.round(pace)
      await bare.round(pace)
      const results = await inTurns(
        rounds,
        () => bare.round(pace),
        () => product.round(pace),
      )
      figures.push(
        figureOf(`fan-out to ${count(sockets)} subscribers, ${name}`, aim, results, HOW_BARE(sample, pace, rounds)),
      )
      if (sockets === 1_000 && pace.burst === 1) figures.push(lastFigure(results))
    }
    if (sockets === 1_000) {
      const plain = await start('plain')
      plain.subject = sample
      for (const [name, pace] of Object.entries(PLAIN)) {
        await plain.round(pace)
        const results = await inTurns(
          PLAIN_ROUNDS,
          () => plain.round(pace),
          () => product.round(pace),
        )
        const title = `fan-out to ${count(sockets)} subscribers, ${name}, against plain graphql-ws`
        figures.push(figureOf(title, 7, results, HOW_PLAIN))
      }
    }
    if (sockets === 10_000) figures.push(memoryFigure(product, bare))
    return figures
  } finally {
    for (const contender of open) await contender.stop()
  }
}

/** A broadcaster with its subscribers, in two processes. */
class Contender {
  /** The thing that it is to publish, see `Broadcaster`. */
  subject = ''
  /** Bytes of memory for each socket, idle. */
  bytesEach = 0

  private constructor(
    private readonly server: Worker,
    private readonly clients: Worker,
    private readonly sockets: number,
  ) {}

  static async start(kind: Kind, bench: Pick<Bench, 'databaseUrl' | 'seeder'>, sockets: number): Promise<Contender> {
    const server = new Worker('bench/benchmarks/fan-out/fan-out-process.js', FLAGS)
    const contender = new Contender(server, new Worker('bench/harness/subscriber-process.js'), sockets)
    const url = await server.ask<string>(kind, bench.databaseUrl)
    const messages = await contender.#messages(kind, url, bench)
    // Once before, so that what is made once is there and is not counted.
    await contender.clients.ask('open', { url, sockets: 200, messages } satisfies Subscribe)
    await contender.clients.ask('open', { url, sockets: 0, messages } satisfies Subscribe)
    const before = await server.ask<number>('memory')
    await contender.clients.ask('open', { url, sockets, messages } satisfies Subscribe)
    contender.bytesEach = ((await server.ask<number>('memory')) - before) / sockets
    return contender
  }

  async round(pace: Pace): Promise<Round> {
    await this.clients.ask('reset')
    const { at, cpuMicros } = await this.server.ask<Published>('publish', { ...pace, subject: this.subject })
    const received = await this.clients.ask<Received>('wait', pace.events)
    return {
      cpuMicrosEach: cpuMicros / pace.events / this.sockets,
      lastMs: received.at.map((each, index) => each - at[index]!),
      last: received.last,
    }
  }

  async stop(): Promise<void> {
    await this.clients.stop()
    await this.server.ask('close')
    await this.server.stop()
  }

  /** Makes the messages by which each socket subscribes. Half of the clients number from 1, half use UUIDs. */
  async #messages(kind: Kind, url: string, { seeder }: Pick<Bench, 'seeder'>): Promise<string[][]> {
    if (kind === 'bare') return []
    let inits = ['{"type":"connection_init"}']
    let id = '1'
    if (kind === 'product') {
      const seed = await seeder.organization(Math.max(2, Math.ceil(this.sockets / SOCKETS_PER_AGENT)))
      id = (await seeder.conversations(seed, 1))[0]!
      this.subject = `conversation:${id}`
      const tokens = await Promise.all(seed.agents.map((agent) => this.server.ask<string>('token', agent)))
      const payloads = tokens.map((token) => ({ authorization: `Bearer ${token}` }))
      inits = payloads.map((payload) => JSON.stringify({ type: 'connection_init', payload }))
      const message = { type: 'CHAT', role: 'AGENT', text: 'Your order left our warehouse this morning.' }
      await post(url, payloads[0]!, { query: SEND, variables: { conversation: id, message } })
    }
    return Array.from({ length: this.sockets }, (_, index) => [
      inits[index % inits.length]!,
      JSON.stringify({
        id: index % 2 ? '1' : crypto.randomUUID(),
        type: 'subscribe',
        payload: { query: WATCH, variables: { id } },
      }),
    ])
  }
}

interface Results {
  floor: Round[]
  product: Round[]
}

async function inTurns(rounds: number, floor: () => Promise<Round>, product: () => Promise<Round>): Promise<Results> {
  const results: Results = { floor: [], product: [] }
  for (let round = 0; round < rounds; round += 1) {
    if (round % 2 === 0) results.floor.push(await floor())
    results.product.push(await product())
    if (round % 2 === 1) results.floor.push(await floor())
  }
  return results
}

const count = (sockets: number): string => sockets.toLocaleString('en-US')
const cpuOf = (of: readonly Round[]): number => median(of.map(({ cpuMicrosEach }) => cpuMicrosEach))
const lastOf = (of: readonly Round[], share: number): number =>
  quantile(
    of.flatMap(({ lastMs }) => lastMs),
    share,
  )

function figureOf(name: string, aim: number, { floor, product }: Results, how: string): Figure {
  const line = (of: readonly Round[]): string =>
    `${short(cpuOf(of))} us of CPU a delivery, ${short(1e6 / cpuOf(of))} deliveries per CPU-second; the last socket has ` +
    `it after p50 ${short(lastOf(of, 0.5))} ms, p99 ${short(lastOf(of, 0.99))} ms`
  return { name, ratio: cpuOf(floor) / cpuOf(product), aim, product: line(product), floor: line(floor), how }
}

function lastFigure({ floor, product }: Results): Figure {
  const line = (of: readonly Round[]): string => `p50 ${short(lastOf(of, 0.5))} ms, p99 ${short(lastOf(of, 0.99))} ms`
  return {
    name: 'commit to the last of 1,000 subscribers, p99',
    ratio: lastOf(product, 0.99) / lastOf(floor, 0.99),
    aim: 1.25,
    isTime: true,
    product: line(product),
    floor: line(floor),
    how: `From the commit, or the beginning of the bare broadcast, to the frame at the last socket, in the rounds above.`,
  }
}

function memoryFigure({ bytesEach: product }: Contender, { bytesEach: bare }: Contender): Figure {
  const line = (bytes: number): string => `${short(bytes / 1_024)} KiB of RSS a subscriber`
  return {
    name: 'memory of an idle subscriber, among 10,000',
    ratio: product / bare,
    aim: 3,
    isTime: true,
    product: `${line(product)} (aim at most 22)`,
    floor: line(bare),
    how:
      `Growth of the server process's RSS, rubbish collected before and after, for 10,000 sockets that are each ` +
      `subscribed once; against 10,000 sockets of a bare ws server.`,
  }
}

const HOW_BARE = (sample: string, { burst }: Pace, rounds: number): string =>
  `A message's event is committed, executed for the subscription's document and delivered to sockets subscribed over ` +
  `graphql-transport-ws; against a bare ws server whose broadcast loop sends the same ${Buffer.byteLength(sample)} bytes, ` +
  `made into a buffer once. Deliveries per CPU-second of the server process, the commit included; bursts of ${burst}; ` +
  `clients in other processes; medians of ${rounds} alternating rounds.`

const HOW_PLAIN =
  `The same events; against graphql-ws with graphql-js as their manuals show them, an iterator and an ` +
  `execution for each subscriber, with the same document on the same values from memory, and nothing committed.`
