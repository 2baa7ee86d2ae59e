import type { Logger } from 'pino'
import type { Sql } from '../db/database.js'
import type { JsonObject } from '../json.js'
import type { StoredEvent } from './event.js'
import { readEvents, readHeads } from './streams.js'

/** What is shown to who is there now and never stored: typing, for instance. */
export interface Ephemeral {
  stream: string
  type: string
  data: JsonObject
}

export interface StreamListener {
  onEvent(event: StoredEvent): void
  onEphemeral?(event: Ephemeral): void
  /** Events before `next` have expired unread: what the listener knows may be wrong. */
  onGap?(stream: string, next: number): void
}

/** Carries events between nodes; it may lose any of them, and nothing is lost by that. */
export interface HintBus {
  publish(events: readonly StoredEvent[]): void
  publishEphemeral(event: Ephemeral): void
  /** Which streams this node wants hints of. */
  want(stream: string): void
  unwant(stream: string): void
  connect(receiver: HintReceiver): void
  close(): Promise<void>
}

export interface HintReceiver {
  events(events: readonly StoredEvent[]): void
  ephemeral(event: Ephemeral): void
  /** The bus was away: hints may have been lost. */
  interrupted(): void
}

interface Watched {
  /** The last number delivered on this node. */
  position: number
  listeners: Set<StreamListener>
  /** Newest number heard of but not delivered yet; a read is under way until `position` reaches it. */
  wanted: number
  reading: Promise<void> | null
}

/** The stream heads are compared this often, so that a lost hint delays delivery and loses nothing. */
const HEAD_CHECK_MS = 1_000
const READ_BATCH = 500

/**
 * Delivers committed events to this node's listeners: each once, in the order of their stream's numbers, whatever the
 * hints do. A jump in the number, an interrupted bus or the periodic check of heads makes it read what is missing.
 */
export class Dispatcher implements HintReceiver {
  readonly #watched = new Map<string, Watched>()
  #timer: NodeJS.Timeout | null = null
  #checking = false

  constructor(
    private readonly options: { sql: Sql; log: Logger; hints?: HintBus; headCheckMs?: number },
  ) {}

  start(): void {
    this.options.hints?.connect(this)
    this.#timer = setInterval(() => void this.checkHeads(), this.options.headCheckMs ?? HEAD_CHECK_MS)
    this.#timer.unref()
  }

  stop(): void {
    if (this.#timer) clearInterval(this.#timer)
    this.#timer = null
    this.#watched.clear()
  }

  /** Streams with listeners on this node. */
  get watchedCount(): number {
    return this.#watched.size
  }

  /** Call after the commit, with what `appendEvents` returned. */
  publish(events: readonly StoredEvent[]): void {
    if (events.length === 0) return
    this.events(events)
    this.options.hints?.publish(events)
  }

  publishEphemeral(event: Ephemeral): void {
    this.ephemeral(event)
    this.options.hints?.publishEphemeral(event)
  }

  /**
   * Listens to a stream from now on. `position` is a head read before; when others listen already, theirs is kept, and
   * the listener may hear events up to its own `position`, which it has to pass over.
   * @returns a function that stops listening.
   */
  listen(stream: string, position: number, listener: StreamListener): () => void {
    let watched = this.#watched.get(stream)
    if (!watched) {
      watched = { position, listeners: new Set(), wanted: position, reading: null }
      this.#watched.set(stream, watched)
      this.options.hints?.want(stream)
    }
    watched.listeners.add(listener)
    const entry = watched
    return () => {
      if (!entry.listeners.delete(listener) || entry.listeners.size > 0) return
      if (this.#watched.get(stream) !== entry) return
      this.#watched.delete(stream)
      this.options.hints?.unwant(stream)
    }
  }

  /** The last number delivered of a stream that someone here listens to. */
  positionOf(stream: string): number | undefined {
    return this.#watched.get(stream)?.position
  }

  /** Resolves when the stream has been delivered up to `number` here. */
  async reach(stream: string, number: number): Promise<void> {
    const watched = this.#watched.get(stream)
    if (watched && watched.position < number) await this.#readUpTo(stream, watched, number)
  }

  events(events: readonly StoredEvent[]): void {
    for (const event of events) {
      const watched = this.#watched.get(event.stream)
      if (!watched || event.number <= watched.position) continue
      if (event.number === watched.position + 1 && !watched.reading) this.#deliver(watched, event)
      else void this.#readUpTo(event.stream, watched, event.number)
    }
  }

  ephemeral(event: Ephemeral): void {
    const watched = this.#watched.get(event.stream)
    if (watched) for (const listener of watched.listeners) listener.onEphemeral?.(event)
  }

  interrupted(): void {
    void this.checkHeads()
  }

  /** Reads what any watched stream lacks. Errors are logged: the next check tries again. */
  async checkHeads(): Promise<void> {
    if (this.#checking || this.#watched.size === 0) return
    this.#checking = true
    try {
      const heads = await readHeads(this.options.sql, [...this.#watched.keys()])
      const behind = [...heads.values()].filter(({ name, head }) => (this.#watched.get(name)?.position ?? head) < head)
      await Promise.all(behind.map(({ name, head }) => this.reach(name, head)))
    } catch (error) {
      this.options.log.warn({ err: error }, 'could not check the stream heads')
    } finally {
      this.#checking = false
    }
  }

  #readUpTo(stream: string, watched: Watched, number: number): Promise<void> {
    watched.wanted = Math.max(watched.wanted, number)
    if (watched.position >= watched.wanted) return Promise.resolve()
    watched.reading ??= this.#read(stream, watched)
    return watched.reading
  }

  async #read(stream: string, watched: Watched): Promise<void> {
    try {
      while (watched.position < watched.wanted && this.#watched.get(stream) === watched) {
        const events = await readEvents(this.options.sql, stream, watched.position, READ_BATCH)
        for (const event of events) {
          this.#passGap(stream, watched, event.number)
          if (event.number > watched.position) this.#deliver(watched, event)
        }
        // Numbers heard of are committed, so what cannot be read has expired.
        if (events.length === 0) this.#passGap(stream, watched, watched.wanted + 1)
      }
    } catch (error) {
      this.options.log.warn({ err: error, stream }, 'could not read a stream')
    } finally {
      // In the same tick as the last look at `wanted`: who comes later begins to read anew.
      watched.reading = null
    }
  }

  /** Tells the listeners when events before `next` have expired unread. */
  #passGap(stream: string, watched: Watched, next: number): void {
    if (next <= watched.position + 1) return
    watched.position = next - 1
    for (const listener of watched.listeners) listener.onGap?.(stream, next)
  }

  #deliver(watched: Watched, event: StoredEvent): void {
    watched.position = event.number
    if (watched.wanted < event.number) watched.wanted = event.number
    for (const listener of watched.listeners) {
      try {
        listener.onEvent(event)
      } catch (error) {
        this.options.log.error({ err: error, stream: event.stream }, 'a stream listener failed')
      }
    }
  }
}
