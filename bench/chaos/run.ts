import pg from 'pg'
import { sleep } from './victim.js'
import { NaiveReader } from './naive-reader.js'
import { countRefusedYetDone, countWrongAnswers, runAcceptRaces } from './accept-races.js'
import { AddedMembers } from './added-member.js'
import { QuietNodes } from './quiet-node.js'
import { bringBackOlder } from './older-database.js'
import { countDoubled, countLost, countOutOfTime, isCaughtUp, differenceOf, judge, Log } from './oracle.js'
import { judgeOffers, runOffers } from './offers.js'
import type { ChaosRun, Judgement } from './problems.js'
import { Random } from './random.js'
import { report, type Result } from './report.js'
import { untilJobsAreDone } from './settled.js'
import { setStage } from './stage.js'
import { openSubscribers, type Subscriber } from './subscribers.js'
import { runWriter, WRITERS } from './writers.js'
import { World, type Injection } from './world.js'

export interface ChaosOptions extends ChaosRun {
  injections: number
}

type Fault = Injection | 'node quiet' | 'member added'
type Faults = Readonly<Record<Fault, (random: Random, turn: number) => Promise<void>>>

/** Conversations at once that all agents try to accept. */
const RACES = 2
/** Shares of the faults, of 100. */
const SHARES: Readonly<Record<Fault, number>> = {
  'sockets cut': 18,
  'node killed': 12,
  'node paused': 10,
  'node quiet': 4,
  'commit cut off': 14,
  'rows locked': 10,
  'column added': 6,
  'member added': 4,
  'PostgreSQL restarted at once': 6,
  'Redis killed': 5,
  'Redis paused': 5,
  'clock set wrong': 6,
}
/** So many injections come with one older database at the end. */
const INJECTIONS_PER_OLDER = 50
const BETWEEN_MS = [200, 900] as const

/** @returns what was found, and what of it is not as promised */
export async function runChaos({ injections, seed, print }: ChaosOptions): Promise<Judgement> {
  const random = new Random(seed)
  const world = await World.open()
  let subscribers: Subscriber[] = []
  try {
    const stage = await setStage(world.proxy.url)
    const naive = await NaiveReader.start(world.databaseUrl)
    subscribers = openSubscribers(world.proxy.url, stage)
    let isOver = false
    const writing = Array.from({ length: WRITERS }, (_, index) =>
      runWriter(`writer ${index + 1}`, stage, new Random(seed + index + 1), () => isOver),
    )
    const writers = Promise.all(writing)
    const racing = Promise.all(
      Array.from({ length: RACES }, (_, index) => runAcceptRaces(`race ${index + 1}`, stage, () => isOver)),
    )
    const offering = runOffers(world.proxy.url, stage, new Random(seed + 1_000), () => isOver)
    offering.catch(() => undefined)
    // Awaited at the end; a writer that fails before must not end the process.
    writers.catch(() => undefined)
    racing.catch(() => undefined)
    await sleep(1_000)
    const quiet = new QuietNodes(world.proxy, world.nodeUrls, stage)
    const members = new AddedMembers(stage)
    const faults: Faults = {
      ...world.injections,
      'node quiet': (_random, turn) => quiet.inject(turn),
      'member added': (each) => members.inject(each),
    }
    const counts = await inject(faults, random, injections, print)
    await sleep(1_000)
    isOver = true
    const written = await writers
    const races = (await racing).flat()
    await offering
    const sql = new pg.Client({ connectionString: world.databaseUrl })
    await sql.connect()
    try {
      const settledMs = await untilJobsAreDone(sql, async () => {
        const log = await Log.read(sql)
        return subscribers.every((each) => isCaughtUp(log, each))
      })
      const control = await naive.finish()
      const log = await Log.read(sql)
      const queuesChanged = (each: Subscriber): number =>
        each.field === 'queue' ? (members.changes.get(each.user) ?? 0) : 0
      const results = await Promise.all(
        subscribers.map(async (each) => ({
          ...(await resultOf(log, each, world.nodeUrls[0]!)),
          queuesChanged: queuesChanged(each),
        })),
      )
      const lost = await countLost(
        sql,
        written.flatMap(({ acknowledged }) => acknowledged),
      )
      const doubled = await countDoubled(sql)
      const repeated = [stage.bot, ...stage.agents].reduce((sum, { api }) => sum + api.repeated, 0)
      const outOfTime = await countOutOfTime(sql)
      const offers = await judgeOffers(sql)
      const refused = written.flatMap((each) => each.refused)
      const wrongAnswers = (await countWrongAnswers(sql, races)) + (await countRefusedYetDone(sql, refused))
      const { commitCuts } = world
      await sql.end()
      const times = Math.ceil(injections / INJECTIONS_PER_OLDER)
      const nodeUrl = world.nodeUrls[0]!
      const older = await bringBackOlder(
        { databaseUrl: world.databaseUrl, nodeUrl, keepFiles: () => world.keepFiles() },
        { stage, subscribers, times, seed },
      )
      return report({
        ...{ counts, commitCuts, written, races, wrongAnswers, repeated, lost, doubled, outOfTime, offers },
        ...{ settledMs, control, results, older },
        ...{ unaware: quiet.unaware, members: { added: members.added, neverOnline: members.neverOnline } },
      })
    } finally {
      await sql.end().catch(() => undefined)
    }
  } finally {
    await Promise.all(subscribers.map((subscriber) => subscriber.close().catch(() => undefined)))
    await world.close()
  }
}

/** Several things are away at once, both nodes too. */
async function inject(
  faults: Faults,
  random: Random,
  total: number,
  print: ChaosOptions['print'],
): Promise<Map<Fault, number>> {
  const names = Object.keys(SHARES) as Fault[]
  const counts = new Map<Fault, number>(names.map((name) => [name, 0]))
  const underWay = new Map<string, Promise<void>>()
  let failed: unknown
  for (let done = 0; done < total; done += 1) {
    let left = random.next() * 100
    const name = names.find((each) => (left -= SHARES[each]) < 0)!
    const turn = Math.floor(random.next() * 2)
    const target = name.startsWith('node ') ? `node ${turn}` : name.split(' ', 1)[0]!
    await underWay.get(target)
    if (failed) throw failed
    counts.set(name, counts.get(name)! + 1)
    underWay.set(
      target,
      faults[name](random, turn).catch((error: unknown) => void (failed ??= error)),
    )
    if ((done + 1) % 50 === 0) print(`  ${done + 1} injections`)
    await sleep(random.between(...BETWEEN_MS))
  }
  await Promise.all(underWay.values())
  if (failed) throw failed
  return counts
}

async function resultOf(log: Log, subscriber: Subscriber, url: string): Promise<Omit<Result, 'queuesChanged'>> {
  const { name, view, ended } = subscriber
  const difference = differenceOf(view.state, (await subscriber.stateNow(url)).state)
  return { name, ...judge(log, subscriber), outOfStep: view.counts.outOfStep, ended, difference }
}
