import type pg from 'pg'
import type { Unanswered } from '../api.js'
import type { Stage } from '../stage.js'
import type { Subscriber } from '../subscribers.js'
import type { Cluster } from './cluster.js'
import { DelayedMessages } from './delayed.js'
import { DirectWriter } from './direct-writer.js'
import { NodeWriters } from './node-writers.js'
import { OwnWrites } from './own-writes.js'
import { ReadinessWatch } from './readiness.js'
import type { Deliveries, Receiver } from './receiver.js'

/** Wait of a node that waits for the database for as long as it is told to, with some time for answering. */
const WAIT_MS = 9_500
const RESTART = 1012

/** Effects of a fault beside lost and doubled writes and screens. */
export interface Observed {
  /** Longest time without a commit by a bare connection to PostgreSQL. */
  directS: number
  /** The longest time of each node without an answered write. */
  nodesS: number[]
  /** Time after the bare connection at which each node went on. */
  nodesLaterS: number[]
  /** Requests that a node refused although it had time left to wait, and knew that nothing was done. */
  hasty: number
  /** Requests answered as if the product was at fault. */
  internal: number
  deliveries: Deliveries
  delayed: { lost: number; doubled: number; lateMs: number }
  /** Decisions that took a channel to be without agents, which had some all the time. */
  believedOffline: number
  /** After the last commit, for as long a node called itself ready, in a silence that was long enough to tell. */
  readyWithoutCommitsS: number | null
  readyAgainS: number | null
  closes: number
  /** Sockets closed while a node ended: how many, in which time, the largest share of them in one second, other codes than 1012. */
  drained: { sockets: number; spreadS: number; shareMax: number; otherCodes: number }[]
  ownReads: number
  ownHidden: number
  replicaReads: number
}

interface Scene {
  cluster: Cluster
  stage: Stage
  subscribers: readonly Subscriber[]
  receiver: Receiver
  name: string
}

/** Watches one fault, from before it until after it. */
export class Observation {
  readonly #startedAt = performance.now()
  readonly #direct: DirectWriter
  readonly #readiness: ReadinessWatch
  readonly #own: OwnWrites
  readonly #nodes: NodeWriters
  #gaps: { from: number; to: number }[] = []
  #delayed!: DelayedMessages
  #replicaReads!: readonly number[]

  private constructor(private readonly scene: Scene) {
    const { cluster, stage, name } = scene
    this.#direct = new DirectWriter(cluster.databaseUrls)
    this.#readiness = new ReadinessWatch(cluster.nodeUrls)
    this.#own = new OwnWrites(stage.owner, name)
    this.#nodes = new NodeWriters(cluster.nodeUrls, stage, name)
  }

  static async start(scene: Scene): Promise<Observation> {
    const observation = new Observation(scene)
    observation.#replicaReads = await scene.cluster.replicaReads()
    observation.#delayed = await DelayedMessages.send(scene.stage, scene.name)
    return observation
  }

  async stop(): Promise<void> {
    this.#gaps = this.#nodes.stop(this.#startedAt)
    this.#readiness.stop()
    await Promise.all([this.#direct.stop(), this.#own.stop()])
  }

  /** After `stop`, when nothing is under way. */
  async judge(sql: pg.Client, unanswered: readonly Unanswered[]): Promise<Observed> {
    const { cluster, stage, subscribers, receiver } = this.scene
    const gap = this.#direct.longestGap(this.#startedAt)
    const closes = subscribers.flatMap(({ closes: all }) => all.filter(({ at }) => at > this.#startedAt))
    const isLong = gap.ms > WAIT_MS - 2_000
    const again = this.#readiness.readyAfter(gap.to)
    return {
      directS: gap.ms / 1_000,
      nodesS: this.#gaps.map(({ from, to }) => (to - from) / 1_000),
      nodesLaterS: this.#gaps.map(({ to }) => (to - gap.to) / 1_000),
      hasty: unanswered.filter(isHasty).length,
      internal: unanswered.filter(({ code }) => code === '500' || code === 'INTERNAL_SERVER_ERROR').length,
      deliveries: await receiver.judge(sql),
      delayed: await this.#delayed.judge(sql, performance.timeOrigin + gap.to),
      believedOffline: await countBelievedOffline(sql, stage.watched, this.#startedAt),
      readyWithoutCommitsS: isLong ? this.#readiness.readyWithoutCommits(gap.from, gap.to) / 1_000 : null,
      readyAgainS: again === null ? null : again / 1_000,
      closes: closes.length,
      drained: cluster.drains.filter(({ from }) => from > this.#startedAt).map((drain) => drainedIn(drain, closes)),
      ownReads: this.#own.reads,
      ownHidden: this.#own.hidden,
      replicaReads: grownBy(this.#replicaReads, await cluster.replicaReads()),
    }
  }
}

/** Counters begin anew with their process. */
function grownBy(before: readonly number[], after: readonly number[]): number {
  return after.reduce((sum, count, index) => sum + count - (count < before[index]! ? 0 : before[index]!), 0)
}

/** An unknown outcome is told at once: waiting would not make it known. Balancers refuse on their own. */
function isHasty({ code, ms, reason }: Unanswered): boolean {
  const isNodes = (code === 'UNAVAILABLE' || code === '503') && !reason.includes('No server is available')
  return isNodes && ms < WAIT_MS && !reason.includes('did not answer whether this was done')
}

function drainedIn({ from, to }: { from: number; to: number }, closes: readonly { at: number; code: number }[]) {
  const during = closes.filter(({ at }) => at >= from && at <= to).sort((a, b) => a.at - b.at)
  const inOneSecond = during.map(({ at }) => during.filter((other) => other.at >= at && other.at < at + 1_000).length)
  return {
    sockets: during.length,
    spreadS: during.length === 0 ? 0 : (during.at(-1)!.at - during[0]!.at) / 1_000,
    shareMax: during.length === 0 ? 0 : Math.max(...inOneSecond) / during.length,
    otherCodes: during.filter(({ code }) => code !== RESTART).length,
  }
}

async function countBelievedOffline(sql: pg.Client, watched: readonly string[], since: number): Promise<number> {
  const { rows } = await sql.query<{ count: number }>(
    `select count(*)::int as count from routing_decision d, jsonb_array_elements(d.entries) entry
     where d.created_at > $2 and entry -> 'channelsOffline' ?| $1::text[]`,
    [watched, new Date(performance.timeOrigin + since)],
  )
  return rows[0]!.count
}
