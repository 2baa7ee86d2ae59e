import type { Context } from '../../platform/context.js'
import { Unavailable } from '../../platform/errors.js'
import type { StreamPosition } from '../../platform/events/event.js'
import type { LiveEvent, LiveFeed } from '../../platform/events/live-feed.js'
import { readHeads, type StreamHead } from '../../platform/events/streams.js'
import type { NextFrames } from './frames.js'
import type { SharedReads } from './shared-reads.js'

/** The last known event of each stream. */
export type Positions = Map<string, StreamPosition>

/** The state as of exactly these events. */
export interface GroupSnapshot {
  positions: Positions
  /** Number of frames of the snapshot. */
  pageCount: number
  /** Builds one of the frames, on demand and once for all members. @param resync applies to the first frame */
  page(index: number, resync: boolean): Promise<NextFrames>
}

/** Splits a snapshot as its feed requires: one part, or pages of its entries. */
export function pagesOf(event: LiveEvent, pages: LiveFeed['pages']): LiveEvent[] {
  const entries = event.entries as unknown[] | undefined
  if (!entries) return [event]
  const size = pages?.size ?? Math.max(entries.length, 1)
  const count = Math.max(1, Math.ceil(entries.length / size))
  return Array.from({ length: count }, (_, index) => {
    const part = entries.slice(index * size, (index + 1) * size)
    if (index === 0) return { ...event, entries: part, isComplete: count === 1 }
    return { __typename: pages!.__typename, entries: part, isLast: index === count - 1 }
  })
}

/** A snapshot's payload, with the streams' heads of the same moment. */
export interface StateRead {
  event: LiveEvent
  heads: Map<string, StreamHead>
}

/**
 * Members that ask while a snapshot is being read share the next one: any number of concurrent requests costs two
 * reads.
 */
export class NextSnapshot {
  #next: Promise<GroupSnapshot> | null = null
  #before: Promise<unknown> = Promise.resolve()

  constructor(private readonly read: () => Promise<GroupSnapshot>) {}

  /** Returns the state, read after this call. */
  take(): Promise<GroupSnapshot> {
    if (!this.#next) {
      const taken = this.#before.then(() => {
        this.#next = null
        return this.read()
      })
      this.#next = taken
      this.#before = taken.catch(() => undefined)
    }
    return this.#next
  }
}

/** @throws Unavailable */
export async function readState(
  reads: SharedReads,
  streams: readonly string[],
  { ctx, feed }: { ctx: Context; feed: LiveFeed },
): Promise<StateRead> {
  const read = (): Promise<StateRead | null> =>
    ctx.reads.snapshot(async (sql) => {
      const heads = await readHeads(sql, streams)
      return heads.size < streams.length ? null : { heads, event: await feed.snapshot(sql) }
    }, 'state')
  const state = await read()
  if (state) return state
  // After a restore to an older state the streams may be missing.
  await reads.madeHeads(streams)
  const again = await read()
  if (!again) throw new Unavailable('streams are temporarily unavailable; retry')
  return again
}
