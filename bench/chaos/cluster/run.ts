import pg from 'pg'
import { Log } from '../oracle.js'
import { Random } from '../random.js'
import { createConversation, setStage, type Stage } from '../stage.js'
import { Api, type Unanswered } from '../api.js'
import { untilJobsAreDone } from '../settled.js'
import { openSubscribers, type Subscriber } from '../subscribers.js'
import { sleep } from '../victim.js'
import { runWriter, type Written } from '../writers.js'
import { Cluster } from './cluster.js'
import { FAULTS, type Fault } from './faults.js'
import { judgeGoals, type Run } from './goals.js'
import { Observation } from './observation.js'
import { Receiver } from './receiver.js'
import { heading, line, type Outcome } from './report.js'
import { judgeSegment, readTags, whereNow } from './segment.js'

const WRITERS = 10
/** More than a page of a snapshot holds. */
const WAITING = 220
const AT_ONCE = 10
/** A request waits for the database for 10 s, then is refused: clients wait longer. */
const ANSWER_MS_MAX = 20_000
const BEFORE_MS = 2_000
const AFTER_MS = 4_000

export interface ClusterOptions {
  /** Faults whose names contain one of these; none: all. */
  only: readonly string[]
  times: number
  print: (line: string) => void
}

/** Takes the parts of a cluster away, one after the other, under writers and subscribers. @returns the broken promises */
export async function runClusterChaos({ only, times, print }: ClusterOptions): Promise<string[]> {
  const faults = FAULTS.filter(({ name }) => only.length === 0 || only.some((part) => name.includes(part)))
  if (faults.length === 0) throw new Error(`--only names none of: ${FAULTS.map(({ name }) => name).join(', ')}`)
  const cluster = await Cluster.open(print)
  // PostgreSQL outlives Patroni, and so us.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => void cluster.close().finally(() => process.exit(1)))
  }
  let subscribers: Subscriber[] = []
  let receiver: Receiver | undefined
  const runs: Run[] = []
  try {
    const stage = await setStage(cluster.url, ANSWER_MS_MAX)
    await fillQueues(stage)
    receiver = await withPrimary(cluster, (sql) => Receiver.open(stage.owner, sql))
    subscribers = openSubscribers(cluster.url, stage)
    for (const text of heading()) print(text)
    for (const fault of faults) {
      for (let time = 1; time <= times; time++) {
        const outcome = await runFault({ cluster, stage, subscribers, receiver, fault, time })
        print(line(fault, outcome))
        for (const detail of [...outcome.reasons, ...outcome.wrong]) print(`    ${detail}`)
        runs.push({ fault, outcome })
      }
    }
  } finally {
    await Promise.all(subscribers.map((subscriber) => subscriber.close().catch(() => undefined)))
    await receiver?.close()
    await cluster.close()
  }
  const { lines, problems } = judgeGoals(FAULTS, runs)
  for (const text of lines) print(text)
  return problems
}

interface FaultRun {
  cluster: Cluster
  stage: Stage
  subscribers: readonly Subscriber[]
  receiver: Receiver
  fault: Fault
  time: number
}

async function runFault({ cluster, stage, subscribers, receiver, fault, time }: FaultRun): Promise<Outcome> {
  const requests = [stage.bot, ...stage.agents].map(({ api }) => api.unanswered)
  for (const list of requests) list.length = 0
  const from = subscribers.map(whereNow)
  // Part of email addresses.
  const name = fault.name.replaceAll(/[^\w ]/g, '')
  let isOver = false
  const writing = Array.from({ length: WRITERS }, (_, index) =>
    runWriter(`${name} ${time} ${index}`, stage, new Random(time * WRITERS + index), () => isOver),
  )
  const written = Promise.all(writing)
  written.catch(() => undefined)
  await sleep(BEFORE_MS)
  const observation = await Observation.start({ cluster, stage, subscribers, receiver, name: `${name} ${time}` })
  const begunAt = performance.now()
  await fault.inject(cluster)
  await cluster.untilHealthy()
  await sleep(AFTER_MS)
  isOver = true
  const all = await written
  await observation.stop()
  const unanswered = requests.flat()
  const acknowledged = all.flatMap((each) => each.acknowledged)
  return withPrimary(cluster, async (sql) => {
    await untilJobsAreDone(sql)
    // Nothing more is written then.
    await sleep(2_000)
    const log = await Log.read(sql)
    const tags = await readTags(sql)
    const urls = cluster.nodeUrls
    const segments = await Promise.all(
      subscribers.map((each, index) => judgeSegment({ log, tags, subscriber: each, from: from[index]!, urls })),
    )
    const sum = (of: (segment: (typeof segments)[number]) => number) =>
      segments.reduce((all, each) => all + of(each), 0)
    const nodesWriting = await countWriting(cluster, stage, `${name} ${time}`)
    return {
      ...(await observation.judge(sql, unanswered)),
      nodesWriting,
      slowestS: Math.max(0, ...acknowledged.map(({ ms }) => ms)) / 1_000,
      silentS: longestGap(all, begunAt) / 1_000,
      acknowledged: acknowledged.length,
      lost: await countMissing(
        sql,
        acknowledged.map(({ message }) => message),
      ),
      doubled: await countTwice(sql, name),
      unanswered: unanswered.length,
      reasons: countByReason(unanswered),
      events: sum(({ events }) => events),
      missed: sum(({ missed }) => missed),
      ghosts: sum(({ ghosts }) => ghosts),
      untold: sum(({ untold }) => untold),
      resyncs: sum(({ resyncs }) => resyncs),
      wrong: segments.flatMap(({ wrong }) => wrong ?? []),
    }
  })
}

/** Queues whose snapshots have several pages. */
async function fillQueues({ bot }: Stage): Promise<void> {
  let next = 0
  const fill = async (): Promise<void> => {
    for (let index = next++; index < WAITING; index = next++) await createConversation(bot, `waiting ${index}`)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, fill))
}

async function withPrimary<T>(cluster: Cluster, work: (sql: pg.Client) => Promise<T>): Promise<T> {
  const sql = new pg.Client({ connectionString: await cluster.primaryUrl() })
  sql.on('error', () => undefined)
  await sql.connect()
  try {
    return await work(sql)
  } finally {
    await sql.end()
  }
}

/** Each node for itself, past haproxy. */
async function countWriting({ nodeUrls }: Cluster, { bot, conversations }: Stage, name: string): Promise<number> {
  const sent = nodeUrls.map((url, index) => {
    const api = new Api(url, bot.api.token, ANSWER_MS_MAX)
    const message = { role: 'contact', text: `${name} by node ${index}` }
    return api.rest('POST', `/conversations/${conversations[index]!}/messages`, message, message.text)
  })
  const results = await Promise.allSettled(sent.map((each) => Promise.race([each, late()])))
  return results.filter(({ status }) => status === 'fulfilled').length
}

async function late(): Promise<never> {
  await sleep(ANSWER_MS_MAX)
  throw new Error('no answer')
}

/** The longest time, in ms, between two acknowledged writes of any writers. */
function longestGap(all: readonly Written[], since: number): number {
  const times = all.flatMap(({ acknowledged }) => acknowledged.map(({ at }) => at)).sort((a, b) => a - b)
  const gaps = times.map((at, index) => at - Math.max(times[index - 1] ?? since, since))
  return Math.max(0, ...gaps)
}

function countByReason(unanswered: readonly Unanswered[]): string[] {
  const counts = Map.groupBy(unanswered, ({ reason }) => reason.slice(0, 160))
  return [...counts].map(([reason, list]) => `${list.length} × ${reason}`)
}

async function countMissing(sql: pg.Client, ids: readonly string[]): Promise<number> {
  const { rows } = await sql.query<{ lost: number }>(
    `select count(*)::int as lost from unnest($1::uuid[]) as answered(id)
     where not exists (select from message m where m.id = answered.id)`,
    [ids],
  )
  return rows[0]!.lost
}

async function countTwice(sql: pg.Client, name: string): Promise<number> {
  const { rows } = await sql.query<{ doubled: number }>(
    `select count(*)::int as doubled from (
       select 1 from message where (case when type = 'chat' then text else meta ->> 'key' end) like $1 || ' %'
       group by case when type = 'chat' then text else meta ->> 'key' end having count(*) > 1) as doubles`,
    [name],
  )
  return rows[0]!.doubled
}
