import type { Context } from '../context.js'
import { Unavailable } from '../errors.js'
import type { StreamPosition } from '../events/event.js'
import type { LiveEvent, LiveFeed } from '../events/live-feed.js'
import { readHeads, type StreamHead } from '../events/streams.js'
import type { NextFrames } from './frames.js'
import type { SharedReads } from './shared-reads.js'

/** The last event that somebody has of each stream. */
export type Positions = Map<string, StreamPosition>

/** The state as of exactly these events. */
export interface GroupSnapshot {
  positions: Positions
  /** In how many frames it is sent. */
  pageCount: number
  /** One of them, made when it is asked for and once for all who do. @param resync of the first one */
  page(index: number, resync: boolean): Promise<NextFrames>
}

/** What a snapshot shows, as it is sent: whole, or in pages of its entries. */
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

/** What a snapshot shows, with the streams' heads as of the same moment. */
export interface StateRead {
  event: LiveEvent
  heads: Map<string, StreamHead>
}

/** Members that ask while a snapshot is being read share the next one: any number arriving together cost two reads. */
export class NextSnapshot {
  #next: Promise<GroupSnapshot> | null = null
  #before: Promise<unknown> = Promise.resolve()

  constructor(private readonly read: () => Promise<GroupSnapshot>) {}

  /** The state, read after this call. */
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
    })
  const state = await read()
  if (state) return state
  // A database that was brought back to an older state may have lost the streams.
  await reads.madeHeads(streams)
  const again = await read()
  if (!again) throw new Unavailable('the streams cannot be read for the moment; retry')
  return again
}
