import type pg from 'pg'
import { readCursor, type CursorPositions } from '../../../src/platform/events/cursor.js'
import { differenceOf, isCaughtUp, judge, type Log } from '../oracle.js'
import type { Subscriber } from '../subscribers.js'
import { sleep } from '../victim.js'

const CATCH_UP_MS_MAX = 15_000

/** Position of a subscriber when a fault began. */
export interface Place {
  seen: number
  cursor: string | null
}

export const whereNow = ({ seen }: Subscriber): Place => ({ seen: seen.length, cursor: seen.at(-1)?.cursor ?? null })

/** The tag of each event, by the stream's key and its number: what tells two histories apart. */
export type Tags = ReadonlyMap<string, number>

export async function readTags(sql: pg.Client): Promise<Tags> {
  const { rows } = await sql.query<{ place: string; tag: number }>(
    `select s.key || '/' || e.number as place, e.tag from event e join stream s on s.name = e.stream`,
  )
  return new Map(rows.map(({ place, tag }) => [place, tag]))
}

export interface Segment {
  events: number
  /** Events of the log that it did not get, and no snapshot replaced. */
  missed: number
  /** Events that it got, and that the log has no more. */
  ghosts: number
  /** Ghosts after which no snapshot came. */
  untold: number
  resyncs: number
  /** Things that it shows and should not; it has caught up, so this does not go away. */
  wrong: string | null
}

interface SegmentOptions {
  log: Log
  tags: Tags
  subscriber: Subscriber
  from: Place
  urls: readonly string[]
}

export async function judgeSegment({ log, tags, subscriber, from, urls }: SegmentOptions): Promise<Segment> {
  for (const until = performance.now() + CATCH_UP_MS_MAX; performance.now() < until; await sleep(100)) {
    if (isCaughtUp(log, subscriber)) break
  }
  const { view, name } = subscriber
  const seen = subscriber.seen.slice(from.seen)
  const snapshots = seen.flatMap(({ type }, at) => (type.endsWith('Snapshot') ? [at] : []))
  const last = snapshots.at(-1) ?? -1
  const ghosts = ghostsAmong(seen, from.cursor, tags)
  const start = { type: 'Snapshot', cursor: from.cursor ?? '' }
  // What came before a snapshot of another history cannot be compared with this one.
  const judged = ghosts.length > 0 && last >= 0 ? seen.slice(last) : from.cursor ? [start, ...seen] : seen
  const { missed } = judge(log, { seen: judged, view })
  const difference = await lastingDifference(subscriber, urls)
  return {
    events: seen.length - snapshots.length,
    missed,
    ghosts: ghosts.length,
    untold: ghosts.filter((at) => at > last).length,
    resyncs: from.cursor ? snapshots.length : Math.max(0, snapshots.length - 1),
    wrong: subscriber.ended ? `${name} ended: ${subscriber.ended}` : difference ? `${name}: ${difference}` : null,
  }
}

/**
 * Finds what differs from a screen that is opened now, on any node. Without the same cursor the one may only be later
 * than the other: that passes; what does not pass is wrong.
 */
async function lastingDifference(subscriber: Subscriber, urls: readonly string[]): Promise<string | null> {
  for (const until = performance.now() + CATCH_UP_MS_MAX; ; await sleep(500)) {
    const states = await Promise.all(urls.map((url) => subscriber.stateNow(url)))
    const { view } = subscriber
    const differences = states.flatMap(({ state, cursor }) => {
      const what = differenceOf(view.state, state)
      return what === null ? [] : [{ what, isSame: cursor === view.cursor }]
    })
    if (differences.length === 0) return null
    const sure = differences.find(({ isSame }) => isSame)
    if (sure) return `${sure.what}, at the same cursor`
    if (performance.now() > until) return `${differences[0]!.what}, for ${CATCH_UP_MS_MAX / 1_000} s`
  }
}

/** @returns the places of events that the log does not have, or has not any more */
function ghostsAmong(seen: readonly { type: string; cursor: string }[], from: string | null, tags: Tags): number[] {
  let before: CursorPositions | null = from ? readCursor(from) : null
  return seen.flatMap(({ type, cursor }, at) => {
    const positions = readCursor(cursor)
    if (!positions) throw new Error(`${type} has the cursor ${cursor}`)
    const moved = [...positions].filter(([key, { number }]) => number > (before?.get(key)?.number ?? 0))
    before = positions
    if (type.endsWith('Snapshot')) return []
    return moved.some(([key, { number, tag }]) => tags.get(`${key}/${number}`) !== tag) ? [at] : []
  })
}
