import { createRequest, MessageStream } from '@switchboard/client'
import type { Bench } from '../harness/bench.js'
import { failuresOf, isQuick, short, type Check } from '../harness/figures.js'
import { Worker } from '../harness/processes.js'
import type { ViewersOptions } from '../harness/viewers-process.js'

const VIEWERS = 1_000
const AGENTS = 50
const TOKENS_A_SECOND = 50
const SECONDS = 8
const CORE_MAX = 0.15
const P95_MS_MAX = 150

/** A message of 50 tokens a second that a thousand sockets read as it is written. */
export async function benchStreams(bench: Bench): Promise<Check[]> {
  const { url, server, seeder } = bench
  const [viewers, seconds] = isQuick() ? [50, 1] : [VIEWERS, SECONDS]
  const clients = new Worker('bench/harness/viewers-process.js')
  try {
    const seed = await seeder.organization(AGENTS)
    const [conversation] = await seeder.conversations(seed, 1)
    await seeder.settle()
    const tokens = await bench.tokens(seed.agents)
    await clients.ask('open', {
      urls: [url],
      tokens,
      conversation: conversation!,
      count: viewers,
    } satisfies ViewersOptions)
    const eventsOf = async (): Promise<number> => {
      const [row] = await seeder.query<{ count: number }>(
        'select count(*)::int as count from event where stream = $1',
        [`conversation:${conversation}`],
      )
      return row!.count
    }
    const request = createRequest({ serverUrl: url, token: tokens[0]! })
    const stream = new MessageStream({ request, conversation: conversation! })
    await stream.begin()
    const eventsBefore = await eventsOf()
    const [cpuBefore, since] = [await server.ask<number>('cpu'), performance.now()]
    const text = await writeTokens(stream, seconds * TOKENS_A_SECOND)
    const core = ((await server.ask<number>('cpu')) - cpuBefore) / 1_000 / (performance.now() - since)
    const eventsMeanwhile = (await eventsOf()) - eventsBefore
    await stream.finish()
    const { equal, other } = await clients.ask<{ equal: number; other: number }>('compare', text)
    const { p50, p95, count } = await clients.ask<{ p50: number; p95: number; count: number }>('latency')
    const added = await seeder.query(
      `select 1 from event where stream = $1 and type = 'message.added' and data -> 'message' ->> 'id' = $2`,
      [`conversation:${conversation}`, stream.id],
    )
    return [
      {
        name: `${TOKENS_A_SECOND} tokens a second to ${viewers} viewers`,
        aim: `${CORE_MAX} of a core, p95 ${P95_MS_MAX} ms from the token to the screen, no event until its end, then one`,
        failures: failuresOf({
          [`${core.toFixed(2)} of a core`]: core <= CORE_MAX,
          [`p95 ${short(p95)} ms`]: p95 <= P95_MS_MAX,
          [`${eventsMeanwhile} events meanwhile, ${added.length} at the end`]:
            eventsMeanwhile === 0 && added.length === 1,
          [`${other} read another text`]: other === 0,
        }),
        found: [
          `${core.toFixed(2)} of a core; p50 ${short(p50)}, p95 ${short(p95)} ms of ${count.toLocaleString('en-US')} tokens read; ` +
            `${eventsMeanwhile} events meanwhile, ${added.length} at the end; ${equal} texts equal`,
        ],
        how:
          `CPU of the node over ${seconds} s, in which the client package writes a token every ${1_000 / TOKENS_A_SECOND} ms; each token ` +
          `tells when it was written, and each of the ${viewers} sockets of ${AGENTS} agents, in one process, notes when it was read.`,
      },
    ]
  } finally {
    await clients.stop()
  }
}

/** Writes tokens that tell when they were written, at the pace of a model. @returns their text */
export async function writeTokens(stream: MessageStream, count: number): Promise<string> {
  const since = performance.now()
  let text = ''
  for (let written = 0; written < count; written += 1) {
    const dueMs = since + (written * 1_000) / TOKENS_A_SECOND - performance.now()
    if (dueMs > 0) await new Promise((resolve) => setTimeout(resolve, dueMs))
    const token = `${Date.now().toString(36)} `
    stream.write(token)
    text += token
  }
  return text
}
