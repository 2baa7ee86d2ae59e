import type { Logger } from 'pino'
import type { Sql } from '../db/database.js'
import type { JsonObject } from '../json.js'
import { follows, isSamePosition, NOWHERE, positionOf, type StoredEvent, type StreamPosition } from './event.js'
import { readHeads, readOn } from './streams.js'

/** An event that is only sent to current subscribers and never stored, such as typing. */
export interface Ephemeral {
  stream: string
  type: string
  data: JsonObject
}

export interface StreamListener {
  onEvent(event: StoredEvent): void
  onEphemeral?(event: Ephemeral): void
  /**
   * The listener's state may be wrong: events have expired unread, or the database was restored to an older state and
   * has another history now. The stream continues after `position`, which may be before the last event received.
   */
  onBreak?(stream: string, position: StreamPosition): void
}

/** Forwards events between nodes. It may lose any of them: delivery does not depend on it. */
export interface HintBus {
  publish(events: readonly StoredEvent[]): void
  publishEphemeral(event: Ephemeral): void
  /** Subscribes this node to hints of the stream. */
  want(stream: string): void
  unwant(stream: string): void
  connect(receiver: HintReceiver): void
  close(): Promise<void>
}

export interface HintReceiver {
  events(events: readonly StoredEvent[]): void
  ephemeral(event: Ephemeral): void
  /** The bus was unavailable: hints may have been lost. */
  interrupted(): void
}

interface Watched {
  /** The last event delivered on this node. */
  position: StreamPosition
  listeners: Set<StreamListener>
  /** Newest number announced but not delivered yet; a read is running until `position` reaches it. */
  wanted: number
  reading: Promise<void> | null
}

/** Interval in which stream heads are compared: a lost hint delays delivery but loses nothing. */
const HEAD_CHECK_MS = 1_000
const READ_BATCH = 500

/**
 * Delivers committed events to this node's listeners: each once, in the order of its stream's numbers, whatever the
 * hints do. A gap in the numbers, an interrupted bus or the periodic check of heads makes it read the missing ones.
 * Delivered events always continue one history: after a restore or a failover that lost commits, which reuse numbers,
 * it notifies its listeners of the break instead.
 */
export class Dispatcher implements HintReceiver {
  readonly #watched = new Map<string, Watched>()
  #timer: NodeJS.Timeout | null = null
  #checking = false
  readonly #unstored = new Map<string, (event: Ephemeral) => void>()
  readonly #heard: ((events: readonly StoredEvent[]) => void)[] = []
  readonly #heardUnstored: ((event: Ephemeral) => void)[] = []

  constructor(
    private readonly options: {
      sql: Sql
      log: Logger
      hints?: HintBus
      headCheckMs?: number
      /** Called for each stream whose newest event no hint has announced yet. */
      observeLate?: () => void
    },
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

  /** Number of streams with listeners on this node. */
  get watchedCount(): number {
    return this.#watched.size
  }

  /** @param hear called with the events of this node's own transactions: a hint, which a node that dies does not get */
  onPublish(hear: (events: readonly StoredEvent[]) => void): void {
    this.#heard.push(hear)
  }

  /** @param hear called with what is never stored: of this node, and what hints bring */
  onEphemeral(hear: (event: Ephemeral) => void): void {
    this.#heardUnstored.push(hear)
  }

  /**
   * Hears what is sent to a stream in which nothing is ever stored: its head is not compared, so that a quiet node asks the
   * database nothing.
   */
  hear(stream: string, hear: (event: Ephemeral) => void): void {
    this.#unstored.set(stream, hear)
    this.options.hints?.want(stream)
  }

  /** Must be called after the commit, with the result of `appendEvents`. */
  publish(events: readonly StoredEvent[]): void {
    if (events.length === 0) return
    for (const hear of this.#heard) hear(events)
    this.events(events)
    this.options.hints?.publish(events)
  }

  publishEphemeral(event: Ephemeral): void {
    this.ephemeral(event)
    this.options.hints?.publishEphemeral(event)
  }

  /**
   * Starts listening to a stream. `position` is a head read before; if others already listen, theirs is kept, and the
   * listener may receive events up to its own `position`, which it must skip.
   * @returns a function that stops listening
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

  /** Returns the last delivered event of a stream that has listeners here. */
  positionOf(stream: string): StreamPosition | undefined {
    return this.#watched.get(stream)?.position
  }

  /** Resolves when the stream has been delivered up to `number` here, or turns out to have no such event. */
  async reach(stream: string, number: number): Promise<void> {
    const watched = this.#watched.get(stream)
    if (watched && watched.position.number < number) await this.#readUpTo(stream, watched, number)
  }

  /** Compares the delivered position of a stream with the database's history, and delivers missing events. */
  async verify(stream: string): Promise<void> {
    const watched = this.#watched.get(stream)
    if (watched) await (watched.reading ??= this.#read(stream, watched))
  }

  events(events: readonly StoredEvent[]): void {
    for (const event of events) {
      const watched = this.#watched.get(event.stream)
      if (!watched || event.number <= watched.position.number) continue
      // A hint of another history is not trusted: the database is read instead.
      if (follows(watched.position, event) && !watched.reading) this.#deliver(watched, event)
      else void this.#readUpTo(event.stream, watched, event.number)
    }
  }

  ephemeral(event: Ephemeral): void {
    this.#unstored.get(event.stream)?.(event)
    for (const hear of this.#heardUnstored) hear(event)
    const watched = this.#watched.get(event.stream)
    if (watched) for (const listener of watched.listeners) listener.onEphemeral?.(event)
  }

  interrupted(): void {
    void this.checkHeads()
  }

  /** Reads missing events of all watched streams. Errors are logged: the next check tries again. */
  async checkHeads(): Promise<void> {
    if (this.#checking || this.#watched.size === 0) return
    this.#checking = true
    try {
      // Recorded before the heads are read: deliveries in the meantime must not look like a stream that went back.
      const known = [...this.#watched].map(([stream, { position }]) => ({ stream, position }))
      const heads = await readHeads(
        this.options.sql,
        known.map(({ stream }) => stream),
      )
      await Promise.all(
        known.map(({ stream, position }) => {
          const head = heads.get(stream)?.head ?? NOWHERE
          if (head.number > position.number) {
            if ((this.#watched.get(stream)?.wanted ?? Infinity) < head.number) this.options.observeLate?.()
            return this.reach(stream, head.number)
          }
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

  /** Reads until nothing is missing. Nothing else changes the position in the meantime. */
  async #read(stream: string, watched: Watched): Promise<void> {
    try {
      do {
        const { wanted } = watched
        const on = await readOn(this.options.sql, stream, watched.position.number, READ_BATCH)
        if (this.#watched.get(stream) !== watched) return
        const { head, events } = on ?? { head: NOWHERE, events: [] }
        this.#take(stream, watched, head, events)
        // Numbers announced before the read are committed: a missing event was lost by the database.
        if (events.length === 0 && watched.wanted === wanted) watched.wanted = head.number
      } while (watched.position.number < watched.wanted)
    } catch (error) {
      this.options.log.warn({ err: error, stream }, 'failed to read a stream')
    } finally {
      // In the same tick as the last check of `wanted`, so that a later announcement starts a new read.
      watched.reading = null
    }
  }

  /** @param events after the position, as of the moment of `head` */
  #take(stream: string, watched: Watched, head: StreamPosition, events: readonly StoredEvent[]): void {
    for (const event of events) {
      if (!follows(watched.position, event)) {
        // Earlier events have expired, or belong to another history than the delivered ones.
        const { number, previous } = event
        this.#break(stream, watched, { number: number - 1, tag: previous })
      }
      this.#deliver(watched, event)
    }
    if (events.length === 0 && !isSamePosition(head, watched.position)) this.#break(stream, watched, head)
  }

  #break(stream: string, watched: Watched, position: StreamPosition): void {
    watched.position = position
    for (const listener of watched.listeners) {
      this.#notify(stream, () => listener.onBreak?.(stream, position))
    }
  }

  #deliver(watched: Watched, event: StoredEvent): void {
    watched.position = positionOf(event)
    if (watched.wanted < event.number) watched.wanted = event.number
    for (const listener of watched.listeners) this.#notify(event.stream, () => listener.onEvent(event))
  }

  #notify(stream: string, call: () => void): void {
    try {
      call()
    } catch (error) {
      this.options.log.error({ err: error, stream }, 'a stream listener failed')
    }
  }
}
