import type { Bench } from '../harness/bench.js'
import { failuresOf, short, type Check } from '../harness/figures.js'
import { Worker } from '../harness/processes.js'
import type { ScreenOptions } from '../harness/screen.js'
import type { Wrongs } from '../harness/screens-process.js'

const SOCKETS = 500
const STALLED = 50
const AGENTS = 10
const STALL_SECONDS = Number(process.env.BENCH_STALL_SECONDS ?? 300)
const BASELINE_SECONDS = Math.min(60, STALL_SECONDS)
/** Events that all subscribers receive, including stalled ones. */
const TEXT = 'Your order left our warehouse this morning.'
/** Events that only stalled subscribers receive: they fill the system's buffers and then the server's limit in half a minute. */
const LARGE_TEXT = 'Where is my order? '.repeat(800)
const PER_SECOND = 10
const P99_TIMES_MAX = 1.2
const HELD_BYTES_MAX = 1_048_576

const SEND = `mutation ($conversation: ID!, $message: MessageInput!) {
  sendMessage(conversation: $conversation, message: $message) { position }
}`

interface Latency {
  p50: number
  p99: number
  deliveries: number
}

/** Some readers stop reading: nobody else may notice, and they go on later as if nothing had been. */
export async function checkStalled({ url, seeder, tokens }: Bench): Promise<Check[]> {
  const clients = new Worker('bench/harness/screens-process.js')
  try {
    const seed = await seeder.organization(AGENTS)
    const conversations = await seeder.conversations(seed, 2)
    const agents = await tokens(seed.agents)
    const screens: ScreenOptions[] = Array.from({ length: SOCKETS }, (_, index) => {
      return { url, token: agents[index % AGENTS]!, conversations: conversations.slice(0, index < STALLED ? 2 : 1) }
    })
    await clients.ask('open', screens)
    const publish = (seconds: number) => publishSteadily({ url, token: agents[0]!, conversations }, seconds)
    await clients.ask('reach', await publish(5))
    await clients.ask('latency', STALLED)
    await clients.ask('reach', await publish(BASELINE_SECONDS))
    const baseline = await clients.ask<Latency>('latency', STALLED)
    await clients.ask('stall', STALLED)
    const { positions, heldMax } = await publish(STALL_SECONDS)
    await clients.ask('reach', { positions, from: STALLED })
    const others = await clients.ask<Latency>('latency', STALLED)
    const openBefore = await readGauge(url, 'switchboard_sockets')
    const codes = await clients.ask<Record<string, number>>('unstall', STALLED)
    await clients.ask('reach', { positions })
    const wrongs = await clients.ask<Wrongs>('wrongs')
    const times = others.p99 / Math.max(1, baseline.p99)
    const held = heldMax / STALLED
    const closes = Object.entries(codes)
      .map(([code, count]) => `${code} ${count} times`)
      .join(', ')
    const line = ({ p50, p99, deliveries }: Latency) =>
      `p50 ${short(p50)} ms, p99 ${short(p99)} ms of ${deliveries.toLocaleString('en-US')} deliveries`
    return [
      {
        name: `${STALLED} stalled readers among ${SOCKETS} for ${STALL_SECONDS} s`,
        aim: `the others' p99 at most ${P99_TIMES_MAX} times the baseline; at most 1 MiB held each; closed with 1013; resume complete`,
        failures: failuresOf({
          [`the others' p99 is ${times.toFixed(2)} times the baseline's`]: times <= P99_TIMES_MAX,
          [`${Math.round(held)} bytes are held for each`]: held <= HELD_BYTES_MAX * 1.1,
          [`${openBefore - (SOCKETS - STALLED)} of them are still open`]: openBefore === SOCKETS - STALLED,
          [`${wrongs.holes} holes, ${wrongs.repeated} repeated, ${wrongs.resyncs} resyncs`]:
            wrongs.holes + wrongs.repeated + wrongs.resyncs === 0,
        }),
        found: [
          `baseline of the others ${line(baseline)}; with stalled readers ${line(others)}: ${times.toFixed(2)} times`,
          `at most ${Math.round(held / 1_024)} KiB held for each stalled reader; when they read again they found ${closes}`,
          `after their resume: ${wrongs.holes} holes, ${wrongs.repeated} repeated, ${wrongs.resyncs} resyncs`,
        ],
        how:
          `${PER_SECOND} messages a second to a conversation that all watch, from the commit's time to each socket's client, and as ` +
          `many of ${LARGE_TEXT.length} bytes to one that only those watch which stall, before and after. ` +
          `The server closes with 1013 and cuts the connection 5 s later, which a client that reads nothing sees as 1006.`,
      },
    ]
  } finally {
    await clients.stop()
  }
}

/** @returns the conversations' last positions, and the most bytes that the server held for all sockets, asked once a second */
async function publishSteadily(
  options: ScreenOptions,
  seconds: number,
): Promise<{ positions: number[]; heldMax: number }> {
  let positions: number[] = []
  let heldMax = 0
  const startedAt = performance.now()
  for (let sent = 0; sent < seconds * PER_SECOND; sent += 1) {
    const waitMs = startedAt + (sent * 1_000) / PER_SECOND - performance.now()
    if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs))
    positions = await Promise.all([send(options, 0, TEXT), send(options, 1, LARGE_TEXT)])
    if (sent % PER_SECOND === 0)
      heldMax = Math.max(heldMax, await readGauge(options.url, 'switchboard_socket_backlog_total_bytes'))
  }
  return { positions, heldMax }
}

/** @returns the message's position */
async function send({ url, token, conversations }: ScreenOptions, to: number, text: string): Promise<number> {
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      query: SEND,
      variables: { conversation: conversations[to], message: { role: 'AGENT', text } },
    }),
  })
  const { data, errors } = (await response.json()) as { data?: { sendMessage: { position: number } }; errors?: unknown }
  if (errors) throw new Error(JSON.stringify(errors))
  return data!.sendMessage.position
}

export async function readGauge(url: string, name: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text()
  const line = text.split('\n').find((each) => each.startsWith(`${name} `))
  if (!line) throw new Error(`no metric ${name}`)
  return Number(line.split(' ')[1])
}
