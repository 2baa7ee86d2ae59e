import pg from 'pg'
import { keepDatabase, type KeptDatabase } from './brought-back.js'
import { differenceOf } from './oracle.js'
import { Random } from './random.js'
import type { Stage } from './stage.js'
import type { Subscriber } from './subscribers.js'
import { sleep } from './victim.js'
import { runWriter } from './writers.js'

const WRITERS = 6
/** Written and then lost, and written after. */
const LOST_MS = 2_000
const AFTER_MS = 2_000
const SETTLE_MS_MAX = 20_000

export interface BroughtBack {
  times: number
  /** Events that subscribers had received, and that the older database lacks. */
  lostEvents: number
  /** Snapshots by which subscribers were corrected. */
  corrected: number
  /** Names of subscribers that show a wrong state without having been corrected. */
  wrong: string[]
}

/**
 * Takes the database away, under subscribers and writers, and brings an older one back, some times: the database alone, and
 * in turn all of the server's files with its transaction counters. What was acknowledged
 * in between is lost, which no server can help; what it must not be is lost in silence.
 */
export async function bringBackOlder(
  { databaseUrl, nodeUrl, keepFiles }: { databaseUrl: string; nodeUrl: string; keepFiles: () => Promise<KeptDatabase> },
  {
    stage,
    subscribers,
    times,
    seed,
  }: { stage: Stage; subscribers: readonly Subscriber[]; times: number; seed: number },
): Promise<BroughtBack> {
  const snapshots = () => subscribers.reduce((sum, { view }) => sum + view.counts.snapshots, 0)
  const before = snapshots()
  let lostEvents = 0
  for (let time = 0; time < times; time += 1) {
    const kept = await (time % 2 === 0 ? keepFiles() : keepDatabase(databaseUrl))
    try {
      const lost = await writeFor(LOST_MS, stage, `lost ${seed} ${time}`)
      await sleep(500)
      lostEvents += await eventsOf(databaseUrl, 'lost')
      await kept.bringBack()
      // As much as was lost, more or less: streams end before, at and past the numbers that were known.
      await writeFor(AFTER_MS * [0, 0.5, 1, 2][time % 4]!, stage, `after ${seed} ${time}`)
      if (lost === 0) throw new Error('nothing was written that could be lost')
    } finally {
      await kept.drop()
    }
  }
  const wrong = await settle(subscribers, nodeUrl)
  return { times, lostEvents, corrected: snapshots() - before, wrong }
}

async function writeFor(ms: number, stage: Stage, name: string): Promise<number> {
  if (ms === 0) return 0
  let isOver = false
  const writing = Array.from({ length: WRITERS }, (_, index) =>
    runWriter(`${name} ${index}`, stage, new Random(index), () => isOver),
  )
  await sleep(ms)
  isOver = true
  return (await Promise.all(writing)).reduce((sum, { acknowledged }) => sum + acknowledged.length, 0)
}

async function eventsOf(databaseUrl: string, name: string): Promise<number> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    const { rows } = await client.query<{ count: number }>(
      `select count(*)::int as count from event where data -> 'message' ->> 'text' like $1`,
      [`${name} %`],
    )
    return rows[0]!.count
  } finally {
    await client.end()
  }
}

/** @returns who does not come to show what is so, and where */
async function settle(subscribers: readonly Subscriber[], nodeUrl: string): Promise<string[]> {
  const until = performance.now() + SETTLE_MS_MAX
  let left = [...subscribers]
  for (;;) {
    const states = await Promise.all(left.map(async (each) => (await each.stateNow(nodeUrl)).state))
    const wrong = left.map(({ view, ended }, index) =>
      ended ? `ended: ${ended}` : differenceOf(view.state, states[index]),
    )
    const late = performance.now() > until
    if (late) return left.flatMap(({ name }, index) => (wrong[index] ? `${name}: ${wrong[index]}` : []))
    left = left.filter((_, index) => wrong[index])
    if (left.length === 0) return []
    await sleep(500)
  }
}
