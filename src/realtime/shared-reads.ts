import { batching } from '../db/batching.js'
import type { Sql } from '../db/database.js'
import type { StoredEvent } from '../events/event.js'
import { ensureStreams, readEvents, readHeads, type StreamHead } from '../events/streams.js'
import type { NextFrames } from './frames.js'

/** Frames of a replay are kept for those who come back next for this long. */
const KEPT_MS = 2_000
const KEPT_MAX = 500

/** What sockets that come back together read of the log, read once for all of them. */
export class SharedReads {
  readonly #heads: (streams: readonly string[]) => Promise<Map<string, StreamHead>>
  readonly #made: (streams: readonly string[]) => Promise<Map<string, StreamHead>>
  readonly #events = new Map<string, Promise<StoredEvent[]>>()
  readonly #frames = new Map<string, Promise<NextFrames>>()

  constructor(private readonly sql: Sql) {
    this.#heads = batching((all) => readAll(sql, all))
    this.#made = batching(async (all) => {
      await ensureStreams(sql, [...new Set(all.flat())])
      return readAll(sql, all)
    })
  }

  /** The heads of those streams that exist. */
  heads(streams: readonly string[]): Promise<Map<string, StreamHead>> {
    return this.#heads(streams)
  }

  /** The same; streams that do not exist yet are made. */
  madeHeads(streams: readonly string[]): Promise<Map<string, StreamHead>> {
    return this.#made(streams)
  }

  /** Committed events of a stream past `after`, up to number `end`, or the first `limit` of them. */
  events(stream: string, after: number, end: number, limit: number): Promise<StoredEvent[]> {
    // All up to `end` are committed when it is asked for, so that whoever asks the same gets the same.
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

  /** The frames of a replayed event, made once for all in a group who come to it with the same cursor. */
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
