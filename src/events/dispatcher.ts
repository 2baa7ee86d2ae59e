import type { Logger } from 'pino'
import type { Sql } from '../db/database.js'
import type { JsonObject } from '../json.js'
import { follows, isSamePosition, NOWHERE, positionAfter, type StoredEvent, type StreamPosition } from './event.js'
import { readHeads, readOn } from './streams.js'

/** What is shown to who is there now and never stored: typing, for instance. */
export interface Ephemeral {
  stream: string
  type: string
  data: JsonObject
}

export interface StreamListener {
  onEvent(event: StoredEvent): void
  onEphemeral?(event: Ephemeral): void
  /**
   * What the listener knows may be wrong: events have expired unread, or the database was brought back to an older state
   * and has another history now. The stream goes on past `position`, which may be before what was heard.
   */
  onBreak?(stream: string, position: StreamPosition): void
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
  /** The last event delivered on this node. */
  position: StreamPosition
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
 * hints do. A jump in the number, an interrupted bus or the periodic check of heads makes it read what is missing. What it
 * delivers follows what it delivered before: after a restore or a failover that lost commits, which give numbers again,
 * it tells its listeners of the break instead.
 */
export class Dispatcher implements HintReceiver {
  readonly #watched = new Map<string, Watched>()
  #timer: NodeJS.Timeout | null = null
  #checking = false

  constructor(private readonly options: { sql: Sql; log: Logger; hints?: HintBus; headCheckMs?: number }) {}

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
  listen(stream: string, position: StreamPosition, listener: StreamListener): () => void {
    let watched = this.#watched.get(stream)
    if (!watched) {
      watched = { position, listeners: new Set(), wanted: position.number, reading: null }
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

  /** The last event delivered of a stream that someone here listens to. */
  positionOf(stream: string): StreamPosition | undefined {
    return this.#watched.get(stream)?.position
  }

  /** Resolves when the stream has been delivered up to `number` here, or is found to have no such event. */
  async reach(stream: string, number: number): Promise<void> {
    const watched = this.#watched.get(stream)
    if (watched && watched.position.number < number) await this.#readUpTo(stream, watched, number)
  }

  /** Compares what has been delivered of a stream with the database's history, and delivers what is missing. */
  async verify(stream: string): Promise<void> {
    const watched = this.#watched.get(stream)
    if (watched) await (watched.reading ??= this.#read(stream, watched))
  }

  events(events: readonly StoredEvent[]): void {
    for (const event of events) {
      const watched = this.#watched.get(event.stream)
      if (!watched || event.number <= watched.position.number) continue
      // A hint of another history is not believed: what the database has is read.
      if (follows(watched.position, event) && !watched.reading) this.#deliver(watched, event)
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
      // As of before the heads are read: what is delivered meanwhile is no sign that a stream went back.
      const known = [...this.#watched].map(([stream, { position }]) => ({ stream, position }))
      const heads = await readHeads(
        this.options.sql,
        known.map(({ stream }) => stream),
      )
      await Promise.all(
        known.map(({ stream, position }) => {
          const head = heads.get(stream)?.head ?? NOWHERE
          if (head.number > position.number) return this.reach(stream, head.number)
          return isSamePosition(head, position) ? Promise.resolve() : this.verify(stream)
        }),
      )
    } catch (error) {
      this.options.log.warn({ err: error }, 'failed to check the stream heads')
    } finally {
      this.#checking = false
    }
  }

  #readUpTo(stream: string, watched: Watched, number: number): Promise<void> {
    watched.wanted = Math.max(watched.wanted, number)
    if (watched.position.number >= watched.wanted) return Promise.resolve()
    return this.verify(stream)
  }

  /** Reads once, and on while there is more. Nothing else moves the position meanwhile. */
  async #read(stream: string, watched: Watched): Promise<void> {
    try {
      do {
        const { wanted } = watched
        const on = await readOn(this.options.sql, stream, watched.position.number, READ_BATCH)
        if (this.#watched.get(stream) !== watched) return
        const { head, events } = on ?? { head: NOWHERE, events: [] }
        this.#take(stream, watched, head, events)
        // What was heard of before the read is committed: if it is not there, the database has lost it.
        if (events.length === 0 && watched.wanted === wanted) watched.wanted = head.number
      } while (watched.position.number < watched.wanted)
    } catch (error) {
      this.options.log.warn({ err: error, stream }, 'failed to read a stream')
    } finally {
      // In the same tick as the last look at `wanted`: who comes later begins to read anew.
      watched.reading = null
    }
  }

  /** @param events past the position, as of the moment of `head` */
  #take(stream: string, watched: Watched, head: StreamPosition, events: readonly StoredEvent[]): void {
    for (const event of events) {
      if (!follows(watched.position, event)) {
        // What came before it has expired, or is of another history than what was delivered.
        const { number, previous } = event
        this.#break(stream, watched, { number: number - 1, tag: previous ?? watched.position.tag })
      }
      this.#deliver(watched, event)
    }
    if (events.length === 0 && !isSamePosition(head, watched.position)) this.#break(stream, watched, head)
  }

  #break(stream: string, watched: Watched, position: StreamPosition): void {
    watched.position = position
    for (const listener of watched.listeners) {
      this.#tell(stream, () => listener.onBreak?.(stream, position))
    }
  }

  #deliver(watched: Watched, event: StoredEvent): void {
    watched.position = positionAfter(watched.position, event)
    if (watched.wanted < event.number) watched.wanted = event.number
    for (const listener of watched.listeners) this.#tell(event.stream, () => listener.onEvent(event))
  }

  #tell(stream: string, call: () => void): void {
    try {
      call()
    } catch (error) {
      this.options.log.error({ err: error, stream }, 'a stream listener failed')
    }
  }
}
