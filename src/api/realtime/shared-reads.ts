import { batching } from '../../platform/db/batching.js'
import type { Sql } from '../../platform/db/database.js'
import type { StoredEvent } from '../../platform/events/event.js'
import { ensureStreams, readEvents, readHeads, type StreamHead } from '../../platform/events/streams.js'
import type { NextFrames } from './frames.js'

/** Frames of a replay are cached this long, for clients that reconnect next. */
const KEPT_MS = 2_000
const KEPT_MAX = 500
/** While many come back, their statements are few, and take little of the database from others. */
const AT_ONCE = { atOnce: 2 }

/** Shares reads of the log among sockets that reconnect at the same time. */
export class SharedReads {
  readonly #heads: (streams: readonly string[]) => Promise<Map<string, StreamHead>>
  readonly #made: (streams: readonly string[]) => Promise<Map<string, StreamHead>>
  readonly #events = new Map<string, Promise<StoredEvent[]>>()
  readonly #frames = new Map<string, Promise<NextFrames>>()

  constructor(private readonly sql: Sql) {
    this.#heads = batching((all) => readAll(sql, all), AT_ONCE)
    this.#made = batching(async (all) => {
      await ensureStreams(sql, [...new Set(all.flat())])
      return readAll(sql, all)
    }, AT_ONCE)
  }

  /** Returns the heads of the streams that exist. */
  heads(streams: readonly string[]): Promise<Map<string, StreamHead>> {
    return this.#heads(streams)
  }

  /** Returns the heads of all streams, creating missing ones. */
  madeHeads(streams: readonly string[]): Promise<Map<string, StreamHead>> {
    return this.#made(streams)
  }

  /** Returns committed events of a stream after `after`, up to number `end`, or the first `limit` of them. */
  events(stream: string, after: number, end: number, limit: number): Promise<StoredEvent[]> {
    // All events up to `end` are committed, so that equal requests get equal answers.
    const key = `${after} ${end} ${stream}`
    let reading = this.#events.get(key)
    if (!reading) {
      reading = readEvents(this.sql, stream, after, Math.min(limit, end - after)).finally(() =>
        this.#events.delete(key),
      )
      this.#events.set(key, reading)
    }
    return reading
  }

  /** Returns the frames of a replayed event, built once for all in a group that reach it with the same cursor. */
  frames(key: string, make: () => Promise<NextFrames>): Promise<NextFrames> {
    let frames = this.#frames.get(key)
    if (frames) return frames
    if (this.#frames.size >= KEPT_MAX) this.#frames.clear()
    if (this.#frames.size === 0) setTimeout(() => this.#frames.clear(), KEPT_MS).unref()
    frames = make()
    frames.catch(() => this.#frames.delete(key))
    this.#frames.set(key, frames)
    return frames
  }
}

async function readAll(sql: Sql, all: readonly (readonly string[])[]): Promise<Map<string, StreamHead>[]> {
  const heads = await readHeads(sql, [...new Set(all.flat())])
  return all.map(
    (streams) => new Map(streams.flatMap((stream) => (heads.has(stream) ? [[stream, heads.get(stream)!]] : []))),
  )
}
