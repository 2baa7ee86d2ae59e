import { createRequest, MessageStream } from '@switchboard/client'
import { writeTokens } from '../benchmarks/streams.js'
import { RedisProcess } from '../chaos/redis-process.js'
import type { Bench } from '../harness/bench.js'
import { failuresOf, isQuick, type Check } from '../harness/figures.js'
import { Worker } from '../harness/processes.js'
import type { ViewersOptions } from '../harness/viewers-process.js'

const VIEWERS = 1_000
const AGENTS = 50
const TOKENS_A_SECOND = 50
const SECONDS = 20
/** Viewers that are cut off at random every half a second, of all. */
const CUT_SHARE = 0.03
const CUT_EVERY_MS = 500
/** Redis is gone for as long as it is there. */
const REDIS_MS = 2_500

/** A message that is read at two nodes, whose readers are cut off at random and come back, and whose Redis comes and goes. */
export async function checkStreamCuts({ databaseUrl, seeder }: Bench): Promise<Check[]> {
  const [viewers, seconds] = isQuick() ? [40, 3] : [VIEWERS, SECONDS]
  const redis = await RedisProcess.start()
  const nodes = [new Worker('bench/harness/server-process.js'), new Worker('bench/harness/server-process.js')]
  const clients = new Worker('bench/harness/viewers-process.js')
  let isOver = false
  const whileWriting = async (everyMs: number, act: () => Promise<void>): Promise<void> => {
    for (;;) {
      await new Promise((resolve) => setTimeout(resolve, everyMs))
      if (isOver) return
      await act()
    }
  }
  try {
    const urls: string[] = []
    for (const node of nodes)
      urls.push((await node.ask<{ url: string }>('start', { databaseUrl, redisUrl: redis.url })).url)
    const seed = await seeder.organization(AGENTS)
    const [conversation] = await seeder.conversations(seed, 1)
    const tokens = await nodes[0]!.ask<string[]>('tokens', seed.agents)
    await clients.ask('open', { urls, tokens, conversation: conversation!, count: viewers } satisfies ViewersOptions)
    // Each request goes to the other node than the one before.
    let requests = 0
    const inTurns: typeof fetch = (input, init) => {
      const { pathname } = new URL(String(input))
      return fetch(new URL(pathname, urls[requests++ % urls.length]), init)
    }
    const stream = new MessageStream({
      request: createRequest({ serverUrl: urls[0]!, token: tokens[0]!, fetch: inTurns }),
      conversation: conversation!,
    })
    await stream.begin()
    const counts = { cuts: 0, unstored: 0, looks: 0, losses: 0 }
    let isThere = true
    const meanwhile = [
      whileWriting(CUT_EVERY_MS, async () => {
        const count = Math.ceil(viewers * CUT_SHARE)
        await clients.ask('cut', count)
        counts.cuts += count
      }),
      whileWriting(REDIS_MS, async () => {
        isThere = !isThere
        if (isThere) return redis.start()
        counts.losses += 1
        await redis.kill()
      }),
      // What was read is looked for in the database after it was read: whatever is not there was shown before it was stored.
      whileWriting(20, async () => {
        const read = await clients.ask<string>('longest')
        const parts = await seeder.query<{ text: string }>(
          'select text from message_stream_part where stream_id = $1 order by at',
          [stream.id],
        )
        // Each part is stored as JSON, since it may end within a character.
        const stored = parts.map((part) => JSON.parse(part.text) as string).join('')
        counts.looks += 1
        if (!isOver && !stored.startsWith(read)) counts.unstored += 1
      }),
    ]
    const text = await writeTokens(stream, seconds * TOKENS_A_SECOND)
    isOver = true
    await Promise.all(meanwhile)
    await stream.finish()
    const { equal, other, gaps, cut } = await clients.ask<Record<'equal' | 'other' | 'gaps' | 'cut', number>>(
      'compare',
      text,
    )
    return [
      {
        name: `${viewers} viewers cut at random at two nodes, Redis lost half of the time`,
        aim: 'all texts equal, none read that was not stored',
        failures: failuresOf({
          [`${other} texts differ`]: other === 0,
          [`unstored text was read ${counts.unstored} times`]: counts.unstored === 0,
          'nobody was cut off': counts.cuts > 0 && counts.losses > 0,
        }),
        found: [
          `${equal} texts equal, ${other} not; unstored text read ${counts.unstored} times of ${counts.looks} looks; ` +
            `${counts.cuts} cuts of ${cut} viewers, ${gaps} gaps, Redis lost ${counts.losses} times`,
        ],
        how:
          `${seconds} s of ${TOKENS_A_SECOND} tokens a second, whose parts go to the nodes in turns; every ${CUT_EVERY_MS} ms ` +
          `${CUT_SHARE * 100} % of the sockets are cut, and come back at the other node with their cursor; Redis is killed for ` +
          `${REDIS_MS} ms of every ${2 * REDIS_MS}.`,
      },
    ]
  } finally {
    await clients.stop()
    for (const node of nodes) {
      await node.ask('close').catch(() => undefined)
      await node.stop()
    }
    await redis.stop()
  }
}
